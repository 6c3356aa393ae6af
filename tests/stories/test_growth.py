"""An identity that grew for a year: each command of its growth does what git says, and loses nothing."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.amounts import amount

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks/scale/growth.py"
COMMITS = amount(300, 50)
SIZES = ("--commits", str(COMMITS), "--touching", "50", "--samples", str(amount(5, 3)), "--rounds", "0", "--json")


def test_every_command_tells_what_git_tells_and_later_lines_stay() -> None:
    """Log, versions, days, diffs, blame, changelog; what is restored, and what stands after a revert."""
    done = subprocess.run([sys.executable, SCRIPT, *SIZES], capture_output=True, encoding="utf-8", check=False)
    assert not done.returncode, done.stderr
    grown: dict[str, Any] = json.loads(done.stdout)
    proved: dict[str, dict[str, int]] = grown["proved"]
    assert grown["commits"] >= COMMITS - 10
    assert {"agent", "capture", "clawgit", "merge", "operator"} <= grown["by"].keys()
    assert {name: one["wrong"] for name, one in proved.items()} == dict.fromkeys(proved, 0)
    assert len(proved) == 8
    assert all(one["tried"] for one in proved.values())
    reverted = proved["revert"]
    assert reverted["landed"] >= reverted.get("landed by git", 0)
