"""What sorts a message is, byte for byte, what was weighed on the corpora.

Who changes a pattern on purpose measures it there, and writes the new digest here.
"""

import hashlib
import json

import pytest

from clawgit.messages import triage
from clawgit.messages.patterns import built_in

PACKS = {name: built_in([name] if name != "en" else []) for name in ("en", "zh", "ja", "ko", "it")}
PATTERNS = {
    **{
        name: [(one.source, one.group, one.route, one.cased, one.whole) for one in pack] for name, pack in PACKS.items()
    },
    "no value": [triage.no_value()],
    "reassurance": [triage.kind()],
    "recollection": sorted(list(rule) for rule in triage.rules()),
}
DIGESTS = {
    "en": (20, "a13f8872d1692f32ad39e18199630b3ea94b01c12127170622a0d48a82c3b9a3"),
    "zh": (41, "7261514c3c4cffc820b3b6747a11b1293b06657b42d11a45b0eb59a90b8f459b"),
    "ja": (41, "d71a72ce41f8306bf24b1ee659873b0e32671d28a94607349a2d16ef5a6bb5fe"),
    "ko": (41, "1f5a2024688c61ed918034324e6e343d7e6662efd4a7a4724020d4db9b5e3dec"),
    "it": (41, "996197f0221b8c3d79f56aa16c3734a9e98c7b84cc184dad8e051702ab137d8a"),
    "no value": (1, "95463fce3d23ea4e669042d9c3526227bd791317a2a90480f7a0ea8be57666ed"),
    "reassurance": (1, "12a50afd70e4f12d2795204bb66213f8ef0fbe7fcd59605d8faa1f1cad71ee8d"),
    "recollection": (5, "c1a41acd3039392ff8c9015e3c075e573edd080db017e3fbdf16498c7ef10ce0"),
}
"""How many there are, and SHA-256 of their JSON."""


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_what_was_weighed(name):
    rows = PATTERNS[name]
    assert (len(rows), hashlib.sha256(json.dumps(rows).encode()).hexdigest()) == DIGESTS[name]
