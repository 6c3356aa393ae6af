"""The alarms that nobody has answered yet."""

import contextlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from clawgit.git import regular_file, repository
from clawgit.git.repository import Oid, Repository
from clawgit.safety import redaction
from clawgit.workspace import file_roles
from clawgit.workspace.alarms import Alarm
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.identity_policy import Touched
from clawgit.workspace.trust.approvals import Trust
from clawgit.workspace.trust.kept_notes import KeptNotes

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase

LASTS = timedelta(days=14)
MOST = 200
"""So many alarms are kept besides those of boundaries, the newest."""

_FILE = "alarms.jsonl"


class Edited(Struct, frozen=True):
    """How often others have edited what became of a boundary, and since when (ISO 8601)."""

    path: str
    boundary: str
    date: str
    last: str
    times: int = 1

    @property
    def key(self) -> tuple[str, str]:
        """What the boundary is known by."""
        return self.path, self.boundary

    @property
    def often(self) -> str:
        """How often and since when, in words."""
        return f"{self.times:,} edit{'' if self.times == 1 else 's'} since {self.date[:10]}"


class Refused(Struct, frozen=True):
    """How often an agent proposed a change of a file of a locked identity, and when first and last (ISO 8601)."""

    refused: str
    date: str
    last: str
    times: int = 1

    @property
    def often(self) -> str:
        """How often and when last, in words."""
        return f"{'once' if self.times == 1 else f'{self.times:,} times, last'} on {self.last[:10]}"


class Waited(Struct, frozen=True):
    """An edit that was taken out of a file and waits as a proposal, since `date` (ISO 8601)."""

    offer: str
    path: str
    date: str

    @property
    def gone(self) -> str:
        """What is told where the proposal is gone, and nobody answered it."""
        return (
            f"{self.path}: the edit that was put back on {self.date[:10]} waited as proposal {self.offer}; it is gone"
            " from the desk, though nobody decided it"
        )


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
    with _locked(notes):
        old = list(_read(notes))
        edited = {one.key: one for row in old for one in _edited(row)}
        if lost is not None:
            edited = {key: one for key, one in edited.items() if key in lost}
        for one in boundaries:
            key = one.boundary.key
            known = edited.get(key) if one.again else None
            again = replace(known, last=when.isoformat(), times=known.times + 1) if known else None
            edited[key] = again or Edited(*key, when.isoformat(), when.isoformat())
        known_alarms = [row for row in old if _is_alarm(row) and _moment(row) > when - LASTS]
        new = [_row(repo, commit, when, alarm) for alarm in alarms]
        same = [(row["words"], row["blobs"]) for row in new]
        stay = [row for row in known_alarms if (row["words"], row["blobs"]) not in same]
        tries = (one for row in old for one in _refused(row, when))
        wait = (one for row in old for one in _waited(row, when))
        _write(notes, [*map(to_builtins, (*edited.values(), *tries, *wait)), *[*stay, *new][-MOST:]])


def keep_setting(workspace: "WorkspaceBase", key: str) -> None:
    """Note that a setting was changed without a terminal: nobody knows whose wish that was."""
    if workspace.trust.known and workspace.head:
        words = f"{file_roles.CONFIG} was changed by a command without a terminal: {key}"
        alarm = Alarm(words, (file_roles.CONFIG,), level="low")
        keep(workspace.notes, workspace.repo, workspace.head, workspace.now(), (alarm,))


def keep_refusal(notes: KeptNotes, path: str, when: datetime) -> None:
    """Note that a change which an agent proposed to `path` was refused, as the identity is locked."""
    with _locked(notes):
        old = list(_read(notes))
        known = {one.refused: one for row in old for one in _refused(row, when)}
        again = known.get(path, Refused(path, when.isoformat(), "", 0))
        known[path] = replace(again, last=when.isoformat(), times=again.times + 1)
        _write(notes, [*(row for row in old if "refused" not in row), *map(to_builtins, known.values())])


def refusals(notes: KeptNotes, now: datetime) -> tuple[Refused, ...]:
    """Return what agents proposed to a locked identity in the last two weeks."""
    return tuple(one for row in _read(notes) for one in _refused(row, now))


def keep_proposals(notes: KeptNotes, edits: Mapping[str, str], when: datetime) -> None:
    """Note that edits wait, the proposal's id by path, so that one which vanishes is missed."""
    fresh = [Waited(name, path, when.isoformat()) for path, name in edits.items()]
    with _locked(notes):
        old = [row for row in _read(notes) if "offer" not in row or any(_waited(row, when))]
        known = {row.get("offer") for row in old}
        if new := [to_builtins(one) for one in fresh if one.offer not in known]:
            _write(notes, [*old, *new])


def drop_proposal(notes: KeptNotes, name: str) -> None:
    """Note that a proposal was decided, or another took its place. Best effort: then it is told as gone."""
    with contextlib.suppress(OSError), _locked(notes):
        old = list(_read(notes))
        if len(stay := [row for row in old if row.get("offer") != name]) < len(old):
            _write(notes, stay)


def vanished(notes: KeptNotes, known: Collection[str], now: datetime) -> tuple[Waited, ...]:
    """Return the edits of the last two weeks whose proposals are none of the `known`, and that nobody decided."""
    return tuple(one for row in _read(notes) for one in _waited(row, now) if one.offer not in known)


def standing(
    notes: KeptNotes, repo: Repository, head: Oid | None, now: datetime, trust: Trust | None = None
) -> tuple[Alarm, ...]:
    """Return the alarms of the last two weeks of which a file is still as the alarm found it, oldest first.

    That the operator has said yes to what stands there answers one. Those of boundaries are not among them.
    """
    rows = (row for row in _read(notes) if _is_alarm(row) and _moment(row) > now - LASTS)
    standing = [row for row in rows if any(_still(repo, head, path, row, trust) for path in row["blobs"])]
    return tuple({row["words"]: convert({"what": "raised an alarm", **row}, Alarm) for row in standing}.values())


def answer(notes: KeptNotes, words: Collection[str]) -> None:
    """Forget the alarms of these words: the operator has seen them and wants it so."""
    with contextlib.suppress(FileNotFoundError), _locked(notes):
        _write(notes, [row for row in _read(notes) if not _says(row, words)])


def _says(row: dict[str, Any], words: Collection[str]) -> bool:
    if _is_alarm(row):
        return row["words"] in words
    return any(one.gone in words for one in _waited(row, None))


def edits(notes: KeptNotes) -> dict[tuple[str, str], Edited]:
    """Return what is known of each boundary that others have edited."""
    return {one.key: one for row in _read(notes) for one in _edited(row)}


def _still(repo: Repository, head: Oid | None, path: str, known: dict[str, Any], trust: Trust | None) -> bool:
    """Tell whether a file is as an alarm found it, or holds one of its lines, and the operator never approved that."""
    if not known.get("lines"):
        blob = known["blobs"][path]
        return bool(repository.blob_id(repo, head, path) == blob and not (trust and trust.says(path, blob)))
    said = set(trust.protected(path)) if trust else set()
    rows = loosely(repository.read(repo, head, path)).split("\n")
    return any(row.startswith(tuple(known["lines"])) and row not in said for row in rows)


def _row(repo: Repository, commit: Oid, when: datetime, alarm: Alarm) -> dict[str, Any]:
    blobs = {path: repository.blob_id(repo, commit, path) for path in alarm.paths}
    return {**to_builtins(alarm), "words": redaction.named(alarm.words), "blobs": blobs, "date": when.isoformat()}


def _is_alarm(row: dict[str, Any]) -> bool:
    """Tell whether a row holds an alarm, and all of it."""
    try:
        _moment(row)
        dict(row["blobs"])
        return bool(convert(row, Alarm).paths) and "as_of" in row
    except (KeyError, TypeError, ValueError):
        return False


def _edited(row: dict[str, Any]) -> Iterator[Edited]:
    with contextlib.suppress(ValidationError):
        yield convert(row, Edited)


def _refused(row: dict[str, Any], now: datetime) -> Iterator[Refused]:
    with contextlib.suppress(ValueError):
        one = convert(row, Refused)
        if datetime.fromisoformat(one.last).astimezone() > now - LASTS:
            yield one


def _waited(row: dict[str, Any], now: datetime | None) -> Iterator[Waited]:
    with contextlib.suppress(ValueError):
        one = convert(row, Waited)
        if now is None or datetime.fromisoformat(one.date).astimezone() > now - LASTS:
            yield one


def _moment(row: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(row["date"]).astimezone()


def _read(notes: KeptNotes) -> Iterator[dict[str, Any]]:
    """Yield what was noted, in either place: who empties one hides nothing.

    A line that a killed writer left unfinished, or that is none of ours, is passed over.
    """
    try:
        here = notes.here(_FILE)
    except OSError:
        here = None
    there = (data for data in (notes.apart(_FILE), here) if data)
    for line in dict.fromkeys(line for data in there for line in data.decode("utf-8", "replace").splitlines()):
        with contextlib.suppress(ValueError, RecursionError):
            found = json.loads(line)
            if isinstance(found, dict):
                yield found


def _write(notes: KeptNotes, rows: Iterable[dict[str, Any]]) -> None:
    notes.write(_FILE, "".join(json.dumps(row) + "\n" for row in rows).encode())


@contextmanager
def _locked(notes: KeptNotes) -> Iterator[None]:
    """Let nobody else write meanwhile."""
    notes.state.mkdir(parents=True, exist_ok=True)
    with regular_file.locked(notes.state / "alarms.flock"):
        yield
