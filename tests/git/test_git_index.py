"""Git's index in all its kinds: after a write git agrees with us, and nothing else in it has moved."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import git_index, repository
from clawgit.git.transaction import Written

Git = Callable[..., str]
Write = Callable[..., Written]


@pytest.fixture
def busy(repo: Path, git: Git) -> Path:
    """A repository with much in the working tree that is not ours: staged, dirty, untracked, deleted."""
    (repo / "memory").mkdir()
    for name in ("staged.md", "dirty.md", "both.md", "gone.md", "ours.md", "memory/old.md", "memory/other.md"):
        (repo / name).write_text(f"{name}\n")
    (repo / "ours.md").chmod(0o755)
    git("add", "-A")
    git("commit", "-qm", "all")
    (repo / "staged.md").write_text("staged\n")
    (repo / "both.md").write_text("staged\n")
    (repo / "added.md").write_text("added\n")
    git("add", "staged.md", "both.md", "added.md")
    git("rm", "-q", "--cached", "memory/other.md")
    (repo / "both.md").write_text("dirty on top\n")
    (repo / "dirty.md").write_text("dirty\n")
    (repo / "gone.md").unlink()
    (repo / "untracked.md").write_text("untracked\n")
    return repo


def plain(repo: Path, git: Git) -> None: ...


def version_4(repo: Path, git: Git) -> None:
    git("update-index", "--index-version", "4")


def split(repo: Path, git: Git) -> None:
    git("update-index", "--split-index")


def untracked_cache(repo: Path, git: Git) -> None:
    git("config", "core.untrackedCache", "true")
    git("update-index", "--force-untracked-cache")


def many_threads(repo: Path, git: Git) -> None:
    git("config", "feature.manyFiles", "true")
    git("update-index", "--index-version", "4")


@pytest.mark.parametrize("kind", [plain, version_4, split, untracked_cache, many_threads])
def test_what_others_staged_or_left_dirty_stays_exactly_so(
    busy: Path, git: Git, write: Write, kind: Callable[[Path, Git], None]
) -> None:
    kind(busy, git)
    before = git("status", "--porcelain", "-uall"), git("diff", "--cached"), git("diff")
    write({"ours.md": "ours, second\n", "new/deep.md": "new\n", "memory/old.md": None}, appends={"first.md": "more\n"})
    assert (git("status", "--porcelain", "-uall"), git("diff", "--cached"), git("diff")) == before
    assert git("show", "HEAD:first.md") == (busy / "first.md").read_text() == "first\nmore\n"
    assert git("show", "--format=", "--name-status", "HEAD").split("\n")[:-1] == [
        "M\tfirst.md",
        "D\tmemory/old.md",
        "A\tnew/deep.md",
        "M\tours.md",
    ]
    assert git("ls-files", "-s", "ours.md").startswith("100755")
    assert git("ls-tree", "HEAD", "ours.md").startswith("100755")
    assert (busy / "ours.md").stat().st_mode & 0o777 == 0o755
    assert git("fsck", "--no-dangling") == ""


@pytest.mark.parametrize("age", [0, 90_000])
def test_an_edit_in_the_second_of_a_write_is_seen_after_the_next_write(
    repo: Path, git: Git, write: Write, age: int
) -> None:
    """Git compares sizes and whole seconds, and reads again the files that are as young as its index."""
    time.sleep(1 - time.time() % 1)
    write({"port.md": "8011\n"})
    (repo / "port.md").write_text("9191\n")
    time.sleep(1 - time.time() % 1)
    index = repo / ".git/index"
    os.utime(index, (index.stat().st_mtime - age,) * 2)
    write({"first.md": "second\n"})
    assert git("status", "--porcelain") == " M port.md\n"
    assert time.time() - index.stat().st_mtime < 60
    git("commit", "-qam", "port")
    assert git("status", "--porcelain") == ""


def test_marks_on_other_paths_stay(busy: Path, git: Git, write: Write) -> None:
    git("update-index", "--assume-unchanged", "dirty.md")
    git("update-index", "--skip-worktree", "gone.md")
    before = git("ls-files", "-v")
    assert "h dirty.md" in before
    assert "S gone.md" in before
    write({"ours.md": "second\n"})
    assert git("ls-files", "-v") == before


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_a_mark_on_our_path_does_not_hide_what_we_wrote(repo: Path, git: Git, write: Write, mark: str) -> None:
    git("update-index", mark, "first.md")
    write({"first.md": "second\n"})
    assert git("show", "HEAD:first.md") == git("show", ":first.md") == (repo / "first.md").read_text() == "second\n"
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    "options", [["--no-cone", "/*", "!/memory/"], ["--cone", "sub"], ["--cone", "--sparse-index", "sub"]]
)
def test_a_path_outside_the_sparse_checkout_is_refused_not_deleted(
    repo: Path, git: Git, write: Write, options: list[str]
) -> None:
    """It is missing from the disk because git left it out: to take that for a deletion would lose it from HEAD."""
    for name in ("memory", "sub"):
        (repo / name).mkdir()
        (repo / name / "a.md").write_text("a\n")
    git("add", "-A")
    git("commit", "-qm", "all")
    flags = [option for option in options if option.startswith("--")]
    git("sparse-checkout", "init", *flags)
    git("sparse-checkout", "set", *[option for option in options if not option.startswith("--")])
    assert not (repo / "memory/a.md").exists()
    head = git("rev-parse", "HEAD")
    with pytest.raises(ClawgitError) as caught:
        write({}, appends={"memory/a.md": "b\n"})
    assert caught.value.key == "sparse-checkout"
    assert str(caught.value.fix).split()[:2] == ["git", "sparse-checkout"]
    assert git("rev-parse", "HEAD") == head
    write({"first.md": "second\n", "sub/a.md": "second\n"})
    assert git("status", "--porcelain") == ""
    assert git("ls-files", "-t", "memory/a.md") == "S memory/a.md\n"
    assert git("show", "HEAD:memory/a.md") == "a\n"


def test_what_a_merge_left_unmerged_is_not_repaired(repo: Path, git: Git) -> None:
    """A stale entry may have become somebody's conflict by the time that it is put right."""
    (repo / "one.md").write_text("one\n")
    git("add", "one.md")
    git("commit", "-qm", "one")
    oid = git("rev-parse", "HEAD:one.md").strip()
    rows = "".join(f"100644 {oid} {stage}\tone.md\n" for stage in (1, 2, 3))
    git("update-index", "--index-info", stdin=f"0 {'0' * 40}\tone.md\n{rows}")
    repository_here = repository.find(repo)
    repository_here.room.mkdir()
    git_index.repair(repository_here, ["one.md"], git("rev-parse", "HEAD").strip())
    assert len(git("ls-files", "-u").splitlines()) == 3
