"""Items for lines of clawgit's that went or came back."""

import contextlib
from collections.abc import Collection, Iterator
from datetime import datetime

from msgspec.structs import replace

from clawgit.errors import ClawgitError, quoted
from clawgit.git import history, repository
from clawgit.git.history import blame
from clawgit.store.calls import KnownCalls, ToolCall, line_hashes
from clawgit.store.item import Item
from clawgit.text import document
from clawgit.text.edit import append_block, remove_lines
from clawgit.text.entry import digest, entries
from clawgit.text.merge import revert
from clawgit.workspace import commit_message, file_roles
from clawgit.workspace import entries as sidecar
from clawgit.workspace.arrivals import is_watched
from clawgit.workspace.capture import Taken, count_lines
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import lines_of, loosely, text_of
from clawgit.workspace.inbox import open_restore
from clawgit.workspace.line_writers import is_clawgits
from clawgit.workspace.stale_writes import reworded_lines, write_and_start
from clawgit.workspace.workspace_base import WorkspaceBase


def offer_items(workspace: WorkspaceBase, taken: Taken) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Offer one item for each file in which clawgit's lines went or came back; return their ids, and sentences.

    Of lines of others that went the sentence alone tells, with the command that restores them.
    """
    items: list[tuple[str, str]] = []
    notes: list[str] = []
    for path in (path for path in taken.changed if is_watched(path) and path not in taken.refused):
        back = [row for row in taken.arrived.values() if row.file == path]
        after = wanted = text_of(taken.final[path])
        own_lines, others_lines = set[str](), set[str]()
        calls = KnownCalls(workspace.store).list_file_calls(path)
        write, start = write_and_start(calls, repository.hash_blob(taken.files[path] or b""))
        for commit in dict.fromkeys((taken.head, taken.as_of.get(path))):
            before = text_of(repository.read(workspace.repo, commit, path)) or ""
            gone = _gone(taken, before, wanted, back, start)
            own = _clawgits(workspace, commit, path, gone)
            wanted = _with_lines(before, own, wanted) if own else wanted
            own_lines.update(gone[number] for number in own)
            others_lines.update(line for number, line in gone.items() if number not in own)
        if own_lines or back:
            items += _offered(workspace, path, (after, wanted), len(own_lines), back)
        if others_lines and (write or not file_roles.guarded(path)):
            since = (taken.as_of.get(path) or taken.head or "")[:10]
            words = f"{path}: {count_lines(len(others_lines))} of others went"
            notes.append(f"{words}: clawgit restore {quoted(path)} --as-of {since}")
    close_items(workspace)
    return tuple(name for name, _ in items), (*notes, *(words for _, words in items))


def _gone(
    taken: Taken, before: str, after: str | None, back: Collection[Row], start: ToolCall | None
) -> dict[int, str]:
    """Return the lost lines by number; none reworded by a new one that is not `back`, or had been read at `start`."""
    if lines_of(before) <= lines_of(after or ""):
        return {}
    elsewhere = set[str]().union(
        lines_of(after or ""), *(lines_of(text_of(data) or "") for data in taken.final.values())
    )
    missing = lines_of(before) - elsewhere
    new_lines = lines_of(_without(after or "", {row.hash for row in back})) - lines_of(before)
    reworded = reworded_lines(missing, new_lines)
    missing -= {line for line in reworded if start is None or line_hashes(line) <= start.lines}
    rows = enumerate(before.removeprefix("\ufeff").split("\n"), 1)
    return {number: row.strip() for number, row in rows if row.strip() in missing}


def _clawgits(workspace: WorkspaceBase, commit: str | None, path: str, gone: Collection[int]) -> set[int]:
    """Return the numbers of the lines that clawgit wrote, in an agent's or the operator's name."""
    if not gone:
        return set()
    with contextlib.suppress(ClawgitError):  # a damaged or partial clone
        lines = [line for line in blame(workspace.repo, path, commit, (min(gone), max(gone))) if line.line in gone]
        commits = history.several(workspace.repo, [line.commit for line in lines if line.commit])
        return {line.line for line in lines if line.commit and is_clawgits(commits[line.commit])}
    return set()


def _offered(
    workspace: WorkspaceBase,
    path: str,
    texts: tuple[str | None, str | None],
    own_count: int,
    back: list[Row],
) -> Iterator[tuple[str, str]]:
    """Offer the file as clawgit left it, and tell; a newer item of a file takes the place of an older one."""
    after, wanted = texts
    hashes = {row.hash for row in back}
    wanted = wanted if wanted is None else _without(wanted, hashes)
    lost_part = [f"{count_lines(own_count)} of clawgit's {'is' if own_count == 1 else 'are'} gone"] if own_count else []
    returned = [entry.text for entry in entries(after or "") if digest(entry.text) in hashes]
    back_part = [f"“{commit_message.shorten(commit_message.one_line(text), 30)}” is back" for text in returned[:1]]
    if len(returned) > 1:
        back_part = [f"{len(returned)} removed lines are back"]
    title = f"{path}: {', '.join((*back_part, *lost_part))}"
    answers = [("removes the returned lines again", "keeps them")] if back_part else []
    answers += [("brings the lost lines back", "leaves them out")] if lost_part else []
    if not answers:
        return
    yes, no = (" and ".join(words) for words in zip(*answers, strict=True))
    edits: dict[str, tuple[str | None, str | None]] = {path: (after, wanted)}
    if back:
        rows = loosely(repository.read(workspace.repo, workspace.head, sidecar.PATH))
        again = {**sidecar.parse(rows), **{row.id: replace(row, status="tombstone") for row in back}}
        edits[sidecar.PATH] = (rows, sidecar.with_rows(rows, again))
    with contextlib.suppress(ClawgitError):  # a secret went: nobody is to bring it back
        reason = f"Approval {yes}; rejection {no}."
        offered = open_restore(workspace, path, edits, f"{file_roles.room(path)}: {title}", reason)
        if not offered.rejected:
            for older in _items(workspace):
                if older.id != offered.id and path in older.paths:
                    workspace.store.decide(older.id, "closed", workspace.now())
            yield offered.id, f"{title}: clawgit show {offered.id}"


def _with_lines(before: str, numbers: set[int], after: str | None) -> str:
    """Return a text with lines of an older one, where they stood if that place can be told, else at its end."""
    rows = document.split(before)
    kept = "".join(row for number, row in enumerate(rows, 1) if number not in numbers)
    lines = [row.rstrip("\r\n") for number, row in enumerate(rows, 1) if number in numbers]
    if after is None:
        return before
    merged = revert(before, kept, after)
    placed = not merged.conflicts and lines_of("\n".join(lines)) <= lines_of(merged.text)
    return merged.text if placed else append_block(after, "\n".join(lines))


def _without(text: str, hashes: Collection[str]) -> str:
    return remove_lines(text, [(entry.start, entry.end) for entry in entries(text) if digest(entry.text) in hashes])


def close_items(workspace: WorkspaceBase, landing: str = "") -> None:
    """Close the items that have nothing left to do in the files of HEAD, but for the one that is just `landing`."""
    for item in _items(workspace):
        if item.id != landing and _is_settled(workspace, item):
            workspace.store.decide(item.id, "closed", workspace.now())


def _is_settled(workspace: WorkspaceBase, item: Item) -> bool:
    """Return whether HEAD has the lines that the item adds, and no line out of force that it removes."""
    path = next((path for path in item.paths if path != sidecar.PATH), None)
    if path is None:
        return False
    base, then = (lines_of(text or "") for text in item.texts[path])
    head = lines_of(loosely(repository.read(workspace.repo, workspace.head, path)))
    is_removed = not (base - then) & head
    if not is_removed and sidecar.PATH in item.texts:
        wanted = sidecar.parse(item.texts[sidecar.PATH][1] or "").values()
        ids = {row.id for row in wanted if row.status == "tombstone" and row.file == path}
        is_removed = not any(row.id in ids and row.status == "superseded" for row in workspace.rows().values())
    missing = then - base - head
    return is_removed and (not missing or _stand_elsewhere(workspace, item, missing))


def _stand_elsewhere(workspace: WorkspaceBase, item: Item, lines: Collection[str]) -> bool:
    """Return whether all these lines came to other files after the item was opened."""
    keys = {digest(entry.text) for line in lines for entry in entries(line)}
    with workspace.open_table() as table:
        births = ([row.birth.date for row in table.find_by_key(key) if row.birth and row.birth.date] for key in keys)
        return bool(keys) and all(any(datetime.fromisoformat(day) >= item.opened for day in days) for days in births)


def _items(workspace: WorkspaceBase) -> list[Item]:
    """Return the restore items that wait."""
    return [item for item in workspace.store.read_items("open", kind="restore") if item.edits]
