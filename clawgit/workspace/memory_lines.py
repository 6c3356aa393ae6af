"""Every line of memory: bullets, table rows and paragraphs of MEMORY.md, topic files and journals."""

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, Command
from clawgit.git.repository import Oid
from clawgit.store.entry_table import EntryRow, EntryTable, RemovedEntry, open_entries
from clawgit.text import confidence
from clawgit.text.edit import is_link
from clawgit.text.entry import digest, entries, entry_id
from clawgit.workspace import file_roles
from clawgit.workspace.entries import Row, Status
from clawgit.workspace.entry_association import by_words
from clawgit.workspace.workspace import Workspace

MEMORY_ROLES = ("memory", "journal")


class MemoryLine(Struct, frozen=True):
    """An entry of memory, where it is and what is known of it; `line` counts from 1.

    `origin` is the operator only where words of his are cited, else the author of the commit that the entry came with;
    `commit` is that commit, None for an entry that is not committed, or older than this clone. `probable` tells that it
    was recognised by words that are not the same. `copies` counts the entries that say the same, itself included.
    `confidence` is today's, which grew with mentions and faded in silence.
    """

    id: str
    text: str
    tag: str | None
    origin: str
    confidence: float
    first: date | None
    last: date | None
    mentions: int
    status: Status
    path: str
    line: int
    role: str
    commit: Oid | None
    probable: bool
    copies: int


def list_lines(workspace: Workspace, *roles: str, paths: tuple[str, ...] = ()) -> list[MemoryLine]:
    """Return the entries of these roles (none: of memory), in the order of their files. Raises ClawgitError."""
    with open_entries(workspace.repo, file_roles.entry_role) as table:
        rows = table.list_rows(roles or MEMORY_ROLES, paths)
    return list(_describe(workspace, rows, roles or MEMORY_ROLES, paths))


def find_line(workspace: Workspace, wanted: str) -> MemoryLine:
    """Return the entry whose id begins with `wanted`. Raises ClawgitError for none, or several."""
    known = {key: row for key, row in workspace.rows().items() if key.startswith(wanted)} if wanted else {}
    with open_entries(workspace.repo, file_roles.entry_role) as table:
        named = table.find_by_id(wanted) if wanted else []
        paths = {row.path for row in named} | {row.file for row in known.values()}
    lines = list_lines(workspace, *_ALL_ROLES, paths=tuple(sorted(paths))) if paths else []
    matches = {line.id: line for line in lines if line.id.startswith(wanted)}
    if len(matches) > 1:
        ids = ", ".join(matches)
        raise errors.id_ambiguous(f"several memories begin with {wanted}: {ids}", fix=Advice("type more of it"))
    if not matches:
        raise errors.id_unknown(f"no memory has the id {wanted}", fix=Command("clawgit memory list"))
    return next(iter(matches.values()))


_ALL_ROLES = (*MEMORY_ROLES, "identity", "instruction")


def find_removed(workspace: Workspace, wanted: str) -> RemovedEntry | None:
    """Return the removed entry whose id begins with `wanted`; of several the one that went last."""
    with open_entries(workspace.repo, file_roles.entry_role) as table:
        removed = table.find_removed_by_id(wanted) or _find_removed_rows(workspace, table, wanted)
    return max(removed, key=lambda entry: entry.by.date if entry.by else "", default=None)


def _find_removed_rows(workspace: Workspace, table: EntryTable, wanted: str) -> list[RemovedEntry]:
    rows = [row for key, row in workspace.rows().items() if wanted and key.startswith(wanted)]
    return [entry for row in rows for entry in table.find_removed_by_key(row.hash) if entry.path == row.file]


def _describe(
    workspace: Workspace, rows: list[EntryRow], roles: tuple[str, ...], paths: tuple[str, ...]
) -> Iterator[MemoryLine]:
    """Yield the entries of the table, and those of files that differ on disk as they are there."""
    today, rules = workspace.now().date(), workspace.config.confidence
    known = by_words(workspace.rows())
    differing = {path: text for path, text in _read_differing(workspace, paths) if file_roles.entry_role(path) in roles}
    by_path: dict[str, list[EntryRow]] = {}
    for row in rows:
        by_path.setdefault(row.path, []).append(row)
    for path in sorted({*by_path, *differing}):
        committed = by_path.get(path, [])
        current = committed if path not in differing else _read_entries(path, differing[path], committed)
        for row in current:
            if row.kind == "bullet" and is_link(row.text):
                continue
            sidecar = known.get((path, row.key))
            yield _describe_row(row, sidecar, today, rules)


def _read_differing(workspace: Workspace, paths: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the files of memory that are not on disk as they are at HEAD, with their text there."""
    from clawgit.workspace.status import dirty  # noqa: PLC0415 - it knows what is captured

    for path in dirty(workspace):
        if file_roles.entry_role(path) and (not paths or path in paths):
            yield path, workspace.read(path) or ""


def _read_entries(path: str, text: str, committed: list[EntryRow]) -> list[EntryRow]:
    """Return the entries of a text; those that are committed with their births."""
    left: dict[str, list[EntryRow]] = {}
    for row in committed:
        left.setdefault(row.key, []).append(row)
    role = file_roles.entry_role(path) or ""
    found: list[EntryRow] = []
    for entry in entries(text):
        key = digest(entry.text)
        before = left.get(key, [])
        known = before.pop(0) if before else None
        place = (path, entry.start, entry.end, entry.kind, entry.text, key, entry.tag, entry.section)
        birth = (known.birth, known.changed, known.similarity, known.copies) if known else (None, None, 100.0, 1)
        name = known.id if known else entry_id(path, entry.text, entry.ordinal)
        found.append(EntryRow(name, role, *place, *birth))
    return found


def _describe_row(row: EntryRow, sidecar: Row | None, today: date, rules: confidence.Rules) -> MemoryLine:
    author = row.birth.author if row.birth else "unknown"
    born, changed = (date.fromisoformat(moment.date[:10]) if moment else None for moment in (row.birth, row.changed))
    known = sidecar or Row(row.id, row.path, row.key, confidence=confidence.INFERRED, first=born, last=changed)
    origin = known.origin if known.mentions and known.origin != "unknown" else author
    return MemoryLine(
        known.id,
        row.text,
        row.tag or known.tag or None,
        origin,
        confidence.current(known.confidence, len(known.mentions), known.last, today, rules),
        known.first or born,
        known.last or changed,
        len(known.mentions),
        "live" if known.status == "tombstone" else known.status,
        row.path,
        row.start,
        row.role,
        row.birth.commit if row.birth else None,
        row.probable,
        row.copies,
    )
