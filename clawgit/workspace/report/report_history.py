"""One pass over all history."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from msgspec import Struct, convert, to_builtins

from clawgit.errors import explained
from clawgit.git import churn, history, regular_file, repository, repository_health
from clawgit.git.churn import Gap, Touch
from clawgit.git.repository import Oid, Repository
from clawgit.workspace.report.report_parts import Parts

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

    def touches(self, commit: Oid) -> list[Touch]:
        """Return what was noted of a commit. Raises OSError or ValueError when the file is not as it was left."""
        assert self._place is not None
        with self._place.open("rb") as file:
            file.seek(self._known[commit])
            noted, touches = convert(json.loads(file.readline()), tuple[Oid, list[Touch]])
        if noted != commit:
            raise ValueError
        return touches

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
            rows = (json.dumps(to_builtins(noted), separators=(",", ":")) for noted in self._waiting)
            regular_file.append_lines(self._place, "".join(f"{row}\n" for row in rows).encode("ascii"))
        self._waiting.clear()
        self._next = time.monotonic() + _OFTEN

    def finish(self) -> None:
        """Forget everything: all was read."""
        self._waiting.clear()
        if self._place is not None:
            with contextlib.suppress(OSError):
                self._place.unlink()
                self._place.parent.rmdir()
                self._place.parent.parent.rmdir()  # only where it is empty: where nothing is ours yet


def read_checkpoint(
    repo: Repository, commits: Sequence[Oid], checkpoint: Checkpoint, *globs: str
) -> Iterator[tuple[int, Touch | Gap]]:
    """Yield what `churn` does, with what was noted instead of reading it again, and note the rest."""
    for known, run in groupby(range(len(commits)), key=lambda number: commits[number] in checkpoint):
        numbers = tuple(run)
        if known:
            for number in numbers:
                yield from ((number, touch) for touch in _read_note(repo, commits[number], checkpoint, globs))
        else:
            yield from _read_and_note(repo, commits, range(numbers[0], numbers[-1] + 1), checkpoint, globs)


def _read_note(repo: Repository, commit: Oid, checkpoint: Checkpoint, globs: Sequence[str]) -> list[Touch | Gap]:
    try:
        return [*checkpoint.touches(commit)]
    except (OSError, ValueError):  # somebody else wrote to the file
        return [touch for _, touch in churn.churn(repo, [commit], *globs)]


def _read_and_note(
    repo: Repository, commits: Sequence[Oid], numbers: range, checkpoint: Checkpoint, globs: Sequence[str]
) -> Iterator[tuple[int, Touch | Gap]]:
    fresh = numbers.start
    for offset, group in groupby(churn.churn(repo, commits[numbers.start : numbers.stop], *globs), key=itemgetter(0)):
        number, found = numbers.start + offset, [touch for _, touch in group]
        yield from ((number, touch) for touch in found)
        for passed in range(fresh, number):
            checkpoint.note(commits[passed], ())
        touches = [touch for touch in found if isinstance(touch, Touch)]
        if len(touches) == len(found):
            checkpoint.note(commits[number], touches)
        fresh = number + 1
    for passed in range(fresh, numbers.stop):
        checkpoint.note(commits[passed], ())


See = Callable[[Touch], None]
Progress = Callable[[int, int], None]
"""Is told how many are done, of how many."""

MERGED = 2
"""So many parents make a merge."""


class Reach(Struct, frozen=True):
    """How much of the history was read: `read` of `commits`, newest first, back to `since` (ISO 8601).

    `gaps` are commits of which not all is here. `shallow` tells that the clone knows nothing older.
    """

    commits: int = 0
    read: int = 0
    since: str | None = None
    gaps: tuple[Oid, ...] = ()
    shallow: bool = False
    note: str = ""

    @property
    def whole(self) -> bool:
        """Whether nothing was left out."""
        return self.read == self.commits and not (self.gaps or self.shallow or self.note)


def reached(repo: Repository) -> frozenset[Oid]:
    """Return the commits that HEAD reaches; none before the first."""
    return frozenset(churn.reachable(repo, "HEAD")) if repository.head(repo) else frozenset()


def read(repo: Repository, parts: Parts, told: Mapping[str, See], checkpoint: Checkpoint, progress: Progress) -> Reach:
    """Tell each part in `told` of every commit of every branch, newest first.

    However long that takes: `checkpoint` keeps what was read, so that a reading that is interrupted goes on there.
    """
    commits = churn.reachable(repo, "--all")
    if repository_health.promisors(repo):
        return Reach(len(commits), note="the clone is partial: old contents would have to be fetched one by one")
    shallow = bool(history.cut_off(repo))
    listening = dict(told)
    gaps: list[Oid] = []
    count, since = 0, None
    try:
        for at, touch in read_checkpoint(repo, commits, checkpoint, "*.md"):
            progress(at, len(commits))
            if isinstance(touch, Gap):
                gaps.append(touch.commit)
                continue
            count, since = at, touch.date
            _tell(listening, touch, parts)
    except Exception as exc:  # noqa: BLE001 - what was read so far is worth having
        return Reach(len(commits), count, since, tuple(gaps), shallow, explained(exc).message)
    except BaseException:
        checkpoint.save()
        raise
    checkpoint.finish()
    progress(len(commits), len(commits))
    return Reach(len(commits), len(commits), since, tuple(gaps), shallow)


def _tell(listening: dict[str, See], touch: Touch, parts: Parts) -> None:
    """Tell everybody; who fails is not told again."""
    for name, see in list(listening.items()):
        try:
            see(touch)
        except Exception as exc:  # noqa: BLE001 - the others want to hear the rest
            parts.failed(name, exc)
            del listening[name]
