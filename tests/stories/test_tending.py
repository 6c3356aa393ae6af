"""A year of notes is tended by all jobs, twice; nothing is lost, and all of it can be taken back."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, time
from functools import partial
from pathlib import Path

import pytest

from clawgit import clock
from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor, Promoter
from clawgit.git.repository import find
from clawgit.memory.compact import CompactionPlan
from clawgit.memory.promote import Wanted
from clawgit.workspace import restore, run_ledger, undo
from clawgit.workspace.workspace import Workspace
from tests.amounts import amount
from tests.years import UNTIL, Made, commits, make

CLAWGIT = Path(sys.executable).with_name("clawgit")
NOW = datetime.combine(UNTIL, time(23), UTC)


def promote(workspace: Workspace) -> None:
    running.apply(Promoter(Wanted(days=90)), workspace)


def compact(plan: CompactionPlan, workspace: Workspace) -> None:
    clock.confirm(workspace.repo, workspace.clock())
    running.apply(MemoryCompactor(plan), workspace)


JOBS: dict[str, Callable[[Workspace], None]] = {
    "promote": promote,
    "quarterly": partial(compact, CompactionPlan("quarterly", 90, remove=False, tend=False)),
    "chronicle": partial(compact, CompactionPlan("chronicle", 30, remove=True)),
}


class Years:
    """A workspace that others wrote for a year, adopted on its last day."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.made: Made = make(root, seed=17, days=365, notes=amount(2_500, 900))
        commits(root, self.made)
        subprocess.run([CLAWGIT, "-C", root, "adopt"], check=True, capture_output=True)
        self.start = self.git("rev-parse", "HEAD").strip()

    def opened(self) -> Workspace:
        return Workspace(find(self.root), lambda: NOW)

    def git(self, *arguments: str) -> str:
        result = subprocess.run(["git", "-C", self.root, *arguments], check=True, capture_output=True)
        return result.stdout.decode("utf-8", "replace")

    def standing(self) -> set[str]:
        """Every line of HEAD."""
        names = self.git("ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0")
        places = (self.root / name for name in names if name)
        texts = (place.read_bytes().decode("utf-8", "replace") for place in places if place.is_file())
        return {_bare(line) for text in texts for line in text.split("\n")}

    def journals(self) -> int:
        return len(list((self.root / "memory").glob("2*.md")))

    def changed(self) -> str:
        return self.git("diff", "--stat", self.start, "HEAD", "--", ".", ":!.clawgit")


def _bare(line: str) -> str:
    return line.removesuffix("\r").removeprefix("\ufeff")


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Years]:
    patch = pytest.MonkeyPatch()
    for name in ("XDG_STATE_HOME", "HOME"):
        patch.setenv(name, str(tmp_path_factory.mktemp("home")))
    for key, value in (("USER_NAME", "Ada"), ("USER_EMAIL", "ada@example.org")):
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_{key.removeprefix('USER_')}", value)
    yield Years(tmp_path_factory.mktemp("years") / "ws")
    patch.undo()


def test_a_year_is_tended_and_nothing_is_lost(years: Years) -> None:
    before = years.journals()
    for job in JOBS.values():
        with years.opened() as workspace:
            job(workspace)
    assert years.journals() * 3 < before
    memory = {_bare(row) for row in (years.root / "MEMORY.md").read_text("utf-8").split("\n")}
    assert {line for path, line in years.made.lines if path == "MEMORY.md"} <= memory, "it is for its owner to decide"

    tended = years.git("rev-parse", "HEAD")
    for job in JOBS.values():
        with years.opened() as workspace:
            job(workspace)
    assert years.git("rev-parse", "HEAD") == tended, "there is nothing left to do"
    assert years.git("status", "--porcelain") == ""

    losses = _list_losses(years)
    assert losses == []

    _take_all_back(years)
    assert years.changed() == ""


def _list_losses(years: Years) -> list[tuple[str, str]]:
    """Return the lines that are neither in HEAD nor come back with one restore of their file."""
    stand, losses = years.standing(), list[tuple[str, str]]()
    back: dict[str, set[str]] = {}
    with years.opened() as workspace:
        for path, line in years.made.lines:
            if line in stand:
                continue
            if path not in back:
                change = restore.restore(workspace, path, years.start)
                back[path] = {_bare(row) for row in (change.edits[0].text or "").split("\n")}
            if line not in back[path]:
                losses.append((path, line))
    return losses


def _take_all_back(years: Years) -> None:
    with years.opened() as workspace:
        for _ in ("chronicle", "quarterly"):
            for commit in run_ledger.find_run(workspace, None)[1]:
                workspace.apply(undo.undo(workspace, commit))
        workspace.apply(undo.undo(workspace))  # what was promoted
