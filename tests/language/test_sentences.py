"""Where a sentence ends."""

import pytest

from clawgit.language.sentences import texts


@pytest.mark.parametrize(
    "text",
    [
        "The fee is 80 euros incl. VAT.",
        "The gate code is 4711# (ask Marek: ext. 12).",
        "We pay 300 euros to Lund & Co. KG.",
        "Version no. 7 (rev. B) is final.",
        "Merk dir, dass Hr. Weber die Tel. 0170 222 hat.",
        "The key hangs in the shed behind\nthe greenhouse, next to the hose.",
        "Recuerda que el Sr. Ruiz vive en la Av. Libertad núm. 4.",
    ],
)
def test_a_short_word_with_a_point_ends_no_sentence(text):
    assert texts(f"{text} And the next one.") == [text, "And the next one."]
