"""Our lock and git's: ours is known again after a crash, others' is never taken away."""

import errno
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import BusyError
from clawgit.git import repository
from clawgit.git.locks import IndexLock, clear_reference_locks
from clawgit.git.repository import Repository
from clawgit.git.transaction import Written

Git = Callable[..., str]


@pytest.fixture
def repository_here(repo: Path) -> Repository:
    repository_here = repository.find(repo)
    repository_here.room.mkdir(parents=True)
    return repository_here


@pytest.fixture(params=["links", "no links"])
def links(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With hard links, and on a file system that has none."""
    if request.param == "no links":

        def refuse(*_: object, **__: object) -> None:
            raise OSError(errno.EPERM, "no hard links here")

        monkeypatch.setattr(os, "link", refuse)
    return str(request.param)


def test_taken_it_keeps_git_out_and_is_known_as_ours(repository_here: Repository, git: Git, links: str) -> None:
    lock = IndexLock(repository_here)
    assert lock.try_take()
    assert IndexLock(repository_here).ours()
    assert not IndexLock(repository_here).try_take()
    with pytest.raises(pytest.fail.Exception, match=r"index\.lock"):
        git("add", "-A")
    lock.release()
    assert not lock.ours()
    git("add", "-A")
    lock.release()


def test_anothers_lock_is_waited_for_never_removed(repository_here: Repository, links: str) -> None:
    place = repository_here.gitdir / "index.lock"
    IndexLock(repository_here).try_take()
    IndexLock(repository_here).release()
    for content in (b"", b"DIRC...", b"clawgit 0123456789abcdef0123456789abcdef\n"):
        place.write_bytes(content)
        lock = IndexLock(repository_here)
        assert not lock.ours()
        with pytest.raises(BusyError) as caught:
            lock.take(time.monotonic() + 0.02)
        assert caught.value.key == "git-busy"
        assert str(place) in caught.value.message
        assert str(caught.value.fix).split()[-3:] == ["clawgit", "doctor", "--fix"]
        assert place.read_bytes() == content
        place.unlink()


def test_a_write_works_without_hard_links_too(repo: Path, links: str, write: Callable[..., Written], git: Git) -> None:
    write({"first.md": "second\n"}, appends={"new.md": "new\n"})
    assert git("status", "--porcelain") == ""
    assert not (repo / ".git/index.lock").exists()


TIP = "0123456789012345678901234567890123456789"


@pytest.mark.parametrize(
    ("content", "goes"),
    [(TIP + "\n", True), ("", True), (TIP[:20], True), ("9" * 40 + "\n", False), ("not an id", False)],
    ids=["our commit", "empty", "torn", "another commit", "anything"],
)
def test_a_stale_lock_on_the_branch_goes_only_when_it_is_ours(
    repository_here: Repository, content: str, goes: bool
) -> None:
    place = repository_here.commondir / "refs/heads/main.lock"
    place.write_text(content)
    clear_reference_locks(repository_here, "main", TIP)
    assert place.exists() != goes


def test_an_empty_lock_that_moves_within_a_second_is_somebodys(repository_here: Repository) -> None:
    place = repository_here.commondir / "refs/heads/main.lock"
    place.touch()
    with subprocess.Popen(["sh", "-c", f"sleep 0.3; printf '{'9' * 40}' > '{place}'"]):
        clear_reference_locks(repository_here, "main", TIP)
        assert place.exists()


def test_without_a_pending_write_no_branch_is_looked_at(repository_here: Repository) -> None:
    place = repository_here.commondir / "refs/heads/main.lock"
    ours = repository_here.commondir / "refs/clawgit/pending.lock"
    ours.parent.mkdir()
    for lock in (place, ours):
        lock.touch()
    clear_reference_locks(repository_here, "main", None)
    assert place.exists()
    assert not ours.exists()
