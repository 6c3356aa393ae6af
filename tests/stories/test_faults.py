"""A write may fail or die at any call: what it promised holds all the same.

The change edits MEMORY.md, sets a row, appends to a journal, deletes a file and makes another; somebody's uncommitted
line stands in MEMORY.md. faults.py does the breaking and the looking; here stands how much of it every run does.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.amounts import amount

Faults = Callable[..., dict[str, Any]]

KILLS = Path(__file__).resolve().parents[2] / "benchmarks/writes/kills.py"


def killed(folder: Path, *arguments: str) -> dict[str, Any]:
    """Run kills.py below `folder`, and return its report."""
    result = subprocess.run(
        [sys.executable, str(KILLS), *arguments, "--json"],
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode in (0, 1), result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    return report


@pytest.mark.parametrize("part", ["0/2", "1/2"][: amount(2, 1)])
def test_death_at_any_call_whatever_others_do_before_the_next_write(faults: Faults, part: str) -> None:
    """Announced: wholly there, once. Not: nothing was touched. Nobody's line is lost, nothing stays behind."""
    report = faults("--kinds", "die", "--part", part, "--every", str(amount(9, 41)))
    assert report["failures"] == []
    assert report["died"] == report["cases"] > 12
    assert 5 < report["announced"] < report["cases"]


def test_an_error_at_any_call_refuses_cleanly_or_is_made_good(faults: Faults) -> None:
    """Before the announcement every file and the index stay byte for byte, and no lock is left."""
    kinds = "ENOSPC,EIO,EACCES,tear and die,tear and ENOSPC"
    report = faults("--kinds", kinds, "--actions", "do_nothing", "--every", str(amount(5, 13)))
    assert report["failures"] == []
    assert report["raised"] > 3


def test_death_in_the_recovery_from_a_death(faults: Faults) -> None:
    report = faults("--twice", "--kinds", "die", "--every", str(amount(9, 37)))
    assert report["failures"] == []
    assert report["cases"] > 5


@pytest.mark.parametrize("others", [False, True][: amount(2, 1)])
def test_kills_at_any_microsecond(tmp_path: Path, *, others: bool) -> None:
    """Every acknowledged change is there exactly once, no other is there twice, and the next write works.

    On a machine so busy that none falls into the middle of a write, there are as many more.
    """
    kills = amount(100, 18)
    arguments = ["--kills", str(kills), *(["--others"] if others else [])]
    recovered = 0
    for _ in range(6):
        report = killed(tmp_path, *arguments)
        assert report["wrong"] == []
        assert report["kills"] == kills
        assert report["acknowledged"] > kills / 2
        if recovered := report["recovered"]:
            break
    assert recovered > 0


def test_kills_in_every_command_that_writes(disk: Path) -> None:
    """Every acknowledged change is in the log once, with its line; files, index and HEAD agree."""
    report = killed(disk, "--commands", "--kills", str(amount(24, 8)))
    assert report["wrong"] == []
    assert report["acknowledged"] > 4
    assert report["kills"] == amount(24, 8)
