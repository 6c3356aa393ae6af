"""The words that decide on sameness are, byte for byte, what was weighed on the corpora.

Who changes a table on purpose measures it (`make bench ARGS=memory/sameness`), and writes the new digest here.
"""

import tomllib
from hashlib import sha256

from clawgit.text.sameness import note

DIGESTS = {
    "same": "2c8768c35dad429fd84dff2e55079fc0c1b903688c75163652c920723e577e24",
    "near": "42f85f9d9999d7a0328584ed06fc298bc036ea9f979fb75b11c057a4d85c2815",
    "opposites": "e73c0cd50478bee796d9e5f0ea04e013a07f20c50e4f0f611e0406a382a70ea6",
    "quantifiers": "49550ae8f47d75dc5638b515b1090659bfb0ef7be1dd292c2ba4cd0b043afd47",
    "contracted": "03109cbb3b7600ed4c7d6b8a34d5919dd9efd9a65e38c2c36275a7c628accb17",
    "phrases": "d1bf1da45d184d6be148acec5d099273fd19fd3c6cc947c7952021e1f39604f3",
    "misspelt": "7750d51798785440e1557fbbdcec7790ea97f244a24b7430986a357a5cf37c7a",
    "traditional": "6e72af6be99348ab9adfd93549fea0019054a043be6a97a16878306e6a1668c6",
    "simplified": "f8c5976353eef6d840b434f37dcdaa45069339df1f7f9063adf201d4ef7e8715",
    "asian_same": "75df2dda70148bdc453ea70987806516eb23edf2c81a7cfa7402dafc221f2623",
}


def test_the_tables_are_what_was_weighed() -> None:
    held = tomllib.loads(note.DATA.read_text("utf-8"))
    assert {name: sha256(text.encode()).hexdigest() for name, text in held.items()} == DIGESTS
