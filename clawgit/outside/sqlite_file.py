"""A file of SQLite that several processes open at once."""

import sqlite3
import time

_PAUSE = 0.01  # seconds


def write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Have what is written go to a log beside the file, so that readers and a writer do not wait for each other.

    Of several processes that change a new file's mode at once SQLite refuses all but one, whatever their timeout: they
    are tried again for `patience` seconds, and the timeout of the connection at the most. Raises sqlite3.Error.
    """
    until = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as exc:
            if time.monotonic() >= until or "locked" not in str(exc):
                raise
            time.sleep(_PAUSE)
        else:
            return
