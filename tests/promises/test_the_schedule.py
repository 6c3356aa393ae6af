"""The schedule runs each slot once: not twice, and one that was missed is caught up."""

from tests.promises.desk import Desk
from tests.promises.missing import missing


def test_a_job_that_ran_is_noted_and_others_are_not(desk: Desk) -> None:
    before = last_run(desk, "index")
    desk.run("schedule", "once", "capture")
    assert last_run(desk, "capture") is not None
    assert last_run(desk, "index") == before


def test_a_failed_job_ends_no_other(desk: Desk) -> None:
    desk.write("memory/odd.md", b"\xff\xfe")
    desk.call("schedule", "once", "index")
    desk.run("schedule", "once", "capture")
    assert last_run(desk, "capture") is not None


def last_run(desk: Desk, job: str) -> object:
    """Return when a job ran last, None for never."""
    return next(row["last"] for row in desk.run("schedule", "status") if row["job"] == job)


def test_an_unknown_job_is_refused(desk: Desk) -> None:
    desk.refuse("schedule", "once", "nothing-such", key="job-unknown", code=2)


@missing("schedule run --once runs everything that is due, once")
def test_a_slot_is_not_run_twice(desk: Desk) -> None:
    ran = desk.run("schedule", "run", "--once")
    assert ran["ran"]
    assert desk.run("schedule", "run", "--once")["ran"] == []
