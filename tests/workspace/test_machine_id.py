"""No two rows that were ever written share a dot."""

import json
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.store.database import WORKSPACE_ID
from clawgit.workspace import entries, memory
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.restore import restore
from clawgit.workspace.undo import undo
from clawgit.workspace.workspace import open_workspace

from .places import Place, another


def add(place, text):
    return place.ws.apply(memory.add(place.ws, text).change)


def ids(place):
    return {machine for row in place.open().rows().values() for machine, _ in row.dots}


def kept(place):
    return json.loads(place.text(".git/clawgit/notes.json"))["machine"]


def test_one_working_tree_counts_on(place):
    for text in ("One.", "Two.", "Three."):
        add(place, text)
        place.__dict__.pop("ws", None)
    dots = sorted(row.dots for row in place.open().rows().values())
    assert [n for ((_, n),) in dots] == [1, 2, 3]
    assert len(ids(place)) == 1


def test_a_copied_folder_counts_by_itself(place, tmp_path):
    add(place, "One.")
    shutil.copytree(place.root, tmp_path / "copy", symlinks=True)
    copy = Place(tmp_path / "copy")
    add(copy, "From the copy.")
    add(place, "From here.")
    assert len(ids(copy)) == 2
    assert len(ids(place)) == 1


def test_a_folder_that_was_moved_counts_on(place):
    add(place, "One.")
    place.root.rename(place.root.parent / "moved")
    moved = Place(place.root.parent / "moved")
    add(moved, "Two.")
    assert len(ids(moved)) == 1


def test_without_what_is_local_a_new_row_of_numbers_begins(place):
    add(place, "One.")
    shutil.rmtree(place.root / ".git/clawgit")
    place.__dict__.pop("ws", None)
    add(place, "Two.")
    found = entries.read(place.text(entries.PATH))
    assert len(ids(place)) == 2
    (newer,) = (key for key, row in found.rows.items() if row.hash == memory.digest("Two."))
    (older,) = (row for key, row in found.rows.items() if key != newer)
    assert found.seen(newer) == dict(older.dots)


FORGED = '{"machine": {"id": "../../x", "issued": 1, "landed": 1, "place": ""}}'


@pytest.mark.parametrize("broken", ["", "{}", "[]", FORGED, "\0"])
def test_what_is_kept_may_be_broken(place, broken):
    add(place, "One.")
    place.write(".git/clawgit/notes.json", broken)
    place.__dict__.pop("ws", None)
    add(place, "Two.")
    assert len(ids(place)) == 2


def test_the_files_of_an_earlier_version_are_taken_over(place):
    add(place, "One.")
    folder = place.root / ".git/clawgit"
    (folder / "machine-place").touch()
    status = (folder / "machine-place").lstat()
    mark = f"{status.st_dev}:{status.st_ino}:{status.st_ctime_ns}"
    (folder / "machine.json").write_text(json.dumps({**kept(place), "place": mark}))
    (folder / "redo-log-id").write_text("0123456789abcdef")
    (folder / "workspace-id").write_text("89abcdef\n")
    (folder / "notes.json").unlink()
    (folder / "decisions.log").unlink()
    (folder / "state.db").unlink()
    (folder / "lock").write_bytes(b"")
    open_workspace(place.root)
    place.__dict__.pop("ws", None)
    add(place, "Two.")
    assert len(ids(place)) == 1
    assert (folder / "lock").read_text() == "0123456789abcdef\n"
    assert {one.name for one in (folder / "old").iterdir()} == {
        *("machine.json", "machine-place", "redo-log-id", "workspace-id")
    }
    assert place.ws.store.read_document(WORKSPACE_ID, str) == "89abcdef"
    for name in ("state.db", "state.db-wal", "state.db-shm"):
        (folder / name).unlink(missing_ok=True)
    assert place.ws.store.read_document(WORKSPACE_ID, str) == "89abcdef"


def test_after_a_reset_that_took_our_rows_off_no_number_is_given_twice(place):
    add(place, "One.")
    add(place, "Two.")
    lost = {row.dots for row in place.open().rows().values()}
    place.git("update-ref", "refs/keep", "HEAD")
    place.git("checkout", "--quiet", "-B", "main", "HEAD^")
    place.__dict__.pop("ws", None)
    add(place, "Three.")
    now = {row.dots for row in place.open().rows().values()}
    assert len(now - lost) == 1


def test_a_refused_write_uses_no_number_that_is_used_again(place):
    add(place, "One.")
    with pytest.raises(Exception, match="secret"):
        add(place, "key " + "AKIA" + "Z7Q2X4WNB3RTY5KP")
    add(place, "Two.")
    assert len(ids(place)) == 1
    assert kept(place)["landed"] == kept(place)["issued"]


def test_a_reword_by_another_writer_is_a_new_write_of_its_row(place):
    add(place, "The kettle in the kitchen is blue.")
    (before,) = place.open().rows().values()
    place.write("MEMORY.md", place.text("MEMORY.md").replace("is blue", "is green"))
    capture_all(place.ws)
    (after,) = place.open().rows().values()
    assert after.id == before.id
    assert after.dots[0][1] == before.dots[0][1] + 1


def test_a_revert_by_git_that_brings_old_rows_back_is_a_write_of_its_own(place):
    first = add(place, "The kettle in the kitchen is blue.")
    place.later(days=1)
    add(place, "THE KETTLE in the kitchen is blue.")
    assert len(place.open().rows()) == 1
    capture_all(place.ws)
    place.git("revert", "--no-edit", "HEAD")
    place.write("MEMORY.md", place.text("MEMORY.md") + "- More.\n")
    place.__dict__.pop("ws", None)
    capture_all(place.ws)
    (row,) = (row for row in place.open().rows().values() if first.change in row.mentions)
    assert row.dots[0][1] == 3


ACTS = st.lists(st.sampled_from(["add", "undo", "restore", "reword", "delete", "reset", "forget"]), max_size=8)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(ACTS)
def test_whatever_is_done_no_dot_stands_for_two_rows(mould, acts):
    """Over all commits that ever were: the same dot, the same words of the row; and numbers only grow."""
    with another(mould) as place:
        said, top = {}, {}
        for number, act in enumerate(["add", "add", *acts]):
            place.__dict__.pop("ws", None)
            place.later(minutes=1)
            _do(place, act, number)
            head = entries.read(place.text(entries.PATH))
            for row in head.rows.values():
                for dot in row.dots:
                    assert said.setdefault(dot, row) == row
            for machine, n in head.highest.items():
                top[machine] = max(top.get(machine, 0), n)
            place.agrees()


def _do(place, act, number):
    from clawgit.errors import ClawgitError  # noqa: PLC0415

    try:
        if act == "add":
            add(place, f"Fact {number} is {number * 7}.")
        elif act == "undo":
            place.ws.apply(undo(place.ws))
        elif act == "restore":
            place.ws.apply(restore(place.ws, "MEMORY.md", "HEAD~2"))
        elif act in ("reword", "delete"):
            text = place.text("MEMORY.md")
            lines = [line for line in text.split("\n") if line.startswith("- ")]
            if lines:
                new = lines[0].replace("Fact", "The fact") + "\n" if act == "reword" else ""
                place.write("MEMORY.md", text.replace(lines[0] + "\n", new))
            capture_all(place.ws)
        elif act == "reset":
            if place.git("ls-tree", "--name-only", "HEAD~1", entries.PATH):  # not back before the workspace was managed
                place.git("update-ref", f"refs/keep/{number}", "HEAD")
                place.git("reset", "--quiet", "--hard", "HEAD~1")
        else:
            shutil.rmtree(place.root / ".git/clawgit", ignore_errors=True)
    except ClawgitError:
        pass
