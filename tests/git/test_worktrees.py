"""Linked working trees: each its own write, one lock and one set of references."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.git import pending_work, repository
from clawgit.git.transaction import Written
from tests.git.conftest import killed

Git = Callable[..., str]
Write = Callable[..., Written]


@pytest.fixture
def side(repo: Path, git: Git, tmp_path: Path) -> Path:
    git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    return tmp_path / "side"


def test_a_write_in_one_leaves_the_other_as_it_is(repo: Path, side: Path, git: Git, write: Write) -> None:
    (repo / "first.md").write_text("dirty in main\n")
    (side / "first.md").write_text("dirty on the side\n")
    for own, side_tree, branch in ((repo, side, "main"), (side, repo, "side")):
        before = git("status", "--porcelain", cwd=side_tree), (side_tree / "first.md").read_text()
        write({"new.md": f"{branch}\n"}, folder=own, branch=branch)
        assert (git("status", "--porcelain", cwd=side_tree), (side_tree / "first.md").read_text()) == before
        assert git("show", f"{branch}:new.md") == f"{branch}\n"
        assert git("status", "--porcelain", cwd=own) == " M first.md\n"


def test_each_finishes_its_own_interrupted_write(repo: Path, side: Path, git: Git, write: Write) -> None:
    """Both are broken off after the announcement; a write in one does not touch the leavings of the other."""
    for place, branch in ((repo, "main"), (side, "side")):
        with killed():
            write({"new.md": f"{branch}\n"}, folder=place, branch=branch)
    assert len(git("for-each-ref", "refs/clawgit").splitlines()) == 2
    assert pending_work.find_announced_work(repository.find(side)) is not None
    notes = write({"other.md": "other\n"}, folder=repo).notes
    assert git("rev-parse", "main~1")[:10] in notes[0]
    assert git("show", "main:new.md") == "main\n"
    assert (side / "new.md").exists() is False
    assert (repo / ".git/worktrees/side/index.lock").exists()
    write({"other.md": "other\n"}, folder=side, branch="side")
    assert git("show", "side:new.md") == (side / "new.md").read_text() == "side\n"
    assert git("for-each-ref", "refs/clawgit") == ""
    for place in (repo, side):
        assert git("status", "--porcelain", cwd=place) == ""
