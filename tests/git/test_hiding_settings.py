"""No setting of the repository's own hides from us that a file differs."""

import hashlib
import os
import shutil
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import difference, repository
from clawgit.git.git_command import git as command

Git = Callable[..., str]


def differing(root: Path) -> list[str]:
    return sorted(row.path for row in difference.list_differing(repository.find(root), ["*.md", "memory/*.md"]))


def exchanged(place: Path, data: bytes) -> None:
    """Write as many other bytes into a file, and give it back the time of its last change."""
    before = place.stat()
    with place.open("r+b") as file:
        file.write(data)
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_an_edit_of_the_same_size_and_time_is_seen_whatever_git_is_told_to_compare(repo: Path, git: Git) -> None:
    git("config", "core.trustctime", "false")
    git("config", "core.checkStat", "minimal")
    place = repo / "first.md"
    os.utime(place, (1, 1))  # long before the index, else git reads it anyway
    git("update-index", "--refresh")
    time.sleep(1.1)  # git knows the time of a change to the second
    exchanged(place, b"FIRST")
    assert git("status", "--porcelain") == ""
    assert command(repo, "status", "--porcelain") == b" M first.md\n"


@pytest.mark.parametrize("path", ["SOUL.md", "users/ann/USER.md"])
def test_identity_that_the_index_takes_for_unchanged_is_read(repo: Path, git: Git, path: str) -> None:
    """Somebody wrote into git's index the system's data of the file after the edit."""
    place = repo / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(b"first\r\n")
    git("config", "core.autocrlf", "true")
    git("add", ".")
    git("commit", "-qm", "more")
    assert difference.list_differing(repository.find(repo), [path]) == []
    exchanged(place, b"FIRST")
    os.utime(place, (1, 1))
    forge(repo, path)
    assert git("status", "--porcelain") == ""
    assert [different.path for different in difference.list_differing(repository.find(repo), [path])] == [path]


def forge(root: Path, path: str) -> None:
    """Have the index give a file, with its former blob, the present time and place of the file on disk."""
    place = root / ".git/index"
    data = bytearray(place.read_bytes()[:-20])
    start = data.index(path.encode()) - 62
    status = (root / path).stat()
    times = (part for moment in (status.st_ctime_ns, status.st_mtime_ns) for part in divmod(moment, 10**9))
    data[start : start + 24] = struct.pack(">6I", *times, status.st_dev & 0xFFFFFFFF, status.st_ino & 0xFFFFFFFF)
    place.write_bytes(bytes(data) + hashlib.sha1(data).digest())


def test_a_file_whose_name_differs_in_capitals_alone_is_a_file_of_its_own(repo: Path, git: Git) -> None:
    (repo / "FIRST.md").write_text("other\n")
    if (repo / ".GIT").exists():
        pytest.skip("a disk on which capitals make no other name")
    git("config", "core.ignoreCase", "true")
    assert differing(repo) == ["FIRST.md"]


def test_a_repository_whose_files_git_would_look_for_elsewhere_is_refused(repo: Path, git: Git, tmp_path: Path) -> None:
    """Git and libgit2 alike would call an edit committed that the other folder does not have."""
    git("config", "core.worktree", str(repo))
    repository.find(repo)
    git("config", "core.worktree", str(tmp_path))
    with pytest.raises(ClawgitError, match=r"core\.worktree") as caught:
        repository.find(repo)
    subprocess.run(["sh", "-c", str(caught.value.fix)], check=True)
    repository.find(repo)


def test_a_head_without_its_log_has_a_fix_that_can_be_run(repo: Path) -> None:
    (repo / ".git/refs/heads/main").write_bytes(b"")
    shutil.rmtree(repo / ".git/logs")
    with pytest.raises(ClawgitError) as caught:
        repository.head(repository.find(repo))
    assert ".git/logs" not in str(caught.value.fix)
    subprocess.run(["sh", "-c", str(caught.value.fix)], cwd=repo, check=True)
