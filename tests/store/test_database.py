"""`state.db` and the log of decisions: each brings the other back after any damage."""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
import time_machine

from tests.promises.desk import Desk


def propose(desk: Desk, words: str) -> str:
    """Open an item, and return its id."""
    edit = desk.run("soul", "edit", "--section", "Core", "--why", "Asked for.", "--propose", "--add", words)
    return str(edit["proposal"]["id"])


def folder(desk: Desk) -> Path:
    return desk.root / ".git/clawgit"


def copy(desk: Desk, name: str) -> None:
    shutil.copytree(folder(desk), desk.root.parent / name, dirs_exist_ok=True)


def states(desk: Desk, names: list[str]) -> list[str]:
    """Return the state of each item, "" for one that is not there."""
    answers = [desk.call("show", name) for name in names]
    return [answer.document["state"] if answer.code == 0 else "" for answer in answers]


def remove_wal(desk: Desk) -> None:
    for suffix in ("-wal", "-shm"):
        (folder(desk) / f"state.db{suffix}").unlink(missing_ok=True)


def write(data: bytes) -> Callable[[Desk], None]:
    def run(desk: Desk) -> None:
        remove_wal(desk)
        (folder(desk) / "state.db").write_bytes(data)

    return run


def put_older(name: str) -> Callable[[Desk], None]:
    def run(desk: Desk) -> None:
        remove_wal(desk)
        shutil.copy(desk.root.parent / "older" / name, folder(desk) / name)

    return run


def tear(desk: Desk) -> None:
    with (folder(desk) / "decisions.log").open("ab") as log:
        log.write(b'{"act":"deci')
    (folder(desk) / "state.db").unlink()


HARMS: dict[str, Callable[[Desk], None]] = {
    "empty": write(b""),
    "garbage": write(b"SQLite format 3\0" + b"x" * 4000),
    "an older copy": put_older("state.db"),
    "no log": lambda desk: (folder(desk) / "decisions.log").unlink(),
    "an older log": put_older("decisions.log"),
    "a torn line": tear,
}


@pytest.mark.parametrize("harm", HARMS)
def test_what_was_decided_is_there_after_any_harm(desk: Desk, harm: str) -> None:
    names = [propose(desk, "Sing.")]
    copy(desk, "older")
    desk.run("reject", names[0], "no")
    names.append(propose(desk, "Dance."))
    HARMS[harm](desk)
    assert states(desk, names) == ["rejected", "open"]
    (folder(desk) / "state.db").unlink()
    assert states(desk, names) == ["rejected", "open"]


def test_a_newer_store_is_refused_and_stays_as_it_is(desk: Desk) -> None:
    propose(desk, "Sing.")
    with contextlib.closing(sqlite3.connect(folder(desk) / "state.db")) as database, database:
        database.execute("PRAGMA user_version = 99")
    desk.refuse("inbox", key="format-newer")


def test_only_its_owner_can_read_it(desk: Desk) -> None:
    propose(desk, "Sing.")
    places = [place for place in folder(desk).iterdir() if place.name.startswith(("state.db", "decisions"))]
    assert {place.stat().st_mode & 0o777 for place in places} == {0o600}


def test_closed_items_leave_with_housekeeping_after_a_while(desk: Desk) -> None:
    names = [propose(desk, "Sing."), propose(desk, "Dance.")]
    desk.run("reject", names[0], "no")
    with time_machine.travel("2027-03-20T12:00:00+00:00", tick=True):
        desk.run("doctor", "--clock-is-right")
        desk.run("schedule", "once", "housekeeping")
        assert states(desk, names) == ["", "open"]
    (folder(desk) / "state.db").unlink()
    assert states(desk, names) == ["", "open"]


def test_a_workspace_that_was_moved_away_stays_away(desk: Desk) -> None:
    propose(desk, "Sing.")
    desk.root.rename(desk.root.with_name("moved"))
    assert desk.call("soul", "proposals").code
    assert not desk.root.exists()
