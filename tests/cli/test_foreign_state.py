"""Foreign files below .git/clawgit: none is believed, and work goes on."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.git.conftest import killed

from .conftest import Answer

Call = Callable[..., Answer]
Inside = Callable[..., str]
ROOM = ".git/clawgit"


@pytest.fixture
def pending(space: Path, call: Call) -> Path:
    """The folder of the redo log of a write that was announced and then killed."""
    with killed():
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
    """Return the fixes of `doctor` for writes."""
    rows = call("doctor", "--json").json
    return [row["fix"] for row in rows if row["check"] == "interrupted writes" and not row["ok"]]


def rewrite(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    values = json.loads((folder / "list").read_text())
    change(values)
    (folder / "list").write_text(json.dumps(values))


def forge_first(values: dict[str, Any], **fields: object) -> None:
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
    "other bytes": lambda values: forge_first(values, after=EMPTY),
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
    result = subprocess.run(fix, shell=True, cwd=space, check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
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
    assert pending.name in {path.name for path in (space / ROOM / "rejected").iterdir()}
    assert bool(inside("for-each-ref", "refs/clawgit/set-aside/")) == announced


@pytest.mark.parametrize("name", ["", "/displaced", "/state/clock.json"])
def test_nothing_is_written_or_read_behind_a_link(name: str, space: Path, call: Call, outside: Path) -> None:
    assert call("memory", "add", "The first write.").code == 0
    place = space / f"{ROOM}{name}"
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    before = {path.name: path.read_bytes() for path in outside.iterdir()}
    place.symlink_to(outside / "profile" if name.endswith(("json", "jsonl")) else outside)
    for words in (("status",), ("memory", "add", "The next write."), ("capture",)):
        assert call(*words).code == 0
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == before
    assert not place.is_symlink()
    assert call("doctor").code == 3


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
    assert "mine\n" in [path.read_text() for path in (space / ROOM / "rejected").rglob("*") if path.is_file()]


def test_a_purge_note_names_no_file_to_delete(space: Path, call: Call, outside: Path) -> None:
    (space / ROOM / "purge-backup").write_text(f"{outside / 'profile'}\n")
    call("memory", "add", "A pelican stands in the shed.")
    assert call("purge", "--text", "-", "--yes", stdin=b"pelican\n", terminal=True).code in (0, 1, 2)
    assert (outside / "profile").exists()
