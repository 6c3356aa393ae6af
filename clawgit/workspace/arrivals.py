"""Lines that clawgit removed, and that others bring back."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta

from msgspec.structs import replace

from clawgit.git import history, repository
from clawgit.text.entry import Entry, digest, entries, normalise
from clawgit.workspace import commit_message, file_roles, taint_register
from clawgit.workspace.change import Change
from clawgit.workspace.entries import Row
from clawgit.workspace.entry_association import free_id
from clawgit.workspace.file_contents import lines_of, loosely
from clawgit.workspace.write_setting import Setting

REMEMBERED = timedelta(days=90)
MIN_WORDS_ELSEWHERE = 4
"""A removed line of fewer words is recognised in its own file only."""
_RECORDS = (file_roles.CONFIG, file_roles.CORRECTIONS, file_roles.CONFLICTS)

Texts = Mapping[str, str | None]
Rows = Mapping[str, Row]


def is_watched(path: str) -> bool:
    """Tell whether lines that leave or enter a file are compared with what clawgit did: in memory and identity."""
    return path.endswith(".md") and path not in _RECORDS and (file_roles.guarded(path) or file_roles.memory(path))


def with_removals(change: Change, known: Rows, rows: Rows, before: Texts, after: Texts) -> Rows:
    """Return the rows of the sidecar with a tombstone for each entry that the operator's change removes.

    By its tombstone an entry is recognised when somebody else saves it again; one that the change brings back loses it.
    `known` are the rows before the change. Nothing changes for an agent, unless it lands a correction.
    """
    if change.agent is not None and not change.approved and file_roles.CORRECTIONS not in after:
        return rows
    decided = {row.id for row in change.rows}
    dropped = [known[name] for name in change.drops if name in known and name not in decided]
    decided_keys = {(row.file, row.hash) for row in (*dropped, *(rows[name] for name in decided))}
    standing = {digest(entry.text) for text in after.values() for entry in entries(text or "")}
    result = {name: _named(row, change) if name in decided else row for name, row in rows.items()}
    places = {(row.file, row.hash): row for row in rows.values()}
    for path in filter(is_watched, before):
        old, new = before[path] or "", after.get(path) or ""
        if lines_of(old) == lines_of(new):
            continue
        for entry in entries(old):
            key = path, digest(entry.text)
            if key[1] not in standing and key not in decided_keys:
                gone = places.get(key) or Row(free_id(result, path, entry.text, entry.ordinal), *key)
                result[gone.id] = replace(gone, status="tombstone", by=change.id)
        back = {(path, digest(entry.text)) for entry in entries(new)}
        live = {(row.file, row.hash) for row in result.values() if row.status != "tombstone"}
        for row in [row for row in result.values() if row.status == "tombstone" and (row.file, row.hash) in back]:
            if (row.file, row.hash) in live:
                del result[row.id]
            elif row.id not in decided:
                result[row.id] = replace(row, status="live", by="")
    return result


def _named(row: Row, change: Change) -> Row:
    return replace(row, by=change.id) if row.status == "tombstone" and not row.by else row


def arrived_rows(setting: Setting, rows: Rows, before: Texts, after: Texts) -> dict[str, Row]:
    """Return the rows, not in force, of entries that others bring back after clawgit removed them (90 days).

    What the operator asks for in a conversation since then is back in force.
    """
    fresh = [(path, entry) for path in filter(is_watched, after) for entry in _fresh(before.get(path), after[path])]
    if not fresh:
        return {}
    register = taint_register.parse(loosely(repository.read(setting.repo, setting.head, taint_register.PATH)))
    removed: dict[str, list[Row]] = {}
    for row in rows.values():
        if row.status == "tombstone":
            removed.setdefault(row.hash, []).append(row)
    found: dict[str, Row] = {}
    for path, entry in fresh:
        removal = _removal(removed.get(digest(entry.text), ()), path, entry)
        if removal is None and (taint := register.of_line(entry.text)):
            removal = Row("", "", digest(entry.text), by=taint.id)
        if removal is not None and _is_remembered(setting, removal, entry):
            same = removal.file == path
            name = removal.id if same else free_id({*rows, *found}, path, entry.text, entry.ordinal)
            found[name] = replace(removal, id=name, file=path, status="superseded")
    return found


def _fresh(before: str | None, after: str | None) -> Iterator[Entry]:
    if not lines_of(after or "") <= lines_of(before or ""):
        there = Counter(digest(entry.text) for entry in entries(before or ""))
        for entry in entries(after or ""):
            there[name := digest(entry.text)] -= 1
            if there[name] < 0:
                yield entry


def _removal(rows: Collection[Row], path: str, entry: Entry) -> Row | None:
    here = next((row for row in rows if row.file == path), None)
    is_long = len(normalise(entry.text).split()) >= MIN_WORDS_ELSEWHERE
    return here or (next(iter(rows), None) if is_long else None)


def _is_remembered(setting: Setting, row: Row, entry: Entry) -> bool:
    """Tell whether the removal is young enough, and no turn of the operator since then asks for the line."""
    trailer = f"{commit_message.CHANGE}: {row.by}"
    commit = next(history.log(setting.repo, containing=trailer, limit=1, named=False), None) if row.by else None
    if commit is None:
        return True
    return setting.when - commit.date <= REMEMBERED and not setting.sessions.asks(entry.text, commit.date)
