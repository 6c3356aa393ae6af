"""What the operator has to decide."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice

from msgspec.structs import replace

from clawgit.agents import memory_candidates, promotion
from clawgit.agents.promotion import DAYS, Kept
from clawgit.digest import digest_text
from clawgit.digest.digest_text import Item, Part, counted, named
from clawgit.errors import ClawgitError, quoted
from clawgit.store.item import Item as InboxItem
from clawgit.text import entry
from clawgit.text.entry import Entry, digest
from clawgit.text.spelling import nearest
from clawgit.workspace import alarms, commit_message, file_roles, inbox_list
from clawgit.workspace.status import Status, Waiting
from clawgit.workspace.workspace import Workspace

_BEST = 3
_ALIKE = 80
"""Of notes that are so much alike, of 100, the best one is quoted."""


def items(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield what a review of a period found and what still stands where it found it; the best of it is quoted.

    Of a journal that was only captured nobody knows who wrote it: that is said beside the quote. What is from outside,
    or could be an instruction, no review proposes.
    """
    found = promotion.read_review(workspace.store)
    if found is None or not since < found.at <= until:
        return
    days = DAYS + (until.date() - found.at.astimezone(until.tzinfo).date()).days
    yield from told(workspace, found.notes, "this week", days)


def told(workspace: Workspace, notes: Iterable[Kept], when: str, days: int) -> Iterator[Item]:
    """Yield what of some notes still stands where it was found, the best first, as one item; the best are quoted."""
    stand = [(note, place) for note in notes if (place := _place(workspace, note))]
    if stand:
        best = tuple(_quote(one, place) for one, place in islice(_different(stand), _BEST))
        command = "clawgit memory promote" if days == DAYS else f"clawgit memory promote --days {days}"
        yield Item(f"{counted(len(stand), 'note')} of {when} could be kept for good", best, command, keys=best)


def _different(stand: Iterable[tuple[Kept, Entry]]) -> Iterator[tuple[Kept, Entry]]:
    """Yield those that do not say nearly the same as an earlier one."""
    said: list[str] = []
    for one, place in stand:
        if not nearest(place.text, said, cutoff=_ALIKE):
            yield one, place
        said.append(place.text)


def _place(workspace: Workspace, one: Kept) -> Entry | None:
    """Return where a note stands on disk, None where it was promoted, changed or taken out since."""
    try:
        text = workspace.read(one.path) or ""
    except ClawgitError:
        return None
    return next((found for found in entry.entries(text) if digest(found.text) == one.hash), None)


def _quote(one: Kept, place: Entry) -> str:
    """Return a note as it may be told: redacted, with its category, its place, and whether its origin is known."""
    whose = "" if digest_text.known(one.origin) else ", origin unknown"
    return f"“{digest_text.quote(place.text)}” ({one.category}, {digest_text.named(one.path)}#L{place.start}{whose})"


_CLAIMS = ("agent", "operator")
_COMMAND = re.compile(r"(?:clawgit|git|rm|mv|ls|cat|chmod|chattr|iconv|mkdir|sudo|echo|type|find|df|lsof) ")
"""What begins a command; any other fix is a sentence."""
_FEW = 3
"""So many files with the same trouble are told one by one."""
_STATUS = "clawgit status"
_TRUST = "`clawgit trust` shows what differs, and asks; to put the whole file back:"


def part(workspace: Workspace, found: Status) -> Part:
    """Return what waits, in sentences that repeat no words of the files; what was asked for is the operator's own."""
    alarmed = {
        path for alarm in found.alarms for path in alarm.paths if alarm.fix == alarms.way_back(path) or alarm.paths[1:]
    }
    unapproved = tuple(one for one in found.untrusted if one.path not in alarmed)
    asked = (replace(_item(one), lasting=True) for one in unapproved)
    rows = (*_waiting_items(workspace), *_grouped(found.alarms), *asked)
    return Part("waiting", tuple(dict.fromkeys(rows)), look=_STATUS)


def shrunk(found: Status) -> set[str]:
    """Return the files of which an alarm says that they shrank."""
    return {alarm.path for alarm in found.alarms if alarm.what == alarms.SHRANK}


def _grouped(found: Iterable[Waiting]) -> Iterator[Item]:
    """Yield the alarms: those that one fix answers are one item, and so are many files with the same trouble."""
    by_fix: dict[str, list[Waiting]] = {}
    for one in found:
        by_fix.setdefault(one.fix or one.message, []).append(one)
    by_what: dict[str, list[list[Waiting]]] = {}
    for some in by_fix.values():
        by_what.setdefault(some[0].what or repr(some), []).append(some)
    for groups in by_what.values():
        if len(groups) > _FEW:
            yield _together([one for some in groups for one in some], _STATUS)
        else:
            yield from (_item(some[0]) if len(some) == 1 else _together(some, some[0].fix) for some in groups)


def _together(some: list[Waiting], fix: str) -> Item:
    """Return several alarms as one item, those of OpenClaw's dreaming last."""
    paths, whats = {one.path for one in some}, {one.what for one in some}
    text = f"{len(some)} alarms with one fix"
    if fix == alarms.way_back(some[0].path):
        text = f"{_names(paths)} is not as you approved it"
    elif len(whats) == 1 and some[0].what:
        text = f"{len(paths)} files: each {some[0].what}"
    rows = sorted(map(_item, some), key=lambda one: file_roles.dreamt(one.path))
    keys = tuple(", ".join(row.keys) for row in rows)
    return _answered(Item(text, tuple(row.text for row in rows), keys=keys, path=some[0].path), fix)


def _item(one: Waiting) -> Item:
    """Return one thing that waits: what it is, without words of its files, and the command that decides it."""
    if not one.what and not all(map(digest_text.plain, one.paths)):
        return Item(f"an alarm about {_names(one.paths)}", command=_STATUS)
    details: tuple[str, ...] = ()
    keys: tuple[str, ...] = (one.message,)
    text = digest_text.quote(one.message)
    if one.what:
        listed = len(one.paths) > _FEW
        names = f"{len(one.paths)} files" if listed else _names(one.paths)
        text = digest_text.quote(f"{names} {one.what}{f': {one.detail}' if one.detail else ''}")
        details = tuple(map(named, one.paths)) if listed else ()
        keys = tuple(f"{path}: {one.detail or one.what}" for path in one.paths) or (one.what,)
    if one.line and digest_text.plain(one.path):
        details = (*details, f"`clawgit why {quoted(f'{one.path}:{one.line}')}` shows the line")
    fix = one.fix if all(map(digest_text.plain, one.paths)) else _STATUS
    return _answered(Item(text, details, keys=keys, path=one.path), fix)


def _answered(item: Item, fix: str) -> Item:
    """Return an item with its fix: a command where it is one, and may leave the machine."""
    if fix == alarms.way_back(item.path):
        return replace(item, details=(*item.details, _TRUST), command=fix, lasting=True)
    if fix and not _COMMAND.match(fix):
        return replace(item, details=(*item.details, digest_text.quote(f"{fix[:1].upper()}{fix[1:]}.")))
    return replace(item, command=fix if fix and digest_text.may_leave(fix) else _STATUS)


def _names(paths: Iterable[str]) -> str:
    return commit_message.list_names(map(named, paths))


def _waiting_items(workspace: Workspace) -> Iterator[Item]:
    """Yield the items of the inbox, those of one kind together where they are many; expired ones are counted."""
    memory_candidates.refresh(workspace)
    now = workspace.now()
    items = [item for item in inbox_list.list_items(workspace) if "trust" not in item.details]  # `part` tells of these
    by_kind: dict[str, list[InboxItem]] = {}
    for item in items:
        by_kind.setdefault("expired" if item.is_expired(now) else item.kind, []).append(item)
    for kind, some in by_kind.items():
        if kind == "expired" or len(some) > _FEW:
            command = "clawgit inbox" if kind == "expired" else f"clawgit inbox --kind {kind}"
            names = tuple(_describe_item(item) for item in some[:_FEW]) if kind != "expired" else ()
            yield Item(
                f"{counted(len(some), 'item')} of the inbox: {kind}",
                names,
                command,
                keys=tuple(item.id for item in some),
            )
        else:
            yield from (Item(_describe_item(item), command=f"clawgit show {item.id}", keys=(item.id,)) for item in some)


def _describe_item(item: InboxItem) -> str:
    """Return an item in a line; the words of an edit that was found on disk, or came from outside, are not repeated."""
    if item.kind in ("conflict", "correction"):  # whoever writes to the workspace can make one
        return f"{item.kind} {item.id}"
    if item.kind != "candidate" and not _is_claimed(item):
        files = commit_message.list_names(map(digest_text.named, item.paths or (item.source,)))
        return f"{item.kind}: a change of {files}, found on disk or from outside"
    return f"{item.kind}: \u201c{digest_text.quote(item.title)}\u201d"


def _is_claimed(item: InboxItem) -> bool:
    """Return whether an agent of clawgit or the operator made it."""
    outside = "untrusted" in (item.get("Risk") or "")
    return item.agent != "capture" and item.get("Origin") in _CLAIMS and not outside
