"""Keeps rows of the sidecar with their entries."""

import os
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping
from datetime import timedelta
from itertools import count

from msgspec.structs import replace

from clawgit import file_roles
from clawgit.git import history, repository
from clawgit.store.births import pair_entries
from clawgit.text.entry import Entry, entries, entry_id, hash_entry, normalise
from clawgit.workspace import records
from clawgit.workspace.change import Change
from clawgit.workspace.commit_message import CHANGE
from clawgit.workspace.entries import Row, edit_sidecar, parse
from clawgit.workspace.file_contents import lines_of, to_text
from clawgit.workspace.workspace_base import WorkspaceBase

Files = Mapping[str, str | None]


def associate(rows: Mapping[str, Row], before: Files, after: Files) -> dict[str, Row]:
    """Return the rows that change because these files went from `before` to `after` (path to text, None: no file).

    The row of an entry that was moved, restyled or reworded follows it. A row without its entry stays as it is, and so
    does a tombstone.
    """
    rows_by_words, pairs = by_words(rows), pair_entries(before, after)
    current = {(path, entry.key) for _, (path, entry) in pairs}
    changed: dict[str, Row] = {}
    for former, (path, entry) in pairs:
        if former is None:
            continue
        old_path, old = former
        row, words = rows_by_words.get((old_path, old.key)), (path, entry.key)
        # Of equal entries in one file the first has the row.
        if row is None or words in rows_by_words or (old_path, old.key) in current or row.id in changed:
            continue
        if row.status == "tombstone":
            continue
        if row.status == "superseded" and old.form != entry.form:
            row = replace(row, status="live")  # whoever words one anew, as a corrected note, says it again
        changed[row.id] = rows_by_words[words] = replace(row, file=path, hash=entry.key)
    return changed


def by_words(rows: Mapping[str, Row]) -> dict[tuple[str, str], Row]:
    """Return rows by their file and the hash of their words."""
    return {(row.file, row.hash): row for row in sorted(rows.values(), reverse=True)}


def make_bare_rows(path: str, text: str) -> dict[str, Row]:
    """Return the rows that entries of a file have while the sidecar knows nothing of them, by their ids."""
    names = ((entry_id(path, entry.text, entry.ordinal), entry) for entry in entries(text))
    return {name: Row(name, path, hash_entry(entry.text)) for name, entry in names}


def free_id(used_ids: Container[str], path: str, text: str, ordinal: int) -> str:
    """Return the id of an entry's text, in the first turn from its own that no other entry has."""
    ids = (entry_id(path, text, turn) for turn in count(ordinal))
    return next(key for key in ids if key not in used_ids)


_MAX_RENAMES = 20


def find_present_name(workspace: WorkspaceBase, path: str) -> str:
    """Return the name that a file has now: another than `path` when it was renamed and nothing took its place."""
    for _ in range(_MAX_RENAMES):
        is_present = os.path.lexists(workspace.root / path)
        commit = None if is_present else next(history.walk_log(workspace.repo, path, limit=1, named=False), None)
        renames = history.renames(workspace.repo, commit.id) if commit else {}
        after = next((new for new, old in renames.items() if old == path), None)
        if after is None:
            break
        path = after
    return path


# ---- removed entries

REMEMBERED = timedelta(days=90)
MIN_WORDS_ELSEWHERE = 4
"""A removed line of fewer words is recognised in its own file only."""
_RECORDS = (file_roles.CONFIG, file_roles.CORRECTIONS, file_roles.CONFLICTS)


def is_watched(path: str) -> bool:
    """Return whether lines leaving or entering a file are compared with clawgit's changes: in memory and identity."""
    return (
        path.endswith(".md")
        and path not in _RECORDS
        and (file_roles.is_identity(path) or file_roles.is_memory_or_settings(path))
    )


def with_removals(change: Change, sidecar: tuple[str, str], before: Files, after: Files) -> str:
    """Return the sidecar with a tombstone for each entry that the operator's change removes.

    By its tombstone an entry is recognised when somebody else saves it again; one that the change brings back loses it.
    Copies of other memories (archives, the index, files of classes) get none.
    `sidecar` is the text before the change and with its rows. Nothing changes for an agent, unless it lands a
    correction.
    """
    if change.agent is not None and not change.approved and file_roles.CORRECTIONS not in after:
        return sidecar[1]
    old_rows, rows, names = parse(sidecar[0]), parse(sidecar[1]), {row.id for row in change.rows}
    rows_by_place = defaultdict[tuple[str, str], list[Row]](list)
    for row in rows.values():
        rows_by_place[row.file, row.hash].append(row)
    dropped = [old_rows[name] for name in change.drops if name not in names and name in old_rows]
    set_rows = [rows[name] for name in names if name in rows]
    decided = {(row.file, row.hash) for row in (*dropped, *(row for row in set_rows if row.status != "live"))}
    new = {row.id: replace(row, by=change.id) for row in set_rows if row.status == "tombstone" and not row.by}
    ids, drops = {*rows}, set[str]()
    present = {hash_entry(entry.text) for text in after.values() for entry in entries(text or "")}
    own = (name for name in before if not (name.startswith("memory/archive/") or file_roles.is_view_of_facts(name)))
    for path in filter(is_watched, own):
        for entry in _fresh(after.get(path), before[path]):
            place = path, hash_entry(entry.text)
            if place not in decided and place[1] not in present:
                row = next(iter(rows_by_place[place]), None) or Row(
                    free_id(ids, path, entry.text, entry.ordinal), *place
                )
                ids.add(row.id)
                new[row.id] = replace(row, status="tombstone", by=change.id)
        for entry in _fresh(before[path], after.get(path)):
            own_rows = rows_by_place[path, hash_entry(entry.text)]
            tombstones = [row for row in own_rows if row.status == "tombstone"]
            if tombstones and tombstones == own_rows:
                first = tombstones.pop(0)
                new |= {} if first.id in names else {first.id: replace(first, status="live", by="")}
            drops |= {row.id for row in tombstones}
    return edit_sidecar(sidecar[1], new.values(), drops - new.keys())


def arrived_rows(workspace: WorkspaceBase, sidecar: str, before: Files, after: Files) -> dict[str, Row]:
    """Return the rows, not in force, of entries that others bring back after clawgit removed them (90 days).

    An entry that the operator asked for in a conversation since then is back in force.
    """
    fresh = [(path, entry) for path in filter(is_watched, after) for entry in _fresh(before.get(path), after[path])]
    if not fresh:
        return {}
    rows = parse(sidecar)
    ids, hashes = {*rows}, defaultdict[str, list[Row]](list)
    for row in rows.values():
        hashes[row.hash].append(row)
    register = records.parse_register(to_text(repository.read(workspace.repo, workspace.head, records.TAINTED_PATH)))
    arrivals: dict[str, Row] = {}
    for path, entry in fresh:
        twins = hashes.get(hash_entry(entry.text), ())
        removals = [row for row in twins if row.status == "tombstone" or (row.status == "superseded" and row.by)]
        is_long = len(normalise(entry.text).split()) >= MIN_WORDS_ELSEWHERE
        # Short lines are alike by chance, so they count in their own file only.
        removal = next((row for row in removals if row.file == path), removals[0] if removals and is_long else None)
        if removal is None and (taint := register.of_line(entry.text)):
            removal = Row("", "", hash_entry(entry.text), by=taint.id)
        if removal is not None and _is_remembered(workspace, removal, entry):
            name = removal.id if removal.file == path else free_id(ids, path, entry.text, entry.ordinal)
            ids.add(name)
            arrivals[name] = replace(removal, id=name, file=path, status="superseded")
    return arrivals


def _fresh(before: str | None, after: str | None) -> Iterator[Entry]:
    if not lines_of(after or "") <= lines_of(before or ""):
        counts = Counter(hash_entry(entry.text) for entry in entries(before or ""))
        for entry in entries(after or ""):
            counts[name := hash_entry(entry.text)] -= 1
            if counts[name] < 0:
                yield entry


def _is_remembered(workspace: WorkspaceBase, row: Row, entry: Entry) -> bool:
    """Return whether the removal is young enough, and no turn of the operator since then asks for the line."""
    trailer = f"{CHANGE}: {row.by}"
    commit = next(history.walk_log(workspace.repo, containing=trailer, limit=1, named=False), None) if row.by else None
    if commit is None:
        return True
    return workspace.now() - commit.date <= REMEMBERED and not workspace.sessions.asks(entry.text, commit.date)
