"""Asks a model within a budget."""

import contextlib
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import NO_FIX, Command, Fix
from clawgit.git import regular_file
from clawgit.llm import json_answer
from clawgit.llm import model as llm_model
from clawgit.llm.model import Budget, ModelError, Usage
from clawgit.safety.private import make_private
from clawgit.text.tokens import count

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
    db = sqlite3.connect(regular_file.require_state(place), timeout=wait)
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


_MARGIN = 1.1


class Asked(Struct, frozen=True):
    """One request in full: the rules, the material, the most tokens of the answer, and how it is bounded.

    `admit` is called before each try, and may raise; `lost` after one that may have cost something and came to nothing,
    before the next.
    """

    rules: str
    material: str
    answer_tokens: int
    seconds: float
    admit: Callable[[], None]
    lost: Callable[[], None] = lambda: None

    @property
    def estimate(self) -> int:
        """The tokens that will be read, with a margin."""
        return round(_MARGIN * (count(self.rules) + count(self.material)))


class Said(Struct, frozen=True):
    """What was said; `read` and `written` are tokens, None where nobody counted; `cut` when it had no room to end.

    `model` is the one that answered, where the voice tells.
    """

    text: str
    read: int | None = None
    written: int | None = None
    cut: bool = False
    model: str = ""


class LostError(ModelError):
    """No answer came, or half of one; where it was `worked_on`, the tokens may be spent all the same."""

    def __init__(self, key: str, message: str, *, fix: Fix = NO_FIX, worked_on: bool = True) -> None:
        super().__init__(key, message, fix=fix)
        self.worked_on = worked_on


class LimitedError(ModelError):
    """The voice asks to be left alone, for `wait` seconds where it says for how long, else 0."""

    def __init__(self, key: str, message: str, *, fix: Fix = NO_FIX, wait: float = 0.0) -> None:
        super().__init__(key, message, fix=fix)
        self.wait = wait


class Voice(Protocol):
    """Something that can be talked to: OpenClaw's model, an endpoint, a command."""

    @property
    def name(self) -> str:
        """What tells its answers from another's."""

    @property
    def provider(self) -> str:
        """Who gets to see what is said to it: a host, a program, OpenClaw's provider; "" where nobody told yet."""

    def say(self, asked: Asked) -> Said:
        """Return what is said to this. Raises LostError, LimitedError, or else ModelError."""


def heard(voice: Voice, budget: Budget, asked: Asked, clock: Callable[[], float] = time.monotonic) -> Said:
    """Return what a voice says, within the budget; tries that were lost on the way are paid for as well.

    `admit` and `lost` of `asked` are not used. Raises BudgetError where there is no room for the answer, and what
    asking raises.
    """
    estimate, unpaid = asked.estimate, 0

    def lost() -> None:
        nonlocal unpaid
        unpaid += estimate

    def admit() -> None:
        nonlocal unpaid
        budget.admit()
        if unpaid:
            budget.spend(Usage(read=unpaid, estimated=True))
            unpaid = 0
            budget.afford(estimate + asked.answer_tokens)

    budget.afford(estimate + asked.answer_tokens)
    begun, used = clock(), Usage()
    try:
        said = voice.say(replace(asked, admit=admit, lost=lost))
        counted = said.read is not None and said.written is not None
        read = estimate if said.read is None else said.read
        written = count(said.text) if said.written is None else said.written
        used = Usage(read=read, written=written, estimated=not counted)
    except LostError as exc:
        used = Usage(read=estimate, estimated=True) if exc.worked_on else Usage()
        raise
    finally:
        budget.spend(used + Usage(seconds=clock() - begun))
    return said


def answer(voice: Voice, budget: Budget, rules: str, material: str, answer_tokens: int, seconds: float = 120.0) -> str:
    """Return what a voice says to `material` in one try, without what it thought aloud; the rule on fences is added.

    Raises ModelError for an answer that is empty or was cut off, and what asking raises.
    """
    told = f"{rules}\n\n{llm_model.RULE}"
    said = heard(voice, budget, Asked(told, material, answer_tokens, min(seconds, budget.left), budget.admit))
    text = json_answer.spoken(said.text)
    if said.cut or not text:
        why = "it was cut off at the limit" if said.cut else "it is empty"
        raise ModelError("model-answer", f"unusable answer from {voice.name}: {why}", fix=Command("clawgit model test"))
    return text
