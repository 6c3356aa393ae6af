"""A purge breaks no file on disk, and passes none over without saying so."""

import contextlib
import os
import socket
import sqlite3
import zipfile

import pytest

from clawgit.memory import purge, purge_places

pytest.importorskip("git_filter_repo")
SECRET = "hunter2-very-secret-thing"
ROW = f"k={SECRET}"


def kept(space, git, text=f"- {SECRET}\n"):
    with (space.root / "MEMORY.md").open("a") as file:
        file.write(text)
    git("commit", "-qam", "it came")


def found(space, text=SECRET):
    return purge_places.find(space, purge_places.read_phrase(text))


def purged(space, text=SECRET):
    return purge.purge(space, found(space, text), None)


def database(place):
    with sqlite3.connect(place) as store:
        store.execute("create table t(a)")
        store.executemany("insert into t values(?)", [(f"row {at} honest",) for at in range(50)])
        store.execute("insert into t values(?)", (ROW,))
    store.close()


def rows(place):
    store = sqlite3.connect(place)
    told = [one for (one,) in store.execute("select a from t")]
    assert store.execute("pragma integrity_check").fetchall() == [("ok",)]
    store.close()
    return told


@pytest.mark.parametrize(("tracked", "mode"), [(True, 0o644), (False, 0o400)])
def test_a_database_opens_afterwards(space, git, tracked, mode):
    database(space.root / "data.sqlite")
    (space.root / "data.sqlite").chmod(mode)
    if tracked:
        git("add", "-f", "data.sqlite")
    kept(space, git)
    purged(space)
    told = rows(space.root / "data.sqlite")
    assert told[:50] == [f"row {at} honest" for at in range(50)]
    assert told[50] == "k=[purged]".ljust(len(ROW), "*")
    assert (space.root / "data.sqlite").stat().st_mode & 0o777 == mode
    assert git("status", "--porcelain") == ""


def test_a_file_that_cannot_be_read_or_is_too_large_is_named(space, git, monkeypatch):
    kept(space, git)
    monkeypatch.setattr(purge_places, "MAX_BYTES", 1000)
    (space.root / "agent.log").write_text(f"{'x' * 1000} {SECRET}")
    (space.root / "closed.log").write_text(SECRET)
    real = purge_places.read_file

    def read(place):
        if place.name == "closed.log":
            raise PermissionError(13, "Permission denied")
        return real(place)

    monkeypatch.setattr(purge_places, "read_file", read)
    assert [one for one in found(space).unreached if "agent.log" in one and "closed.log" in one]


def test_other_files_stay_what_they_are(space, git):
    """A database that is open, an archive, text of Windows, a pipe, a socket, a pipe in the place of a file."""
    database(space.root / "data.sqlite")
    with zipfile.ZipFile(space.root / "papers.docx", "w") as archive:
        archive.writestr("one.txt", f"{SECRET}\n")
    (space.root / "windows.txt").write_bytes(f"one {SECRET} two".encode("utf-16"))
    (space.root / "notes.md").write_text(SECRET)
    git("add", "notes.md")
    kept(space, git)
    for name in ("notes.md", f"pipe-{SECRET}"):
        (space.root / name).unlink(missing_ok=True)
        os.mkfifo(space.root / name)
    told = found(space).unreached
    assert [one for one in told if "papers.docx" in one and "has it" in one]
    store = sqlite3.connect(space.root / "data.sqlite")
    with contextlib.chdir(space.root), socket.socket(socket.AF_UNIX) as door:
        door.bind("door")
    purged(space)
    store.execute("insert into t values('later')")
    store.commit()
    store.close()
    assert rows(space.root / "data.sqlite")[-1] == "later"
    with zipfile.ZipFile(space.root / "papers.docx") as archive:
        assert archive.read("one.txt").decode() == f"{SECRET}\n"
    assert (space.root / "windows.txt").read_bytes().decode("utf-16").startswith("one [purged]")
    assert (space.root / "notes.md").is_fifo()
    assert (space.root / "pipe-[purged]").is_fifo()
