import sqlite3
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
