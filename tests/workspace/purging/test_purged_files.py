"""A purge breaks no file on disk, and passes none over without saying so."""

import sqlite3
import zipfile

import pytest

from clawgit.workspace.bootstrap import init
from clawgit.workspace.purging import purge, purge_places
from clawgit.workspace.workspace import open_workspace

pytest.importorskip("git_filter_repo")
SECRET = "hunter2-very-secret-thing"
ROW = f"k={SECRET}"


@pytest.fixture
def space(repo, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    init(repo).workspace.close()
    with open_workspace(repo) as workspace:
        yield workspace


def kept(space, git, text=f"- {SECRET}\n"):
    with (space.root / "MEMORY.md").open("a") as file:
        file.write(text)
    git("commit", "-qam", "it came")


def found(space, text=SECRET):
    return purge_places.find(space, purge_places.phrase(text))


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


@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize("mode", [0o644, 0o400])
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


def test_whoever_has_a_database_open_keeps_it(space, git):
    database(space.root / "data.sqlite")
    kept(space, git)
    store = sqlite3.connect(space.root / "data.sqlite")
    purged(space)
    store.execute("insert into t values('later')")
    store.commit()
    store.close()
    assert rows(space.root / "data.sqlite")[-1] == "later"


@pytest.mark.parametrize("tracked", [False, True])
def test_an_archive_stays_as_it_is_and_is_named(space, git, tracked):
    with zipfile.ZipFile(space.root / "papers.docx", "w") as archive:
        archive.writestr("one.txt", f"{SECRET}\n")
    if tracked:
        git("add", "papers.docx")
    kept(space, git)
    told = found(space).unreached
    assert [one for one in told if "papers.docx" in one and "holds it" in one]
    assert [one for one in told if "1 files of history" in one] == [one for one in told if tracked and "1 file" in one]
    purged(space)
    with zipfile.ZipFile(space.root / "papers.docx") as archive:
        assert archive.read("one.txt").decode() == f"{SECRET}\n"


def test_text_in_utf_16_stays_text(space, git):
    (space.root / "windows.txt").write_bytes(f"one {SECRET} two".encode("utf-16"))
    kept(space, git)
    purged(space)
    assert (space.root / "windows.txt").read_bytes().decode("utf-16").startswith("one [purged]")
