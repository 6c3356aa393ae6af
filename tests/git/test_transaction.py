"""A write beside somebody who never rests."""

import subprocess
import threading
from datetime import UTC, datetime

import pytest

from clawgit.errors import Advice, BusyError, ClawgitError
from clawgit.git import repository, transaction, write_steps
from clawgit.git.commit_chain import NewCommit
from clawgit.git.locks import IndexLock
from clawgit.git.transaction import Plan
from tests.git.conftest import union


def committing(repo, tries, fails=None):
    """A plan in whose time somebody commits all that lies there, each time."""

    def plan(snapshot):
        (repo / "work.md").write_text(f"work {len(tries)}\n")
        tries.append(subprocess.run("git add -A && git commit -qm all", shell=True, cwd=repo, check=False).returncode)
        if fails and tries[-1]:
            raise fails
        file = snapshot.disk["second.md"]
        files = {"second.md": (file.data if file else b"") + b"ours\n"}
        return Plan((NewCommit("ours\n", ("Ada", "ada@example.org"), datetime.now(UTC), files),))

    return plan


def test_whoever_commits_without_a_pause_waits_once_for_us(repo, git):
    """A commit that comes in the middle of each plan starves no write: in the end it is git that finds a lock."""
    tries = []
    written = transaction.write(repository.find(repo), "main", ["second.md"], committing(repo, tries), union)
    assert git("show", "HEAD:second.md") == (repo / "second.md").read_text() == "ours\n"
    assert git("log", "-1", "--format=%H").strip() == written.commits[-1]
    assert tries[0] == 0
    assert tries[-1] != 0, "nobody may come in between the last plan and its commit"
    assert git("log", "--format=%s").splitlines().count("all") == len(tries) - 1
    subprocess.run("git add -A && git commit -qm after", shell=True, cwd=repo, check=True)
    assert git("fsck", "--no-dangling") == ""


@pytest.mark.parametrize(
    "fails", [ClawgitError("test", "no", fix=Advice("none")), KeyboardInterrupt(), OSError(5, "broken")]
)
def test_a_plan_that_fails_under_the_lock_gives_it_back(repo, git, fails):
    tries = []
    with pytest.raises((ClawgitError, KeyboardInterrupt)):
        transaction.write(repository.find(repo), "main", ["second.md"], committing(repo, tries, fails), union)
    assert tries[-1] != 0
    assert not (repo / ".git/index.lock").exists()
    assert not (repo / "second.md").exists()
    assert git("status", "--porcelain") == " M work.md\n" or git("status", "--porcelain") == "?? work.md\n"


def test_no_editor_is_waited_for_under_the_lock(repo, write):
    """While somebody has one of the files open, git's lock is given back, and the write says who it waits for."""
    found, tries, seen = repository.find(repo), [], []
    (repo / "second.md").write_text("theirs\n")
    assert write({"second.md": "theirs\n"}).commits
    edited = threading.Event()

    def edit():  # it waits until a plan that has begun is over
        with (repo / "second.md").open("a"):
            edited.wait()

    editor = threading.Thread(target=edit)

    def plan(snapshot):
        if len(tries) == 2:
            editor.start()
        return committing(repo, tries)(snapshot)

    def look(step):
        if step == "lease":
            seen.append(IndexLock(found).ours())

    write_steps.observe(look)
    try:
        with pytest.raises(BusyError):
            transaction.write(found, "main", ["second.md"], plan, union, patience=1)
    finally:
        write_steps.forget(look)
        edited.set()
        editor.join()
    assert seen[:3] == [False] * 3
    assert sum(seen[3:]) > 1, "it was tried again"
    assert not (repo / ".git/index.lock").exists()
    assert write({"second.md": "ours\n"}).commits
