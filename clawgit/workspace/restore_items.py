"""Items for lines of clawgit's that went or came back."""

import contextlib
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError, quote_shell
from clawgit.git import history, repository
from clawgit.git.history import blame
from clawgit.store.calls import KnownCalls, ToolCall, line_hashes
from clawgit.text import document
from clawgit.text.edit import append_block, remove_lines
from clawgit.text.entry import digest, entries
from clawgit.workspace import commit_message
from clawgit.workspace import entries as sidecar
from clawgit.workspace.capture import Taken, count_lines
from clawgit.workspace.entries import Row
from clawgit.workspace.entry_association import is_watched
from clawgit.workspace.file_contents import lines_of, loosely, text_of
from clawgit.workspace.line_writers import is_clawgits
from clawgit.workspace.merge_rules import place_lines
from clawgit.workspace.stale_writes import reworded_lines, write_and_start
from clawgit.workspace.workspace_base import WorkspaceBase


def offer_items(workspace: WorkspaceBase, intake: Taken) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Open one item for each file in which clawgit's lines went or came back; return their ids, and sentences.

    For removed lines of others there is only the sentence, with the command that restores them.
    """
    items: list[tuple[str, str]] = []
    notes: list[str] = []
    for path in (path for path in intake.changed if is_watched(path) and path not in intake.refused):
        back = [row for row in intake.arrived.values() if row.file == path]
        after = target = text_of(intake.final[path])
        own_lines, others_lines = set[str](), set[str]()
        calls = KnownCalls(workspace.store).list_file_calls(path)
        write, start = write_and_start(calls, repository.hash_blob(intake.files[path] or b""))
        for commit in dict.fromkeys((intake.head, intake.as_of.get(path))):
            before = text_of(repository.read(workspace.repo, commit, path)) or ""
            lost_lines = _list_lost_lines(intake, before, target, back, start)
            own = _clawgits(workspace, commit, path, lost_lines)
            target = _with_lines(before, own, target) if own else target
            own_lines.update(lost_lines[number] for number in own)
            others_lines.update(line for number, line in lost_lines.items() if number not in own)
        if own_lines or back:
            items += _offer_file(workspace, path, (after, target), len(own_lines), back)
        if others_lines and (write or not file_roles.guarded(path)):
            since = (intake.as_of.get(path) or intake.head or "")[:10]
            words = f"{path}: {count_lines(len(others_lines))} of others went"
            notes.append(f"{words}: clawgit restore {quote_shell(path)} --as-of {since}")
    return tuple(name for name, _ in items), (*notes, *(words for _, words in items))


def _list_lost_lines(
    intake: Taken, before: str, after: str | None, back: Collection[Row], start: ToolCall | None
) -> dict[int, str]:
    """Return the lost lines by number; none reworded by a new one that is not `back`, or had been read at `start`."""
    if lines_of(before) <= lines_of(after or ""):
        return {}
    texts = (after or "", *(text_of(data) or "" for data in intake.final.values()))
    elsewhere = set[str]().union(*map(lines_of, texts))
    missing = lines_of(before) - elsewhere
    new_lines = lines_of(_remove_entries(after or "", {row.hash for row in back})) - lines_of(before)
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
        commits = history.read_commits(workspace.repo, [line.commit for line in lines if line.commit])
        return {line.line for line in lines if line.commit and is_clawgits(commits[line.commit])}
    return set()


def _offer_file(
    workspace: WorkspaceBase,
    path: str,
    texts: tuple[str | None, str | None],
    own_count: int,
    back: list[Row],
) -> Iterator[tuple[str, str]]:
    """Open an item with the file as clawgit left it, and yield a sentence; a newer item replaces an older one."""
    after, target = texts
    hashes = {row.hash for row in back}
    target = target if target is None else _remove_entries(target, hashes)
    returned = [entry.text for entry in entries(after or "") if digest(entry.text) in hashes]
    parts = [f"“{commit_message.shorten(commit_message.fold_spaces(text), 30)}” is back" for text in returned[:1]]
    if len(returned) > 1:
        parts = [f"{len(returned)} removed lines are back"]
    parts += [f"{count_lines(own_count)} of clawgit's {'is' if own_count == 1 else 'are'} gone"] if own_count else []
    if not parts:
        return
    title = f"{path}: {', '.join(parts)}"
    edits: dict[str, tuple[str | None, str | None]] = {path: (after, target)}
    if back:
        rows = loosely(repository.read(workspace.repo, workspace.head, sidecar.PATH))
        new_rows = {**sidecar.parse(rows), **{row.id: replace(row, status="tombstone") for row in back}}
        edits[sidecar.PATH] = (rows, sidecar.with_rows(rows, new_rows))
    from clawgit.workspace.inbox import open_restore  # noqa: PLC0415 - most writes take nothing away

    with contextlib.suppress(ClawgitError):  # a secret went: nobody is to bring it back
        reason = "Approval removes what is back and restores what is gone; rejection keeps the file as it is."
        offer = open_restore(workspace, path, edits, f"{file_roles.room(path)}: {title}", reason)
        if not offer.rejected:
            for older in workspace.store.read_items("open", kind="restore"):
                if older.id != offer.id and path in older.paths:
                    workspace.store.decide(older.id, "closed", workspace.now())
            yield offer.id, f"{title}: clawgit show {offer.id}"


def _with_lines(before: str, numbers: set[int], after: str | None) -> str:
    """Return a text with lines of an older one, in their old place if that is known, else at its end."""
    if after is None:
        return before
    lines = [row.rstrip("\r\n") for number, row in enumerate(document.split(before), 1) if number in numbers]
    return place_lines(before, numbers, after) or append_block(after, "\n".join(lines))


def _remove_entries(text: str, hashes: Collection[str]) -> str:
    return remove_lines(text, [(entry.start, entry.end) for entry in entries(text) if digest(entry.text) in hashes])
