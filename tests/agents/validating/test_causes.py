"""What only looks like a correction is none."""

import tomllib
from pathlib import Path

import pytest

from clawgit.agents.validating.resolve import Candidate, Correction, Stored, Turn, resolve
from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage

HERE = Path(__file__).parent
UNCLAIMED = tomllib.loads((HERE / "unclaimed.toml").read_text("utf-8"))["dialogue"]


def came(dialogue):
    stored = [Stored(str(at), text) for at, text in enumerate(dialogue["memory"])]
    turns = [Turn(one["who"], one["text"]) for one in dialogue["turns"]]
    words = turns[-1].text
    return resolve(words, triage(words, BUILT_IN), turns[:-1], stored)


@pytest.mark.parametrize("dialogue", UNCLAIMED, ids=lambda one: one["id"])
def test_what_is_not_claimed_corrects_nothing(dialogue):
    assert not isinstance(came(dialogue), Correction)


def test_what_two_memories_could_mean_is_asked():
    stored = [Stored("yoga", "Yoga is at 8:00."), Stored("market", "The market opens at 8:00.")]
    words = "its 9:00 now, not 8:00"
    found = resolve(words, triage(words, BUILT_IN), (), stored)
    assert isinstance(found, Candidate)
    assert len(found.choices) == 2
