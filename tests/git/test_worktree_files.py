"""Files: a file of another kind is refused, the others are exchanged or appended to in one step."""

import errno
import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawgit.errors import BusyError, ClawgitError
from clawgit.git import locks, recovery, regular_file, repository, worktree_files
from clawgit.git.repository import Repository
from clawgit.git.transaction import Written

Git = Callable[..., str]
Write = Callable[..., Written]


@pytest.fixture
def repository_here(repo: Path) -> Repository:
    return repository.find(repo)


def link(place: Path) -> None:
    place.symlink_to("first.md")


def dangling(place: Path) -> None:
    place.symlink_to("nowhere")


def folder(place: Path) -> None:
    place.mkdir()


def fifo(place: Path) -> None:
    os.mkfifo(place)


def unix_socket(place: Path) -> None:
    former_folder = Path.cwd()
    os.chdir(place.parent)  # the path of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(place.name)
    finally:
        os.chdir(former_folder)


def write_too_much(place: Path) -> None:
    with place.open("wb") as file:
        file.truncate(regular_file.LARGEST + 1)


def device(place: Path) -> None:
    try:
        os.mknod(place, 0o020644, os.makedev(1, 5))
        place.open("rb").close()
    except PermissionError:
        pytest.skip("a device; get it: run the tests as root")


@pytest.mark.parametrize("make", [link, dangling, folder, fifo, unix_socket, write_too_much, device])
def test_what_is_no_plain_file_is_refused_and_left(
    repository_here: Repository, write: Write, git: Git, make: Callable[[Path], None]
) -> None:
    place = repository_here.root / "odd.md"
    make(place)
    before = place.lstat()
    with pytest.raises(ClawgitError) as caught:
        worktree_files.read_worktree_file(repository_here, "odd.md")
    assert "odd.md" in caught.value.message
    assert str(caught.value.fix)
    for arguments in ({"files": {"odd.md": "ours\n"}}, {"files": {}, "appends": {"odd.md": "ours\n"}}):
        with pytest.raises(ClawgitError, match=r"odd\.md"):
            write(**arguments)
    after = place.lstat()
    assert (after.st_ino, after.st_size, after.st_mode) == (before.st_ino, before.st_size, before.st_mode)
    assert git("log", "--format=%s") == "first\n"
    assert not list(repository_here.room.glob("displaced/*"))


def test_a_link_or_a_repository_on_the_way_is_refused(repository_here: Repository, git: Git, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (repository_here.root / "linked").symlink_to(tmp_path / "outside")
    git("init", "-q", "inner")
    for path, key in (("linked/a.md", "path-link"), ("inner/a.md", "path-submodule")):
        with pytest.raises(ClawgitError) as caught:
            worktree_files.read_worktree_file(repository_here, path)
        assert caught.value.key == key


@pytest.fixture(params=["renameat2", "without it", "not on this file system"])
def ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The system call, a libc without it, a file system that refuses it."""
    import ctypes  # noqa: PLC0415

    def refuse(*_: object) -> int:
        ctypes.set_errno(errno.EINVAL)
        return -1

    if request.param != "renameat2":
        monkeypatch.setattr(worktree_files, "_renameat2", lambda: None if request.param == "without it" else refuse)
    return str(request.param)


def test_exchange_swaps_or_places(tmp_path: Path, ways: str) -> None:
    """The displaced file keeps its inode: its writer writes into a file that we look at later."""
    new, place = tmp_path / "new", tmp_path / "deep/er/place.md"
    new.write_text("one")
    worktree_files.exchange(new, place)
    assert place.read_text() == "one"
    assert not new.exists()
    inode = place.stat().st_ino
    new.write_text("two")
    worktree_files.exchange(new, place)
    assert (place.read_text(), new.read_text(), new.stat().st_ino) == ("two", "one", inode)
    assert sorted(place.name for place in tmp_path.iterdir()) == ["deep", "new"]


def test_a_write_works_in_every_way(write: Write, git: Git, ways: str) -> None:
    write({"first.md": "second\n", "new.md": "new\n"})
    write({"new.md": None}, appends={"first.md": "third\n"})
    assert git("status", "--porcelain") == ""
    assert git("show", "HEAD:first.md") == "second\nthird\n"


def test_append_follows_a_file_that_is_replaced_under_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor saves by rename between our open and our write: the block goes to the new file too, once."""
    place, fresh = tmp_path / "a.md", tmp_path / "fresh"
    place.write_text("old\n")
    really, calls = os.fsync, []

    def replace_and_sync(handle: int) -> None:
        if not calls:
            fresh.write_text("edited\n")
            fresh.rename(place)
        calls.append(handle)
        really(handle)

    monkeypatch.setattr(os, "fsync", replace_and_sync)
    worktree_files.append(place, b"block\n")
    assert place.read_text() == "edited\nblock\n"


def test_append_knows_its_block_in_what_replaced_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The editor had read the block already: adding it again would double it."""
    place, fresh = tmp_path / "a.md", tmp_path / "fresh"
    place.write_text("old\nblock\n")
    really = os.fsync

    def replace_and_sync(handle: int) -> None:
        fresh.write_text(place.read_text() + "edited\n")
        fresh.rename(place)
        really(handle)

    monkeypatch.setattr(os, "fsync", replace_and_sync)
    worktree_files.append(place, b"block\n")
    assert place.read_text() == "old\nblock\nblock\nedited\n"


@pytest.fixture
def distant_tree(repo: Path, git: Git, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A working tree on another file system than its repository."""
    places = [Path("/dev/shm"), request.getfixturevalue("disk")]
    other = next((folder for folder in places if folder.is_dir() and folder.stat().st_dev != repo.stat().st_dev), None)
    if other is None:
        pytest.skip("a second file system; get it: mount a tmpfs on /dev/shm")
    with tempfile.TemporaryDirectory(dir=other, prefix="clawgit-") as name:
        place = Path(name).resolve() / "tree"
        git("clone", "-q", "--separate-git-dir", str(repo.parent / "far.git"), str(repo), str(place))
        yield place


def test_a_tree_on_another_file_system(distant_tree: Path, git: Git, write: Write) -> None:
    """The temporary files lie beside their targets then, and none stays."""
    repository_here = repository.find(distant_tree)
    for files, appends in (
        ({"first.md": "second\n", "deep/new.md": "new\n"}, {}),
        ({"deep/new.md": None}, {"a.md": "a\n"}),
    ):
        write(files, folder=distant_tree, appends=appends)
        recovery.look_again(repository_here, ["first.md"], lambda *_: None, time.monotonic() + 1)
        assert git("status", "--porcelain", "-uall", cwd=distant_tree) == ""
    assert git("ls-files", cwd=distant_tree).split() == ["a.md", "first.md"]


# ---- leases


def test_who_holds_a_file_open_for_writing_is_waited_for(repository_here: Repository, write: Write, git: Git) -> None:
    with (repository_here.root / "first.md").open("a") as file:
        with pytest.raises(BusyError) as caught:
            write({"first.md": "second\n"}, patience=0.05)
        assert caught.value.key == "file-open"
        assert "lsof" in str(caught.value.fix)
        file.write("theirs\n")
    write({}, appends={"first.md": "ours\n"})
    assert git("show", "HEAD:first.md") == "first\ntheirs\nours\n"


def test_without_leases_a_quiet_moment_is_waited_for(
    repository_here: Repository, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("fcntl.F_SETLEASE")
    os.utime(repository_here.root / "first.md")
    deadline = repository_here.root.stat().st_mtime  # any past moment: there is no patience at all
    with pytest.raises(BusyError), locks.lease_files(repository_here, ["first.md"], deadline=-deadline):
        pass
    write({"first.md": "second\n"})
    assert (repository_here.root / "first.md").read_text() == "second\n"
