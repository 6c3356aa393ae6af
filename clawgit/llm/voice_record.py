"""The last tests of voices, and the last failure."""

import contextlib
import os
import stat
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.store.database import StateStore

FILE = "model"
SOCKET = "model.sock"
"""What the plugin listens on, in the folder `.git/clawgit`; hooks/openclaw-plugin/voice.js has the other end."""


class Tried(Struct, frozen=True):
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


class Failure(Struct, frozen=True):
    """Why a voice gave no answer the last time that it was asked, when that was, and what to do about it."""

    voice: str
    when: str
    message: str
    fix: str


class Record(Struct, frozen=True):
    """The last test of each kind of voice, and the last failure; None once an answer came again."""

    tests: Mapping[str, Tried] = field(default_factory=dict)
    failure: Failure | None = None


def load(store: StateStore) -> Record:
    """Return what is remembered of the model; nothing where that cannot be read."""
    return store.read_document(FILE, Record) or Record()


def listening(place: Path) -> bool:
    """Return whether a socket stands there that its owner alone can use, and that is ours; nobody is asked."""
    try:
        found = place.lstat()
    except OSError:
        return False
    return stat.S_ISSOCK(found.st_mode) and found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o077


def tested(store: StateStore, kind: str, test: Tried) -> None:
    """Note a test. Raises ClawgitError."""
    known = load(store)
    store.save_document(FILE, Record({**known.tests, kind: test}))


def noting(store: StateStore, voice: str, now: Callable[[], datetime]) -> Callable[[ClawgitError | None], None]:
    """Return what notes the error that a voice came to, or by None that an answer came: `noted` of a Speaker.

    Best effort: who asked tells of it as well.
    """

    def note(error: ClawgitError | None) -> None:
        known = load(store)
        failure = error and Failure(voice, now().isoformat(timespec="seconds"), error.message, str(error.fix))
        if failure or known.failure:
            with contextlib.suppress(ClawgitError):
                store.save_document(FILE, replace(known, failure=failure))

    return note
