"""What the operator says is a correction only where both sides are sure."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.validating.resolve import Candidate, Correction, Stored, Turn, resolve, resolve_statement
from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage

HERE = Path(__file__).parent
DIALOGUES = tomllib.loads((HERE / "dialogues.toml").read_text("utf-8"))["dialogue"]
CAUSES = tomllib.loads((HERE / "causes.toml").read_text("utf-8"))["dialogue"]
OPEN = {"m-en-none-14"}
"""What is asked about although it is nothing."""

KICKOFF = Stored("k", "The kickoff is on Monday.")
SAID = (Turn("agent", "The kickoff is on Monday."),)


def outcome(words, before=(), stored=()):
    return resolve(words, triage(words, BUILT_IN), before, stored)


def named(words, about):
    """Return what a memory says that is named, "" where nothing is corrected."""
    found = resolve_statement(words, triage(words, BUILT_IN), [], about)
    return found.statement if isinstance(found, Correction) else ""


@pytest.mark.parametrize(
    "dialogue", [*DIALOGUES, *(one for one in CAUSES if one["id"] not in OPEN)], ids=lambda one: one["id"]
)
def test_a_dialogue_comes_to_what_it_is(dialogue):
    stored = [Stored(str(at), text) for at, text in enumerate(dialogue["memory"])]
    turns = [Turn(one["who"], one["text"]) for one in dialogue["turns"]]
    found = outcome(turns[-1].text, turns[:-1], stored)
    if dialogue["kind"] == "correction":
        assert isinstance(found, Correction)
        assert (found.entry.text if found.entry else "") == dialogue["entry"]
        if found.entry:
            assert found.statement == dialogue["entry"].replace(dialogue["said"], dialogue["true"])
        else:
            assert (found.said, found.true) == (dialogue["said"], dialogue["true"])
    else:
        assert type(found).__name__ == {"candidate": "Candidate", "none": "NoneType"}[dialogue["kind"]]


def test_both_sides_in_so_many_words_correct_what_is_stored():
    """As a person says it in a chat, with words that are no values of any kind."""
    stored = Stored("o", "The print server is called otter.")
    found = outcome("No, the print server is called marten, not otter.", stored=[stored])
    assert isinstance(found, Correction)
    assert (found.entry, found.statement) == (stored, "The print server is called marten.")


@pytest.mark.parametrize(
    "words", ["no, it's fine", "No, that's ok, thanks", "nein, danke", "不用了,谢谢", "아니, 괜찮아"]
)
def test_a_kind_no_is_nothing(words):
    assert outcome(words, SAID, [KICKOFF]) is None


def test_a_particle_is_no_side_of_a_correction():
    """The 了 of 不用了 stands inside of any sentence, and names nothing that could be wrong."""
    entry = Stored("s", "铺子开了十九年。")
    found = outcome("呼号倒是要改,现在是 BH6QWD,BG那个是老的,不用了", (), [entry])
    assert not isinstance(found, Correction)


def test_an_agent_that_quotes_the_operator_changes_nothing():
    before = (Turn("agent", "You said: no, it's Tuesday, not Monday."), Turn("operator", "Tell me more."))
    assert outcome("Thanks!", before, [KICKOFF]) is None
    assert outcome("> No, it's Tuesday, not Monday.\n\nwho wrote this?", before, [KICKOFF]) is None


def test_of_five_memories_none_is_guessed():
    stored = [Stored(name, f"The {name} call is on Monday.") for name in ("team", "board", "sales", "press", "fund")]
    found = outcome("No, it's Tuesday, not Monday.", (), stored)
    assert isinstance(found, Candidate)
    assert found.said == "Monday"


def test_a_long_text_is_no_answer():
    assert isinstance(outcome("No, it's Tuesday, not Monday. " * 400, SAID, [KICKOFF]), Candidate)


def test_a_memory_that_is_known_to_be_meant_needs_no_matter():
    assert named("not Monday, Tuesday", KICKOFF) == "The kickoff is on Tuesday."
    assert named("not Friday, Tuesday", KICKOFF) == ""
    assert named("not tea but coffee", Stored("d", "She drinks tea.")) == "She drinks coffee."


def test_a_change_without_the_other_side_waits_for_a_reader():
    assert not isinstance(outcome("we pushed the kickoff to Tuesday btw", (), [KICKOFF]), Correction)


@given(st.text(max_size=300), st.text(max_size=80), st.text(max_size=80))
def test_any_text_comes_to_something(words, said, stored):
    found = outcome(words, (Turn("agent", said),), [Stored("x", stored)])
    if isinstance(found, Correction) and found.entry:
        assert found.said in found.entry.text
        assert found.statement != found.entry.text


@pytest.mark.parametrize(
    "words", ["3 to 5 " * 280, "not a " * 330, "不是周三是周四" * 280, "a? " * 660, "Ana Bob " * 240, "x" * 10_000]
)
def test_hostile_words_take_no_time_to_speak_of(words):
    outcome(words, SAID, [KICKOFF])
