"""Keeps answers that were given once."""

import contextlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from clawgit.llm import shape as shapes
from clawgit.llm.model import Answer, Model, Prompt, Shape, Usage
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


def key(message: str, prompt: Prompt, shape: "type[Shape] | None", model: str) -> bytes:
    """Return what an answer is kept under: all of the material it depends on, the rules and shape, and the model."""
    wanted = "" if shape is None else shapes.instruction(shapes.schema(shape))
    parts = (message, prompt.rules, wanted, str(prompt.answer_tokens), model)
    hashes = [sha256(part.encode("utf-8", "surrogatepass")).digest() for part in parts]
    return sha256(b"".join(hashes)).digest()


def ask_once(model: Model, answers: Answers, message: str, prompt: Prompt, shape: type[Shape]) -> Answer[Shape]:
    """Return the answer that was given before to this message, these rules and this shape, else ask and keep it.

    `message` is the material before it was fenced. Raises what asking raises; failures are not kept.
    """
    name = key(message, prompt, shape, model.name)
    said = answers.get(name)
    found = shapes.known(said, shape) if said is not None else None
    if said is not None and found is not None:
        return Answer(said, found, Usage(), 0)
    answer = model.ask(prompt, shape)
    answers.put(name, answer.found.model_dump_json())
    return answer


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
