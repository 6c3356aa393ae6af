"""What a broken-off write leaves is finished once, and what others saved at that moment is kept."""

import errno
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import landing, locks, recovery, redo_log, repository, transaction, worktree_files
from clawgit.git.locks import repository_lock
from clawgit.git.transaction import Written

Git = Callable[..., str]
Write = Callable[..., Written]


class DeathError(BaseException):
    """Ends a write as a kill would: nothing of ours runs after it."""


@pytest.fixture
def broken(repo: Path, git: Git, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A write that was announced and then died: first.md changed, gone.md removed, log.md appended to, new.md new."""
    for name in ("gone.md", "log.md"):
        (repo / name).write_text(f"{name}\n")
    git("add", "-A")
    git("commit", "-qm", "all")
    with monkeypatch.context() as patch:
        patch.setattr(landing, "place", dies)
        with pytest.raises(DeathError):
            write({"first.md": "first\nours\n", "gone.md": None, "deep/new.md": "new\n"}, appends={"log.md": "ours\n"})
    assert (repo / ".git/index.lock").exists()
    return repo


def dies(*_: object) -> None:
    raise DeathError


def recovered(repo: Path) -> tuple[str, ...]:
    found = repository.find(repo)
    with repository_lock(found, time.monotonic() + 5):
        return recovery.recover(found, union, time.monotonic() + 5).notes


def union(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    lines = ours.splitlines(keepends=True)
    return b"".join([*lines, *(line for line in theirs.splitlines(keepends=True) if line not in lines)])


def whole(repo: Path, git: Git) -> None:
    assert git("ls-tree", "-r", "--name-only", "HEAD").split() == ["deep/new.md", "first.md", "log.md"]
    assert git("show", "HEAD:first.md") == (repo / "first.md").read_text() == "first\nours\n"
    assert git("show", "HEAD:log.md") == (repo / "log.md").read_text() == "log.md\nours\n"
    assert not (repo / "gone.md").exists()
    assert git("status", "--porcelain") == git("diff-files") == ""
    assert git("log", "--format=%s").split("\n")[0] == "theirs"
    assert not (repo / ".git/index.lock").exists()
    assert git("for-each-ref", "refs/clawgit") == ""


def test_it_is_finished_once_and_told(broken: Path, git: Git) -> None:
    note = recovered(broken)[0]
    whole(broken, git)
    assert git("rev-parse", "HEAD")[:10] in note
    assert recovered(broken) == ()


def test_even_when_its_folder_has_been_deleted_by_hand(broken: Path, git: Git) -> None:
    """The commits say what was to be done."""
    shutil.rmtree(broken / ".git/clawgit/displaced")
    recovered(broken)
    whole(broken, git)


def test_even_when_everything_of_ours_has_been_deleted_by_hand(broken: Path, git: Git) -> None:
    """The lock is not known as ours any more then: the operator removes it, as the error says."""
    shutil.rmtree(broken / ".git/clawgit")
    (broken / ".git/index.lock").unlink()
    recovered(broken)
    whole(broken, git)


def test_even_when_the_references_were_packed(broken: Path, git: Git) -> None:
    git("pack-refs", "--all", "--prune")
    recovered(broken)
    whole(broken, git)


def test_a_torn_append_is_completed_not_repeated(broken: Path, git: Git) -> None:
    (broken / "log.md").write_text("log.md\nou")
    recovered(broken)
    whole(broken, git)


def test_after_somebodys_line_the_whole_block_follows(broken: Path, git: Git) -> None:
    theirs = "log.md\nou, said the owl\n"
    (broken / "log.md").write_text(theirs)
    recovered(broken)
    assert (broken / "log.md").read_text() == f"{theirs}ours\n"
    assert git("show", "HEAD:log.md") == "log.md\nours\n"


def test_it_waits_while_git_is_in_the_middle_of_something(broken: Path, git: Git, write: Write) -> None:
    (broken / ".git/index.lock").unlink()
    git("merge", "-q", "--no-commit", "--no-ff", "-s", "ours", "HEAD", cwd=broken)
    (broken / ".git/MERGE_HEAD").write_text(git("rev-parse", "HEAD"))
    with pytest.raises(ClawgitError) as caught:
        recovered(broken)
    assert caught.value.key == "git-operation"
    (broken / ".git/MERGE_HEAD").unlink()
    recovered(broken)
    whole(broken, git)


def test_what_is_staged_after_it_landed_stays_staged(repo: Path, git: Git, write: Write) -> None:
    """The branch has moved and only the pending reference is left: the index belongs to others again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(landing, "tidy", dies)
        with pytest.raises(DeathError):
            write({"first.md": "ours\n"})
    (repo / ".git/index.lock").unlink()
    (repo / "first.md").write_text("ours\ntheirs\n")
    git("add", "first.md")
    recovered(repo)
    assert git("show", ":first.md") == "ours\ntheirs\n"
    git("commit", "-qm", "theirs")
    assert git("show", "HEAD:first.md") == "ours\ntheirs\n"
    assert git("for-each-ref", "refs/clawgit") == ""


def test_what_somebody_reset_away_does_not_come_back(repo: Path, git: Git, write: Write) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(landing, "tidy", dies)
        with pytest.raises(DeathError):
            write({"first.md": "ours\n"})
    (repo / ".git/index.lock").unlink()
    git("reset", "-q", "--hard", "HEAD~1")
    recovered(repo)
    assert git("log", "--format=%s") == "first\n"
    assert (repo / "first.md").read_text() == "first\n"


def test_an_announced_line_in_the_branchs_log_is_no_proof_that_it_landed(broken: Path, git: Git) -> None:
    """libgit2 writes the log before it moves the branch, and may be killed between the two."""
    tip, base = git("rev-parse", "refs/clawgit/pending").strip(), git("rev-parse", "HEAD").strip()
    with (broken / ".git/logs/refs/heads/main").open("a") as log:
        log.write(f"{base} {tip} Ada <ada@example.org> 1 +0000\tclawgit\n")
    recovered(broken)
    whole(broken, git)


def test_an_error_after_the_first_file_says_that_the_change_is_kept(
    repo: Path, git: Git, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is told so does not write it twice."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(landing, "move_branch", full)
        with pytest.raises(ClawgitError) as caught:
            write({"first.md": "ours\n"})
    error = locks.translated(repository.find(repo), OSError(errno.ENOSPC, "full"))
    assert caught.value.key == error.key == "disk-full"
    assert caught.value.message.startswith(error.message)
    assert caught.value.message != error.message
    assert str(caught.value.fix).startswith("df -h ")
    write({"other.md": "other\n"})
    assert git("show", "HEAD~1:first.md") == (repo / "first.md").read_text() == "ours\n"
    assert git("log", "--format=%s").split() == ["theirs", "theirs", "first"]


def test_an_error_before_the_first_file_takes_everything_back(
    repo: Path, git: Git, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Announced, but nothing touched: there is a way back, and git is not left locked."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(worktree_files, "exchange", full)
        with pytest.raises(ClawgitError) as caught:
            write({"first.md": "ours\n"})
    assert "kept" not in caught.value.message
    assert not list((repo / ".git").rglob("*.lock"))
    assert git("status", "--porcelain") == git("for-each-ref", "refs/clawgit") == ""
    write({"other.md": "other\n"})
    assert git("log", "--format=%s").split() == ["theirs", "first"]


def test_an_error_after_it_landed_is_no_error(repo: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError(errno.EIO, "no")

    with monkeypatch.context() as patch:
        patch.setattr(redo_log, "withdraw", fails)
        assert len(write({"first.md": "ours\n"}).commits) == 1
    assert len(write({"first.md": "again\n"}).commits) == 1


# ---- displaced files


def displaced(repo: Path) -> Path:
    (folder,) = (repo / ".git/clawgit/displaced").iterdir()
    return folder


def looked_again(repo: Path) -> tuple[str, ...]:
    return recovery.look_again(repository.find(repo), ["first.md"], union, time.monotonic() + 1)


def test_a_late_write_is_merged_back_uncommitted(repo: Path, git: Git, write: Write) -> None:
    """An editor had the file open before and writes into it when it has been displaced."""
    write({"first.md": "first\nours\n"})
    (displaced(repo) / "0").write_text("first\ntheirs\n")
    assert [note.partition(":")[0] for note in looked_again(repo)] == ["first.md"]
    assert (repo / "first.md").read_text() == "first\nours\ntheirs\n"
    assert git("show", "HEAD:first.md") == "first\nours\n"
    recovery.look_again(repository.find(repo), [], union, time.monotonic() + 1)
    assert not list((repo / ".git/clawgit/displaced").iterdir())


def test_while_it_is_open_it_waits(repo: Path, write: Write) -> None:
    write({"first.md": "first\nours\n"})
    with (displaced(repo) / "0").open("a") as file:
        assert looked_again(repo) == ()
        file.write("theirs\n")
    assert looked_again(repo)
    assert (repo / "first.md").read_text() == "first\nours\ntheirs\n"


def test_what_is_written_into_the_file_that_a_merge_displaced_is_kept_too(
    repo: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody had opened the present file before a late edit was put back into it."""
    write({"first.md": "first\nours\n"})
    (displaced(repo) / "0").write_text("first\ntheirs\n")
    third = "a third\n"
    with (repo / "first.md").open("a") as file:
        assert looked_again(repo)
        file.write(third)
    looked_again(repo)
    looked_again(repo)
    assert (repo / "first.md").read_text() == f"first\nours\ntheirs\n{third}"
    assert not list((repo / ".git/clawgit/displaced").iterdir())


@pytest.mark.parametrize("kind", ["folder", "link", "unreadable place"])
def test_what_cannot_be_merged_gets_a_name_beside(repo: Path, write: Write, kind: str) -> None:
    write({"first.md": "first\nours\n"})
    place = displaced(repo) / "0"
    if kind == "unreadable place":
        place.write_text("first\ntheirs\n")
        (repo / "first.md").rename(repo / "moved.md")
        (repo / "first.md").mkdir()
    else:
        place.unlink()
        place.mkdir() if kind == "folder" else place.symlink_to("nowhere")
    (told,) = looked_again(repo)
    assert "first.md.displaced" in told
    assert os.path.lexists(repo / "first.md.displaced")
    assert not list((repo / ".git/clawgit/displaced").iterdir())
    if kind != "unreadable place":
        write({"first.md": "third\n"})


def test_a_folder_without_a_list_counts_for_nothing(repo: Path, write: Write) -> None:
    home = repo / ".git/clawgit/displaced/0123456789"
    home.mkdir(parents=True)
    (home / "0").write_text("never announced\n")
    write({"first.md": "second\n"})
    assert not home.exists()


def test_the_first_commit_of_all_dies_and_lands(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "new"
    git("init", "-q", str(place))
    found = repository.find(place)

    def plan(_: transaction.Snapshot) -> transaction.Plan:
        from datetime import UTC, datetime  # noqa: PLC0415

        new = transaction.NewCommit("birth\n", ("Ada", "ada@example.org"), datetime.now(UTC), {"a.md": b"a\n"})
        return transaction.Plan((new,))

    with monkeypatch.context() as patch:
        patch.setattr(landing, "land", dies)
        with pytest.raises(DeathError):
            transaction.write(found, "main", ["a.md"], plan, union, unborn=True)
    recovered(place)
    assert git("log", "--format=%s", cwd=place) == "birth\n"
    assert git("status", "--porcelain", cwd=place) == ""


def test_a_dead_write_whose_blobs_were_pruned_does_not_block(repo: Path, git: Git, write: Write) -> None:
    """It was never announced; `git gc --prune=now` took what only it knew."""
    typed = "typed, never committed\n"
    (repo / "first.md").write_text(typed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction, "locked", dies)
        patch.setattr(redo_log, "discard", dies)
        with pytest.raises(DeathError):
            write({"first.md": "ours\n"})
    git("gc", "-q", "--prune=now")
    time.sleep(landing.LATE_SECONDS)
    write({"other.md": "other\n"})
    assert (repo / "first.md").read_text() == typed
    assert len(list((repo / ".git/clawgit/displaced").iterdir())) == 1


def test_a_packed_pending_reference_is_dropped_without_a_lock_of_ours(
    broken: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill while libgit2 rewrites packed-refs would leave everybody locked out: git does it, in its own process."""
    git("pack-refs", "--all", "--prune")
    monkeypatch.setattr("pygit2.repository.References.delete", dies)
    recovered(broken)
    whole(broken, git)
