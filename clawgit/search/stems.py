"""Asks SQLite what it makes of words."""

import sqlite3
from collections.abc import Sequence
from functools import cache
from threading import Lock

TOKENIZER = "porter unicode61 remove_diacritics 2"
_ONE_AT_A_TIME = Lock()


@cache
def _table() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    connection.execute(f"CREATE VIRTUAL TABLE said USING fts5(word, tokenize='{TOKENIZER}')")
    connection.execute("CREATE VIRTUAL TABLE token USING fts5vocab(said, instance)")
    return connection


def stems(texts: Sequence[str]) -> list[list[str]]:
    """Return the stems of each text in order, as the index has them."""
    with _ONE_AT_A_TIME:
        table = _table()
        table.execute("BEGIN")
        try:
            table.executemany("INSERT INTO said(rowid, word) VALUES (?, ?)", enumerate(texts))
            found: list[list[str]] = [[] for _ in texts]
            for doc, term in table.execute("SELECT doc, term FROM token ORDER BY doc, offset"):
                found[doc].append(term)
            return found
        finally:
            table.execute("ROLLBACK")
