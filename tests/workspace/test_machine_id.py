"""Each clone of a workspace has an id of its own."""

import json
import shutil

import pytest

from clawgit.store.database import WORKSPACE_ID
from clawgit.workspace import memory
from clawgit.workspace.workspace import open_workspace

from .places import Place


def add(place, text):
    return place.ws.apply(memory.add(place.ws, text).change)


def name(place):
    return place.open().machine.name()


def kept(place):
    return json.loads(place.text(".git/clawgit/notes.json"))["machine"]


def test_a_copied_folder_has_an_id_of_its_own(place, tmp_path):
    add(place, "One.")
    first = name(place)
    shutil.copytree(place.root, tmp_path / "copy", symlinks=True)
    assert name(Place(tmp_path / "copy")) != first
    assert name(place) == first


def test_a_folder_that_was_moved_keeps_its_id(place):
    add(place, "One.")
    first = name(place)
    place.root.rename(place.root.parent / "moved")
    assert name(Place(place.root.parent / "moved")) == first


FORGED = '{"machine": {"id": "../../x", "place": ""}}'


@pytest.mark.parametrize("broken", ["", FORGED])
def test_what_is_kept_may_be_broken(place, broken):
    add(place, "One.")
    first = name(place)
    place.write(".git/clawgit/notes.json", broken)
    assert name(place) not in (first, "../../x")


def test_the_files_of_an_earlier_version_are_taken_over(place):
    add(place, "One.")
    first = name(place)
    folder = place.root / ".git/clawgit"
    (folder / "machine-place").touch()
    status = (folder / "machine-place").lstat()
    mark = f"{status.st_dev}:{status.st_ino}:{status.st_ctime_ns}"
    old = {**kept(place), "place": mark, "issued": 1, "landed": 1}
    (folder / "machine.json").write_text(json.dumps(old))
    (folder / "redo-log-id").write_text("0123456789abcdef")
    (folder / "workspace-id").write_text("89abcdef\n")
    (folder / "notes.json").unlink()
    (folder / "decisions.log").unlink()
    (folder / "state.db").unlink()
    (folder / "lock").write_bytes(b"")
    open_workspace(place.root)
    place.__dict__.pop("ws", None)
    add(place, "Two.")
    assert name(place) == first
    assert (folder / "lock").read_text() == "0123456789abcdef\n"
    assert {one.name for one in (folder / "old").iterdir()} == {
        *("machine.json", "machine-place", "redo-log-id", "workspace-id")
    }
    assert place.ws.store.read_document(WORKSPACE_ID, str) == "89abcdef"
    for file in ("state.db", "state.db-wal", "state.db-shm"):
        (folder / file).unlink(missing_ok=True)
    assert place.ws.store.read_document(WORKSPACE_ID, str) == "89abcdef"
