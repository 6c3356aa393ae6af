"""The alarms that nobody has answered yet."""

import contextlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace

from clawgit.errors import ClawgitError
from clawgit.git import regular_file, repository
from clawgit.git.repository import Oid, Repository
from clawgit.safety import redaction
from clawgit.workspace import file_roles
from clawgit.workspace.alarms import Alarm
from clawgit.workspace.file_contents import lines_of, loosely
from clawgit.workspace.identity_policy import Touched
from clawgit.workspace.trust.approvals import Trust
from clawgit.workspace.trust.kept_notes import KeptNotes

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase

LASTS = timedelta(days=14)
MOST = 200
"""So many alarms are kept besides those of boundaries, the newest."""

_FILE = "alarms.jsonl"


class Kept(Alarm, frozen=True, kw_only=True):
    """An alarm that nobody has answered, when it was raised, and its files as they were then."""

    blobs: Mapping[str, Oid | None]
    date: datetime
    what: str = "raised an alarm"  # of one that an earlier version kept


class Edited(Struct, frozen=True):
    """How often others have edited what became of a boundary, and since when."""

    path: str
    boundary: str
    date: datetime
    last: datetime
    times: int = 1

    @property
    def key(self) -> tuple[str, str]:
        """What the boundary is known by."""
        return self.path, self.boundary

    @property
    def often(self) -> str:
        """How often and since when, in words."""
        return f"{self.times:,} edit{'' if self.times == 1 else 's'} since {self.date:%Y-%m-%d}"


class Refused(Struct, frozen=True):
    """How often an agent proposed a change of a file of a locked identity, and when first and last."""

    refused: str
    date: datetime
    last: datetime
    times: int = 1

    @property
    def often(self) -> str:
        """How often and when last, in words."""
        return f"{'once' if self.times == 1 else f'{self.times:,} times, last'} on {self.last:%Y-%m-%d}"


class Waited(Struct, frozen=True):
    """An edit that was taken out of a file and waits as a proposal, since `date`."""

    offer: str
    path: str
    date: datetime

    @property
    def gone(self) -> str:
        """What is told where the proposal is gone, and nobody answered it."""
        return (
            f"{self.path}: the edit that was put back on {self.date:%Y-%m-%d} waited as {self.offer}; "
            "it is gone from the inbox, though nobody decided it"
        )


class Ledger(Struct):
    """All that is noted."""

    edited: list[Edited]
    refused: list[Refused]
    waited: list[Waited]
    alarms: list[Kept]

    def __bytes__(self) -> bytes:
        rows = (*self.edited, *self.refused, *self.waited, *self.alarms)
        return "".join(json.dumps(to_builtins(row)) + "\n" for row in rows).encode()


def keep(
    notes: KeptNotes,
    repo: Repository,
    commit: Oid,
    when: datetime,
    alarms: Iterable[Alarm],
    boundaries: Iterable[Touched] = (),
    lost: set[tuple[str, str]] | None = None,
) -> None:
    """Note alarms about files as they are in `commit`, and edits of boundaries, until they are answered.

    What is answered or too old goes: of the boundaries what is not among the `lost` ones (None: all are).
    """
    with _changing(notes, when) as ledger:
        edited = {one.key: one for one in ledger.edited if lost is None or one.key in lost}
        for one in boundaries:
            key = one.boundary.key
            known = edited.get(key) if one.again else None
            edited[key] = replace(known, last=when, times=known.times + 1) if known else Edited(*key, when, when)
        ledger.edited = list(edited.values())
        new = [_kept(repo, commit, when, alarm) for alarm in alarms]
        same = [(one.words, one.blobs) for one in new]
        stay = [one for one in ledger.alarms if (one.words, one.blobs) not in same]
        ledger.alarms = [*stay, *new][-MOST:]


def _kept(repo: Repository, commit: Oid, when: datetime, alarm: Alarm) -> Kept:
    blobs = {path: repository.blob_id(repo, commit, path) for path in alarm.paths}
    return Kept(**{**asdict(alarm), "words": redaction.named(alarm.words)}, blobs=blobs, date=when)


def keep_setting(workspace: "WorkspaceBase", key: str) -> None:
    """Note that a setting was changed without a terminal: nobody knows whose wish that was."""
    if workspace.trust.known and workspace.head:
        words = f"{file_roles.CONFIG} was changed by a command without a terminal: {key}"
        alarm = Alarm(words, (file_roles.CONFIG,), level="low", key="alarm-memory")
        keep(workspace.notes, workspace.repo, workspace.head, workspace.now(), (alarm,))


def keep_refusal(notes: KeptNotes, path: str, when: datetime) -> None:
    """Note that a change which an agent proposed to `path` was refused, as the identity is locked."""
    with _changing(notes, when) as ledger:
        refused = {one.refused: one for one in ledger.refused}
        again = refused.get(path, Refused(path, when, when, 0))
        refused[path] = replace(again, last=when, times=again.times + 1)
        ledger.refused = list(refused.values())


def refusals(notes: KeptNotes, now: datetime) -> tuple[Refused, ...]:
    """Return what agents proposed to a locked identity in the last two weeks."""
    return tuple(_read(notes, now).refused)


def keep_proposals(notes: KeptNotes, edits: Mapping[str, str], when: datetime) -> None:
    """Note that edits wait, the proposal's id by path, so that one which vanishes is missed."""
    with _changing(notes, when) as ledger:
        known = {one.offer for one in ledger.waited}
        ledger.waited += [Waited(name, path, when) for path, name in edits.items() if name not in known]


def drop_proposal(notes: KeptNotes, name: str) -> None:
    """Note that a proposal was decided, or another took its place. Best effort: then it is told as gone."""
    with contextlib.suppress(OSError, ClawgitError), _changing(notes) as ledger:
        ledger.waited = [one for one in ledger.waited if one.offer != name]


def vanished(notes: KeptNotes, known: Collection[str], now: datetime) -> tuple[Waited, ...]:
    """Return the edits of the last two weeks whose proposals are none of the `known`, and that nobody decided."""
    return tuple(one for one in _read(notes, now).waited if one.offer not in known)


def standing(
    notes: KeptNotes, repo: Repository, head: Oid | None, now: datetime, trust: Trust | None = None
) -> tuple[Kept, ...]:
    """Return the alarms of the last two weeks of which a file is still as the alarm found it, oldest first.

    That the operator has said yes to what stands there answers one. Those of boundaries are not among them.
    """
    alarms = _read(notes, now).alarms
    still = (alarm for alarm in alarms if any(_stands(repo, head, path, alarm, trust) for path in alarm.blobs))
    return tuple({one.words: one for one in still}.values())


def answer(notes: KeptNotes, words: Collection[str]) -> None:
    """Forget the alarms of these words: the operator has seen them and wants it so."""
    with contextlib.suppress(FileNotFoundError), _changing(notes) as ledger:
        ledger.alarms = [alarm for alarm in ledger.alarms if alarm.words not in words]
        ledger.waited = [one for one in ledger.waited if one.gone not in words]


def edits(notes: KeptNotes) -> dict[tuple[str, str], Edited]:
    """Return what is known of each boundary that others have edited."""
    return {one.key: one for one in _read(notes).edited}


def _stands(repo: Repository, head: Oid | None, path: str, alarm: Kept, trust: Trust | None) -> bool:
    """Return whether a file is as an alarm found it, or has one of its lines, and the operator never approved that."""
    if not alarm.lines:
        blob = alarm.blobs[path]
        same = repository.blob_id(repo, head, path) == blob or _is_still_gone(repo, head, path, alarm)
        return same and not (trust and trust.says(path, blob))
    said = set(trust.protected(path)) if trust else set()
    rows = loosely(repository.read(repo, head, path)).split("\n")
    return any(row.startswith(alarm.lines) and row not in said for row in rows)


def _is_still_gone(repo: Repository, head: Oid | None, path: str, alarm: Kept) -> bool:
    """Return whether a file that was deleted holds less than half of its lines now."""
    if alarm.blobs[path] is not None or alarm.as_of is None:
        return False
    old, now = (lines_of(loosely(repository.read(repo, commit, path))) for commit in (alarm.as_of, head))
    return len(old & now) < len(old) / 2


def _read(notes: KeptNotes, now: datetime | None = None) -> Ledger:
    """Return what was noted, in either place: who empties one hides nothing.

    With `now`, what is older than two weeks is left out, but for boundaries. A line that a killed writer left
    unfinished, or that is none of ours, is passed over.
    """
    here = None
    with contextlib.suppress(ClawgitError):
        here = notes.here(_FILE)
    lines = list(dict.fromkeys(line for data in (notes.apart(_FILE), here) if data for line in data.splitlines()))
    oldest = now - LASTS if now else datetime.min.replace(tzinfo=UTC)
    return Ledger(
        list(regular_file.parse_lines(lines, Edited)),
        [one for one in regular_file.parse_lines(lines, Refused) if one.last.astimezone() > oldest],
        [one for one in regular_file.parse_lines(lines, Waited) if one.date.astimezone() > oldest],
        [one for one in regular_file.parse_lines(lines, Kept) if one.paths and one.date.astimezone() > oldest],
    )


@contextmanager
def _changing(notes: KeptNotes, now: datetime | None = None) -> Iterator[Ledger]:
    """Yield what is noted, and note what became of it; nobody else writes meanwhile."""
    with regular_file.locked(notes.beside / "notes.lock"):
        ledger = _read(notes, now)
        before = bytes(ledger)
        yield ledger
        if bytes(ledger) != before:
            notes.write(_FILE, bytes(ledger))
