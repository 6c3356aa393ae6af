"""Takes over the references and state files of version 0.2.

Proposals were commits that no branch had; candidates were lines of a file.
"""

import contextlib
import os
import sqlite3
import time
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import commit_chain, history, locks, references, regular_file
from clawgit.git.git_command import git
from clawgit.git.history import Commit
from clawgit.git.local_notes import read_local_note, save_local_note
from clawgit.git.locks import FORMER_ID
from clawgit.git.repository import Repository
from clawgit.safety.redaction import redacted
from clawgit.store import union
from clawgit.store.database import OLD, WORKSPACE_ID, StateStore
from clawgit.store.item import FileEdit, Item, Kind, State
from clawgit.text.entry import is_id
from clawgit.workspace import commit_message, manifest
from clawgit.workspace.seen_versions import MAX_VERSIONS, keep_blob
from clawgit.workspace.unkept_requests import Unkept
from clawgit.workspace.workspace_base import WorkspaceBase

_OPEN, _REJECTED = "refs/clawgit/proposals/", "refs/clawgit/rejected/"
_CANDIDATES, _REQUESTS, _NEW_IDS, _FOLLOWED = "candidates.jsonl", "unkept.jsonl", "purged-ids", "followed"
_BUNDLE = "proposals.bundle"
_NOT_ASKED_FOR = "said, not asked for"
_KIND, _START = "Clawgit-Kind", "desk: what the proposal starts from"


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


_STATES: Mapping[str, State] = {"open": "open", "confirmed": "accepted", "dismissed": "rejected"}


_LISTS = {
    "runs.jsonl": "runs",
    "search_hits.jsonl": "recalls",
    "digests.jsonl": "digests",
    "inbox.jsonl": "flags",
}
_WORDS = ("told-secrets", "allowed-secrets")
_DOCUMENTS = {f"{agent}.json": agent for agent in manifest.WRITERS}
"""Files in `state/`, and the names of the lists and documents that they became; nobody reads the others any more."""
_MACHINE, _MACHINE_PLACE, _WORKSPACE_ID = "machine.json", "machine-place", "workspace-id"
_FILES_OF_NOTES = (_MACHINE, _MACHINE_PLACE, _WORKSPACE_ID, FORMER_ID)
_CHATS, _VERSIONS = "chat.db", "seen.db"
_TAKEN_OVER = (*_LISTS, *_WORDS, *_DOCUMENTS, _CHATS, _VERSIONS, _CANDIDATES, _REQUESTS, _NEW_IDS, _FOLLOWED)


def take_over(workspace: WorkspaceBase) -> None:
    """Take over the files of 0.2; anything that cannot be written now is left to a later command."""
    repo, store = workspace.repo, workspace.store
    _take_notes(workspace)
    references_of_0_2 = _list_references(repo)
    folder = store.folder / "state"
    files = [name for name in _TAKEN_OVER if (folder / name).is_file()]
    if not (references_of_0_2 or files) or not workspace.managed:
        return
    with contextlib.suppress(OSError, ClawgitError):
        proposals = list(_read_proposals(repo, references_of_0_2))
        for item in (*proposals, *_read_old_candidates(folder / _CANDIDATES), *_read_requests(folder)):
            store.open_item(item)
        ids = {item.id for item in proposals}  # a bundle cannot hold what else is there
        names = [name for name in references_of_0_2 if name.rpartition("/")[2] in ids]
        old = store.folder / OLD
        old.mkdir(mode=0o700, exist_ok=True)
        if names:
            git(repo.root, "bundle", "create", "--quiet", str(old / _BUNDLE), *names)
        for name in names:
            references.drop(repo, name)
        for name in files:
            if name == _VERSIONS:
                _take_seen_versions(repo, folder / name)
            else:
                _take_file(store, folder, name)
            (folder / name).replace(old / name)


def _take_notes(workspace: WorkspaceBase) -> None:
    """Take over the files with ids; the next write makes the other notes anew."""
    repo, store = workspace.repo, workspace.store
    files = [place for name in _FILES_OF_NOTES if (place := repo.room / name).is_file()]
    if not files or not workspace.managed:
        return
    from clawgit.clock import MACHINE_NOTE, KnownMachine  # noqa: PLC0415

    with (
        contextlib.suppress(OSError, ClawgitError),
        locks.repository_lock(repo, time.monotonic() + 1),  # it takes over the id of the redo logs
    ):
        store.prepare()
        machine = regular_file.parse_state(repo.room / _MACHINE, KnownMachine)
        mark = locks.mark_file(repo.room / _MACHINE_PLACE)
        if machine and machine.place == mark and not read_local_note(repo, MACHINE_NOTE, KnownMachine):
            save_local_note(repo, MACHINE_NOTE, replace(machine, place=locks.mark_folder(repo)))
        words = regular_file.read_words(repo.room / _WORKSPACE_ID)
        if words and not store.read_document(WORKSPACE_ID, str):
            store.save_document(WORKSPACE_ID, " ".join(words))
        (repo.room / OLD).mkdir(mode=0o700, exist_ok=True)
        for place in files:
            place.replace(repo.room / OLD / place.name)


def _list_references(repo: Repository) -> list[str]:
    """Return the proposals among our references if there may be any; if not, libgit2 is not loaded."""
    packed = repo.commondir / "packed-refs"
    has_old = any((repo.commondir / prefix).is_dir() for prefix in (_OPEN, _REJECTED))
    with contextlib.suppress(OSError):
        has_old = has_old or any(prefix.encode() in packed.read_bytes() for prefix in (_OPEN, _REJECTED))
    names = references.ours(repo) if has_old else ()
    return [name for name in names if name.startswith((_OPEN, _REJECTED))]


def _take_file(store: StateStore, folder: Path, name: str) -> None:
    """Bring the content of a file into the store; items are read elsewhere."""
    place = folder / name
    if name in _LISTS:
        store.append_rows(_LISTS[name], regular_file.parse_rows(place, dict[str, Any]))
    elif name in _WORDS:
        store.append_rows(name, regular_file.read_words(place))
    elif name == _NEW_IDS:
        words = regular_file.read_words(place)
        store.save_document(name, dict(zip(words[::2], words[1::2], strict=False)))
    elif name == _FOLLOWED:
        store.save_document(name, "".join(regular_file.read_words(place)))
    elif name == _CHATS:
        union.take_tables(store, place)
    elif name in _DOCUMENTS:
        document = regular_file.parse_state(place, Any)
        if document is not None and store.read_document(_DOCUMENTS[name], Any) is None:
            store.save_document(_DOCUMENTS[name], document)


def _take_seen_versions(repo: Repository, place: Path) -> None:
    """Keep the versions of files in a database, as far as it is readable."""
    with contextlib.closing(sqlite3.connect(place)) as database, contextlib.suppress(sqlite3.Error, zlib.error):
        rows = database.execute("SELECT path, at, data FROM seen ORDER BY at DESC LIMIT ?", (MAX_VERSIONS,))
        for path, seen_time, packed in reversed(rows.fetchall()):
            keep_blob(repo, os.fsdecode(path), zlib.decompress(packed), seen_time)


def _read_proposals(repo: Repository, names: list[str]) -> Iterator[Item]:
    """Yield the item of each readable proposal; a rejected one is a commit on top of the proposal."""
    for name in names:
        prefix = _REJECTED if name.startswith(_REJECTED) else _OPEN
        with contextlib.suppress(ClawgitError, ValueError, KeyError, StopIteration):  # anybody can make a reference
            commit = history.commit(repo, references.target(repo, name) or "")
            if not is_id(name.removeprefix(prefix)) or not commit.parents:
                continue
            if prefix == _REJECTED:
                proposal = _read_proposal(repo, name.removeprefix(prefix), history.commit(repo, commit.parents[0]))
                answer = commit_message.parse(commit.message).why
                yield replace(proposal, state="rejected", decided=commit.date, answer=answer)
            else:
                yield _read_proposal(repo, name.removeprefix(prefix), commit)


def _read_proposal(repo: Repository, name: str, commit: Commit) -> Item:
    from clawgit.workspace import inbox  # noqa: PLC0415 - it loads the rules

    base = commit.parents[0]
    message = commit_message.parse(commit.message)
    paths = commit_chain.changed(repo, base, commit.id)
    edits = tuple(
        FileEdit(path, *(inbox.read_control_version(repo, side, path) for side in (base, commit.id))) for path in paths
    )
    texts = Item(name, "identity", "", commit.date, edits=edits).texts
    kinds: Mapping[str | None, Kind] = {"restore": "restore", "control": "sync"}
    kind = kinds.get(message.get(_KIND)) or inbox.kind_of_change(texts)
    before = history.commit(repo, base)  # where it was made for the proposal alone, that starts below it
    start = next(iter(before.parents), base) if before.message.startswith(_START) else base
    return Item(
        name,
        kind,
        redacted(message.subject),
        commit.date,
        message.why,
        message.get("Clawgit-Agent") or "",
        start,
        tuple((key, value) for key, value in message.trailers if key != _KIND),
        edits,
        sameness=inbox.hash_change(texts),
    )


def _read_old_candidates(place: Path) -> Iterator[Item]:
    """Yield the item of each candidate as it was last noted."""
    rows = {row.id: row for row in regular_file.parse_rows(place, _OldCandidate)}
    for row in rows.values():
        note_time = datetime.fromisoformat(row.at)
        opening_time = note_time if note_time.tzinfo else note_time.astimezone()
        kind: Kind = "candidate" if row.reason == _NOT_ASKED_FOR else "correction"
        names = ("said", "true", "choices", "trigger", "trigger_confidence")
        details: dict[str, Any] = {name: getattr(row, name) for name in names} if kind == "correction" else {}
        item = Item(row.id, kind, row.text, opening_time, row.reason, row.source, details=details)
        yield item if row.state == "open" else replace(item, state=_STATES[row.state], decided=opening_time)


def _read_requests(folder: Path) -> Iterator[Item]:
    """Yield the item of each request that nobody had kept."""
    for request in regular_file.parse_rows(folder / _REQUESTS, Unkept):
        with contextlib.suppress(ValueError):
            yield request.as_item()
