"""A compaction that is killed at any moment is finished by the next one."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ..talk import Talk  # noqa: TID252 - the tests' own workspace

RUN = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor
from clawgit.memory.compact import Plan
from clawgit.workspace.workspace import open_workspace

with open_workspace(Path(sys.argv[1])) as workspace:
    workspace.clock = lambda: datetime(2026, 6, 1, tzinfo=UTC)
    print("begun", flush=True)
    running.apply(MemoryCompactor(Plan("chronicle", 30, remove=True)), workspace)
"""


def run(root: Path, pause: float | None = None) -> int:
    """Compact in a process of its own, which is killed after a pause; return how it ended."""
    with subprocess.Popen([sys.executable, "-c", RUN, root], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        if pause is not None:
            time.sleep(pause)
            process.kill()
        return process.wait()


def remembered(root: Path) -> dict[str, bytes]:
    return {place.relative_to(root).as_posix(): place.read_bytes() for place in sorted(root.glob("memory/**/*.md"))}


@pytest.mark.parametrize("pauses", [(0.0, 0.05, 0.1, 0.15), (0.02, 0.07, 0.2, 0.3)])
def test_whenever_it_is_killed_the_next_run_leads_to_the_same_files(
    talk: Talk, tmp_path: Path, pauses: tuple[float, ...]
) -> None:
    """The pauses only choose moments: the outcome is the same for each."""
    for number in range(1, 6):
        for month in (1, 2, 3):
            talk.write(
                f"memory/2026-0{month}-0{number}.md", f"- Paid {number}{month} EUR to Zoë.\n- Chose tea. #decision\n"
            )
    whole = Path(shutil.copytree(talk.root, tmp_path / "whole"))
    assert run(whole) == 0
    for pause in pauses:
        run(talk.root, pause)
    assert run(talk.root) == 0
    assert remembered(talk.root) == remembered(whole)
    assert talk.git("status", "--porcelain") == ""
    talk.git("fsck", "--strict")


STOPPED = """
import itertools, os, sys
from clawgit.git import write_steps

count = itertools.count(1)
write_steps.observe(lambda step: os._exit(9) if step == "branch" and next(count) == int(sys.argv[2]) else None)
"""


@pytest.mark.parametrize("commit", [1, 2, 3])
def test_a_removal_that_was_killed_is_finished_by_a_run_that_finds_nothing_else_to_do(talk: Talk, commit: int) -> None:
    for month in (1, 2, 3):
        talk.write(f"memory/2026-0{month}-01.md", f"- Paid {month}1 EUR to Zoë.\n- Chose tea. #decision\n")
    words = [sys.executable, "-c", STOPPED + RUN, talk.root, str(commit)]
    assert subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode == 9
    assert talk.git("status", "--porcelain")
    assert run(talk.root) == 0
    assert talk.git("status", "--porcelain") == ""
    assert not list(talk.root.glob("memory/2026-*.md"))
