"""Where a sentence ends."""

import pytest

from clawgit.language.sentences import texts


@pytest.mark.parametrize(
    "text",
    [
        "The fee is 80 euros incl. VAT.",
        "The gate code is 4711# (ask Marek: ext. 12).",
        "Merk dir, dass Hr. Weber die Tel. 0170 222 hat.",
        "Die Wohnung liegt im 3. Stock, Tür 2.",
        "Merk dir, dass am 1. 5. der Laden in der Bahnhofstr. 4 zu ist.",
        "Jeopardy! starts at 7:30.",
        "The key hangs in the shed behind\nthe greenhouse, next to the hose.",
    ],
)
def test_a_mark_in_the_middle_ends_no_sentence(text):
    assert texts(f"{text} And the next one.") == [text, "And the next one."]


@pytest.mark.parametrize(
    "parts",
    [
        ("thanks for that!", "remember the key."),
        ("Hey Claude\n", "remember the key."),
        ("We meet at 9 p.m.", "The cake is there."),
    ],
)
def test_a_sentence_ends_before_another_one(parts):
    assert texts(" ".join(parts)) == [part.strip() for part in parts]
