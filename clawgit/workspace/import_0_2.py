"""Takes over state of version 0.2 that cannot be derived.

Proposals were commits that no branch had; candidates were lines of a file. All else is made anew.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.clock import MACHINE_NOTE, KnownMachine
from clawgit.errors import ClawgitError
from clawgit.git import commit_chain, history, locks, references, regular_file
from clawgit.git.local_notes import read_local_note, save_local_note
from clawgit.safety.redaction import redact
from clawgit.store.database import OLD, WORKSPACE_ID
from clawgit.store.item import FileEdit, Item, Kind, State
from clawgit.text.entry import is_id
from clawgit.workspace import commit_message, inbox
from clawgit.workspace.state_transfer import add_tables
from clawgit.workspace.unkept_requests import Unkept
from clawgit.workspace.workspace_base import WorkspaceBase

_OPEN, _REJECTED = "refs/clawgit/proposals/", "refs/clawgit/rejected/"
_CANDIDATES, _REQUESTS, _CHATS = "state/candidates.jsonl", "state/unkept.jsonl", "state/chat.db"
_MACHINE, _MACHINE_PLACE, _WORKSPACE_ID = "machine.json", "machine-place", "workspace-id"
_FILES = (_CANDIDATES, _REQUESTS, _CHATS, _MACHINE, _WORKSPACE_ID, locks.FORMER_ID)
_KIND, _START = "Clawgit-Kind", "desk: what the proposal starts from"
_STATES: Mapping[str, State] = {"open": "open", "confirmed": "accepted", "dismissed": "rejected"}


class _OldCandidate(Struct, frozen=True):
    """A line of `candidates.jsonl`."""

    id: str
    at: str
    text: str
    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[str, ...] = ()
    source: str = ""
    trigger: str = ""
    trigger_confidence: str = "medium"
    state: Literal["open", "confirmed", "dismissed"] = "open"


def take_over(workspace: WorkspaceBase) -> None:
    """Take over the state of 0.2; anything that cannot be written now is left to a later command."""
    repo, store = workspace.repo, workspace.store
    names = [name for name in references.list_our_references(repo) if name.startswith((_OPEN, _REJECTED))]
    files = [place for name in _FILES if (place := store.folder / name).is_file()]
    if not (names or files) or not workspace.managed:
        return
    with contextlib.suppress(OSError, ClawgitError):
        _take_ids(workspace)
        proposals = {name: item for name in names if (item := _read_proposal(workspace, name))}
        requests = (row.as_item() for row in regular_file.parse_rows(store.folder / _REQUESTS, Unkept))
        for item in (*proposals.values(), *_read_candidates(store.folder / _CANDIDATES), *requests):
            store.open_item(item)
        if _is_sound(chats := store.folder / _CHATS):
            store.write(lambda database: add_tables(database, chats))
        (store.folder / OLD).mkdir(mode=0o700, exist_ok=True)
        for place in files:
            place.replace(store.folder / OLD / place.name)
        for name in proposals:
            references.drop(repo, name)


def _is_sound(place: Path) -> bool:
    """Return whether a database is there and whole: within our own a damaged one would count as damage of ours."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(place)) as database:
        return place.is_file() and database.execute("PRAGMA quick_check").fetchone() == ("ok",)
    return False


def _take_ids(workspace: WorkspaceBase) -> None:
    """Take over the ids of the machine and the workspace, by which others and the approvals know them."""
    repo, folder = workspace.repo, workspace.repo.room
    with locks.repository_lock(repo, time.monotonic() + 1):  # it takes over the id of the redo logs
        machine = regular_file.parse_state(folder / _MACHINE, KnownMachine)
        is_here = machine and machine.place == locks.mark_file(folder / _MACHINE_PLACE)
        if machine and is_here and not read_local_note(repo, MACHINE_NOTE, KnownMachine):
            save_local_note(repo, MACHINE_NOTE, replace(machine, place=locks.mark_folder(repo)))
        words = regular_file.read_words(folder / _WORKSPACE_ID)
        if words and not workspace.store.read_document(WORKSPACE_ID, str):
            workspace.store.save_document(WORKSPACE_ID, " ".join(words))


def _read_proposal(workspace: WorkspaceBase, name: str) -> Item | None:
    """Return the item of a proposal, None for an unreadable one; a rejected one is a commit on top of the proposal."""
    repo, key = workspace.repo, name.rpartition("/")[2]
    with contextlib.suppress(ClawgitError, ValueError, LookupError, StopIteration):  # anybody can make a reference
        commit = history.commit(repo, references.target(repo, name) or "")
        if not is_id(key):
            return None
        if name.startswith(_OPEN):
            return _read_offer(workspace, key, commit)
        item = _read_offer(workspace, key, history.commit(repo, commit.parents[0]))
        return replace(
            item, state="rejected", decided=commit.date, answer=commit_message.parse_message(commit.message).why
        )
    return None


def _read_offer(workspace: WorkspaceBase, key: str, commit: history.Commit) -> Item:
    repo, base = workspace.repo, commit.parents[0]
    message = commit_message.parse_message(commit.message)

    edits = tuple(
        FileEdit(path, *(inbox.read_control_version(repo, side, path) for side in (base, commit.id)))
        for path in commit_chain.list_changed_paths(repo, base, commit.id)
    )
    texts = Item(key, "identity", "", commit.date, edits=edits).texts
    kinds: Mapping[str | None, Kind] = {"restore": "restore", "control": "sync"}
    before = history.commit(repo, base)  # where it was made for the proposal alone, that starts below it
    return Item(
        key,
        kinds.get(message.get(_KIND)) or inbox.kind_of_change(texts),
        redact(message.subject),
        commit.date,
        message.why,
        message.get("Clawgit-Agent") or "",
        next(iter(before.parents), base) if before.message.startswith(_START) else base,
        tuple((name, value) for name, value in message.trailers if name != _KIND),
        edits,
        sameness=inbox.hash_change(texts),
    )


def _read_candidates(place: Path) -> Iterator[Item]:
    """Yield the item of each candidate as it was last noted."""
    for row in {row.id: row for row in regular_file.parse_rows(place, _OldCandidate)}.values():
        time_noted = datetime.fromisoformat(row.at).astimezone()
        kind: Kind = "candidate" if row.reason == "said, not asked for" else "correction"
        names = ("said", "true", "choices", "trigger", "trigger_confidence") if kind == "correction" else ()
        details = {name: getattr(row, name) for name in names}
        decided = None if row.state == "open" else time_noted
        item = Item(row.id, kind, row.text, time_noted, row.reason, row.source, details=details)
        yield replace(item, state=_STATES[row.state], decided=decided)
