"""What lies below .git/clawgit and is not what clawgit left there: nothing of it is believed, and work goes on."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clawgit.git import landing

from .conftest import Answer

Call = Callable[..., Answer]
Inside = Callable[..., str]
ROOM = ".git/clawgit"


class DeathError(BaseException):
    """Ends a write as a kill would."""


def dies(*_: object) -> None:
    raise DeathError


@pytest.fixture
def pending(space: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the redo log of a write that was announced and then killed."""
    with monkeypatch.context() as patch:
        patch.setattr(landing, "place", dies)
        with pytest.raises(DeathError):
            call("memory", "add", "The killed write.")
    (folder,) = (space / ROOM / "displaced").iterdir()
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of somebody's beside the workspace, which is to stay as it is."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "profile").write_text("# mine\n")
    return folder


def damaged(call: Call) -> list[str]:
    """Return the fixes of what `doctor` finds about writes."""
    rows = call("doctor", "--json").json
    return [row["fix"] for row in rows if row["check"] == "interrupted writes" and not row["ok"]]


def unwritable(call: Call) -> list[dict[str, Any]]:
    """Return the rows of `doctor` that tell why nothing can be written."""
    return [row for row in call("doctor", "--json").json if row["check"] == "permissions" and not row["ok"]]


def rewrite(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    values = json.loads((folder / "list").read_text())
    change(values)
    (folder / "list").write_text(json.dumps(values))


def first(values: dict[str, Any], **fields: object) -> None:
    next(item for item in values["items"] if item["path"] == "MEMORY.md").update(fields)


def add(values: dict[str, Any], path: str) -> None:
    oid = next(item["after"] for item in values["items"] if item["path"] == "MEMORY.md")
    values["items"].append({"path": path, "kind": "exchange", "before": None, "after": oid, "mode": 0o755})


EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "leads out": lambda values: add(values, "../outside/profile"),
    "hook": lambda values: add(values, ".git/hooks/post-commit"),
    "behind a link": lambda values: add(values, "linked/profile"),
    "not in the commit": lambda values: add(values, "memory/other.md"),
    "other bytes": lambda values: first(values, after=EMPTY),
    "branch": lambda values: values.update(branch="../../hooks/x"),
    "elsewhere": lambda values: values["home"].update(root="/elsewhere", inode=1),
    "nobody's": lambda values: values.update(home=None),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_redo_log_that_disagrees_is_set_aside_and_its_fix_lands_what_its_commits_hold(
    name: str, space: Path, call: Call, inside: Inside, pending: Path, outside: Path
) -> None:
    (space / "linked").symlink_to(outside)
    rewrite(pending, FORGED[name])
    (space / "SOUL.md").write_text((space / "SOUL.md").read_text() + "- Typed meanwhile.\n")
    soul = (space / "SOUL.md").read_bytes()
    assert call("doctor").code == 3
    assert call("memory", "add", "The next write.").code == 0
    assert "The next write." in inside("show", "HEAD:MEMORY.md")
    assert "The killed write." not in inside("show", "HEAD:MEMORY.md")
    assert (outside / "profile").read_text() == "# mine\n"
    assert not (space / ".git/hooks/post-commit").exists()
    assert not (space / "memory/other.md").exists()
    assert (space / "SOUL.md").read_bytes() == soul
    assert inside("for-each-ref", "refs/clawgit/pending") == ""
    assert call("doctor").code == 3
    (fix,) = damaged(call)
    assert fix in {alarm["fix"] for alarm in call("status", "--json").json["alarms"] if alarm["level"] == "alarm"}
    done = subprocess.run(fix, shell=True, cwd=space, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "The killed write." in inside("show", "HEAD:MEMORY.md")
    assert damaged(call) == []


DAMAGED = {"cut": b'{"name": "', "deep": b"[" * 100_000}


@pytest.mark.parametrize(
    ("name", "announced"), [("cut", False), ("deep", True), ("huge", True), ("link", True), ("pipe", False)]
)
def test_a_damaged_list_stops_no_write(
    name: str, announced: bool, space: Path, call: Call, inside: Inside, pending: Path, outside: Path
) -> None:
    if not announced:
        inside("update-ref", "-d", "refs/clawgit/pending")
    place = pending / "list"
    data = place.read_bytes()
    place.unlink()
    if name in DAMAGED:
        place.write_bytes(DAMAGED[name])
    elif name == "huge":
        with place.open("wb") as file:
            file.truncate(200 << 20)
    elif name == "link":
        (outside / "list").write_bytes(data)
        place.symlink_to(outside / "list")
    else:
        os.mkfifo(place) if name == "pipe" else place.mkdir()
    assert call("doctor").code == 3
    assert call("memory", "add", "The next write.").code == 0
    assert call("memory", "add", "One more.").code == 0
    assert "One more." in inside("show", "HEAD:MEMORY.md")
    assert call("doctor").code == 3
    assert len(damaged(call)) == 1
    assert pending.name in {one.name for one in (space / ROOM / "rejected").iterdir()}
    assert bool(inside("for-each-ref", "refs/clawgit/set-aside/")) == announced


@pytest.mark.parametrize("what", ["file", "link", "odd name"])
def test_what_is_no_redo_log_is_set_aside(what: str, space: Path, call: Call, outside: Path) -> None:
    call("memory", "add", "The first write.")
    place = space / ROOM / "displaced" / ("mine" if what == "odd name" else "0123456789")
    place.parent.mkdir(exist_ok=True)
    if what == "link":
        place.symlink_to(outside)
    elif what == "file":
        place.write_text("mine\n")
    else:
        place.mkdir()
        (place / "note").write_text("mine\n")
    assert call("memory", "add", "The next write.").code == 0
    assert (outside / "profile").read_text() == "# mine\n"
    assert len(list((space / ROOM / "rejected").iterdir())) == 1


@pytest.mark.parametrize("how", ["moved", "restored", "copied"])
def test_a_killed_write_belongs_to_its_workspace(
    how: str, space: Path, call: Call, pending: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there"
    if how == "moved":
        space.rename(there)
    else:
        shutil.copytree(space, there, symlinks=True)
    if how == "restored":
        shutil.rmtree(space)
        shutil.copytree(there, space, symlinks=True)
    place = space if how == "restored" else there
    monkeypatch.chdir(place)
    assert call("memory", "add", "The next write.").code == 0
    kept = (place / "MEMORY.md").read_text()
    assert "The next write." in kept
    assert ("The killed write." in kept) == (how != "copied")
    assert len(damaged(call)) == (how == "copied")
    if how == "copied":
        monkeypatch.chdir(space)
        assert call("memory", "add", "The next write.").code == 0
        assert "The killed write." in (space / "MEMORY.md").read_text()


@pytest.mark.parametrize("name", ["", "/displaced", "/state/clock.json"])
def test_nothing_is_written_or_read_behind_a_link(name: str, space: Path, call: Call, outside: Path) -> None:
    assert call("memory", "add", "The first write.").code == 0
    place = space / f"{ROOM}{name}"
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    before = {one.name: one.read_bytes() for one in outside.iterdir()}
    place.symlink_to(outside / "profile" if name.endswith(("json", "jsonl")) else outside)
    for words in (("status",), ("memory", "add", "The next write."), ("capture",)):
        assert call(*words).code == 0
    assert {one.name: one.read_bytes() for one in outside.iterdir()} == before
    assert not place.is_symlink()
    assert call("doctor").code == 3


@pytest.mark.parametrize(("name", "kind"), [("index.side", "pipe"), ("state", "file"), ("displaced", "file")])
def test_what_cannot_be_written_is_named_and_the_fix_works(name: str, kind: str, space: Path, call: Call) -> None:
    assert call("memory", "add", "The first write.").code == 0
    place = space / ROOM / name
    if place.is_dir():
        shutil.rmtree(place)
        place.write_text("mine\n")
    else:
        place.unlink(missing_ok=True)
        os.mkfifo(place)
    call("status")
    rows = [row for row in unwritable(call) if row["fix"]]
    answer = call("memory", "add", "The next write.")
    assert (answer.code != 0) == bool(rows)
    for row in rows:
        assert row["fix"] in answer.err
        subprocess.run(row["fix"], shell=True, cwd=space, check=True)
    assert call("memory", "add", "One more.").code == 0


def test_a_reference_beneath_the_pending_one_is_found_and_its_fix_works(
    space: Path, call: Call, inside: Inside
) -> None:
    head = inside("rev-parse", "HEAD").strip()
    inside("update-ref", "refs/clawgit/pending/x", head)
    inside("pack-refs", "--all")
    assert [alarm for alarm in call("status", "--json").json["alarms"] if alarm["level"] == "alarm"]
    (row,) = unwritable(call)
    assert call("memory", "add", "The next write.").code == 1
    subprocess.run(row["fix"], shell=True, cwd=space, check=True)
    assert head in inside("for-each-ref", "refs/clawgit")
    assert call("memory", "add", "One more.").code == 0
    assert call("doctor").code == 0


def test_a_file_in_the_place_of_the_folder_of_what_was_set_aside_is_set_aside(space: Path, call: Call) -> None:
    place = space / ROOM / "displaced/abcdef0123"
    place.mkdir(parents=True)
    (place / "list").write_text("mine\n")
    (space / ROOM / "rejected").write_text("mine\n")
    assert call("doctor").code == 3
    assert call("memory", "add", "The next write.").code == 0
    assert "mine\n" in [one.read_text() for one in (space / ROOM / "rejected").iterdir() if one.is_file()]


FILES = ("lock", "state/own-commits", "index.side", "decisions.log", "state.db", "notes.json", "schedule.lock")


@pytest.mark.parametrize("name", [*FILES, "displaced", "state"])
def test_what_is_of_another_kind_than_ours_is_set_aside(name: str, space: Path, call: Call) -> None:
    """A folder in the place of a file, or a file in that of a folder: one finding, and the next write works."""
    assert call("memory", "add", "The first write.").code == 0
    place = space / ROOM / name
    shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    mine = place / "mine" if name in FILES else place
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text("mine\n")
    assert len(damaged(call)) == 1
    assert call("memory", "add", "The next write.").code == 0
    assert "mine\n" in [one.read_text() for one in (space / ROOM / "rejected").rglob("*") if one.is_file()]


@pytest.mark.parametrize(("name", "kind"), [("index", "link"), ("refs/heads/main", "folder")])
def test_an_old_lock_of_any_kind_is_taken_away_by_the_fix(name: str, kind: str, space: Path, call: Call) -> None:
    lock = space / f".git/{name}.lock"
    lock.symlink_to("/nowhere") if kind == "link" else (lock / "mine").mkdir(parents=True)
    hours_ago = time.time() - 7_200
    os.utime(lock, (hours_ago, hours_ago), follow_symlinks=False)
    assert call("memory", "add", "The next write.").code == 1
    assert call("doctor", "--fix").code == 0
    assert call("memory", "add", "One more.").code == 0


def test_a_purge_note_names_no_file_to_delete(space: Path, call: Call, outside: Path) -> None:
    (space / ROOM / "purge-backup").write_text(f"{outside / 'profile'}\n")
    call("memory", "add", "A pelican stands in the shed.")
    assert call("purge", "--text", "-", "--yes", stdin=b"pelican\n", terminal=True).code in (0, 1, 2)
    assert (outside / "profile").exists()


@pytest.mark.parametrize(("name", "age"), [("pending", 0), ("open/x", 3600)])
def test_a_lock_of_a_reference_of_ours_that_nobody_holds_is_taken_away(
    name: str, age: float, space: Path, call: Call
) -> None:
    lock = space / f".git/refs/clawgit/{name}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    os.utime(lock, (time.time() - age, time.time() - age))
    assert call("memory", "add", "The next write.").code == 0
    assert not lock.exists()
