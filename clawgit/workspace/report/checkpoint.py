"""Keeps how far a history was read."""

import contextlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from clawgit.git import churn
from clawgit.git.churn import Gap, Hunk, Touch
from clawgit.git.repository import Oid, Repository

NAME = "history-being-read"
_PATIENCE = 2.0  # seconds; a reading that is over sooner leaves nothing on disk
_OFTEN = 1.0  # seconds between two writes

Read = tuple[Oid, list[Touch]]


class Checkpoint:
    """Notes by commit what was read, in the file NAME of `folder` (None: nowhere), until `finish`.

    A file that cannot be read or written is no error: the history is only read again.
    """

    def __init__(self, folder: Path | None) -> None:
        self._place = folder / NAME if folder else None
        self._waiting: list[Read] = []
        self._next = time.monotonic() + _PATIENCE
        self._known: dict[Oid, int] = {}
        with contextlib.suppress(OSError):
            self._load()

    def __contains__(self, commit: Oid) -> bool:
        return commit in self._known

    def _load(self) -> None:
        if self._place is None or not self._place.is_file():
            return
        at = 0
        with self._place.open("rb") as file:
            for row in file:
                if row.startswith(b'["') and row.endswith(b"]\n"):  # the last may have been cut short
                    self._known[row[2:].split(b'"', 1)[0].decode("ascii", "replace")] = at
                at += len(row)

    def touches(self, commit: Oid) -> Iterator[Touch]:
        """Yield what was noted of a commit. Raises OSError or ValueError when the file is not as it was left."""
        assert self._place is not None
        with self._place.open("rb") as file:
            file.seek(self._known[commit])
            noted, rows = json.loads(file.readline())
        if noted != commit:
            raise ValueError
        yield from (_touch(commit, row) for row in rows)

    def note(self, commit: Oid, touches: Sequence[Touch]) -> None:
        """Note that a commit was read whole."""
        if self._place is None:
            return
        self._waiting.append((commit, list(touches)))
        if time.monotonic() > self._next:
            self.save()

    def save(self) -> None:
        """Write down what was noted since the last time."""
        if self._place is None or not self._waiting:
            return
        with contextlib.suppress(OSError):
            self._place.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(self._place, flags, 0o600), "ab") as file:
                if file.tell() and not self._ends_whole():
                    file.write(b"\n")
                file.writelines(_row(commit, touches) for commit, touches in self._waiting)
        self._waiting.clear()
        self._next = time.monotonic() + _OFTEN

    def _ends_whole(self) -> bool:
        assert self._place is not None
        with self._place.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"

    def finish(self) -> None:
        """Forget everything: all was read."""
        self._waiting.clear()
        if self._place is not None:
            with contextlib.suppress(OSError):
                self._place.unlink()
                self._place.parent.rmdir()
                self._place.parent.parent.rmdir()  # only where it is empty: where nothing is ours yet


def read(
    repo: Repository, commits: Sequence[Oid], checkpoint: Checkpoint, *globs: str
) -> Iterator[tuple[int, Touch | Gap]]:
    """Yield what `churn` does, with what was noted instead of reading it again, and note the rest."""
    for known, run in groupby(range(len(commits)), key=lambda number: commits[number] in checkpoint):
        every = tuple(run)
        numbers = range(every[0], every[-1] + 1)
        yield from (_noted if known else _fresh)(repo, commits, numbers, checkpoint, globs)


def _noted(
    repo: Repository, commits: Sequence[Oid], numbers: range, checkpoint: Checkpoint, globs: Sequence[str]
) -> Iterator[tuple[int, Touch | Gap]]:
    for number in numbers:
        try:
            touches = list(checkpoint.touches(commits[number]))
        except (OSError, ValueError, TypeError, AttributeError):  # somebody else wrote to the file
            yield from ((number, touch) for _, touch in churn.churn(repo, [commits[number]], *globs))
            continue
        yield from ((number, touch) for touch in touches)


def _fresh(
    repo: Repository, commits: Sequence[Oid], numbers: range, checkpoint: Checkpoint, globs: Sequence[str]
) -> Iterator[tuple[int, Touch | Gap]]:
    current, touches, whole = numbers.start, list[Touch](), True
    for offset, touch in churn.churn(repo, commits[numbers.start : numbers.stop], *globs):
        at = numbers.start + offset
        if at > current:
            if whole:
                checkpoint.note(commits[current], touches)
            for passed in range(current + 1, at):
                checkpoint.note(commits[passed], ())
            current, touches, whole = at, [], True
        if isinstance(touch, Touch):
            touches.append(touch)
        else:
            whole = False
        yield at, touch
    if whole:
        checkpoint.note(commits[current], touches)
    for passed in range(current + 1, numbers.stop):
        checkpoint.note(commits[passed], ())


def _row(commit: Oid, touches: Sequence[Touch]) -> bytes:
    rows = [
        (one.parents, one.date, one.path, one.before, one.after, [_hunk_row(hunk) for hunk in one.hunks])
        for one in touches
    ]
    return json.dumps((commit, rows), separators=(",", ":")).encode("ascii") + b"\n"


def _hunk_row(hunk: Hunk) -> tuple[int, list[str], int, list[str]]:
    taken, given = ([row.decode("latin-1") for row in rows] for rows in (hunk.taken, hunk.given))
    return hunk.old, taken, hunk.new, given


def _touch(commit: Oid, row: Any) -> Touch:
    parents, date, path, before, after, hunks = row
    found = []
    for old, taken, new, given in hunks:
        gone, come = (tuple(text.encode("latin-1") for text in rows) for rows in (taken, given))
        found.append(Hunk(int(old), gone, int(new), come))
    return Touch(commit, tuple(parents), date, path, before, after, tuple(found))
