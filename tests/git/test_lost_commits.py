"""What git takes back of ours though nobody meant it comes back; what somebody meant stays away."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clawgit.git import our_commits, recovery, repository, transaction
from clawgit.git.locks import repository_lock
from clawgit.git.transaction import Written

Git = Callable[..., str]
Write = Callable[..., Written]


def union(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    lines = ours.splitlines(keepends=True)
    return b"".join([*lines, *(line for line in theirs.splitlines(keepends=True) if line not in lines)])


def looked(repo: Path) -> tuple[str, ...]:
    """Look at the repository as every write does when it starts."""
    time.sleep(0.06)  # an index of others that is younger may belong to something that is not over
    found = repository.find(repo)
    with repository_lock(found, time.monotonic() + 5):
        return recovery.reconcile(found, "main", union, time.monotonic() + 5)


@contextmanager
def read_before(repo: Path) -> Iterator[None]:
    """Let git write the index back, at the end, as it is now."""
    kept = repo / ".git/index.kept"
    shutil.copy(repo / ".git/index", kept)
    yield
    kept.rename(repo / ".git/index")


@pytest.fixture
def grown(repo: Path, write: Write) -> Path:
    """A repository in which three lines and a file of somebody's stand, and our first commit."""
    write({"first.md": "one\ntwo\nthree\n", "rows.tsv": "id\n"})
    looked(repo)
    return repo


def committed(git: Git) -> dict[str, str]:
    names = git("ls-tree", "-r", "--name-only", "HEAD").split()
    return {name: git("show", f"HEAD:{name}") for name in names}


def test_a_commit_made_from_an_older_index_takes_nothing_of_ours_away(grown: Path, git: Git, write: Write) -> None:
    """Lines, rows and a new file land again, as the commit that brought them; no file is touched."""
    (grown / "work.md").write_text("work\n")
    with read_before(grown):
        write({"first.md": "one\ntwo\nthree\nours\n", "rows.tsv": "id\na row\n", "new.md": "new\n"})
    tip = git("rev-parse", "HEAD").strip()
    git("add", "work.md")
    git("commit", "-qm", "theirs")
    assert "ours" not in git("show", "HEAD:first.md")
    taken = git("rev-parse", "HEAD").strip()
    before = {path: path.stat().st_mtime_ns for path in grown.glob("[!.]*")}

    (said,) = looked(grown)

    assert said.startswith(taken[:10])
    assert git("rev-parse", "HEAD")[:10] in said
    assert committed(git) == {
        "first.md": "one\ntwo\nthree\nours\n",
        "rows.tsv": "id\na row\n",
        "new.md": "new\n",
        "work.md": "work\n",
    }
    assert git("log", "-1", "--format=%an %B") == git("log", "-1", "--format=%an %B", tip)
    assert git("status", "--porcelain") == ""
    assert {path: path.stat().st_mtime_ns for path in grown.glob("[!.]*")} == before
    assert looked(grown) == ()


def test_every_commit_that_it_took_away_lands_again_in_its_order(grown: Path, git: Git, write: Write) -> None:
    """Also where a later one changed what an earlier one had brought."""
    corrected = "one\nthree\nfour, corrected\nfive\n"
    with read_before(grown):
        for text in ("one\ntwo\nthree\nfour\n", "one\ntwo\nthree\nfour\nfive\n", corrected):
            write({"first.md": text})
    (grown / "work.md").write_text("work\n")
    git("add", "work.md")
    git("commit", "-qm", "theirs")
    looked(grown)
    assert git("show", "HEAD:first.md") == (grown / "first.md").read_text() == corrected
    assert git("status", "--porcelain") == ""
    assert looked(grown) == ()


def test_a_file_that_we_removed_is_removed_again(grown: Path, git: Git, write: Write) -> None:
    with read_before(grown):
        write({"rows.tsv": None})
    (grown / "work.md").write_text("work\n")
    git("add", "work.md")
    git("commit", "-qm", "theirs")
    looked(grown)
    assert "rows.tsv" not in committed(git)
    assert git("status", "--porcelain") == ""


def test_what_others_wrote_into_the_file_meanwhile_stays_theirs(grown: Path, git: Git, write: Write) -> None:
    """Only our lines land again; theirs are as uncommitted as they were."""
    with read_before(grown):
        write({"first.md": "one\ntwo\nthree\nours\n"})
    (grown / "work.md").write_text("work\n")
    git("add", "work.md")
    git("commit", "-qm", "theirs")
    (grown / "first.md").write_text("zero\none\ntwo\nthree\nours\n\ntheirs\n")
    looked(grown)
    assert git("show", "HEAD:first.md") == "one\ntwo\nthree\nours\n"
    assert (grown / "first.md").read_text() == "zero\none\ntwo\nthree\nours\n\ntheirs\n"
    assert git("status", "--porcelain") == " M first.md\n"


def test_what_a_part_of_an_older_file_was_staged_with_stays_in(grown: Path, git: Git, write: Write) -> None:
    """`git add -p` puts a line of theirs into an entry that lacks ours."""
    with read_before(grown):
        write({"first.md": "one\ntwo\nthree\nours\n"})
    (grown / "first.md").write_text("zero\none\ntwo\nthree\nours\n")
    blob = git("hash-object", "-w", "--stdin", stdin="zero\none\ntwo\nthree\n").strip()
    git("update-index", "--cacheinfo", f"100644,{blob},first.md")
    git("commit", "-qm", "theirs")
    looked(grown)
    assert git("show", "HEAD:first.md") == "zero\none\ntwo\nthree\nours\n"
    assert git("status", "--porcelain") == ""


def test_a_write_is_not_held_up_by_what_head_lost_and_the_index_still_holds(
    grown: Path, git: Git, write: Write
) -> None:
    """It looks like staged changes: the index was put right after their commit had been made from the older one."""
    write({"first.md": "one\ntwo\nthree\nours\n"})
    old = git("rev-parse", "HEAD~1").strip()
    tree = git("rev-parse", "HEAD~1^{tree}").strip()
    theirs = git("commit-tree", "-p", "HEAD", "-m", "theirs", tree).strip()
    git("update-ref", "-m", "commit: theirs", "refs/heads/main", theirs)
    assert git("diff", "--cached", "--name-only") == "first.md\n"
    written = write({"first.md": "one\ntwo\nthree\nours\nmore\n"}, patience=5)
    (note,) = written.notes
    assert theirs[:10] in note
    assert git("rev-parse", "HEAD~1")[:10] in note
    assert git("show", "-U0", "--format=", "HEAD").splitlines()[-1] == "+more"
    assert git("log", "--format=%s", f"{old}..HEAD").split() == ["theirs"] * 4


def test_what_others_staged_of_the_whole_file_stays_staged(grown: Path, git: Git, write: Write) -> None:
    """Their next commit brings their line, and not ours."""
    with read_before(grown):
        write({"first.md": "one\ntwo\nthree\nours\n", "rows.tsv": "id\na row\n"})
    (grown / "work.md").write_text("work\n")
    git("add", "work.md")
    git("commit", "-qm", "theirs")
    (grown / "first.md").write_text("one\ntwo\nthree\nours\ntheirs\n")
    git("add", "first.md", "rows.tsv")
    looked(grown)
    assert git("show", "HEAD:first.md") == "one\ntwo\nthree\nours\n"
    assert git("status", "--porcelain") == "M  first.md\n"
    git("commit", "-qm", "theirs")
    assert git("show", "-U0", "--format=", "HEAD").splitlines()[-1] == "+theirs"


@pytest.mark.parametrize("how", ["revert", "edit", "older file"])
def test_what_is_gone_from_the_file_too_was_meant(grown: Path, git: Git, write: Write, how: str) -> None:
    """It is told once where it was taken back as it had come, and never comes back by itself."""
    write({"first.md": "one\ntwo\nthree\nours\n"})
    looked(grown)
    if how == "revert":
        git("revert", "--no-edit", "HEAD")
    elif how == "edit":
        (grown / "first.md").write_text("one\ntwo\nthree\nours, said better\n")
        git("commit", "-qam", "edit")
    else:
        git("checkout", "HEAD~1", "--", "first.md")
        git("commit", "-qm", "back")
    head = git("rev-parse", "HEAD").strip()
    told = looked(grown)
    assert [note.split()[0] for note in told] == ([] if how == "edit" else [head[:10]])
    assert all("“theirs”" in note for note in told)
    assert looked(grown) == ()
    assert git("rev-parse", "HEAD").strip() == head


def test_a_line_that_is_gone_from_the_file_does_not_come_back_with_the_others(
    grown: Path, git: Git, write: Write
) -> None:
    with read_before(grown):
        write({"first.md": "one\ntwo\nthree\nours\nregretted\n"})
    (grown / "work.md").write_text("work\n")
    git("add", "work.md")
    git("commit", "-qm", "theirs")
    (grown / "first.md").write_text("one\ntwo\nthree\nours\n")
    looked(grown)
    assert git("show", "HEAD:first.md") == (grown / "first.md").read_text() == "one\ntwo\nthree\nours\n"


def test_a_file_that_git_is_to_ignore_from_now_on_is_left_alone(grown: Path, git: Git, write: Write) -> None:
    write({"private.md": "ours\n"})
    looked(grown)
    (grown / ".gitignore").write_text("private.md\n")
    git("rm", "-q", "--cached", "private.md")
    git("add", ".gitignore")
    git("commit", "-qm", "private")
    assert looked(grown) == ()
    assert "private.md" not in committed(git)


def test_an_entry_of_an_older_index_is_put_right_before_anybody_commits_it(grown: Path, git: Git, write: Write) -> None:
    """Also of files that the next write has nothing to do with."""
    with read_before(grown):
        write({"first.md": "one\ntwo\nthree\nours\n", "new.md": "new\n"})
    assert [note.partition(":")[0] for note in looked(grown)] == ["first.md", "new.md"]
    assert git("status", "--porcelain") == ""


def test_what_is_staged_stays_staged(grown: Path, git: Git, write: Write) -> None:
    """Also an older version, where the file is that one too; and of what others committed."""
    write({"first.md": "one\ntwo\nthree\nours\n"})
    git("checkout", "HEAD~1", "--", "first.md")
    assert looked(grown) == ()
    assert git("diff", "--cached", "--name-only") == "first.md\n"


def test_a_reset_that_leaves_the_files_leaves_our_commit(grown: Path, git: Git, write: Write) -> None:
    """A capture would say that its lines came from nobody knows whom."""
    write({"first.md": "one\ntwo\nthree\nours\n"})
    tip = git("log", "-1", "--format=%an %B")
    looked(grown)
    git("reset", "-q", "HEAD~1")
    (said,) = looked(grown)
    assert "reset" in said
    assert git("rev-parse", "HEAD")[:10] in said
    assert git("show", "HEAD:first.md") == "one\ntwo\nthree\nours\n"
    assert git("log", "-1", "--format=%an %B") == tip
    assert git("status", "--porcelain") == ""


def test_a_look_at_what_has_not_moved_costs_next_to_nothing(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the log nor any file is read."""
    looked(grown)

    def read(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(our_commits, "find", read)
    assert looked(grown) == ()


def test_a_write_looks_before_it_plans(grown: Path, git: Git, write: Write) -> None:
    """What a capture finds uncommitted is never a line of ours that somebody's commit has just taken away."""
    with read_before(grown):
        write({"first.md": "one\ntwo\nthree\nours\n"})
    (grown / "work.md").write_text("work\n")
    git("add", "work.md")
    git("commit", "-qm", "theirs")
    seen: list[bytes | None] = []

    def plan(snapshot: transaction.Snapshot) -> transaction.Plan:
        seen.append(snapshot.committed["first.md"])
        return transaction.Plan(())

    transaction.write(repository.find(grown), "main", ["first.md"], plan, union)
    assert seen == [b"one\ntwo\nthree\nours\n"]


def reset_unawares(repo: Path, git: Git, to: str) -> None:
    """Do what a reset does that looked HEAD up before our commit and took the lock after it."""
    git("reset", "--hard", "--quiet", to)
    log = repo / ".git/logs/refs/heads/main"
    log.write_text(log.read_text().replace(f"reset: moving to {to}\n", "reset: moving to HEAD\n"))


def test_what_a_reset_took_off_unawares_lands_again(repo: Path, git: Git, write: Write) -> None:
    (repo / "log.md").write_text("log\n")
    git("add", "log.md")
    git("commit", "-qm", "log")
    write({"first.md": "first\nours\n"}, appends={"log.md": "ours\n"})
    tip = git("rev-parse", "HEAD").strip()
    reset_unawares(repo, git, "HEAD~1")
    (said,) = looked(repo)
    assert "reset" in said
    assert all(commit[:10] in said for commit in (tip, git("rev-parse", "HEAD")))
    assert git("status", "--porcelain") == ""
    assert (repo / "first.md").read_text() == "first\nours\n"
    assert (repo / "log.md").read_text() == "log\nours\n"
    assert looked(repo) == ()
    assert git("rev-list", "--count", "HEAD").strip() == "3"


def test_what_others_did_after_such_a_reset_stays(repo: Path, git: Git, write: Write) -> None:
    write({"first.md": "first\nours\n"})
    reset_unawares(repo, git, "HEAD~1")
    (repo / "first.md").write_text("theirs\nfirst\n")
    git("commit", "-qam", "theirs")
    (repo / "loose.md").write_text("loose\n")
    looked(repo)
    assert sorted((repo / "first.md").read_text().split()) == ["first", "ours", "theirs"]
    assert git("log", "--format=%s", "-2").splitlines()[1] == "theirs"
    assert (repo / "loose.md").exists()


def test_what_somebody_reset_away_on_purpose_stays_away(repo: Path, git: Git, write: Write) -> None:
    write({"first.md": "first\nours\n"})
    tip = git("rev-parse", "HEAD").strip()
    git("reset", "--hard", "--quiet", "HEAD~1")
    (said,) = looked(repo)
    assert said.startswith(f"{tip[:10]} “theirs”")
    assert looked(repo) == ()
    assert (repo / "first.md").read_text() == "first\n"
    write({"first.md": "first\nagain\n"})
    git("reset", "--hard", "--quiet")
    assert looked(repo) == ()
    assert (repo / "first.md").read_text() == "first\nagain\n"


def test_a_commit_of_others_that_such_a_reset_took_is_theirs_to_bring_back(repo: Path, git: Git, write: Write) -> None:
    (repo / "first.md").write_text("theirs\n")
    git("commit", "-qam", "theirs")
    reset_unawares(repo, git, "HEAD~1")
    assert looked(repo) == ()
    write({"second.md": "ours\n"})
    assert (repo / "first.md").read_text() == "first\n"


def test_files_of_others_of_any_name_and_kind_are_passed_over(grown: Path, git: Git, write: Write) -> None:
    """A name that is no UTF-8, a link, a folder where a file was, something large: a look goes on to the rest."""
    with read_before(grown):
        write({"first.md": "one\ntwo\nthree\nours\n"})
    Path(os.fsdecode(bytes(grown) + b"/caf\xe9.md")).write_text("latin\n")
    (grown / "link.md").symlink_to("first.md")
    (grown / "large.bin").write_bytes(b"x\n" * (3 << 20))
    (grown / "folder").mkdir()
    (grown / "folder/inner.md").write_text("inner\n")
    git("add", ":!first.md", ".")
    git("commit", "-qm", "theirs")
    shutil.rmtree(grown / "folder")
    (grown / "folder").write_text("a file now\n")
    looked(grown)
    assert git("show", "HEAD:first.md") == "one\ntwo\nthree\nours\n"
    git("rm", "-q", "--cached", "link.md", "large.bin", "folder/inner.md", os.fsdecode(b"caf\xe9.md"))
    looked(grown)
    write({"second.md": "second\n"})
