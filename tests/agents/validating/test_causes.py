"""What only looks like a correction is none, and what is one in other words is."""

import tomllib
from pathlib import Path

import pytest

from clawgit.agents.validating.contradicting_words import Candidate, Correction, Stored, Turn
from clawgit.agents.validating.resolve import resolve
from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage

HERE = Path(__file__).parent
UNCLAIMED = tomllib.loads((HERE / "unclaimed.toml").read_text("utf-8"))["dialogue"]
UPDATES = tomllib.loads((HERE / "updates.toml").read_text("utf-8"))["dialogue"]
MISSED = {"update-de-03", "update-ko-14", "update-en-24"}
"""Corrections that are not found, or are asked about: a compound, an amount alone, a number in other words."""


def came(dialogue):
    stored = [Stored(str(at), text) for at, text in enumerate(dialogue["memory"])]
    turns = [Turn(one["who"], one["text"]) for one in dialogue["turns"]]
    words = turns[-1].text
    return resolve(words, triage(words, BUILT_IN), turns[:-1], stored)


@pytest.mark.parametrize("dialogue", UNCLAIMED, ids=lambda one: one["id"])
def test_what_is_not_claimed_corrects_nothing(dialogue):
    assert not isinstance(came(dialogue), Correction)


@pytest.mark.parametrize("dialogue", UPDATES, ids=lambda one: one["id"])
def test_an_update_corrects_the_one_memory_or_none(dialogue):
    found = came(dialogue)
    if dialogue["id"] in MISSED:
        assert not isinstance(found, Correction)
        return
    assert isinstance(found, Correction)
    assert found.entry
    assert found.entry.text == dialogue["entry"]
    assert found.statement.casefold() == dialogue["entry"].replace(dialogue["said"], dialogue["true"]).casefold()


def test_what_two_memories_could_mean_is_asked():
    stored = [Stored("yoga", "Yoga is at 8:00."), Stored("market", "The market opens at 8:00.")]
    words = "its 9:00 now, not 8:00"
    found = resolve(words, triage(words, BUILT_IN), (), stored)
    assert isinstance(found, Candidate)
    assert len(found.choices) == 2
