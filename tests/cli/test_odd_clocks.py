"""With any clock of the machine a command answers, or reports that the clock is wrong."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

NOW = datetime.now(UTC)
ODD = {
    "never set": datetime(1970, 1, 1, 0, 0, 10, tzinfo=UTC),
    "past 32 bits": datetime(2106, 3, 1, tzinfo=UTC),
    "the last day": datetime(9999, 12, 31, 12, tzinfo=UTC),
}
READING = (
    "status",
    "doctor",
    "log --seen",
    "context",
    "search kettle",
    "digest",
    "memory status",
    "schedule status",
    "why MEMORY.md:1",
    "run memory-compactor",
    "run memory-miner",
)
WRITING = ("memory add Kettle", "journal add hello", "capture", "changelog", "run memory-compactor --apply", "undo")


@pytest.mark.parametrize("moment", ODD.values(), ids=ODD.keys())
def test_a_command_answers_by_any_clock(call: Callable, space: Path, inside: Callable, moment: datetime) -> None:
    (space / "memory/2026-01-20.md").write_text("- Kettle is blue.\n")
    call("capture")
    with time_machine.travel(moment, tick=True):
        for words in (*WRITING, *READING):
            answer = call(*words.split())
            assert answer.code in (0, 1, 3), (words, answer.err)
            assert "mistake in clawgit" not in answer.err, words
    inside("fsck", "--strict")
    assert call("memory", "add", "after all that").code == 0
    assert (space / "memory/2026-01-20.md").exists()


@pytest.mark.parametrize("moment", [ODD["never set"], ODD["the last day"]])
def test_no_job_runs_by_a_clock_that_was_never_set(call: Callable, moment: datetime) -> None:
    with time_machine.travel(moment, tick=True):
        answer = call("schedule", "once", "housekeeping")
    assert answer.code == 1
    assert "nothing runs before it is set" in answer.err


def test_what_housekeeping_drops_by_age_waits_too(call: Callable) -> None:
    with time_machine.travel(NOW + timedelta(days=100), tick=True):
        answer = call("schedule", "once", "housekeeping")
    assert (answer.code, "nothing is removed by its age" in answer.err) == (0, True)


@pytest.mark.parametrize("ahead", [100, -100])
def test_a_clock_that_jumped_moves_no_journal_and_the_printed_command_lets_it(
    call: Callable, space: Path, ahead: int
) -> None:
    old = f"memory/{NOW - timedelta(days=20):%Y-%m-%d}.md"
    (space / old).write_text("- Chose tea. #decision\n")
    call("config", "compaction", "chronicle")
    call("capture")
    with time_machine.travel(NOW + timedelta(days=ahead), tick=True):
        call("journal", "add", "written by the clock that jumped")
        for words in (
            "run memory-compactor --apply",
            "memory compact --apply --remove",
            "schedule once memory-compactor",
        ):
            answer = call(*words.split())
            assert answer.code == 1
            assert "nothing is removed by its age" in answer.err
            assert (space / old).exists()
        assert "clawgit doctor --clock-is-right" in call("run", "memory-compactor").err
        (clock,) = [row for row in call("doctor", "--json").json if row["check"] == "clock"]
        assert clock["fix"].startswith("clawgit doctor --clock-is-right")
        call("doctor", "--clock-is-right")
        assert call("run", "memory-compactor", "--apply").code == 0
        assert (space / old).exists() == (ahead < 0)
