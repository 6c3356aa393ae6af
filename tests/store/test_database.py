"""`state.db` and the log of decisions: whatever happens to the one, the other brings it back."""

import multiprocessing
import os
import shutil
import signal
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pytest

from clawgit.errors import ClawgitError
from clawgit.store.database import DISMISSED, NAME, WORKSPACE_ID, ReadOnlyError, StateStore
from clawgit.store.item import LOG_NAME as LOG
from clawgit.store.item import FileEdit, FileVersion, Item

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
PROCESSES = 16


def item(name: str, **more: object) -> Item:
    edit = FileEdit("SOUL.md", FileVersion("old\n"), FileVersion("new\n"))
    return Item(name, "identity", f"Title of {name}", NOW, edits=(edit,), **more)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> StateStore:
    return StateStore(tmp_path / "clawgit")


def states(store: StateStore) -> dict[str, str]:
    return {one.id: one.state for one in store.read_items()}


def test_what_is_opened_is_read_and_decided_once(store: StateStore) -> None:
    assert store.read_items() == []
    store.open_item(item("kkkk"))
    assert store.read_items("open") == [item("kkkk")]
    assert store.decide("kkkk", "rejected", NOW, "no")
    assert not store.decide("kkkk", "accepted", NOW)
    assert store.read_items("open") == []
    assert [(one.state, one.answer) for one in store.find_items("kk")] == [("rejected", "no")]


def test_rows_and_documents(store: StateStore) -> None:
    for number in range(5):
        store.append_rows("runs", [number], limit=3)
    assert store.read_rows("runs", int) == [2, 3, 4]
    store.edit_rows("runs", int, lambda rows: rows[1:])
    assert store.read_rows("runs", int) == [3, 4]
    assert store.read_rows("runs", str) == []
    store.save_document("clock", {"a": "\udc80"})
    assert store.read_document("clock", dict[str, str]) == {"a": "?"}


@pytest.mark.parametrize("garbage", [b"", b"SQLite format 3\0" + b"x" * 4000])
def test_a_damaged_database_is_rebuilt_from_the_log(store: StateStore, garbage: bytes) -> None:
    store.open_item(item("kkkk"))
    store.open_item(item("llll"))
    store.decide("kkkk", "accepted", NOW, commit="c" * 40)
    for suffix in ("-wal", "-shm"):
        store.path.with_name(f"{NAME}{suffix}").unlink(missing_ok=True)
    store.path.write_bytes(garbage)
    assert states(store) == {"kkkk": "accepted", "llll": "open"}
    assert store.read_items("open") == [item("llll")]
    assert store.read_loss()


@pytest.mark.parametrize("data", [b"{", b"\xff"])
def test_a_damaged_value_costs_no_other(store: StateStore, data: bytes) -> None:
    store.open_item(item("kkkk"))
    store.append_rows("runs", ["one"])
    store.save_document("clock", "nine")
    for statement in (
        "INSERT INTO record (list, data) VALUES ('runs', CAST(? AS TEXT))",
        "INSERT OR REPLACE INTO document VALUES ('log position', CAST(? AS TEXT))",
        "INSERT OR REPLACE INTO document VALUES ('model', CAST(? AS TEXT))",
    ):
        with closing(sqlite3.connect(store.path)) as database, database:
            database.execute(statement, (data,))
    assert store.read_rows("runs", str) == ["one"]
    assert (store.read_document("clock", str), store.read_document("model", str)) == ("nine", None)
    assert store.read_documents("", str)["clock"] == "nine"
    assert store.read_items() == [item("kkkk")]
    assert not store.read_loss()
    assert store.rewrite_texts(lambda text: text.replace("nine", "ten"), really=True) == 1
    assert store.read_document("clock", str) == "ten"


def test_an_older_copy_is_brought_forward(store: StateStore, tmp_path: Path) -> None:
    store.open_item(item("kkkk"))
    shutil.copytree(store.folder, tmp_path / "copy")
    store.decide("kkkk", "rejected", NOW)
    store.open_item(item("llll"))
    shutil.copy(tmp_path / "copy" / NAME, store.path)
    assert states(store) == {"kkkk": "rejected", "llll": "open"}
    assert not store.read_loss()


@pytest.mark.parametrize("log", ["gone", "older"])
def test_a_log_that_lacks_lines_is_written_anew(store: StateStore, tmp_path: Path, log: str) -> None:
    store.open_item(item("kkkk"))
    older = (store.folder / LOG).read_bytes()
    store.decide("kkkk", "rejected", NOW)
    store.open_item(item("llll"))
    (store.folder / LOG).unlink()
    if log == "older":
        (store.folder / LOG).write_bytes(older)
    assert states(store) == {"kkkk": "rejected", "llll": "open"}
    store.path.unlink()
    assert states(store) == {"kkkk": "rejected", "llll": "open"}


def test_a_torn_line_is_skipped(store: StateStore) -> None:
    store.open_item(item("kkkk"))
    with (store.folder / LOG).open("ab") as log:
        log.write(b'{"act":"deci')
    store.open_item(item("llll"))
    store.path.unlink()
    assert states(store) == {"kkkk": "open", "llll": "open"}


def test_a_log_that_cannot_be_read_is_told(store: StateStore) -> None:
    store.save_document("clock", "now")
    (store.folder / LOG).mkdir()
    for act in (lambda: store.read_document("clock", str), lambda: store.save_document("clock", "then")):
        with pytest.raises(ClawgitError) as caught:
            act()
        assert caught.value.key == "file-unreadable"
        assert str(store.folder / LOG) in caught.value.message


def test_closed_items_leave_the_log_after_a_while(store: StateStore) -> None:
    for name in ("kkkk", "llll", "mmmm"):
        store.open_item(item(name))
    store.decide("kkkk", "rejected", NOW)
    store.decide("llll", "accepted", NOW + timedelta(days=50))
    store.save_document(WORKSPACE_ID, "89abcdef")
    store.save_document(DISMISSED, ["0123"])
    store.save_document(DISMISSED, ["0123", "4567"])
    store.shrink_log(NOW + timedelta(days=100))
    assert states(store) == {"llll": "accepted", "mmmm": "open"}
    store.path.unlink()
    assert states(store) == {"llll": "accepted", "mmmm": "open"}
    assert store.read_document(WORKSPACE_ID, str) == "89abcdef"
    assert store.read_document(DISMISSED, list[str]) == ["0123", "4567"]


def test_a_newer_store_is_refused_and_stays_as_it_is(store: StateStore) -> None:
    store.open_item(item("kkkk"))
    with sqlite3.connect(store.path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    before = store.path.read_bytes()
    with pytest.raises(ClawgitError) as caught:
        store.read_items()
    assert caught.value.key == "format-newer"
    assert store.path.read_bytes() == before


def test_only_its_owner_can_read_it(store: StateStore) -> None:
    store.open_item(item("kkkk"))
    assert {place.stat().st_mode & 0o777 for place in store.folder.iterdir()} == {0o600}


def open_many(folder: Path, number: int) -> None:
    store = StateStore(folder)
    for count in range(5):
        store.open_item(item(f"{number:02}{count}"))
        store.decide(f"{number:02}{count}", "rejected", NOW)


def test_many_processes_write_at_once(store: StateStore) -> None:
    processes = [multiprocessing.Process(target=open_many, args=(store.folder, number)) for number in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert {process.exitcode for process in processes} == {0}
    assert len(store.read_items("rejected")) == PROCESSES * 5
    store.path.unlink()
    assert len(store.read_items("rejected")) == PROCESSES * 5


def decide_until_killed(folder: Path, acknowledged: str) -> None:
    store = StateStore(folder)
    with Path(acknowledged).open("a") as notes:
        for number in range(1000):
            store.open_item(item(f"n{number:04}"))
            store.decide(f"n{number:04}", "rejected", NOW)
            notes.write(f"n{number:04}\n")
            notes.flush()


@pytest.mark.parametrize("pause", [0.05, 0.2])
def test_no_acknowledged_decision_is_lost_by_a_kill(store: StateStore, tmp_path: Path, pause: float) -> None:
    notes = tmp_path / "notes"
    process = multiprocessing.Process(target=decide_until_killed, args=(store.folder, str(notes)))
    process.start()
    process.join(pause)
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()
    acknowledged = notes.read_text().split() if notes.exists() else []
    assert {*acknowledged} <= {one.id for one in store.read_items("rejected")}
    store.path.unlink(missing_ok=True)
    assert {*acknowledged} <= {one.id for one in store.read_items("rejected")}


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_folder_is_read(store: StateStore) -> None:
    store.open_item(item("kkkk"))
    store.folder.chmod(0o500)
    try:
        assert states(store) == {"kkkk": "open"}
        with pytest.raises(ClawgitError):
            store.open_item(item("llll"))
    finally:
        store.folder.chmod(0o700)


def test_on_a_read_only_disk_the_log_counts(store: StateStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.open_item(item("kkkk"))
    old = store.path.read_bytes()
    store.open_item(item("llll"))
    for place in store.folder.glob("state.db*"):
        place.unlink()
    monkeypatch.setattr(StateStore, "_connected", refuse)
    assert states(store) == {"kkkk": "open", "llll": "open"}
    store.path.write_bytes(old)
    assert states(store) == {"kkkk": "open", "llll": "open"}


def refuse(_: StateStore) -> NoReturn:
    raise ReadOnlyError


def test_a_workspace_that_was_moved_away_stays_away(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    (root / ".git").mkdir(parents=True)
    store = StateStore(root / ".git/clawgit")
    store.open_item(item("kkkk"))
    root.rename(tmp_path / "moved")
    with pytest.raises(ClawgitError):
        store.open_item(item("llll"))
    store.read_items()
    assert not root.exists()
