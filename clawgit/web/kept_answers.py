"""Answers that take long, kept while nothing moves."""

import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import date
from pathlib import Path
from threading import Lock

from msgspec import Struct

from clawgit.web.command_answers import Answer, Commands

PATIENCE = 0.1
"""So many seconds a page waits for an answer before it says that it is being read."""
_MOST = 64
_PASSED = {".git": frozenset({"objects", "logs", "lfs", "hooks"}), "clawgit": frozenset({"cache"})}
"""Folders by the one they lie in: what is only named by others, and what can be made again."""

Stamp = tuple[object, ...]


class _Asked(Struct):
    """A question, the state of the workspace that it was asked of, and when."""

    stamp: Stamp
    future: "Future[Answer]"
    began: float


class KeptAnswers:
    """Answers of slow commands, each kept as long as no file that it could rest on has changed.

    `places` are the folders that answers rest on. A change while a command runs makes its answer old: it is asked anew.
    """

    def __init__(
        self, commands: Commands, places: Sequence[Path], *, patience: float = PATIENCE, today: Callable[[], date]
    ) -> None:
        self._commands = commands
        self._places = tuple(places)
        self._patience = patience
        self._today = today
        self._known: OrderedDict[tuple[str, ...], _Asked] = OrderedDict()
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="clawgit-page")

    def stamp(self) -> Stamp:
        """Return what stands for the workspace as it is now: whoever asks several commands takes it once."""
        return (self._today(), *stamped(self._places))

    def ask(self, words: tuple[str, ...], stamp: Stamp | None = None, *, patiently: bool = False) -> Answer:
        """Return the answer to a command, or that it is being read; `patiently` waits for it."""
        stamp = stamp or self.stamp()
        with self._lock:
            known = self._known.get(words)
            if known is None or known.stamp != stamp:
                known = _Asked(stamp, self._pool.submit(self._commands.ask, words), time.monotonic())
                self._known[words] = known
            self._known.move_to_end(words)
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
        wait([known.future], None if patiently else self._patience)
        if not known.future.done():
            return Answer(words, 0, None, seconds=time.monotonic() - known.began)
        return known.future.result()

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def stamped(places: Sequence[Path]) -> Stamp:
    """Return what changes as soon as any file in these folders does: names, sizes, times, of git's own only what moves.

    Objects are named by references; to look through all of them would take longer than many an answer.
    """
    found: list[object] = []
    for place in places:
        for row in _rows(str(place)):
            found += row
    return (len(found), hash(tuple(found)))


def _rows(folder: str) -> Iterator[tuple[object, ...]]:
    try:
        entries = list(os.scandir(folder))
    except OSError as exc:
        yield folder, exc.errno
        return
    passed = _PASSED.get(os.path.basename(folder), ())  # noqa: PTH119 - a Path for each takes longer than the look
    for one in entries:
        if one.is_dir(follow_symlinks=False):
            if one.name not in passed:
                yield from _rows(one.path)
            continue
        try:
            known = one.stat(follow_symlinks=False)
        except OSError as exc:
            yield one.path, exc.errno
        else:
            yield one.path, known.st_mtime_ns, known.st_ctime_ns, known.st_size, known.st_ino
