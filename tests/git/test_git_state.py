"""Obstacles to a write, and states that pass by themselves."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import BusyError, ClawgitError
from clawgit.git.transaction import Written

Git = Callable[..., str]
Write = Callable[..., Written]


def merge(git: Git) -> None:
    git("merge", "-q", "--no-commit", "--no-ff", "-s", "ours", "theirs")


def detached(git: Git) -> None:
    git("checkout", "-q", "--detach")


def checkout_other(git: Git) -> None:
    git("checkout", "-q", "theirs")


def staged(git: Git) -> None:
    git("rm", "-q", "--cached", "first.md")
    (Path(git("rev-parse", "--show-toplevel").strip()) / "first.md").unlink()


def staged_addition(git: Git) -> None:
    git("update-index", "--add", "--cacheinfo", f"100644,{git('rev-parse', 'HEAD:first.md').strip()},new.md")


def intent_to_add(git: Git) -> None:
    (Path(git("rev-parse", "--show-toplevel").strip()) / "new.md").write_text("new\n")
    git("add", "-N", "new.md")


def unmerged(git: Git) -> None:
    root = Path(git("rev-parse", "--show-toplevel").strip())
    git("checkout", "-q", "theirs~1")
    (root / "first.md").write_text("stashed\n")
    git("stash", "-q")
    git("checkout", "-q", "main")
    fails(git, "stash", "pop", "-q")


def fails(git: Git, *arguments: str) -> None:
    with pytest.raises(pytest.fail.Exception):
        git(*arguments)


OBSTACLES = {
    merge: "a merge is under way",
    detached: "HEAD is detached",
    checkout_other: "branch theirs is checked out",
    staged: "first.md has staged changes",
    staged_addition: "new.md has staged changes",
    intent_to_add: "new.md has staged changes",
    unmerged: "first.md is unmerged",
}


@pytest.mark.parametrize(("begin", "words"), OBSTACLES.items(), ids=[begin.__name__ for begin in OBSTACLES])
def test_nothing_is_touched_in_the_middle_of_something(
    git: Git, write: Write, begin: Callable[[Git], None], words: str, repo: Path
) -> None:
    """Soon after it began it may pass: wait, then busy. Long after: an error at once, with the way out."""
    git("checkout", "-qb", "theirs")
    (repo / "first.md").write_text("theirs\n")
    git("commit", "-qam", "theirs")
    git("checkout", "-q", "main")
    (repo / "first.md").write_text("ours\n")
    git("commit", "-qam", "ours")
    begin(git)
    before = snapshot(repo, git)
    with pytest.raises(BusyError, match=words):
        write({"first.md": "new\n", "new.md": "new\n"}, patience=0.1)
    for place in (repo / ".git").rglob("*"):
        os.utime(place, (1, 1), follow_symlinks=False)
    with pytest.raises(ClawgitError, match=words) as caught:
        write({"first.md": "new\n", "new.md": "new\n"}, patience=100)
    assert not isinstance(caught.value, BusyError)
    assert str(caught.value.fix)
    assert snapshot(repo, git) == before
    assert not (repo / ".git/index.lock").exists()


def snapshot(root: Path, git: Git) -> tuple[object, ...]:
    files = {place.name: place.read_bytes() for place in root.iterdir() if place.is_file()}
    return files, git("ls-files", "-s"), git("for-each-ref"), (root / ".git/HEAD").read_text()


def test_an_old_text_that_was_staged_and_stands_on_disk_is_somebodys_decision(
    repo: Path, git: Git, write: Write
) -> None:
    write({"first.md": "second\n"})
    (repo / "first.md").write_text("first\n")
    git("add", "first.md")
    with pytest.raises(BusyError, match="staged"):
        write({"first.md": "third\n"}, patience=0.1)
