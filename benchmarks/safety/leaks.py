"""How many made-up secrets are found, and how many ordinary lines are taken for one.

    python benchmarks/safety/leaks.py   recall by group of formats, false findings, time
    python benchmarks/safety/leaks.py --show   and the formats that were missed and the lines that were not secret
    python benchmarks/safety/leaks.py --cases FILE   on cases of your own: JSON, [{"text": "", "secret": true}]
    python benchmarks/safety/leaks.py --peer PYTHON   beside detect-secrets, run by that Python on the same lines

Secrets are made at run time from the shapes in corpora/secrets.toml. Ordinary lines are generated journals and
the standard library's own source.
"""

import argparse
import json
import random
import re
import string
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.safety import secrets

SHAPES = Path(__file__).parents[2] / "corpora" / "secrets.toml"
SEED = 20260214
JOURNAL, CODE = 5000, 5000  # lines
MODULES = ("argparse", "configparser", "ftplib", "getpass", "hashlib", "http/client", "netrc", "smtplib", "ssl", "uuid")
ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "lower": string.ascii_lowercase + string.digits,
    "upper": string.ascii_uppercase + string.digits,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "digit": string.digits,
    "b64": string.ascii_letters + string.digits + "+/",
    "url": string.ascii_letters + string.digits + "-_",
    "bech": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}
SUBJECTS = ("Mara", "Jonas", "The build", "Ola", "The map server", "The electrician", "Ines", "The importer")
VERBS = ("moved", "checked", "asked about", "fixed", "postponed", "measured", "wrote down", "tested", "approved")
OBJECTS = (
    "the route from commit {hex:7}",
    "issue #{digit:4}",
    "the invoice 2026-{digit:4}",
    "the meeting at 10:{digit:2}",
    "the password reset flow",
    "the token budget ({digit:4} tokens)",
    "the API key rotation plan",
    "row {digit:3} of the sheet",
    "release v1.{digit:1}.{digit:2}",
    "the secret santa list",
    "run {uuid}",
    "the file memory/2026-02-{digit:2}.md",
    "the key of the shed",
    "order {upper:8}",
    "the ticket for train ICE {digit:3}",
    "sha256:{hex:64}",
    "https://fern.example/p/{digit:5}?ref=mail",
    "the pass over the ridge, {digit:4} m",
    "the docs on OAuth2 and JWT",
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A line with one made-up secret."""

    group: str
    format: str
    line: str


def planted() -> list[Planted]:
    """Make one secret of each shape."""
    rng = random.Random(SEED)
    groups = tomllib.loads(SHAPES.read_text(encoding="utf-8"))
    return [
        Planted(group, name, fill(shape, rng))
        for group, formats in groups.items()
        for name, shapes in formats.items()
        for shape in shapes
    ]


def fill(shape: str, rng: random.Random) -> str:
    """Return `shape` with its fields made up."""
    return re.sub(r"\{(\w+)(?::(\d+))?\}", lambda field: _field(field, rng), shape)


def _field(field: re.Match[str], rng: random.Random) -> str:
    if field[1] == "uuid":
        return str(uuid.UUID(int=rng.getrandbits(128), version=4))
    if field[1] == "pass":
        return "".join(rng.choices(ALPHABETS["alnum"], k=9)) + "7xQ" + rng.choice("!#%+=")
    return "".join(rng.choices(ALPHABETS[field[1]], k=int(field[2])))


def ordinary() -> list[str]:
    """Return lines that hold no secret."""
    rng = random.Random(SEED + 1)
    journal = [f"- {_said(rng)}; {_said(rng)}." for _ in range(JOURNAL)]
    return journal + [line for _, line in zip(range(CODE), _code(), strict=False)]


def _said(rng: random.Random) -> str:
    return fill(f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)}", rng)


def _code() -> Iterator[str]:
    library = Path(sysconfig.get_path("stdlib"))
    for module in MODULES:
        yield from (
            line for line in (library / f"{module}.py").read_text(encoding="utf-8").splitlines() if line.strip()
        )


def found(lines: list[str]) -> list[bool]:
    """Tell for each line whether a secret is found in it."""
    return [bool(secrets.find_secrets(line)) for line in lines]


def by_peer(python: str, lines: list[str]) -> list[bool]:
    """Tell the same of the package detect-secrets with its defaults, each line standing in a file with the others."""
    script = (
        "import json, sys\n"
        "from detect_secrets.core.scan import scan_file\n"
        "from detect_secrets.settings import default_settings\n"
        "with default_settings():\n"
        "    print(json.dumps([secret.line_number for secret in scan_file(sys.argv[1])]))"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as file:
        file.write("\n".join(lines))
        file.flush()
        result = subprocess.run([python, "-c", script, file.name], capture_output=True, encoding="utf-8", check=True)
    hits, first, answer = set(json.loads(result.stdout)), 1, []
    for line in lines:
        last = first + line.count("\n")
        answer.append(not hits.isdisjoint(range(first, last + 1)))
        first = last + 1
    return answer


def measure() -> dict[str, float]:
    """Return how many secrets were planted and found, of how many formats, and how many ordinary lines alarm."""
    secret, plain = planted(), ordinary()
    start = time.perf_counter()
    alarms = sum(found(plain))
    spent = time.perf_counter() - start
    return {
        "formats": len({item.format for item in secret}),
        "planted": len(secret),
        "found": sum(found([item.line for item in secret])),
        "lines": len(plain),
        "alarms": alarms,
        "microseconds_a_line": round(1e6 * spent / len(plain), 1),
    }


def _print(peer: str) -> None:
    secret, plain = planted(), ordinary()
    columns = {"clawgit": found([item.line for item in secret])}
    alarms = {"clawgit": sum(found(plain))}
    if peer:
        columns["detect-secrets"] = by_peer(peer, [item.line for item in secret])
        alarms["detect-secrets"] = sum(by_peer(peer, plain))
    print(f"  {'group':10}{'secrets':>9}" + "".join(f"{name:>16}" for name in columns))
    for group in (*dict.fromkeys(item.group for item in secret), ""):
        index = [n for n, item in enumerate(secret) if group in (item.group, "")]
        print(
            f"  {group or 'all':10}{len(index):>9}"
            + "".join(f"{sum(hit[n] for n in index):>16}" for hit in columns.values())
        )
    print(f"  {'ordinary lines':19}" + "".join(f"{alarms[name]:>9} of {len(plain)}" for name in columns))


def by_cases(cases: list[dict[str, object]]) -> dict[str, object]:
    """Return the shares of secrets that are found, and of others that are taken for one."""
    hits = [(bool(case["secret"]), bool(secrets.find_secrets(str(case["text"])))) for case in cases]
    held, plain = [hit for held, hit in hits if held], [hit for held, hit in hits if not held]
    return {
        "secrets": len(held),
        "found": sum(held) / max(len(held), 1),
        "others": len(plain),
        "alarms": sum(plain) / max(len(plain), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", default="", metavar="PYTHON", help="a Python that has detect-secrets installed")
    parser.add_argument("--show", action="store_true", help="list what is missed and what is no secret")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--cases", type=Path, metavar="FILE", help="measure on these instead")
    options = parser.parse_args()
    if options.cases:
        print(json.dumps(by_cases(json.loads(options.cases.read_text("utf-8")))))
        return
    if options.json:
        keep(results := measure())
        print(json.dumps(results))
        return
    _print(options.peer)
    if options.show:
        for item in planted():
            if not secrets.find_secrets(item.line):
                print(f"  missed {item.group}/{item.format}: {item.line[:110]!r}")
        for line in ordinary():
            if secrets.find_secrets(line):
                print(f"  no secret: {line.strip()[:110]!r}")


if __name__ == "__main__":
    main()
