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

_DOCUMENT = "model"
SOCKET = "model.sock"
"""What the plugin listens on, in the folder `.git/clawgit`; hooks/openclaw-plugin/voice.js has the other end."""


class Tried(Struct, frozen=True):
    """The result of a voice's trial: `when` is ISO 8601, `why` is the reason that it was not `good` enough.

    `read` and `written` are tokens, `estimated` if they were not counted.
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
    """The last failure of a voice: its reason, its time, and a fix."""

    voice: str
    when: str
    message: str
    fix: str


class VoiceRecord(Struct, frozen=True):
    """The last test of each kind of voice, and the last failure; None once an answer came again."""

    tests: Mapping[str, Tried] = field(default_factory=dict)
    failure: Failure | None = None


def load_voice_record(store: StateStore) -> VoiceRecord:
    """Return the record of the model; an empty one if unreadable."""
    return store.read_document(_DOCUMENT, VoiceRecord) or VoiceRecord()


def is_listening(place: Path) -> bool:
    """Return whether there is a socket of ours that its owner alone can use; nobody is asked."""
    with contextlib.suppress(OSError):
        status = place.lstat()
        # A socket of another user would get the prompts.
        is_private = status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077
        return is_private and stat.S_ISSOCK(status.st_mode)
    return False


def note_test(store: StateStore, kind: str, test: Tried) -> None:
    """Note a test. Raises ClawgitError."""
    store.save_document(_DOCUMENT, VoiceRecord({**load_voice_record(store).tests, kind: test}))


def make_recorder(store: StateStore, voice: str, now: Callable[[], datetime]) -> Callable[[ClawgitError | None], None]:
    """Return a function that records a voice's error, or an answer for None: `noted` of a Speaker.

    Best effort: the caller reports it as well.
    """

    def note(error: ClawgitError | None) -> None:
        record = load_voice_record(store)
        failure = error and Failure(voice, now().isoformat(timespec="seconds"), error.message, str(error.fix))
        # An answer changes the record only after a failure.
        if failure or record.failure:
            with contextlib.suppress(ClawgitError):
                store.save_document(_DOCUMENT, replace(record, failure=failure))

    return note
