"""A packed reference is dropped by git itself."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.git import recovery, repository
from clawgit.git.locks import repository_lock
from clawgit.git.transaction import Written
from tests.git.conftest import dies, killed, union

Git = Callable[..., str]
Write = Callable[..., Written]


def recovered(repo: Path) -> tuple[str, ...]:
    repository_here = repository.find(repo)
    with repository_lock(repository_here, time.monotonic() + 5):
        return recovery.recover(repository_here, union, time.monotonic() + 5).notes


def whole(repo: Path, git: Git) -> None:
    assert git("ls-tree", "-r", "--name-only", "HEAD").split() == ["deep/new.md", "first.md", "log.md"]
    assert git("show", "HEAD:first.md") == (repo / "first.md").read_text() == "first\nours\n"
    assert git("show", "HEAD:log.md") == (repo / "log.md").read_text() == "log.md\nours\n"
    assert not (repo / "gone.md").exists()
    assert git("status", "--porcelain") == git("diff-files") == ""
    assert git("log", "--format=%s").split("\n")[0] == "theirs"
    assert not (repo / ".git/index.lock").exists()
    assert git("for-each-ref", "refs/clawgit") == ""


def test_a_packed_pending_reference_is_dropped_without_a_lock_of_ours(
    git: Git, monkeypatch: pytest.MonkeyPatch, repo: Path, write: Write
) -> None:
    """A kill while libgit2 rewrites packed-refs would leave everybody locked out: git does it, in its own process."""
    for name in ("gone.md", "log.md"):
        (repo / name).write_text(f"{name}\n")
    git("add", "-A")
    git("commit", "-qm", "all")
    with killed():
        write({"first.md": "first\nours\n", "gone.md": None, "deep/new.md": "new\n"}, appends={"log.md": "ours\n"})
    assert (repo / ".git/index.lock").exists()
    git("pack-refs", "--all", "--prune")
    monkeypatch.setattr("pygit2.repository.References.delete", dies)
    recovered(repo)
    whole(repo, git)
