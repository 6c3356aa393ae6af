import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from clawgit.outside.sqlite_file import write_ahead

AT_ONCE = 8


def test_all_who_open_a_new_file_at_once_may_write(tmp_path: Path) -> None:
    gate = Barrier(AT_ONCE)

    def write(number: int, place: Path) -> str:
        gate.wait()
        with closing(sqlite3.connect(place, 30.0, isolation_level=None)) as connection:
            write_ahead(connection, 30.0)
            connection.execute("CREATE TABLE IF NOT EXISTS numbers (number)")
            connection.execute("INSERT INTO numbers VALUES (?)", (number,))
            return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for attempt in range(30):
            place = tmp_path / f"{attempt}.db"
            assert list(pool.map(write, range(AT_ONCE), [place] * AT_ONCE)) == ["wal"] * AT_ONCE
            with closing(sqlite3.connect(place)) as connection:
                assert connection.execute("SELECT count(*) FROM numbers").fetchone() == (AT_ONCE,)


def test_who_waited_long_enough_is_told(tmp_path: Path) -> None:
    place = tmp_path / "held.db"
    with closing(sqlite3.connect(place, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        with closing(sqlite3.connect(place, 0.0)) as other, pytest.raises(sqlite3.OperationalError, match="locked"):
            write_ahead(other, 0.05)


def test_what_waiting_does_not_mend_is_told_at_once(tmp_path: Path) -> None:
    place = tmp_path / "no.db"
    place.write_bytes(b"no database" * 100)
    with closing(sqlite3.connect(place)) as connection, pytest.raises(sqlite3.DatabaseError, match="not a database"):
        write_ahead(connection, 1e9)


def test_patience_is_not_multiplied_by_the_timeout_of_the_connection(tmp_path: Path) -> None:
    place = tmp_path / "held.db"
    with closing(sqlite3.connect(place, isolation_level=None)) as holder:
        holder.execute("CREATE TABLE one (a)")
        holder.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        with closing(sqlite3.connect(place, 0.3)) as other, pytest.raises(sqlite3.OperationalError, match="locked"):
            write_ahead(other, 0.3)
        assert time.monotonic() - begun < 5  # it was ten seconds
