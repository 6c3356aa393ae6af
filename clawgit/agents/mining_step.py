"""Makes changes of what a step found."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import cast

from msgspec import Struct, field

from clawgit.agents.entry_placement import Placed, place
from clawgit.agents.known_memories import LESSONS
from clawgit.agents.known_memories import Entry as KnownEntry
from clawgit.agents.reading_by_rules import Found, Ground, Step
from clawgit.agents.running import View
from clawgit.errors import Advice, batch_ambiguous
from clawgit.reading.explicit_requests import Finding
from clawgit.text import confidence
from clawgit.text.edit import bullet
from clawgit.text.entry import digest, entries, named, normalise
from clawgit.text.sameness.note_comparison import compare
from clawgit.workspace import commit_message, memory
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS

REMEMBERED = "Remembered"
_SWALLOW = ("```", "~~~", "<")
_ORDER = tuple(SECTIONS.values())
_LISTED, _CITED = 20, 250
_SHORT, _SUBJECT = 8, 60


class Part(Struct, frozen=True):
    """What one commit holds: memories added or mentioned again, notes, lessons."""

    origin: Origin
    rows: Mapping[str, Row] = field(default_factory=dict)
    added: Mapping[str, Found] = field(default_factory=dict)
    again: tuple[Found, ...] = ()
    notes: tuple[Found, ...] = ()
    lessons: tuple[Found, ...] = ()


def parts(step: Step) -> Iterator[Part]:
    """Yield a part for the lessons, and for each origin, what the operator said first, as many as it takes."""
    if step.lessons:
        yield Part(_weakest(step.lessons), lessons=tuple(step.lessons))
    origins = {row.origin for row in step.rows.values()} | {note.heard.origin for note in step.notes}
    for origin in sorted(origins, key=lambda one: (one != "operator", one)):
        keys = [key for key, row in step.rows.items() if row.origin == origin]
        notes = [note for note in step.notes if note.heard.origin == origin]
        for at in range(0, max(len(keys), len(notes)), _CITED):
            rows = {key: step.rows[key] for key in keys[at : at + _CITED]}
            yield Part(
                cast("Origin", origin),
                rows,
                {key: step.added[key] for key in rows if key in step.added},
                tuple(step.mentions[key] for key in rows if key in step.mentions),
                tuple(notes[at : at + _CITED]),
            )


def change(view: View, part: Part, ground: Ground, agent: str) -> Change:
    """Return the change that a part comes to, on what stands in the files by now."""
    found = (*part.added.values(), *part.notes, *part.lessons)
    edits = (*_memory(view, ground.path, part), *_journals(view, part.notes), *_lessons(view, ground, part.lessons))
    room = ground.lessons.removesuffix(".md").lower() if part.lessons else "memory" if part.rows else "journal"
    notes = ((note, *_note(view, note)[:2]) for note in part.notes)
    listed = ((lesson, ground.lessons, lesson.finding.text) for lesson in part.lessons)
    rows = (*part.rows.values(), *(_row(one, path, text, ground.today) for one, path, text in (*notes, *listed)))
    known = view.rows()
    return Change(
        _subject(room, found, part.again),
        _reasons(found),
        edits,
        _evidence((*found, *part.again)),
        part.origin,
        agent,
        rows=rows,
        drops=tuple(key for key in part.added if key in known),
    )


def _memory(view: View, path: str, part: Part) -> Iterator[Edit]:
    if not part.added:
        return
    before = view.read(path)
    text = before or "# Memory\n"
    rows = {row.hash: row for row in view.rows().values() if row.file == path and row.status != "tombstone"}
    known = ((entry, rows.get(digest(entry.text))) for entry in entries(text))
    here = (KnownEntry(one.text, row, one.start) for one, row in known if row)
    keys = {one.start: one.key for one in here if one.ours}
    new = [_placed(one.finding, KnownEntry(one.finding.text, part.rows[key])) for key, one in part.added.items()]
    after = place(text, new, keys, _ORDER)
    _require_readable(path, after, (one.finding.text for one in part.added.values()))
    yield Edit(path, before, after, exact=True)


def _require_readable(path: str, after: str, texts: Iterable[str]) -> None:
    """Raise ClawgitError if nobody could read an entry where it would stand."""
    if not any(mark in after for mark in _SWALLOW):
        return
    there = {digest(entry.text) for entry in entries(after) if entry.kind == "bullet"}
    if any(digest(text) not in there for text in texts):
        words = f"{path}: a code block or comment is left open, and would swallow what is added"
        raise batch_ambiguous(words, fix=Advice(f"close it in {path}"))


def _row(found: Found, path: str, text: str, today: date) -> Row:
    """Return the row of a line that is no memory: by its name a run knows that it was noted before."""
    heard, day = found.heard, found.heard.day or today
    sure, mention = confidence.base(heard.origin), frozenset({heard.mention})
    return Row(_name(found), path, digest(text), found.finding.tag, heard.origin, sure, day, day, mention)


def _name(found: Found) -> str:
    return named("\0".join((found.finding.kind, found.heard.message, normalise(found.finding.text))))


def _placed(finding: Finding, entry: KnownEntry) -> Placed:
    return Placed(SECTIONS[finding.tag], entry.key, bullet(finding.text, finding.tag))


def is_listed(view: View, lessons: str, found: Found) -> bool:
    """Return whether a note or a lesson stands where it belongs, or stood there and was taken out."""
    if _name(found) in view.rows():
        return True
    if found.finding.kind == "lesson":
        there = entries(view.read(lessons) or "")
        return any(compare(one.text, found.finding.text).relation == "same" for one in there)
    path, text, _ = _note(view, found)
    return any(entry.text == _read(text) for entry in entries(view.read(path) or ""))


def _read(text: str) -> str:
    """Return a line as it is read once it is written; in other letters or with another end it is another line.

    Which of two that only look alike comes first is chance, and must not decide which of them stands.
    """
    return next((entry.text for entry in entries(bullet(text) + "\n")), text)


def _journals(view: View, notes: Iterable[Found]) -> Iterator[Edit]:
    """Yield the edit of each journal that something is noted in: of the day when it was said (A3)."""
    by_path: dict[str, list[tuple[str, date]]] = {}
    for path, text, day in (_note(view, note) for note in notes):
        by_path.setdefault(path, []).append((text, day))
    for path, said in sorted(by_path.items()):
        yield from _listed(view, path, REMEMBERED, [text for text, _ in said], memory.birth(said[0][1]))


def _note(view: View, found: Found) -> tuple[str, str, date]:
    """Return the journal that a note goes to, the line that it becomes there, and the day."""
    now, text = view.workspace.now(), found.finding.text
    if found.heard.time is None:
        return view.workspace.journal_path(now.date()), text, now.date()
    when = datetime.fromtimestamp(found.heard.time, now.tzinfo)
    return view.workspace.journal_path(when.date()), f"{when:%H:%M} {text}", when.date()


def _listed(view: View, path: str, section: str, texts: Iterable[str], birth: str) -> Iterator[Edit]:
    """Yield the edit that adds what a section does not list yet, in the order of the words."""
    before = view.read(path)
    text = before if before is not None else birth
    there = [entry for entry in entries(text) if entry.kind == "bullet"]
    known = {one.text for one in there}
    new = {one for one in texts if _read(one) not in known}
    if new:
        keys = {one.start: ("", one.text) for one in there if section in one.section}
        placed = (Placed(section, ("", one), bullet(one)) for one in new)
        yield Edit(path, before, place(text, placed, keys, (section,)), exact=True)


def _lessons(view: View, ground: Ground, lessons: Sequence[Found]) -> Iterator[Edit]:
    if lessons:
        birth = f"# {ground.lessons.removesuffix('.md')}\n"
        yield from _listed(view, ground.lessons, LESSONS, [lesson.finding.text for lesson in lessons], birth)


def _weakest(found: Iterable[Found]) -> Origin:
    origins = {one.heard.origin for one in found}
    return origins.pop() if len(origins) == 1 else "agent"


def _subject(room: str, found: Sequence[Found], again: Sequence[Found]) -> str:
    if len(found) == 1:
        return f"{room}: {commit_message.shorten(commit_message.one_line(found[0].finding.text), _SUBJECT)}"
    said = found or again
    sessions = {one.heard.session for one in said if one.heard.session}
    where = f" from session {sessions.pop()[:_SHORT]}" if len(sessions) == 1 else f" from {len(sessions)} sessions"
    verb = "learnt" if found else "mentioned again"
    return f"{room}: {len(said)} {verb}{where if said[0].heard.session else ''}"


def _reasons(found: Sequence[Found]) -> str:
    rows = [f"- {one.finding.text}{_differs(one)}" for one in found[:_LISTED]]
    more = [f"and {len(found) - _LISTED:,} more"] if len(found) > _LISTED else []
    return "\n".join((*rows, *more))


def _differs(one: Found) -> str:
    return f" (may contradict {one.differs.row.id}: {commit_message.one_line(one.differs.text)})" if one.differs else ""


def _evidence(found: Iterable[Found]) -> tuple[str, ...]:
    pointers = (one.evidence for one in found)
    return tuple(dict.fromkeys(pointer for pointer in pointers if pointer))[:_CITED]
