"""The inbox: stored items, and those derived from files."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, time

from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import Advice, ClawgitError
from clawgit.language.iso_dates import parse_date
from clawgit.safety.redaction import redacted
from clawgit.store.item import FileEdit, FileVersion, Item, Kind
from clawgit.text import conflict
from clawgit.text.entry import named
from clawgit.workspace import file_roles, inbox, quarantine, trust_review, untrusted_sessions
from clawgit.workspace.config import Shown
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace


def list_items(workspace: Workspace, *kinds: Kind) -> list[Item]:
    """Return what waits, of these kinds (none: of any), the oldest first; expired items last.

    Of the files of a stored item only the paths are read.
    """
    if not workspace.managed:
        return []
    untrusted_sessions.offer_items(workspace)
    stored = [item for item in workspace.store.read_items("open", edits=False) if not kinds or item.kind in kinds]
    derived = (item for kind, read in _DERIVED.items() if not kinds or kind in kinds for item in read(workspace))
    now = workspace.now()
    return sorted((*stored, *derived), key=lambda item: (item.is_expired(now), item.opened, item.id))


def find_any(workspace: Workspace, name: str) -> Item:
    """Return the item whose id is, or begins with, `name`, whatever its kind. Raises ClawgitError."""
    exact = [item for item in workspace.store.find_items(name) if item.id == name and item.kind in _STORED_KINDS]
    if exact:
        return exact[0]
    waiting = list_items(workspace)
    matches = [item for item in waiting if name and item.id.startswith(name)]
    if len(matches) > 1:
        ids = ", ".join(item.id for item in matches)
        raise errors.id_ambiguous(f"several items begin with {name}: {ids}", fix=Advice("type more of it"))
    if matches and matches[0].kind not in _STORED_KINDS and not workspace.store.find_items(matches[0].id):
        return matches[0]
    try:
        return inbox.find_item(workspace, matches[0].id if matches else name, [item.id for item in waiting])
    except ClawgitError:
        closed = (item for item in _read_conflicts(workspace, is_open=False) if item.id.startswith(name))
        if len(name) >= inbox.MIN_ID_LETTERS and (item := next(closed, None)):
            return item
        raise


def _read_conflicts(workspace: Workspace, *, is_open: bool = True) -> Iterator[Item]:
    for record in conflict.conflicts(workspace.read_loosely(file_roles.CONFLICTS)):
        if record.open == is_open:
            title = " / ".join(redacted(side.text) for side in (record.a, record.b))
            source = f"{file_roles.CONFLICTS}:{record.start}"
            details = {"a": redacted(record.a.text), "b": redacted(record.b.text)}
            opened = _moment_of(workspace, record.found)
            item = Item(record.id, "conflict", title, opened, record.why, source, details=details)
            if is_open:
                yield item
                continue
            answer = record.resolved[-1] if record.resolved else ""
            decided = _moment_of(workspace, answer[:10])
            words = answer.partition(": ")[2] or answer
            yield replace(item, state="accepted", decided=decided, answer=redacted(words))


def _read_quarantined(workspace: Workspace) -> Iterator[Item]:
    decided = {item.id for item in workspace.store.read_items("rejected", "accepted", edits=False)}
    for newest, count in quarantine.list_newest(quarantine.items(workspace.repo)):
        if newest.id in decided:
            continue
        opened = _moment_of(workspace, newest.first)
        earlier = f", with {count:,} earlier versions" if count else ""
        reason = f"{newest.kind} that nobody approved was taken out{earlier}"
        approved, edits = workspace.trust.approved(newest.path), tuple[FileEdit, ...]()
        title = newest.path
        if newest.blob is not None:
            text = loosely(quarantine.content(newest))
            edits = (FileEdit(newest.path, inbox.version_of_text(approved), FileVersion(text)),)
            title = inbox.summarise({newest.path: (approved, text)})
        yield Item(newest.id, "quarantine", title, opened, reason, newest.path, edits=edits)


def _read_settings(workspace: Workspace) -> Iterator[Item]:
    if not workspace.trust.known:
        return
    for shown in trust_review.list_keys(workspace):
        title = redacted(f"{shown.key.name}: {shown.value} -> {shown.untrusted}")
        reason = "a value of CONFIG.md that you have not approved is not used"
        if shown.files:  # they are approved with it
            reason += f"; it names {', '.join(f'{path} (sha256 {held[:12]})' for path, held in shown.files.items())}"
        opened, details = _read_time(workspace, file_roles.CONFIG), {"key": shown.key.name}
        yield Item(name_of_setting(shown), "settings", title, opened, reason, file_roles.CONFIG, details=details)


def name_of_setting(shown: Shown) -> str:
    """Return the id of a value that is not approved; another one when a file that it names changes."""
    return named(f"setting\0{shown.key.name}\0{shown.untrusted}\0{sorted(shown.files.items())}")


def _read_time(workspace: Workspace, path: str) -> datetime:
    """Return the moment of the last write of a file; the present one for a file that is gone."""
    now = workspace.now()
    try:
        return datetime.fromtimestamp((workspace.root / path).stat().st_mtime, now.tzinfo)
    except (OSError, OverflowError, ValueError):
        return now


def _moment_of(workspace: Workspace, text: str) -> datetime:
    """Return a moment or a day as a moment in the operator's time zone; the present one for anything else."""
    now = workspace.now()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        day = parse_date(text)
        moment = datetime.combine(day, time()) if day else now
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


_STORED_KINDS: tuple[Kind, ...] = ("memory", "correction", "restore", "sync", "candidate")
_DERIVED: Mapping[Kind, Callable[[Workspace], Iterator[Item]]] = {
    "conflict": _read_conflicts,
    "quarantine": _read_quarantined,
    "settings": _read_settings,
}
