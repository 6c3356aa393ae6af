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
        "The office opens at 9 a.m. Eastern time.",
        "Die Wohnung liegt im 3. Stock, Tür 2.",
        "Sein 2. Vorname ist Emil.",
        "Jeopardy! starts at 7:30.",
        "Guess Who? is the game.",
        "The code is #4711! and not the old one.",
        "The key hangs in the shed behind\nthe greenhouse, next to the hose.",
        "Recuerda que el Sr. Ruiz vive en la Av. Libertad núm. 4.",
    ],
)
def test_a_mark_in_the_middle_ends_no_sentence(text):
    assert texts(f"{text} And the next one.") == [text, "And the next one."]


@pytest.mark.parametrize(
    "parts",
    [
        ("thanks for that!", "remember the key."),
        ("Hey Claude\n", "remember the key."),
        ("We meet at 9.", "Bring a cake."),
        ("We meet at 9 p.m.", "The cake is there."),
        ("It costs 4.5.", "Ana pays."),
    ],
)
def test_a_sentence_ends_before_another_one(parts):
    assert texts(" ".join(parts)) == [part.strip() for part in parts]
