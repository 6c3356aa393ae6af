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

Faults = Callable[..., dict[str, Any]]
Amount = Callable[[int, int], int]

KILLS = Path(__file__).resolve().parents[2] / "benchmarks/kills.py"

pytestmark = pytest.mark.race


@pytest.mark.parametrize("part", ["0/4", "1/4", "2/4", "3/4"])
def test_death_at_any_call_whatever_others_do_before_the_next_write(
    faults: Faults, shim: Path, part: str, amount: Amount
) -> None:
    """Announced: wholly there, once. Not: nothing was touched. Nobody's line is lost, nothing stays behind."""
    report = faults("--kinds", "die", "--part", part, "--every", str(amount(9, 17)), shim=shim)
    assert report["failures"] == []
    assert report["died"] == report["cases"] > 12
    assert 5 < report["announced"] < report["cases"]


@pytest.mark.parametrize("part", ["0/2", "1/2"])
def test_an_error_at_any_call_refuses_cleanly_or_is_made_good(
    faults: Faults, shim: Path, part: str, amount: Amount
) -> None:
    """Before the announcement every file and the index stay byte for byte, and no lock is left."""
    kinds = "ENOSPC,EIO,EACCES,tear and die,tear and ENOSPC"
    report = faults("--kinds", kinds, "--actions", "nothing", "--part", part, "--every", str(amount(5, 9)), shim=shim)
    assert report["failures"] == []
    assert report["raised"] > 3


@pytest.mark.parametrize("part", ["0/2", "1/2"])
def test_death_in_the_recovery_from_a_death(faults: Faults, shim: Path, part: str, amount: Amount) -> None:
    report = faults("--twice", "--kinds", "die", "--every", str(amount(9, 12)), "--part", part, shim=shim)
    assert report["failures"] == []
    assert report["cases"] > 5


def test_death_and_error_at_the_named_steps(faults: Faults) -> None:
    """What can be had without a compiler."""
    report = faults("--kinds", "die,ENOSPC", "--actions", "nothing,removes_lock", "--every", "4")
    assert report["failures"] == []
    assert report["cases"] > 15


@pytest.mark.parametrize("others", [False, True], ids=["alone", "beside others"])
def test_a_hundred_kills_at_any_microsecond(tmp_path: Path, *, others: bool) -> None:
    """Every acknowledged change is there exactly once, no other is there twice, and the next write works.

    On a machine so busy that no kill of a hundred falls into the middle of a write, there are a hundred more.
    """
    arguments = ["--kills", "100", "--json", *(["--others"] if others else [])]
    recovered = 0
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, str(KILLS), *arguments],
            env={**os.environ, "TMPDIR": str(tmp_path)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
        report = json.loads(done.stdout)
        assert report["wrong"] == []
        assert report["kills"] == 100
        assert report["acknowledged"] > 50
        if recovered := report["recovered"]:
            break
    assert recovered > 0


def test_kills_in_every_command_that_writes(disk: Path) -> None:
    """Every acknowledged change is in the log once, with its line; files, index and HEAD agree."""
    done = subprocess.run(
        [sys.executable, str(KILLS), "--commands", "--kills", "24", "--json"],
        env={**os.environ, "TMPDIR": str(disk)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    report = json.loads(done.stdout)
    assert report["wrong"] == []
    assert report["acknowledged"] > 10
    assert report["kills"] == 24
