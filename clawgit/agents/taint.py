"""Takes back what one source taught."""

import os
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from hashlib import sha256

from msgspec import Struct

from clawgit.agents.messages_to_read import Heard
from clawgit.agents.tainting import taint_source, taint_trail, withdrawal
from clawgit.agents.tainting.taint_source import Source
from clawgit.agents.tainting.taint_trail import Seeds, Trail
from clawgit.agents.tainting.withdrawal import Withdrawal
from clawgit.errors import Command, already_set
from clawgit.git import repository
from clawgit.sessions import chat_store_choice
from clawgit.text.entry import new_id
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import taint_register
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.records import Record
from clawgit.workspace.taint_register import Taint
from clawgit.workspace.workspace import Workspace

_PLACE = 3
"""Parts of the key of a conversation before those that say with whom it is: `agent:ID:CHANNEL`."""
_FORMS = {"direct", "dm", "group", "channel", "thread", "topic", "main"}
"""Parts behind those that say what kind of conversation it is."""


class Report(Struct, frozen=True):
    """What a source taught, and what would become of it; nothing is written."""

    source: Source
    trail: Trail
    found: Withdrawal
    name: str

    @property
    def empty(self) -> bool:
        """Whether nothing was learnt from it."""
        return not (self.trail.steps or self.trail.places or self.found.rows or self.found.edits)

    @property
    def direct(self) -> list[Record]:
        """The changes that name the source."""
        return [step.record for step in self.trail.steps if step.direct]

    @property
    def derived(self) -> list[Record]:
        """The changes that rest on those."""
        return [step.record for step in self.trail.steps if not step.direct]

    @property
    def hash(self) -> str:
        """What was shown, in 12 hex digits: another one where something else would be done."""
        told = [self.source.spelled]
        told += [f"{edit.path}\0{edit.base}\0{edit.text}" for edit in self.found.edits]
        told += sorted(f"{row.id}\0{row.status}\0{sorted(row.mentions)}" for row in self.found.rows)
        return sha256("\0\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def known(workspace: Workspace) -> list[Taint]:
    """Return the tainted sources, the oldest first."""
    register = taint_register.parse(workspace.read(taint_register.PATH) or "")
    return sorted(register.taints.values(), key=lambda one: one.when)


def report(workspace: Workspace, named: str, since: str = "") -> Report:
    """Return what a source taught. Raises UsageError for a name of none."""
    source = taint_source.parse(workspace, named, since)
    name = new_id()
    trail = taint_trail.follow(workspace, _seeds(workspace, source))
    return Report(source, trail, withdrawal.withdrawn(workspace, trail, name), name)


def change(workspace: Workspace, found: Report, why: str = "") -> Change:
    """Return the change that takes it all back, and has nothing be learnt from it any more.

    Raises ClawgitError for a source that is tainted already.
    """
    there = taint_register.parse(workspace.read(taint_register.PATH) or "")
    spelled = found.source.spelled
    same = next((one for one in there.taints.values() if one.source == spelled), None)
    if same and found.empty:
        raise already_set(f"{spelled} is tainted", fix=Command("clawgit undo {}", same.id, note="lifts the taint"))
    by = workspace.operator[0]
    taint = Taint(found.name, spelled, workspace.now().isoformat(timespec="seconds"), by, why)
    after = taint_register.with_taint(there, taint, found.trail.turns, found.trail.sayings, found.trail.changes)
    text = workspace.read(taint_register.PATH)
    register = Edit(taint_register.PATH, text, taint_register.render(after))
    many = len(found.found.left)
    subject = f"{taint_register.SUBJECT}{many} line{'' if many == 1 else 's'} of {spelled} taken back"
    return Change(
        subject,
        why or f"{spelled} is not to be trusted, and neither is what it taught.",
        (*found.found.edits, register),
        rows=found.found.rows,
        drops=found.found.drops,
        id=found.name,
    )


def _message(workspace: Workspace, session: str, event: str) -> str:
    """Return what the mentions of a turn have in common, "" where it is not kept here."""
    said = workspace.conversations(session, event)
    if said is None or not said.date:
        return ""
    return Heard(said.text, "operator", datetime.fromisoformat(said.date).timestamp()).message


def _seeds(workspace: Workspace, source: Source) -> Seeds:
    since = source.since
    message = partial(_message, workspace)

    def late(one: Record) -> bool:
        return not since or one.date.isoformat() >= since

    if source.kind == "lines":
        rows = loosely(repository.read(workspace.repo, source.rev, source.name)).split("\n")
        meant = rows[source.start - 1 : source.end] if source.start else rows
        return Seeds(lines=(source.name, source.rev, tuple(meant)))
    of_record: dict[str, Callable[[Record], bool]] = {
        "agent": lambda one: one.agent == source.name and late(one),
        "origin": lambda one: one.origin == source.name and late(one),
        "change": lambda one: one.commit == source.name,
    }
    if source.kind in of_record:
        return Seeds(record=of_record[source.kind])
    names = frozenset(_sessions(workspace, source.name)) if source.kind == "contact" else frozenset()
    host = re.compile(rf"(?<![\w-]){re.escape(source.name)}(?![\w-]|\.\w)", re.IGNORECASE)
    of_turn: dict[str, Callable[[Pointer], bool]] = {
        "session": partial(_of_session, source),
        "contact": lambda one: one.kind == "session" and one.id in names,
        "domain": lambda one: host.search(one.quote or "") is not None,
    }
    if source.kind == "session" and not source.event:
        names = frozenset({source.name})
    return Seeds(partial(_is_by_calls, names), of_turn[source.kind], message=message)


def _is_by_calls(names: frozenset[str], one: Record) -> bool:
    """Return whether calls of these sessions alone wrote a commit."""
    sessions = {name.rpartition("/")[2] for name in one.sessions}
    return bool(sessions) and sessions <= names and one.origin == "agent"


def _of_session(source: Source, one: Pointer) -> bool:
    return one.kind == "session" and one.id == source.name and source.event in ("", one.event)


def _sessions(workspace: Workspace, contact: str) -> Iterator[str]:
    """Yield the conversations that a contact had."""
    with chat_store_choice.opened(workspace.store, os.environ, reading=True) as store:
        for one in store.sessions():
            if contact in {*one.session.key.split(":")[_PLACE:]} - _FORMS:
                yield one.session.id
