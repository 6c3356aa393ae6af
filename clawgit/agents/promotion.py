"""Moves notes of the journals to core memory."""

import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from pathlib import PurePosixPath

from msgspec.structs import replace

from clawgit.agents.entry_placement import without
from clawgit.agents.promoting.journal_notes import source
from clawgit.agents.promoting.promotion_candidates import Candidate, Found, Wanted, gather
from clawgit.agents.protocol.line_claims import AskedOnce, Say, asked_once
from clawgit.errors import ClawgitError, Command, UsageError, path_role
from clawgit.git import paths
from clawgit.language import logic
from clawgit.safety import binding, hidden_text, injection, secrets
from clawgit.text import confidence, document
from clawgit.text.edit import append_under, bullet
from clawgit.text.entry import digest, entries, entry_id, new_id, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.evidence_pointer import format as pointer
from clawgit.workspace import manifest, rendered_views, run_ledger
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS
from clawgit.workspace.planning import MovedError
from clawgit.workspace.workspace import Workspace

_ATTEMPTS = 5
_LONGEST_TITLE = 40
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
    files, moved = _written(workspace, [one for one in candidates if not one.held])
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
        one if one.held or digest(one.entry) in there else replace(one, held="would not stand as a bullet")
        for one in found.candidates
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
    moved, topics = [], _topics(wanted := list(wanted))
    for one in wanted:
        if one.to not in before:
            before[one.to] = workspace.read(one.to)
        text = after.get(one.to, before[one.to])
        more = _with(one, text, topics, central=one.to in workspace.memory_files)
        if _bullets(text or "") | {normalise(one.entry)} <= _bullets(more):
            after[one.to] = more
            moved.append(one)
    return [Edit(path, before[path], text) for path, text in sorted(after.items())], moved


def _topics(wanted: Iterable[Candidate]) -> frozenset[str]:
    """Return the titles of new sections that a voice gives to several notes, folded; one note makes no topic."""
    named = Counter(one.chosen.topic.casefold() for one in wanted if one.chosen and one.chosen.topic)
    return frozenset(title for title, many in named.items() if many > 1 and _fit(title))


def _fit(title: str) -> bool:
    """Tell whether a title is short and plain, and makes no rules of what stands below it."""
    if len(title) > _LONGEST_TITLE or not title.replace(" ", "").isprintable() or title[:1] in "#-*+>":
        return False
    if hidden_text.scan(title) or injection.scan(title) or secrets.scan(title):
        return False
    return not _ruling(title)


def _ruling(title: str) -> bool:
    """Tell whether what stands below a title is read as a rule."""
    return any(binding.binds(one, notes=True) for one in binding.said(f"## {title}\n\n- a b c d.\n"))


def _with(one: Candidate, text: str | None, topics: frozenset[str], *, central: bool) -> str:
    """Return the text of a file with a note at the end of the section that it belongs in."""
    title = "Memory" if central else PurePosixPath(one.to).stem.replace("-", " ").title()
    section = _section(one, text or "") or _new(one, topics, central=central)
    return append_under(
        text or f"# {title}\n", section or (SECTIONS[one.tag] if central else title), _block(one), create=True
    )


def _new(one: Candidate, topics: frozenset[str], *, central: bool) -> str:
    topic = one.chosen.topic if one.chosen else ""
    return topic[:1].upper() + topic[1:] if central and topic.casefold() in topics else ""


def _section(one: Candidate, text: str) -> str:
    """Return the title of the section of a file that a note belongs in, "" where none is sure to be it.

    That is the one that a voice names, else the one all of whose words stand in the headings and words of the note. A
    section of rules takes no note that is not the operator's.
    """
    heads = [head.title for head in document.sections(text) if head.level > 1]
    free = [title for title in heads if heads.count(title) == 1 and (one.origin == "operator" or not _ruling(title))]
    topic = one.chosen.topic.casefold() if one.chosen else ""
    if named := next((title for title in free if topic and title.casefold() == topic), ""):
        return named
    above = " ".join(one.note.entry.section[1:])
    isos = logic.languages(above, one.words)
    headed, said = logic.content(above, isos), logic.content(f"{above} {one.words}", isos)
    found = {title: logic.content(title, isos) for title in free}
    fits = [
        title for title, words in found.items() if words <= said and (len(words) > 1 or (words and words <= headed))
    ]
    return max(fits, key=lambda title: len(found[title]), default="")


def _bullets(text: str) -> set[str]:
    return {normalise(one.text) for one in entries(text) if one.kind == "bullet"}


def _block(one: Candidate) -> str:
    lines = bullet(one.entry, one.tag if one.tag != _PLAIN else None) + "\n"
    return lines + "".join(f"  {row}" if row.strip() else row for row in one.note.nested.splitlines(keepends=True))


def _taken(workspace: Workspace, wanted: list[Candidate]) -> list[Edit]:
    """Return the edits of the journals: the notes leave them (memory tiers: `--apply` removes them there)."""
    spans: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for one in wanted:
        spans[one.note.path].append((one.note.start, one.note.end))
    before = {path: workspace.read(path) or "" for path in spans}
    return [Edit(path, before[path], without(before[path], some)) for path, some in sorted(spans.items())]


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
