"""What finds secrets and injections is, byte for byte, what was weighed on the corpora.

Who changes a pattern on purpose measures it there, and writes the new digest here.
"""

import hashlib
import json

import pytest

from clawgit.safety import phrases, secret_rules, shape, unseen

OURS = [
    (one.name, one.hint, one.pattern, one.shape, one.entropy, one.allow)
    for one in (*secret_rules.own("formats"), *secret_rules.own("prose"))
]
PATTERNS = {
    "secrets": OURS,
    "all secrets": [(one.name, one.hint, one.pattern, one.allow) for one in secret_rules.rules()],
    "no secrets": [shape.not_meant(kind) for kind in ("filler", "weak", "names", "reference")],
    "unseen": [unseen.said(name) for name in ("speaks", "data", "styled")],
    "injections": [(one.kind, one.pattern, one.forbids) for one in phrases.phrases()],
}
DIGESTS = {
    "secrets": (74, "42f322e024300e5b331d093a971d45a58805a27fd7ed04118dce956ca8c25b55"),
    "all secrets": (283, "34fb2714ccf89d7923f3136f7363e6d85cbd3877a1915e2240909da08b67a895"),
    "no secrets": (4, "aadfb9a021162d40b9e767c65767c2b838941711bf84037d4976e6ecb34fb241"),
    "unseen": (3, "70e4320b4066b12ef45525b95890cbd9c25e0d94ca2ecb48e24ce5e93a373d3e"),
    "injections": (108, "e30287a83c89f6b6279b3c91864ce5a0d41a80845eccb4639b33d2656d221372"),
}
"""How many there are, and SHA-256 of their JSON."""


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_what_was_weighed(name):
    rows = PATTERNS[name]
    assert (len(rows), hashlib.sha256(json.dumps(rows).encode()).hexdigest()) == DIGESTS[name]
