"""Moves notes of the journals to core memory."""

import contextlib
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from pathlib import PurePosixPath

from msgspec.structs import replace

from clawgit.agents.line_claims import AskedOnce, Say, asked_once
from clawgit.agents.promoting.journal_notes import source
from clawgit.agents.promoting.promotion_candidates import Candidate, Found, Wanted, gather
from clawgit.errors import ClawgitError, Command, UsageError, path_role
from clawgit.git import paths
from clawgit.text import confidence
from clawgit.text.edit import append_under, bullet
from clawgit.text.entry import digest, entries, entry_id, new_id, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.evidence_pointer import format as pointer
from clawgit.text.line_edits import without_lines
from clawgit.workspace import manifest, rendered_views, run_ledger
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS
from clawgit.workspace.planning import MovedError
from clawgit.workspace.workspace import Workspace

_ATTEMPTS = 5
_PLAIN = "knowledge"
"""The tag of what is nothing more special: the sidecar has it, and the line need not."""
AGENT = "memory-compactor"
"""Whose rights it has: moving notes between tiers is the compactor's."""


def review(workspace: Workspace, now: datetime, say: Say | None = None) -> Found:
    """Return the candidates of the last seven days, for the weekly report; nothing is written."""
    return gather(workspace, Wanted(), now, say)


def voice(workspace: Workspace) -> AskedOnce | None:
    """Return the voice that orders, None where the score does. Raises ModelError for half a configuration."""
    return asked_once(workspace)


def target(workspace: Workspace, path: str) -> str:
    """Return the file that everything is to go to. Raises UsageError for what is no core memory."""
    try:
        place = paths.check(path)
    except ClawgitError as exc:
        raise UsageError(exc.key, f"--target: {exc.message}", fix=_FIX) from exc
    if not place.endswith(".md") or manifest.kind(place, workspace.memory_file) != "memory":
        raise path_role(f"--target: {place} is not core memory: the memory file, or undated below memory/", fix=_FIX)
    workspace.read(place)
    return place


_FIX = Command("clawgit memory promote --target memory/legal.md")


def change(workspace: Workspace, candidates: Iterable[Candidate]) -> Change | None:
    """Return the change that moves the candidates from their journals, None without any.

    Each is cited as it stood there; its words go to its file, with their entry in the sidecar. One that nobody could
    read where it would stand stays where it is.
    """
    files, moved = _written(workspace, [candidate for candidate in candidates if not candidate.held])
    if not moved:
        return None
    name = new_id()
    return Change(
        _subject(moved),
        "Found in the journals as worth keeping for good.",
        (*files, *_taken(workspace, moved)),
        tuple(pointer(Pointer("lines", one.note.path, one.note.start, one.note.end)) for one in moved),
        "agent",
        AGENT,
        tuple(_row(one, name) for one in moved),
        id=name,
    )


def apply(workspace: Workspace, wanted: Wanted, say: Say | None = None) -> tuple[Found, Change | None, Applied | None]:
    """Move what is wanted, in one commit; return what was found, and what became of it, None where nothing is to do.

    Where somebody else changes the same place meanwhile, or what he wrote is healed first, it is looked for again. It
    is a run in the ledger, so that `clawgit undo --run` takes it back.
    """
    started = workspace.now().isoformat()
    for attempt in range(_ATTEMPTS):
        found = gather(workspace, wanted, workspace.now(), say)
        moved = change(workspace, found.candidates)
        if moved is None:
            break
        try:
            applied = workspace.apply(moved)
        except MovedError:
            if attempt == _ATTEMPTS - 1:
                raise
        else:
            _note(workspace, started, found, moved, applied)
            return _told(found, moved), moved, applied
    return found, None, None


def _note(workspace: Workspace, started: str, found: Found, moved: Change, applied: Applied) -> None:
    """Note the run, and tell of it in the compaction log; it has landed, so that nothing may fail it any more."""
    committed = (applied.commit,) if applied.commit else ()
    ended = workspace.now().isoformat()
    ran = run_ledger.Ran(AGENT, started, ended, found.read, len(moved.rows), committed, notes=(moved.subject,))
    with contextlib.suppress(OSError, ClawgitError):
        run_ledger.note(workspace.store, ran)
        rendered_views.again(workspace)


def _told(found: Found, moved: Change) -> Found:
    """Return what was found, with what could not be moved held back."""
    there = {row.hash for row in moved.rows}
    told = [
        candidate
        if candidate.held or digest(candidate.entry) in there
        else replace(candidate, held="would not stand as a bullet")
        for candidate in found.candidates
    ]
    return replace(found, candidates=told)


def _subject(wanted: list[Candidate]) -> str:
    files = sorted({one.to for one in wanted})
    where = files[0] if len(files) == 1 else f"{len(files)} files"
    return f"memory: promoted {len(wanted)} note{'' if len(wanted) == 1 else 's'} to {where}"


def _written(workspace: Workspace, wanted: Iterable[Candidate]) -> tuple[list[Edit], list[Candidate]]:
    """Return the edits of core memory, one for each file, and the candidates that they hold."""
    before: dict[str, str | None] = {}
    after: dict[str, str] = {}
    moved = []
    for one in wanted:
        if one.to not in before:
            before[one.to] = workspace.read(one.to)
        text = after.get(one.to, before[one.to])
        more = _with(one, text, central=one.to in workspace.memory_files)
        if _bullets(text or "") | {normalise(one.entry)} <= _bullets(more):
            after[one.to] = more
            moved.append(one)
    return [Edit(path, before[path], text) for path, text in sorted(after.items())], moved


def _with(one: Candidate, text: str | None, *, central: bool) -> str:
    """Return the text of a file with a note at the end of its section: that of its tag in the memory file."""
    title = "Memory" if central else PurePosixPath(one.to).stem.replace("-", " ").title()
    section = SECTIONS[one.tag] if central else title
    return append_under(text or f"# {title}\n", section, _block(one), create=True)


def _bullets(text: str) -> set[str]:
    return {normalise(entry.text) for entry in entries(text) if entry.kind == "bullet"}


def _block(one: Candidate) -> str:
    lines = bullet(one.entry, one.tag if one.tag != _PLAIN else None) + "\n"
    return lines + "".join(f"  {row}" if row.strip() else row for row in one.note.nested.splitlines(keepends=True))


def _taken(workspace: Workspace, wanted: list[Candidate]) -> list[Edit]:
    """Return the edits of the journals: the notes leave them (memory tiers: `--apply` removes them there)."""
    spans: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for one in wanted:
        spans[one.note.path].append((one.note.start, one.note.end))
    before = {path: workspace.read(path) or "" for path in spans}
    return [Edit(path, before[path], without_lines(before[path], some)) for path, some in sorted(spans.items())]


def _row(one: Candidate, change: str) -> Row:
    return Row(
        entry_id(one.to, one.entry),
        one.to,
        digest(one.entry),
        one.tag,
        one.origin,
        confidence.base(one.origin),
        one.note.day,
        one.note.day,
        frozenset({change}),
        sources=frozenset({source(one.note)}),
    )
