"""Each slot is served once, at its time, or by a later one that stands in for it."""

import os
from pathlib import Path
from typing import Any

import pytest
import time_machine

from tests.promises.desk import Desk

OTHERS = ("decay-engine", "lessons", "organizer", "housekeeping", "promotion-review", "digest")
OFF = f"cron_times: {{{', '.join(f'{job}: off' for job in OTHERS)}}}\n" + "".join(
    f"cron_{name}: off\n" for name in ("soul_keeper", "compactor_weekly", "conflict_detector")
)


def configure(desk: Desk, block: str) -> None:
    desk.write("CONFIG.md", f"# Config\n\n```yaml\n{block}```\n")
    desk.commit()


def row(desk: Desk, job: str) -> Any:
    return next(slot for slot in desk.run("schedule", "status") if slot["job"] == job)


def look(desk: Desk, moment: str) -> list[str]:
    """Let the runner look once at a moment; return the jobs that ran, without those that run every few minutes."""
    with time_machine.travel(f"{moment}:00+00:00", tick=True):
        ran = desk.call("schedule", "once").document
    polled = ("capture", "session-import", "recall-validator", "index")
    return [slot["job"] for slot in ran if slot["job"] not in polled]


@pytest.mark.parametrize(
    ("zone", "now", "time", "expected"),
    [
        ("Europe/Berlin", "2027-01-09", "02:30", "2027-01-10T02:30:00+01:00"),
        ("Europe/Berlin", "2027-03-27", "02:30", "2027-03-28T03:30:00+02:00"),  # there is none
        ("Europe/Berlin", "2026-10-24", "02:30", "2026-10-25T02:30:00+02:00"),  # twice: the first
        ("America/New_York", "2026-10-31", "01:30", "2026-11-01T01:30:00-04:00"),
        ("Australia/Lord_Howe", "2026-10-03", "02:15", "2026-10-04T02:45:00+11:00"),  # half an hour is left out
        ("Europe/Berlin", "2027-01-07", "Sunday 03:00", "2027-01-10T03:00:00+01:00"),
    ],
)
def test_a_time_that_is_left_out_comes_later_and_one_that_comes_twice_is_its_first(
    desk: Desk, zone: str, now: str, time: str, expected: str
) -> None:
    key, job = ("compactor_weekly", "memory-compactor") if " " in time else ("soul_keeper", "soul-keeper")
    configure(desk, f'timezone: {zone}\ncron_{key}: "{time}"\n')
    with time_machine.travel(f"{now}T12:00:00+00:00", tick=False):
        assert row(desk, job)["next"] == expected


def test_each_slot_is_served_once_whatever_the_clock_does(desk: Desk) -> None:
    configure(desk, f"timezone: UTC\n{OFF}")
    miner = ["memory-miner"]
    for moment, ran in (
        ("2026-12-01T12:00", []),  # after adopting at noon, the first run is tomorrow's
        ("2026-12-02T05:59", []),
        ("2026-12-05T06:00", miner),  # for all that were missed
        ("2026-12-03T06:10", []),  # the clock was put back
        ("2050-01-01T12:00", miner),
        ("2026-12-06T06:00", miner),
        ("2026-12-06T07:00", []),
    ):
        assert look(desk, moment) == ran, moment
    (place,) = Path(os.environ["XDG_STATE_HOME"]).rglob("schedule.json")
    place.write_text('{"jobs": {"memory-miner": 5}}')  # a damaged record starts no storm
    assert look(desk, "2026-12-09T12:00") == []
    assert look(desk, "2026-12-10T06:00") == miner


def test_a_failure_keeps_the_slot_open_and_is_tried_again_ever_later(desk: Desk) -> None:
    configure(desk, f"timezone: UTC\n{OFF.replace('digest: off', 'digest: off, sync: 06:00')}")
    assert look(desk, "2026-12-01T12:00") == []
    for moment, ran, after in (("06:00", 2, "06:05"), ("06:04", 0, "06:05"), ("06:06", 1, "06:16")):
        assert len(look(desk, f"2026-12-02T{moment}")) == ran
        with time_machine.travel(f"2026-12-02T{moment}:30+00:00", tick=False):
            failing = row(desk, "sync")
        assert failing["next"][11:16] == after
        assert failing["last"]["error"]
    desk.git("init", "-q", "--bare", str(desk.root.parent / "hub.git"))
    desk.git("remote", "add", "origin", str(desk.root.parent / "hub.git"))
    assert look(desk, "2026-12-02T06:17") == ["sync"]
    assert row(desk, "sync")["attempts"] == 0


def test_a_capture_waits_for_whoever_still_writes(desk: Desk) -> None:
    desk.write("memory/a.md", "- half a thou")
    head = desk.head()
    assert desk.run("schedule", "once", "capture")[0]["result"] == "nothing"
    assert desk.head() == head
    os.utime(desk.root / "memory/a.md", (1, 1))
    assert desk.run("schedule", "once", "capture")[0]["result"] == "done"
    assert desk.run("schedule", "once", "capture")[0]["result"] == "nothing"


def test_housekeeping_renders_the_changelog_and_packs(desk: Desk) -> None:
    desk.git("config", "gc.auto", "1")
    for number in range(300):  # git counts those whose id begins with 17
        desk.git("hash-object", "-w", "--stdin", stdin=str(number))
    desk.run("soul", "edit", "--section", "Core", "--why", "Asked for.", "--add", "Sing.")
    desk.run("schedule", "once", "housekeeping")
    assert "Sing." in desk.read("CHANGELOG.md")
    assert list((desk.root / ".git/objects/pack").glob("*.pack"))


def test_the_folder_at_hand_gives_no_modules(desk: Desk) -> None:
    """An agent could write them there, and have them run as the operator."""
    for path in ("json.py", "clawgit/__init__.py"):
        desk.write(path, "raise SystemExit('taken over')\n")
    result = desk.process("schedule", "once", "capture", cwd=desk.root)
    assert (result.returncode, "taken over" in result.stdout + result.stderr) == (0, False)


@pytest.mark.parametrize("job", ["capture", "memory-miner", "housekeeping"])
def test_outside_of_a_managed_workspace_nothing_is_touched(job: str, desk: Desk) -> None:
    desk.run("eject", "--yes")
    head = desk.head()
    assert desk.call("schedule", "once", job).code == 1
    assert desk.head() == head
