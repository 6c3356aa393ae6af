"""Reads a transcript file, from where the last reading ended."""

import errno
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import IO

from msgspec import Struct

from clawgit.errors import ClawgitError

LONGEST = 32 << 20
"""Bytes of a line that are read: pictures stand in them, but nothing that anybody said is larger."""
_CHUNK = 1 << 20
_BOM = b"\xef\xbb\xbf"


class Mark(Struct, frozen=True):
    """How far a file was read.

    `digest` is of all bytes before `offset`, `stamp` what the file looked like when it was read to its end.
    """

    offset: int = 0
    lines: int = 0
    digest: str = ""
    stamp: tuple[int, ...] = ()


class Line(Struct, frozen=True):
    """A line with its number, from 1, and where it starts; `data` is None for one that is too long."""

    number: int
    start: int
    data: bytes | None


class RewrittenError(Exception):
    """What was read before no longer stands there."""


def stamp(place: Path) -> tuple[int, ...]:
    """Return what changes whenever the file does."""
    found = place.stat()
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


class Reader:
    """Reads the whole lines behind a mark; `mark` is where it stands.

    A line that is only half written is left for later, unless it is JSON already; of a `final` file, which nobody
    writes any more, it is read as well. Needs memory for one line. Raises RewrittenError when what stands before the
    mark is not what was read.
    """

    def __init__(self, file: IO[bytes], mark: Mark, seen: tuple[int, ...], *, final: bool) -> None:
        self._file = file
        self._final = final
        self._seen = seen
        self._ended = False
        self._offset, self._lines = mark.offset, mark.lines
        self._hashed = _hashed(file, mark)

    @property
    def mark(self) -> Mark:
        """How far it has read."""
        return Mark(self._offset, self._lines, self._hashed.hexdigest(), self._seen if self._ended else ())

    def __iter__(self) -> Iterator[Line]:
        """Yield the lines."""
        yield from self._rest()
        self._ended = True

    def _rest(self) -> Iterator[Line]:
        while piece := self._file.readline(LONGEST):
            if not piece.endswith(b"\n") and len(piece) < LONGEST and not (self._final or _is_json(piece)):
                return
            start, data = self._offset, piece
            self._take(piece)
            while not piece.endswith(b"\n") and (piece := self._file.readline(_CHUNK)):
                data = b""
                self._take(piece)
            self._lines += piece.endswith(b"\n")
            number = self._lines + (not piece.endswith(b"\n"))
            yield Line(number, start, data.removeprefix(_BOM).strip() if data else None)

    def _take(self, piece: bytes) -> None:
        self._hashed.update(piece)
        self._offset += len(piece)


def _is_json(piece: bytes) -> bool:
    try:
        return isinstance(json.loads(piece), dict)
    except (ValueError, RecursionError):
        return False


def _hashed(file: IO[bytes], mark: Mark) -> blake2b:
    """Return the running hash of all bytes before the mark, with the file behind them."""
    hashed, left = blake2b(digest_size=16), mark.offset
    while left > 0 and (piece := file.read(min(left, _CHUNK))):
        hashed.update(piece)
        left -= len(piece)
    if left or (mark.offset and hashed.hexdigest() != mark.digest):
        raise RewrittenError
    return hashed


@contextmanager
def opened(place: Path) -> Iterator[IO[bytes]]:
    """Open a transcript, also a compressed one. Raises ClawgitError where what takes it apart is not installed."""
    handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb", buffering=_CHUNK) as file:
        if place.suffix != ".zst":
            yield file
            return
        with _unpacked(file) as unpacked:
            yield unpacked


@contextmanager
def _unpacked(file: IO[bytes]) -> Iterator[IO[bytes]]:
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as exc:
        raise ClawgitError("compressed archives need zstandard", fix="pip install 'clawgit[openclaw]'") from exc
    try:
        reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        with io.BufferedReader(reader, _CHUNK) as unpacked:
            yield unpacked
    except zstandard.ZstdError as exc:
        raise OSError(errno.EINVAL, f"is no whole archive: {exc}", file.name) from exc
