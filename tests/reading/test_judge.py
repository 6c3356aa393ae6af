"""The judge is asked about all claims at once, with canaries that look like them."""

import random

import pytest

from clawgit.reading import judge
from clawgit.reading.judge import Call, Claim, Pair

TEXTS = (
    "The relay listens on port 8080.",
    "Ana has the key of the shed.",
    "The rent is 1,250 euros a month.",
    "Tomatoes stay out of the greenhouse.",
    "The dentist is on 12 June at 14:30.",
    "Backups run each night.",
    "Ilse prefers tea to coffee.",
    "The invoice of Brandt is open.",
)
CLAIMS = [Claim(Pair(text, f'(2026-05-31) "{text}"')) for text in TEXTS]


def call(seed: str = "a", claims: list[Claim] = CLAIMS) -> Call:
    return judge.make_call(claims, (), seed)


def answering(*wholly: str, also: str = "") -> judge.Say:
    """Return a judge that calls these claims wholly supported, with a source that holds them."""

    def say(rules: str, material: str, tokens: int) -> str:
        del rules, tokens
        rows = [row.split(" ", 2) for row in material.splitlines() if row[:1].isdigit()]
        sources = dict(row.split(": ", 1) for row in material.splitlines() if row[:1] == "S")
        good = {n for n, letter, text in rows if text in wholly and text in sources[letter.strip("[]")]}
        return "\n".join(f"{n} {'wholly' if n in good or also else 'not'}" for n, _, _ in rows)

    return say


def test_a_canary_is_a_false_claim_of_the_same_form() -> None:
    for pair in call().canaries:
        assert pair not in {claim.pair for claim in CLAIMS}
        assert pair.text not in pair.source


def test_the_form_alone_does_not_tell_a_canary() -> None:
    """A classifier by length, capitals, digits and place guesses no better than chance."""
    rows = []
    for seed in range(60):
        chosen = random.Random(seed).sample(CLAIMS, 6)
        asked = call(str(seed), chosen)
        rows += [(_read_form(pair.text, place), pair in asked.canaries) for place, pair in enumerate(asked.pairs[:-1])]
    half = len(rows) // 2
    share = sum(is_canary for _, is_canary in rows) / len(rows)
    for feature in range(4):
        values = sorted(form[feature] for form, _ in rows[:half])
        middle = values[half // 2]
        above = [is_canary for form, is_canary in rows[half:] if form[feature] > middle]
        below = [is_canary for form, is_canary in rows[half:] if form[feature] <= middle]
        for guessed in filter(None, (above, below)):
            assert abs(sum(guessed) / len(guessed) - share) < 0.2


def _read_form(text: str, place: int) -> tuple[int, int, int, int]:
    return len(text), sum(map(str.isupper, text)), sum(map(str.isdigit, text)), place


def test_of_two_answers_the_weaker_counts() -> None:
    answers = iter([answering(also="all"), answering(*TEXTS[1:])])
    judged = judge.judge(CLAIMS, (), lambda *asked: next(answers)(*asked), "a")  # noqa: PLW0108 - a new one each time
    assert judged.reliable
    assert [judged.degrees[claim.pair] for claim in CLAIMS] == ["not", *["wholly"] * (len(TEXTS) - 1)]


@pytest.mark.parametrize(
    ("said", "degrees"),
    [
        ("1 wholly\n2 partly\n3 not\n4 changed", {1: "wholly", 2: "partly", 3: "not", 4: "changed"}),
        ('"1": "wholly", "2": "not"', {1: "wholly", 2: "not"}),
        ("1. **Wholly**\n2) not", {1: "wholly", 2: "not"}),
        ("1 wholly\n1 not", {}),
        ("yes", {}),
    ],
)
def test_answers_are_read_leniently(said: str, degrees: dict[int, str]) -> None:
    assert judge.read_degrees(said) == degrees
