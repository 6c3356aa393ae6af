"""An identity that grew for a year: each command of its growth agrees with git, and loses nothing."""

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
    """Log, versions, days, diffs, blame, changelog; restored lines, and the lines after a revert."""
    result = subprocess.run([sys.executable, SCRIPT, *SIZES], capture_output=True, encoding="utf-8", check=False)
    assert not result.returncode, result.stderr
    growth: dict[str, Any] = json.loads(result.stdout)
    proved: dict[str, dict[str, int]] = growth["proved"]
    assert growth["commits"] >= COMMITS - 10
    assert {"agent", "capture", "clawgit", "merge", "operator"} <= growth["by"].keys()
    assert {name: row["wrong"] for name, row in proved.items()} == dict.fromkeys(proved, 0)
    assert len(proved) == 8
    assert all(row["tried"] for row in proved.values())
    reverted = proved["revert"]
    assert reverted["landed"] >= reverted.get("landed by git", 0)
