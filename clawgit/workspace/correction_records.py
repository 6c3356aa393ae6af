"""Records of corrections, also of removed ones."""

import contextlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.text.conflict import Correction, corrections
from clawgit.text.document import split
from clawgit.text.edit import append_block
from clawgit.text.entry import hash_entry
from clawgit.workspace import commit_message
from clawgit.workspace.file_contents import to_text
from clawgit.workspace.inbox import open_restore
from clawgit.workspace.workspace_base import WorkspaceBase

ARCHIVE = "Archive/Corrections/"
_MEMO_DOCUMENT = "corrections"

Read = Callable[[str], str | None]


class Standing(Struct, frozen=True):
    """A record, and the file that it is in."""

    path: str
    record: Correction

    @property
    def archived(self) -> bool:
        """Whether it went to the archive."""
        return self.path != file_roles.CORRECTIONS


class _RecordMemo(Struct, frozen=True):
    """The records that were seen last, each its id and a digest, and those that others removed, with their items."""

    present: frozenset[str] = frozenset()
    removed: dict[str, str] = field(default_factory=dict)

    def list_lost(self, marks: Mapping[str, str]) -> list[str]:
        """Return the ids of the records that were removed or changed since, of those that are not `removed` yet."""
        old_marks = {name: mark for name, _, mark in (text.partition(" ") for text in self.present)}
        losses = (name for name, mark in old_marks.items() if name not in marks or (mark and marks[name] != mark))
        return sorted(name for name in losses if name not in self.removed)


def list_all_records(root: Path, read: Read) -> tuple[Standing, ...]:
    """Return all records of the files, the oldest first; of one that was brought back the one in CORRECTIONS.md."""
    archives = sorted(place.relative_to(root).as_posix() for place in root.glob(f"{ARCHIVE}*.md"))
    current = [Standing(file_roles.CORRECTIONS, record) for record in corrections(read(file_roles.CORRECTIONS) or "")]
    ids = {entry.record.id for entry in current} - {""}
    archived = (Standing(path, record) for path in archives for record in corrections(read(path) or ""))
    remaining = (entry for entry in archived if entry.record.id not in ids)
    return (*sorted(remaining, key=lambda entry: entry.record.at), *current)


def list_records(workspace: WorkspaceBase, read: Read | None = None) -> tuple[Standing, ...]:
    """Return the records in force, the oldest first; a removed or changed one is until the operator gives it up."""
    entries = list_all_records(workspace.root, read or workspace.read)
    memo, marks = workspace.store.read_document(_MEMO_DOCUMENT, _RecordMemo) or _RecordMemo(), _digest_records(entries)
    items = ((name, workspace.store.find_items(item)) for name, item in memo.removed.items())
    names = [name for name, matches in items if not any(item.state == "rejected" for item in matches)]
    losses = (record for name in (*names, *memo.list_lost(marks)) if (record := _find_lost(workspace, name, marks)))
    return (*(Standing(file_roles.CORRECTIONS, record) for record, _ in losses), *entries)


def note_records(workspace: WorkspaceBase) -> None:
    """Note which records there are, and open an item for each that others removed or changed."""
    memo = workspace.store.read_document(_MEMO_DOCUMENT, _RecordMemo) or _RecordMemo()
    marks = _digest_records(list_all_records(workspace.root, workspace.read_loosely))
    items = {name: item for name in memo.list_lost(marks) if (item := _offer_record(workspace, name, marks))}
    removals = {name: item for name, item in memo.removed.items() if _find_lost(workspace, name, marks)}
    new_memo = _RecordMemo(frozenset(f"{name} {mark}" for name, mark in marks.items()), {**removals, **items})
    if new_memo != memo:
        workspace.store.save_document(_MEMO_DOCUMENT, new_memo)


def _digest_records(entries: Iterable[Standing]) -> dict[str, str]:
    """Return a digest of both sides of each record, by its id."""
    return {entry.record.id: _digest_sides(entry.record) for entry in entries if entry.record.id}


def _digest_sides(record: Correction) -> str:
    return hash_entry("\0".join((*record.values, record.subject, record.true)))


def _find_lost(workspace: WorkspaceBase, name: str, marks: Mapping[str, str]) -> tuple[Correction, str] | None:
    """Return a record and its lines, as its correction landed; None if it stands so or was undone."""
    for commit in history.walk_log(workspace.repo, file_roles.CORRECTIONS, containing=f": {name}", named=False):
        message = commit_message.parse_message(commit.message)
        if not commit.as_ours:
            continue  # naming a record is no undo
        if name in (message.get("Clawgit-Undoes") or ""):
            return None
        if message.get(commit_message.CHANGE) == name:
            text = to_text(repository.read(workspace.repo, commit.id, file_roles.CORRECTIONS))
            record = next((correction for correction in corrections(text) if correction.id == name), None)
            is_lost = record and _digest_sides(record) != marks.get(name)
            return (record, "".join(split(text)[record.line - 1 : record.end])) if record and is_lost else None
    return None


def _offer_record(workspace: WorkspaceBase, name: str, marks: Mapping[str, str]) -> str:
    """Open the item that brings a record back, and return its id; "" for one that was undone."""
    landing = _find_lost(workspace, name, marks)
    if landing is None:
        return ""
    record, lines = landing
    before = text = workspace.read_loosely(file_roles.CORRECTIONS)
    if changed := next((item for item in corrections(text) if item.id == name), None):
        rows = split(text)
        text = "".join((*rows[: changed.line - 1], *rows[changed.end :]))
    state = "changed" if name in marks else "gone"
    title = f"a record of {file_roles.CORRECTIONS} is {state}: {commit_message.shorten(record.true, 60)}"
    reason = "Approval brings the record back; rejection gives the correction up."
    texts = {file_roles.CORRECTIONS: (before, append_block(text, lines))}
    with contextlib.suppress(ClawgitError):  # a secret went with it
        return open_restore(workspace, file_roles.CORRECTIONS, texts, title, reason).id
    return ""
