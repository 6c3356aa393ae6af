"""What finds secrets and injections is, byte for byte, what was weighed on the corpora.

Who changes a pattern on purpose measures it there, and writes the new digest here.
"""

import hashlib
import json

import pytest

from clawgit.safety import entropy, rules, secrets
from clawgit.safety.script_patterns import SCRIPTS, table

OURS = [
    (one.name, one.hint, one.pattern, one.shape, one.entropy, one.allow)
    for one in (*secrets.own("formats"), *secrets.own("prose"))
]
PATTERNS = {
    "secrets": OURS,
    "all secrets": [(one.name, one.hint, one.pattern, one.allow) for one in secrets.rules()],
    "no secrets": [entropy.not_meant(kind) for kind in ("filler", "weak", "names", "reference")],
    "unseen": list(table("signs.toml", "unseen").items()),
    "signs": [row for patterns in rules.patterns().values() for row in patterns.items()],
    "rules": [(one.kind, one.joins, one.unless, one.forbids) for one in rules.rules()],
    "binding": [row for script in SCRIPTS for row in table("binding.toml", script).items()],
    "prohibition": list(table("prohibition.toml", "forbids").items()),
}
DIGESTS = {
    "secrets": (74, "41fdf0a920f94a18190a792ae9e5bad0e87fec7cfbedf8e882e359e578102950"),
    "all secrets": (283, "c2a254434761d86cf64314216cc1a30f98ae2304f0d4ab56a1f66aca5ed494a6"),
    "no secrets": (4, "aadfb9a021162d40b9e767c65767c2b838941711bf84037d4976e6ecb34fb241"),
    "unseen": (3, "29bf3c96af32d94043a4c9546d2e076a5f824c3e895e9dc35c5c21b71bf0b32c"),
    "signs": (308, "ef4b3bf1852c425a600d2e2439d3ead705428b47d8567180e6b7e3018c7bfead"),
    "rules": (42, "1957141af9a70a2d7328f5fb2454c7b58101a7b5b03188b1ce56ed62a3cba1ed"),
    "binding": (138, "0750373fc0557db6272f3a644b8eb5150176adf1f3392ce6635b3ef1cabd4c8b"),
    "prohibition": (21, "70b05c383ebceec97758158bc799eb72845e3a4a578b22391c1906af81e4f39f"),
}
"""How many there are, and SHA-256 of their JSON."""


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_what_was_weighed(name):
    rows = PATTERNS[name]
    assert (len(rows), hashlib.sha256(json.dumps(rows).encode()).hexdigest()) == DIGESTS[name]
