"""Keeps answers that were given once."""

import contextlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from clawgit.safety.private import make_private

_VERSION = 1
_TABLE = "CREATE TABLE IF NOT EXISTS answers (nth INTEGER PRIMARY KEY, key BLOB UNIQUE, said TEXT)"
_KEPT = 50_000
_WAIT = 10.0
_NOT_ITS_FAULT = ("locked", "readonly", "unable to open", "full")

Done = TypeVar("Done")


class Answers:
    """Answers in a SQLite file; several processes may use it, anybody may delete it, and garbage is built anew.

    The newest 50,000 are kept. A file that is of no use costs only that models are asked again.
    """

    def __init__(self, place: Path, *, wait: float = _WAIT) -> None:
        self._place, self._wait = place, wait

    def get(self, key: bytes) -> str | None:
        """Return the answer kept under a key."""
        row = self._done(lambda db: db.execute("SELECT said FROM answers WHERE key = ?", (key,)).fetchone())
        return row[0] if row and isinstance(row[0], str) else None

    def put(self, key: bytes, said: str) -> None:
        """Keep an answer."""

        def act(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO answers (key, said) VALUES (?, ?)", (key, said))
            db.execute("DELETE FROM answers WHERE nth <= (SELECT max(nth) FROM answers) - ?", (_KEPT,))

        self._done(act)

    def _done(self, act: Callable[[sqlite3.Connection], Done]) -> Done | None:
        for _ in range(2):
            try:
                with closing(_opened(self._place, self._wait)) as db, db:
                    return act(db)
            except (sqlite3.Error, OSError, UnicodeError) as exc:
                if not isinstance(exc, sqlite3.Error) or any(said in str(exc) for said in _NOT_ITS_FAULT):
                    return None
                _remove(self._place)
        return None


def _opened(place: Path, wait: float) -> sqlite3.Connection:
    make_private(place)
    db = sqlite3.connect(place, timeout=wait)
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError("another version's")
        if not version:
            with db:
                db.execute(_TABLE)
                db.execute(f"PRAGMA user_version = {_VERSION}")
    except BaseException:
        db.close()
        raise
    return db


def _remove(place: Path) -> None:
    for suffix in ("-journal", ""):
        with contextlib.suppress(OSError):
            place.with_name(place.name + suffix).unlink()
