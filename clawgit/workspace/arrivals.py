"""Lines that clawgit removed, and that others bring back."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta

from msgspec.structs import replace

from clawgit import file_roles
from clawgit.git import history, repository
from clawgit.text.entry import Entry, digest, entries, normalise
from clawgit.workspace import commit_message, taint_register
from clawgit.workspace.change import Change
from clawgit.workspace.entries import Row, by_hash, edited, parse
from clawgit.workspace.entry_association import free_id
from clawgit.workspace.file_contents import lines_of, loosely
from clawgit.workspace.workspace_base import WorkspaceBase

REMEMBERED = timedelta(days=90)
MIN_WORDS_ELSEWHERE = 4
"""A removed line of fewer words is recognised in its own file only."""
_RECORDS = (file_roles.CONFIG, file_roles.CORRECTIONS, file_roles.CONFLICTS)

Texts = Mapping[str, str | None]


def is_watched(path: str) -> bool:
    """Return whether lines leaving or entering a file are compared with clawgit's changes: in memory and identity."""
    return path.endswith(".md") and path not in _RECORDS and (file_roles.guarded(path) or file_roles.memory(path))


def with_removals(change: Change, sidecar: tuple[str, str], before: Texts, after: Texts) -> str:
    """Return the sidecar with a tombstone for each entry that the operator's change removes.

    By its tombstone an entry is recognised when somebody else saves it again; one that the change brings back loses it.
    Copies of other memories (archives, the index, files of classes) get none.
    `sidecar` is the text before the change and with its rows. Nothing changes for an agent, unless it lands a
    correction.
    """
    if change.agent is not None and not change.approved and file_roles.CORRECTIONS not in after:
        return sidecar[1]
    all_rows, names = parse(sidecar[1]), {row.id for row in change.rows}
    hashes, ids, old_rows = by_hash(all_rows), {*all_rows}, parse(sidecar[0]) if change.drops else {}
    dropped = [old_rows[name] for name in change.drops if name not in names and name in old_rows]
    set_rows = [all_rows[name] for name in names if name in all_rows]
    decided = {(row.file, row.hash) for row in (*dropped, *set_rows) if row.status != "live" or row in dropped}
    new = {row.id: replace(row, by=change.id) for row in set_rows if row.status == "tombstone" and not row.by}
    drops: set[str] = set()
    present = {digest(entry.text) for text in after.values() for entry in entries(text or "")}
    own = (name for name in before if not (name.startswith("memory/archive/") or file_roles.is_view_of_facts(name)))
    for path in filter(is_watched, own):
        old_text, new_text = before[path] or "", after.get(path) or ""
        for entry in _fresh(new_text, old_text):
            rows = [row for row in hashes.get(digest(entry.text), ()) if row.file == path]
            if (path, digest(entry.text)) not in decided and digest(entry.text) not in present:
                row = rows[0] if rows else Row(free_id(ids, path, entry.text, entry.ordinal), path, digest(entry.text))
                ids.add(row.id)
                new[row.id] = replace(row, status="tombstone", by=change.id)
        for entry in _fresh(old_text, new_text):
            rows = [row for row in hashes.get(digest(entry.text), ()) if row.file == path]
            tombstones = [row for row in rows if row.status == "tombstone"]
            if tombstones and len(tombstones) == len(rows) and tombstones[0].id not in names:
                new[tombstones[0].id] = replace(tombstones[0], status="live", by="")
            drops.update(row.id for row in tombstones[len(tombstones) == len(rows) :])
    return edited(sidecar[1], new.values(), drops - new.keys())


def arrived_rows(workspace: WorkspaceBase, sidecar: str, before: Texts, after: Texts) -> dict[str, Row]:
    """Return the rows, not in force, of entries that others bring back after clawgit removed them (90 days).

    An entry that the operator asked for in a conversation since then is back in force.
    """
    fresh = [(path, entry) for path in filter(is_watched, after) for entry in _fresh(before.get(path), after[path])]
    if not fresh:
        return {}
    rows = parse(sidecar)
    hashes, ids = by_hash(rows), {*rows}
    register = taint_register.parse(loosely(repository.read(workspace.repo, workspace.head, taint_register.PATH)))
    arrivals: dict[str, Row] = {}
    for path, entry in fresh:
        twins = hashes.get(digest(entry.text), ())
        removals = [row for row in twins if row.status == "tombstone" or (row.status == "superseded" and row.by)]
        is_long = len(normalise(entry.text).split()) >= MIN_WORDS_ELSEWHERE
        removal = next((row for row in removals if row.file == path), removals[0] if removals and is_long else None)
        if removal is None and (taint := register.of_line(entry.text)):
            removal = Row("", "", digest(entry.text), by=taint.id)
        if removal is not None and _is_remembered(workspace, removal, entry):
            name = removal.id if removal.file == path else free_id(ids, path, entry.text, entry.ordinal)
            ids.add(name)
            arrivals[name] = replace(removal, id=name, file=path, status="superseded")
    return arrivals


def _fresh(before: str | None, after: str | None) -> Iterator[Entry]:
    if not lines_of(after or "") <= lines_of(before or ""):
        counts = Counter(digest(entry.text) for entry in entries(before or ""))
        for entry in entries(after or ""):
            counts[name := digest(entry.text)] -= 1
            if counts[name] < 0:
                yield entry


def _is_remembered(workspace: WorkspaceBase, row: Row, entry: Entry) -> bool:
    """Return whether the removal is young enough, and no turn of the operator since then asks for the line."""
    trailer = f"{commit_message.CHANGE}: {row.by}"
    commit = next(history.log(workspace.repo, containing=trailer, limit=1, named=False), None) if row.by else None
    if commit is None:
        return True
    return workspace.now() - commit.date <= REMEMBERED and not workspace.sessions.asks(entry.text, commit.date)
