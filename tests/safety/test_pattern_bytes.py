"""What finds secrets is, byte for byte, what was weighed on the corpora.

Who changes a pattern on purpose measures it there, and writes the new digest here.
"""

import hashlib
import json

import pytest

from clawgit.safety import secrets

OURS = [
    (rule.name, rule.hint, rule.pattern, rule.shape, rule.entropy, rule.allow)
    for rule in (*secrets.list_own_rules("formats"), *secrets.list_own_rules("prose"))
]
PATTERNS = {
    "secrets": OURS,
    "all secrets": [(rule.name, rule.hint, rule.pattern, rule.allow) for rule in secrets.list_secret_rules()],
    "no secrets": [secrets.pattern_of_harmless(kind) for kind in ("filler", "weak", "names", "reference")],
}
DIGESTS = {
    "secrets": (74, "41fdf0a920f94a18190a792ae9e5bad0e87fec7cfbedf8e882e359e578102950"),
    "all secrets": (283, "c2a254434761d86cf64314216cc1a30f98ae2304f0d4ab56a1f66aca5ed494a6"),
    "no secrets": (4, "aadfb9a021162d40b9e767c65767c2b838941711bf84037d4976e6ecb34fb241"),
}
"""How many there are, and SHA-256 of their JSON."""


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_what_was_weighed(name):
    rows = PATTERNS[name]
    assert (len(rows), hashlib.sha256(json.dumps(rows).encode()).hexdigest()) == DIGESTS[name]
