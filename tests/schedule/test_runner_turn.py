"""What is due is done, and noted before the next begins."""

import shutil

import pytest

from clawgit.schedule import runner_state
from clawgit.schedule.job_process import Did
from clawgit.schedule.runner import Turn
from clawgit.schedule.runner_state import GoneError
from clawgit.store.database import StateStore
from clawgit.workspace import run_ledger

POLLED = ["capture", "session-import", "recall-validator", "index"]
MORNING = ["memory-miner", "organizer", "conflict-detector"]
NIGHT = ["soul-keeper", "housekeeping", "decay-engine", "lessons", *MORNING, "digest"]


@pytest.fixture(autouse=True)
def _utc(configure):
    configure("timezone: UTC")


def look(turn, *names):
    return [one.job for one in turn.run(names)]


def test_a_day_runs_each_agent_once_in_the_order_of_the_times(turn, work, clock):
    look(turn)
    work.taken()
    for _ in range(24 * 12):
        clock.go(minutes=5)
        look(turn)
    assert [job for job in work.taken() if job not in POLLED] == NIGHT


def test_what_was_killed_on_the_way_is_done_by_the_next(turn, work, clock, here, environ):
    look(turn)
    clock.go(hours=19)
    work.comes["memory-miner"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        look(turn)
    del work.comes["memory-miner"]
    assert look(Turn(here, work, clock, lambda: False, environ)) == MORNING


def test_a_job_that_fails_stops_no_other_and_is_tried_again(turn, work, clock, here):
    look(turn)
    clock.go(hours=19)
    work.comes["memory-miner"] = Did("failed", error="the model is gone", fix="look for it")
    assert look(turn)[-3:] == MORNING
    assert look(turn) == []
    clock.go(minutes=5)
    assert "memory-miner" in look(turn)
    clock.go(minutes=5)
    assert "memory-miner" not in look(turn)
    work.comes.clear()
    clock.go(minutes=5)
    assert "memory-miner" in look(turn)
    errors = [one.error for one in run_ledger.ledger(StateStore(here.home)) if one.agent == "memory-miner"]
    assert errors == ["the model is gone"] * 2
    assert runner_state.load(here.state)["memory-miner"].attempts == 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"jobs": {"memory-miner": 5}}', "\0\xff"])
def test_a_damaged_note_starts_no_storm(turn, work, clock, here, text):
    look(turn)
    clock.go(days=3)
    (here.state / runner_state.FILE).write_text(text)
    assert look(turn) == POLLED
    clock.go(days=1)
    assert look(turn) == POLLED + NIGHT


def test_a_workspace_that_is_gone_or_another_one_is_left(turn, work, here):
    look(turn)
    work.taken()
    moved = here.root.rename(here.root.with_name("moved"))
    with pytest.raises(GoneError, match="is gone"):
        look(turn)
    shutil.copytree(moved, here.root)
    with pytest.raises(GoneError, match="was replaced"):
        look(turn)
    assert work.taken() == []
