"""The last tests of voices, and the last failure."""

import contextlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from clawgit.errors import ClawgitError

FILE = "model.json"
_TYPES: Mapping[str, Any] = {"good": bool, "estimated": bool, "seconds": (int, float), "read": int, "written": int}


@dataclass(frozen=True, slots=True)
class Tried:
    """How a voice did when it was tried: `when` is ISO 8601, `why` says what was not `good` enough.

    `read` and `written` are tokens, `estimated` where nobody counted them.
    """

    voice: str
    provider: str
    model: str
    when: str
    good: bool
    why: str
    seconds: float
    read: int
    written: int
    estimated: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a voice gave no answer the last time that it was asked, when that was, and what to do about it."""

    voice: str
    when: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class Record:
    """The last test of each kind of voice, and the last failure; None once an answer came again."""

    tests: Mapping[str, Tried] = field(default_factory=dict)
    failure: Failure | None = None

    def passed(self, kind: str) -> bool:
        """Tell whether a voice of this kind did well when it was last tried."""
        return kind in self.tests and self.tests[kind].good


def load(state: Path) -> Record:
    """Return what is remembered in the folder `state`; nothing where that cannot be read."""
    try:
        known = json.loads((state / FILE).read_bytes())
        tests = {str(kind): _of(Tried, one) for kind, one in known["tests"].items()}
        return Record(tests, _of(Failure, known["failure"]) if known["failure"] else None)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return Record()


def tested(state: Path, kind: str, test: Tried) -> None:
    """Note a test. Raises ClawgitError."""
    known = load(state)
    _save(state, Record({**known.tests, kind: test}))


def failed(state: Path, voice: str, when: datetime, error: ClawgitError) -> None:
    """Note that a voice gave no answer. Best effort: it is told by whoever asked as well."""
    failure = Failure(voice, when.isoformat(timespec="seconds"), error.message, error.fix)
    with contextlib.suppress(ClawgitError):
        _save(state, replace(load(state), failure=failure))


def worked(state: Path) -> None:
    """Note that an answer came. Best effort."""
    known = load(state)
    if known.failure:
        with contextlib.suppress(ClawgitError):
            _save(state, replace(known, failure=None))


def noting(state: Path, voice: str, now: Callable[[], datetime]) -> Callable[[ClawgitError | None], None]:
    """Return what notes the error of a run that `voice` ended, or by None that an answer came: `noted` of a Speaker."""

    def note(error: ClawgitError | None) -> None:
        if error is None:
            worked(state)
        else:
            failed(state, voice, now(), error)

    return note


def _of(kind: Any, values: Mapping[str, Any]) -> Any:
    """Return a value of a class of ours from what JSON gives. Raises TypeError where a field has another type."""
    found = kind(**values)
    if not all(isinstance(value, _TYPES.get(name, str)) for name, value in asdict(found).items()):
        raise TypeError
    return found


def _save(state: Path, known: Record) -> None:
    fresh = state / f"{FILE}.{os.getpid()}"
    try:
        state.mkdir(parents=True, exist_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(known), file, ensure_ascii=False)
        fresh.replace(state / FILE)
    except OSError as exc:
        raise ClawgitError(f"what the model came to cannot be noted: {exc}", fix="clawgit doctor") from exc
