"""What is read of a correction; `benchmarks/memory/corrections.py` prints the table."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.corrected_values import Correction, Turn, read_correction
from clawgit.memory.value_exchange import Stored
from clawgit.messages.triage import BUILT_IN, triage

CORPORA = Path(__file__).parents[2] / "corpora"
MIN_RIGHT, MAX_WRONG = 57, 1


def read(words, before=(), stored=()):
    return read_correction(words, triage(words, BUILT_IN), before, stored)


def test_of_the_corpora_few_corrections_land_wrongly():
    right, wrong = 0, []
    for path in sorted(CORPORA.glob("corrections*.toml")):
        for dialogue in tomllib.loads(path.read_text("utf-8"))["dialogue"]:
            memory = dialogue.get("memory", [])
            stored = [Stored(str(number), text) for number, text in enumerate(memory)]
            *before, last = (
                Turn("operator" if turn["who"] in ("operator", "user") else "agent", turn["text"])
                for turn in dialogue["turns"]
            )
            outcome = read(last.text, before, stored)
            if not isinstance(outcome, Correction):
                continue
            entry = dialogue.get("entry", "")
            wanted = memory[entry] if isinstance(entry, int) and entry >= 0 else "" if entry == -1 else str(entry)
            statement = outcome.exchanges[0].statement if outcome.exchanges else ""
            expected = wanted.replace(dialogue.get("said", ""), dialogue.get("true", "")) if wanted else ""
            is_right = dialogue["kind"] == "correction" and statement.casefold() == expected.casefold()
            right += is_right
            wrong += [] if is_right else [dialogue["id"]]
    assert right >= MIN_RIGHT
    assert len(wrong) <= MAX_WRONG, wrong


@pytest.mark.parametrize(
    ("entry", "words", "statement"),
    [
        (
            "Bertrand prunes the vines in February.",
            "It's Colette who prunes the vines, not Bertrand.",
            "Colette prunes",
        ),
        ("Bertrand prunes the vines in February.", "No, Colette prunes the vines, not Bertrand.", "Colette prunes"),
        (
            "Bertrand prunes the vines in February.",
            "Actually Colette prunes the vines, not Bertrand.",
            "Colette prunes",
        ),
        (
            "The vines are pruned by Bertrand.",
            "Actually Colette prunes the vines, not Bertrand.",
            "The vines are pruned by Colette.",
        ),
        ("Bertrand is the tester.", "No, Colette is the designer, not Bertrand.", None),
        ("The deadline is 14 March.", "No, it's the 28th, not the 14th.", "The deadline is 28 March."),
        ("The advisor is Prof. Lee.", "The advisor is not Prof. Lee but Prof. Chen.", "The advisor is Prof. Chen."),
        ("The shop is in St. Gallen.", "The shop is in St. Moritz, not in St. Gallen.", "The shop is in St. Moritz."),
        ("The fair is on 3 May 2026.", "No, the fair is on 5 May, not 3 May.", "The fair is on 5 May 2026."),
        ("The fair is on 2026-03-04.", "No, the 5th, not the 4th.", "The fair is on 2026-03-05."),
        ("The trip starts Friday, 11 December 2026.", "The trip starts on 12 December 2026.", None),
        ("Die Reise beginnt Montag, 7. Dezember.", "Die Reise beginnt am 8. Dezember, nicht am 7. Dezember.", None),
        ("The meeting is on the 8th.", "No, the meeting is on the 9th, not the 8th.", "The meeting is on the 9th."),
        ("The rent is 1,250 euros.", "No, the rent is 1,350 not 1,250.", "The rent is 1,350 euros."),
    ],
)
def test_what_was_said_takes_the_place_of_one_value_or_nothing_does(entry, words, statement):
    outcome = read(words, (Turn("agent", entry),), [Stored("x", entry)])
    exchanges = outcome.exchanges if isinstance(outcome, Correction) else ()
    if statement is None:
        assert exchanges == ()
    else:
        assert exchanges[0].statement.startswith(statement)


@given(st.text(max_size=300), st.text(max_size=80), st.text(max_size=80))
def test_any_text_comes_to_something(words, said, stored):
    outcome = read(words, (Turn("agent", said),), [Stored("x", stored)])
    for exchange in outcome.exchanges if isinstance(outcome, Correction) else ():
        assert exchange.said in exchange.entry.text
        assert exchange.statement != exchange.entry.text


@pytest.mark.parametrize(
    "words", ["3 to 5 " * 280, "not a " * 330, "不是周三是周四" * 280, "a? " * 660, "Ana Bob " * 240, "x" * 10_000]
)
def test_hostile_words_take_no_time_to_speak_of(words):
    read(words, (Turn("agent", "The kickoff is on Monday."),), [Stored("k", "The kickoff is on Monday.")])
