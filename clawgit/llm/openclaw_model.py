"""The model of the operator's OpenClaw, through our plugin."""

import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clawgit.llm import voice_record
from clawgit.llm.asking import Asked, LostError, Said
from clawgit.llm.model import ModelError
from clawgit.llm.words import plain

_LONGEST_NAME = 100  # bytes: sun_path of unix(7) has 108, of other systems 104
_LARGEST = 4 << 20
_PIECE = 1 << 16
_SHOWN = 300
_RESTART = "openclaw gateway restart"
CONNECT = f"clawgit openclaw install && {_RESTART}"
"""What brings the plugin to a gateway that runs."""
_LATE = "clawgit model test"


class OpenClaw:
    """A voice behind a Unix socket: a line of JSON is asked, a line of JSON answers, and the connection ends."""

    name = "openclaw"

    def __init__(self, place: Path, provider: str = "") -> None:
        self._place, self._provider = place, provider

    @property
    def provider(self) -> str:
        """The provider of OpenClaw's that answered last."""
        return self._provider

    def say(self, asked: Asked) -> Said:
        """Return what the model says."""
        turns = [{"who": "user", "text": asked.material}]
        wish = {"rules": asked.rules, "turns": turns, "tokens": asked.answer_tokens, "seconds": asked.seconds}
        asked.admit()
        said = _answer(self._exchanged(json.dumps(wish).encode() + b"\n", asked.seconds))
        if error := said.get("error"):
            words = f"OpenClaw's model gave no answer: {plain(str(error), _SHOWN)}"
            fix = plain(str(said.get("fix") or _LATE), _SHOWN)
            raise LostError(words, fix=fix) if said.get("lost") else ModelError(words, fix=fix)
        text, self._provider = str(said["text"]), str(said.get("provider") or "")
        read, written = (_count(said.get(name)) for name in ("read", "written"))
        return Said(text, read, written, cut=said.get("cut") is True, model=str(said.get("model") or ""))

    def _exchanged(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the one that comes back, within `seconds`."""
        until = time.monotonic() + seconds
        data = bytearray()
        try:
            with connection(self._place, until) as talk:
                talk.sendall(line)
                while not data.endswith(b"\n"):
                    talk.settimeout(max(until - time.monotonic(), 0.001))
                    piece = talk.recv(_PIECE)
                    data += piece
                    if not piece or len(data) > _LARGEST:
                        raise LostError("OpenClaw gave half an answer", fix=_LATE)
        except TimeoutError:
            raise LostError(f"OpenClaw did not answer within {round(seconds, 1):g} s", fix=_LATE) from None
        except OSError as exc:
            raise LostError(f"OpenClaw went away: {exc.strerror}", fix=_RESTART) from None
        return bytes(data)


def reachable(place: Path) -> bool:
    """Tell whether somebody takes a connection there."""
    with contextlib.suppress(ModelError, OSError), connection(place, time.monotonic() + 1):
        return True
    return False


@contextmanager
def connection(place: Path, until: float) -> Iterator[socket.socket]:
    """Open a connection to the plugin. Raises LostError where there is none, for nobody's cost."""
    if not voice_record.listening(place):
        words = "OpenClaw's gateway does not run, or has no plugin of clawgit for this workspace"
        raise LostError(words, fix=CONNECT, worked_on=False)
    with socket.socket(socket.AF_UNIX) as talk, _short(place) as name:
        talk.settimeout(max(until - time.monotonic(), 0.001))
        try:
            talk.connect(name)
        except OSError as exc:
            why = exc.strerror or exc
            raise LostError(f"OpenClaw's gateway does not run ({why})", fix=_RESTART, worked_on=False) from None
        yield talk


@contextmanager
def _short(place: Path) -> Iterator[str]:
    """Give a socket a name that fits: a long path goes by its folder's descriptor, where the system has that."""
    if len(os.fsencode(place)) <= _LONGEST_NAME:
        yield str(place)
        return
    folder = os.open(place.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{place.name}"
    finally:
        os.close(folder)


def _answer(data: bytes) -> dict[str, Any]:
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not (isinstance(said.get("text"), str) or said.get("error")):
        raise LostError("what listens for OpenClaw's model answers otherwise than the plugin", fix=_RESTART)
    return said


def _count(said: object) -> int | None:
    return said if isinstance(said, int) and not isinstance(said, bool) and said >= 0 else None
