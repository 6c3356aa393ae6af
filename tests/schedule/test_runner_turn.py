"""What is due is done, and noted before the next begins."""

import errno
import json
import shutil
from datetime import UTC, datetime

import pytest

from clawgit.errors import ClawgitError, UsageError
from clawgit.git import regular_file
from clawgit.schedule import runner_state
from clawgit.schedule.job_order import Did
from clawgit.schedule.runner import Turn
from clawgit.schedule.runner_state import GoneError, place
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


def test_the_first_look_polls_and_starts_no_agent(turn, work, clock):
    """No storm after adopting or cloning: what has a time runs from the next one on."""
    assert look(turn) == POLLED
    clock.go(minutes=1)
    assert look(turn) == []
    assert [(one.seconds, one.commits, one.tokens) for one in work.orders[:1]] == [(1800, 200, 200_000)]


def test_a_day_runs_each_agent_once_in_the_order_of_the_times(turn, work, clock):
    look(turn)
    work.taken()
    for _ in range(24 * 12):
        clock.go(minutes=5)
        look(turn)
    assert [job for job in work.taken() if job not in POLLED] == NIGHT


def test_after_a_week_asleep_each_job_runs_once_the_polled_ones_first(turn, work, clock):
    look(turn)
    work.taken()
    clock.go(days=7, hours=20)
    assert look(turn) == [*POLLED, "promotion-review", "memory-compactor", *NIGHT]
    assert look(turn) == []


def test_a_new_process_goes_on_where_the_last_one_ended(turn, work, clock, here, environ):
    look(turn)
    clock.go(hours=19)
    assert look(turn)[-3:] == MORNING
    assert look(Turn(here, work, clock, lambda: False, environ)) == []


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


def test_an_interval_with_nothing_new_starts_no_process(turn, work, clock, here):
    look(turn)
    work.taken()
    clock.go(minutes=5)
    assert look(turn) == []
    (here.root / "MEMORY.md").write_text("- new\n")
    clock.go(minutes=5)
    assert look(turn) == ["capture"]
    clock.go(minutes=60)
    assert look(turn) == POLLED  # the stamps of files do not tell everything


def test_a_job_that_is_not_done_with_what_is_new_looks_again(turn, work, clock):
    work.comes["capture"] = Did("nothing", again=True)
    look(turn)
    clock.go(minutes=5)
    assert look(turn) == ["capture"]


def test_named_jobs_run_whatever_is_due_and_serve_their_slot(turn, work, clock):
    look(turn)
    assert look(turn, "memory-miner", "capture") == ["capture", "memory-miner"]
    clock.go(hours=18, minutes=5)
    assert look(turn, "memory-miner") == ["memory-miner"]
    assert "memory-miner" not in look(turn)


def test_a_job_that_nobody_knows_is_answered_with_the_nearest(turn):
    with pytest.raises(UsageError) as told:
        look(turn, "memory-minr")
    assert str(told.value.fix).startswith("clawgit schedule once memory-miner ")


def test_a_changed_time_counts_from_the_next_look_on(turn, work, clock, configure):
    look(turn)
    clock.go(hours=16)
    configure("timezone: UTC\ncron_memory_miner: 03:59")
    assert "memory-miner" in look(turn)


def test_a_bad_time_is_told_and_the_others_run(turn, work, clock, configure):
    configure("timezone: UTC\ncron_memory_miner: 25:00")
    look(turn)
    clock.go(hours=20)
    assert "conflict-detector" in look(turn)
    assert [one.message for one in turn.problems()] == [
        "CONFIG.md:5: cron_memory_miner: '25:00' is not a time of day such as 06:00, or off"
    ]


@pytest.mark.parametrize("block", ["run_seconds: never", "run_seconds: [", "timezone: Nowhere/Land"])
def test_a_config_that_cannot_be_used_runs_nothing_and_names_its_line(turn, work, configure, block):
    configure(block)
    with pytest.raises(ClawgitError, match=r"CONFIG\.md:[45]: "):
        look(turn)
    assert work.taken() == []


def test_a_clock_that_was_never_set_runs_nothing(turn, work, clock):
    clock.now = datetime(1970, 1, 1, 0, 3, tzinfo=UTC)
    with pytest.raises(ClawgitError, match="the clock says 1970-01-01"):
        look(turn)
    assert work.taken() == []


def test_what_cannot_be_noted_is_not_run(turn, work, here):
    here.state.parent.mkdir(parents=True, exist_ok=True)
    here.state.write_text("a file where the folder should be")
    with pytest.raises(ClawgitError, match="what ran cannot be noted"):
        look(turn)
    assert work.taken() == []


def test_a_full_disk_is_told_with_the_file_that_did_not_fit(turn, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(regular_file, "replace_state", full)
    with pytest.raises(ClawgitError, match=r"schedule\.json.*: No space left"):
        look(turn)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"jobs": {"memory-miner": 5}}', "\0\xff"])
def test_a_damaged_note_starts_no_storm(turn, work, clock, here, text):
    look(turn)
    clock.go(days=3)
    (here.state / runner_state.FILE).write_text(text)
    assert look(turn) == POLLED
    clock.go(days=1)
    assert look(turn) == POLLED + NIGHT


def test_notes_of_more_jobs_than_there_are_rows_are_kept(turn, here):
    look(turn)
    known = json.loads((here.state / runner_state.FILE).read_text())
    known["jobs"]["memory-compactor"] = known["jobs"]["capture"]
    (here.state / runner_state.FILE).write_text(json.dumps(known))
    look(turn)
    assert "memory-compactor" in runner_state.load(here.state)


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


def test_a_folder_that_is_no_workspace_is_refused(tmp_path, environ):
    with pytest.raises(ClawgitError, match="is in no git repository"):
        place(tmp_path, environ)
    (tmp_path / ".git").mkdir()
    with pytest.raises(ClawgitError, match="is not managed"):
        place(tmp_path, environ)


def test_asked_to_end_it_begins_nothing_more(here, work, clock, environ):
    asked = []
    turn = Turn(here, work, clock, lambda: bool(asked), environ)
    asked.extend(ended.job for ended in turn.run())
    assert asked == ["capture"]
