"""The reading of a correction; `benchmarks/memory/corrections.py` prints the table."""

import tomllib
from pathlib import Path

import pytest

from clawgit.memory.corrected_values import Correction, SpokenTurn, read_correction
from clawgit.memory.value_exchange import Stored
from clawgit.messages.triage import BUILT_IN, triage

CORPORA = Path(__file__).parents[2] / "corpora"
MIN_RIGHT, MAX_WRONG = 55, 1


def read(words, before=(), memories=()):
    return read_correction(words, triage(words, BUILT_IN), before, memories)


def test_of_the_corpora_few_corrections_land_wrongly():
    right, wrong = 0, []
    for path in sorted(CORPORA.glob("corrections*.toml")):
        for dialogue in tomllib.loads(path.read_text("utf-8"))["dialogue"]:
            memory = dialogue.get("memory", [])
            memories = [Stored(str(number), text) for number, text in enumerate(memory)]
            *before, last = (
                SpokenTurn("operator" if turn["who"] in ("operator", "user") else "agent", turn["text"])
                for turn in dialogue["turns"]
            )
            outcome = read(last.text, before, memories)
            if not isinstance(outcome, Correction):
                continue
            entry = dialogue.get("entry", "")
            value = memory[entry] if isinstance(entry, int) and entry >= 0 else "" if entry == -1 else str(entry)
            statement = outcome.exchanges[0].statement if outcome.exchanges else ""
            expected = value.replace(dialogue.get("said", ""), dialogue.get("true", "")) if value else ""
            is_right = dialogue["kind"] == "correction" and statement.casefold() == expected.casefold()
            right += is_right
            wrong += [] if is_right else [dialogue["id"]]
    assert right >= MIN_RIGHT
    assert len(wrong) <= MAX_WRONG, wrong


@pytest.mark.parametrize("words", ["3 to 5 " * 280, "not a " * 330, "不是周三是周四" * 280, "x" * 10_000])
def test_hostile_words_take_no_time_to_speak_of(words):
    read(words, (SpokenTurn("agent", "The kickoff is on Monday."),), [Stored("k", "The kickoff is on Monday.")])
