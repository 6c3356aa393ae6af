"""Writes clawgit/safety/data/secrets/gitleaks.json anew from gitleaks' own rule file.

    python docs/gitleaks_rules.py gitleaks.toml "gitleaks 8.30.1, from …"
    python docs/gitleaks_rules.py gitleaks.toml --check

JSON is read 50 times faster than TOML, and every command that prints may need the rules. The paths that gitleaks does
not look at are taken over word for word. What is not taken over: rules that look at a file's name, and those whose work
our own rules do on prose. A pattern loses what gitleaks puts round the secret: a beginning that may be empty, and an
end that knows quotes and spaces, but no full stop.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PLACE = Path(__file__).parent.parent / "clawgit" / "safety" / "data" / "secrets" / "gitleaks.json"
OURS = frozenset(
    (
        *("curl-auth-header", "curl-auth-user", "generic-api-key", "jwt", "private-key", "sourcegraph-access-token"),
        *("twilio-api-key", "vault-service-token"),
    )
)
"""Rules that fire on ordinary prose, or on less of it than ours do."""

_KINDS = (  # what follows the vendor's name in a rule's id
    "access|account|admin|agent|api|app|application|auth|authentication|batch|bot|browser|ca|cicd|client|cloud|config"
    "|cookie|custom|delivery|deploy|encryption|feature|feed|fine|flag|global|grained|id|identity|incoming|insert|job|key"
    "|kubernetes|license|mail|management|oauth|org|organization|origin|page|password|pat|personal|private|ptt|pub|public"
    "|refresh|routable|rrt|runner|scim|secret|sensitive|service|session|shared|short|lived|long|signing|token|upload"
    "|url|user|v2"
)
_NAMES = {
    "1password": "onepassword",
    "airtable-personnal": "airtable",
    "aws-amazon-bedrock": "aws-bedrock",
    "aws": "aws-access-key",
    "flyio": "fly",
    "gcp": "google",
    "hashicorp-tf": "terraform",
    "microsoft-teams-webhook": "teams-webhook",
    "sendinblue": "brevo",
}
_ASSIGNED = r"=>|\?=|,)"  # of a token that only the vendor's name before it gives away
_BEGIN = re.compile(r"^(\(\?i\))?((?:\(\?i:)?)\[\\w\.-\]\{0,50\}\?")
_BORDER = re.compile(r"""((?:\(\?i\))?)(\\b|\(\?:\^\|\[\\\\'"\\x60\\s>=:\(,\)\]\))?(.*)""", re.DOTALL)
_ENDS = (r"""(?:$|[\\'"\x60\s<),])""", r"""(?:[\x60'"\s;]|\\[nr]|$)""", r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""")


def rules(config: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what scanning needs of each rule, in gitleaks' order."""
    for rule in config["rules"]:
        if "regex" not in rule or "path" in rule or rule["id"] in OURS:
            continue
        taken = {
            "name": _name(rule["id"]),
            "hint": "(?i)" + "|".join(re.escape(word).replace(r"\-", "-") for word in rule["keywords"]),
            "pattern": _bare(rule["regex"]),
            "shape": "named" if _ASSIGNED in rule["regex"] else "marked",
            "entropy": rule.get("entropy", 0),
            "allow": "|".join(f"(?:{one})" for a in rule.get("allowlists", ()) for one in a.get("regexes", ())),
        }
        yield {key: value for key, value in taken.items() if value}


def _name(rule: str) -> str:
    """Return the vendor's name, as our own rules have it: `github-fine-grained-pat` is one of `github`."""
    name = re.sub(rf"(?:-(?:{_KINDS}))+$", "", rule)
    return _NAMES.get(name, name)


def _bare(pattern: str) -> str:
    """Return the pattern with our own border before a token: Markdown's `_` and Chinese letters go on with no word."""
    pattern = _BEGIN.sub(r"\1\2", _BEGIN.sub(r"\1\2", pattern))
    for end in _ENDS:
        pattern = pattern.replace(end, "")
    if _ASSIGNED in pattern:
        return pattern
    flags, bordered, rest = _BORDER.fullmatch(pattern).groups()  # type: ignore[union-attr] # it matches anything
    rest = rest.removesuffix(r"\b")
    return f"{flags}(?:^|[^A-Za-z0-9])" + (rest if bordered and rest.startswith("(") else f"({rest})")


def written(config: dict[str, Any], source: str) -> str:
    """Return the file: one rule a line."""
    allow = "|".join(f"(?:{one})" for one in config["allowlist"]["regexes"])
    paths = json.dumps(config["allowlist"]["paths"])
    head = f'{{"source": {json.dumps(source)},\n"allow": {json.dumps(allow)},\n"paths": {paths},\n"rules": [\n'
    return head + ",\n".join(json.dumps(one) for one in rules(config)) + "\n]}\n"


def main(arguments: list[str]) -> int:
    """Write the file, or with --check tell whether it is as the rules say."""
    if len(arguments) != 2:  # noqa: PLR2004
        print(__doc__, file=sys.stderr)
        return 2
    config = tomllib.loads(Path(arguments[0]).read_text("utf-8"))
    if arguments[1] == "--check":
        known = PLACE.read_text("utf-8")
        fine = known == written(config, json.loads(known)["source"])
        print("gitleaks.json: " + ("fine" if fine else "not as the rules say"))
        return 0 if fine else 1
    PLACE.write_text(written(config, arguments[1]), "utf-8")
    print(f"{PLACE}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
