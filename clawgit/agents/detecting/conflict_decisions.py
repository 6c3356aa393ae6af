"""Decides which of two memories holds."""

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import errors
from clawgit.agents.detecting.contradiction import Held
from clawgit.agents.running import View
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.text import confidence, conflict, document
from clawgit.text.conflict import TWO_MACHINES, Conflict, Side, Winner
from clawgit.text.correction import Correction
from clawgit.text.document import escape
from clawgit.text.edit import append_under, bullet, insert_line
from clawgit.text.entry import TAGS, Entry, digest, entries, entry_id, is_id, normalise, without_comments
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.evidence_pointer import format as pointing
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.spelling import nearest
from clawgit.workspace import file_roles
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.correction_records import Standing
from clawgit.workspace.entries import Row, Status
from clawgit.workspace.entry_association import free_id
from clawgit.workspace.memory import SECTIONS

_TAG = re.compile(r"[ \t]+#superseded(?=[ \t]|$)", re.IGNORECASE)
_HEAD = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


def marked(text: str, entry: Entry) -> str:
    """Return the text with `#superseded` behind the entry's tags; as it is where the entry cannot take it."""
    rows = document.split(text)
    first, body, rest = _parts(rows, entry)
    after = _joined(rows, entry, f"{first}{body} #superseded{rest}")
    return after if _only_status(text, after, entry, {"superseded"}) else text


def unmarked(text: str, entry: Entry) -> str:
    """Return the text without the entry's `#superseded`."""
    rows = document.split(text)
    first, body, rest = _parts(rows, entry)
    cut = _tags_from(body)
    after = _joined(rows, entry, f"{first}{body[:cut]}{_TAG.sub('', body[cut:])}{rest}")
    return after if _only_status(text, after, entry, set()) else text


def reworded(text: str, entry: Entry, words: str) -> str:
    """Return the text with other words in the entry; marker, tags and comments stay.

    Raises ClawgitError where Markdown could not hold them.
    """
    rows = document.split(text)
    first, body, rest = _parts(rows, entry)
    head = _HEAD.match(first + body)
    cut = _tags_from(body)
    tags = _TAG.sub("", body[cut:]).rstrip()
    after = _joined(rows, entry, f"{head[0] if head else '- '}{escape(words)}{tags}{rest}")
    if "<!--" in words or not any(one.start == entry.start and one.text == words for one in entries(after)):
        raise errors.memory_shape("the text is not one entry", fix=Advice("leave out tags, comments and line breaks"))
    return after


def removed(text: str, entry: Entry) -> str | None:
    """Return the text without the entry, None where others stand below it."""
    there = entries(text)
    at = next((number for number, one in enumerate(there) if one.start == entry.start), len(there))
    if at + 1 < len(there) and there[at + 1].depth > entry.depth:
        return None
    rows = document.split(text)
    del rows[entry.start - 1 : _end(rows, entry)]
    return "".join(rows)


def _end(rows: list[str], entry: Entry) -> int:
    """Return the entry's last line that is not blank."""
    return next(at for at in range(entry.end, 0, -1) if at == entry.start or not document.is_blank(rows[at - 1]))


def _parts(rows: list[str], entry: Entry) -> tuple[str, str, str]:
    """Return the lines of an entry but for the last, the last without comments, and those with the line's end."""
    end = _end(rows, entry)
    whole = "".join(rows[entry.start - 1 : end])
    kept = without_comments(document.content(whole))
    first, line, last = kept.rpartition("\n")
    return first + line, last, whole[len(kept) :]


def _joined(rows: list[str], entry: Entry, words: str) -> str:
    return "".join((*rows[: entry.start - 1], words, *rows[_end(rows, entry) :]))


def _tags_from(body: str) -> int:
    """Return where the tags at the end of a line begin."""
    known = "|".join((*TAGS, "correction", "conflict", "superseded"))
    match = re.search(rf"(?:[ \t]+#(?:{known}))+[ \t]*$", body, re.IGNORECASE)
    return match.start() if match else len(body)


def _only_status(before: str, after: str, entry: Entry, wanted: Iterable[str]) -> bool:
    """Return whether the entry says what it said, with that status; of what stands around it nothing was touched."""
    status = {*(name for name in entry.status if name != "superseded"), *wanted}
    for text, has in ((before, set(entry.status)), (after, status)):
        rows = document.split(text)
        own = rows[entry.start - 1 : _end(rows, entry)]
        space = len(own[0]) - len(own[0].lstrip(" \t"))
        found = entries("".join(row[space:] if not row[:space].strip() else row for row in own))
        if [(one.text, one.tag, set(one.status)) for one in found] != [(entry.text, entry.tag, has)]:
            return False
    return True


Rule = Literal["correction", "newer by 30 days", "the operator's words", "open"]
_OLDER = timedelta(days=30)
_DATED = frozenset({"event", "knowledge", "decision"})


class Dated(Struct, frozen=True):
    """A memory, and since when it says so."""

    held: Held
    day: date


class Decision(Struct, frozen=True):
    """Which rule applies, which side holds (None: both stay), and the correction that says so."""

    rule: Rule
    winner: Dated | None = None
    evidence: str | None = None


class Corrections:
    """What the operator corrected: `read` returns the records, the oldest first."""

    def __init__(self, read: Callable[[], tuple[Standing, ...]]) -> None:
        self._read = read

    @cached_property
    def _standing(self) -> tuple[Standing, ...]:
        return self._read()

    def of(self, one: Held) -> Standing | None:
        """Return the record that says what a memory says, by its words or its entry; None without one."""
        return next((known for known in reversed(self._standing) if _says(known.record, one)), None)

    def against(self, one: Held) -> bool:
        """Return whether a record calls what a memory says wrong."""
        said = (known.record.said for known in self._standing)
        return any(words and compare(one.entry.text, words).relation == "same" for words in said)


def decide(older: Dated, newer: Dated, known: Corrections) -> Decision:
    """Return what the first rule says that fits (spec §5.4). What came from untrusted sources never wins."""
    corrected = [(one, known.of(one.held)) for one in (older, newer) if _is_correction(one.held, known)]
    if len(corrected) == 1:
        winner, found = corrected[0]
        evidence = (
            pointing(Pointer("correction", found.path, id=found.record.id)) if found and found.record.id else None
        )
        return Decision("correction", winner, evidence)
    tags = {older.held.tag, newer.held.tag}
    fits = not corrected and tags <= _DATED and _is_operators(newer.held)
    if fits and newer.day - older.day >= _OLDER:
        return Decision("newer by 30 days", newer)
    return Decision("open")


def _is_correction(one: Held, known: Corrections) -> bool:
    if not _is_operators(one):
        return False
    return ("correction" in one.entry.status or known.of(one) is not None) and not known.against(one)


def _is_operators(one: Held) -> bool:
    """Return whether the operator is known to have said it: a line that just stands there may be anybody's."""
    return one.row.origin == "operator" and bool(one.row.mentions)


def _says(record: Correction, one: Held) -> bool:
    if not record.true:
        return False
    about = one.row.id in _words(record.fields.get("about", "")) or (record.id and one.row.by == record.id)
    if about and normalise(record.true) in normalise(one.entry.text):
        return True
    return compare(one.entry.text, record.true).relation == "same"


def _words(text: str) -> Iterable[str]:
    return text.replace(",", " ").replace("#", " ").split()


Keep = Literal["a", "b", "both"]
_SUBJECT = 50


def find(text: str, wanted: str) -> Conflict:
    """Return the record whose id begins with `wanted`. Raises ClawgitError naming the nearest ids."""
    known = {one.id: one for one in conflict.conflicts(text)}
    matches = [one for name, one in known.items() if wanted and name.startswith(wanted)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = ", ".join(match.id for match in matches)
        raise errors.id_ambiguous(f"several conflicts begin with {wanted}: {names}", fix=Advice("type more of it"))
    near = nearest(wanted, known)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    raise errors.id_unknown(
        f"no conflict has the id {wanted}{hint}", fix=Command("clawgit inbox --kind {}", "conflict")
    )


def decided(one: Conflict, winner: Winner) -> bool:
    """Return whether a record says so already. Raises ClawgitError where it says something else."""
    if one.open:
        return False
    if one.winner == winner and winner != "merged":
        return True
    words = {"a": "A holds", "b": "B holds", "both": "both stay", "merged": "they were merged", "none": "it is moot"}
    raise errors.already_decided(
        f"{one.id} is resolved already: {words[one.winner]}",
        fix=Command(f"clawgit log {file_roles.CONFLICTS}", note="then clawgit undo CHANGE takes that back"),
    )


class _Draft(Struct):
    """Files and rows as they become."""

    view: View
    texts: dict[str, str] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)

    def text(self, path: str) -> str:
        """Return a file as it becomes."""
        return self.texts.get(path, self.view.read(path) or "")

    def found(self, side: Side) -> Held | None:
        """Return a side as it stands, None when it is gone. Raises ClawgitError when it says something else by now."""
        places = dict.fromkeys((*([side.path] if side.path else []), *self.view.workspace.memory_files))
        there = [one for path in places for one in self._held(path)]
        same = next((one for one in there if digest(one.text) == digest(side.text)), None)
        if same is None and any(is_id(side.id) and one.row.id == side.id for one in there):
            raise errors.memory_changed(
                f"{side.path}: “{shorten(side.text, 60)}” was reworded since",
                fix=Command("clawgit run conflict-detector --apply", note="looks at it again"),
            )
        return same

    def _held(self, path: str) -> Iterable[Held]:
        every = self.view.rows()
        rows = {row.hash: row for row in every.values() if row.file == path}
        for one in entries(self.text(path)):
            bare = Row(free_id(every, path, one.text, one.ordinal), path, digest(one.text), one.tag or "", "unknown")
            yield Held(path, one, rows.get(digest(one.text), bare))

    def status(self, side: Side, status: Status, by: str) -> None:
        """Give a side a status, in its line and its row; nothing where it is gone or has it."""
        one = self.found(side)
        if one is None or (status == "live" and one.in_force):
            return
        if (status == "superseded") != ("superseded" in one.entry.status):
            mark = unmarked if status == "live" else marked
            self.texts[one.path] = mark(self.text(one.path), one.entry)
        self.rows[one.row.id] = replace(one.row, status=status, by=by)

    def edits(self) -> tuple[Edit, ...]:
        """Return what changes in the files."""
        some = ((path, self.view.read(path), text) for path, text in self.texts.items())
        return tuple(Edit(path, before, text) for path, before, text in some if text != (before or ""))


def keep(view: View, one: Conflict, winner: Keep) -> Change:
    """Return the change that closes a conflict: the other side is superseded, or both stay.

    Raises ClawgitError for a winner that is gone, or a side that was reworded since.
    """
    draft, named = _Draft(view), {"a": one.a, "b": one.b}
    if one.b.nothing and winner == "b":
        _drop(draft, one.a, one.id)
        return _change(view, one, draft, winner, "B holds: A is taken out")
    if one.rule == TWO_MACHINES and winner != "a" and draft.found(one.b) is None and (held := draft.found(one.a)):
        return _keep_record(view, one, winner, draft, held)
    for label, side in named.items():
        if side.nothing:
            continue
        stays = winner in (label, "both")
        if stays and draft.found(side) is None:
            act = "clawgit restore {}" if side.id else "clawgit memory add {}"
            restored = Command(act, side.id or side.text)
            raise errors.memory_changed(f"{label.upper()} is gone: “{shorten(side.text, 60)}”", fix=restored)
        draft.status(side, "live" if stays else "superseded", one.id)
    words = "both stay" if winner == "both" else f"{winner.upper()} holds"
    return _change(view, one, draft, winner, words)


def _keep_record(view: View, one: Conflict, winner: Keep, draft: _Draft, held: Held) -> Change:
    """Bring back the line that gave way to a newer one when two machines met: in its place, or below it."""
    text = draft.text(held.path)
    words = reworded(text, held.entry, one.b.text)
    if winner == "b":
        draft.texts[held.path] = words
        draft.rows[held.row.id] = _merged_row(view, replace(held.row, by=one.id), one.b.text, [held])
        return _change(view, one, draft, winner, "B holds")
    rows = document.split(words)
    line = "".join(rows[held.entry.start - 1 : _end(rows, held.entry)])
    draft.texts[held.path] = insert_line(text, _end(document.split(text), held.entry) + 1, line.rstrip("\r\n"))
    return _change(view, one, draft, winner, "both stay")


def dismiss(view: View, record: Conflict) -> Change:
    """Return the change that closes a conflict as none: its sides stay, also if they are reworded or gone."""
    draft = _Draft(view)
    for side in (record.a, record.b):
        with contextlib.suppress(ClawgitError):
            draft.status(side, "live", record.id)
    return _change(view, record, draft, "both", "both stay")


def merge(view: View, one: Conflict, text: str) -> Change:
    """Return the change that puts other words in the place of both sides.

    They stand where the first side stands that is in a memory file, else they become a new memory; lines of journals
    are superseded. Raises ClawgitError where Markdown could not hold them, UsageError without words.
    """
    words = one_line(text)
    if not normalise(words):
        raise errors.text_missing("no merged text", fix=Advice(f'clawgit accept {one.id} --text "…"'))
    draft = _Draft(view)
    found = [(side, held) for side in (one.a, one.b) if (held := draft.found(side))]
    target = next((held for _, held in found if file_roles.journal_day(held.path) is None), None)
    for side, held in found:
        if held != target:
            _drop(draft, side, one.id)
    if target:
        again = draft.found(next(side for side, held in found if held == target))
        assert again is not None
        live = _live(draft, again)
        draft.texts[live.path] = reworded(draft.text(live.path), live.entry, words)
        draft.rows[live.row.id] = _merged_row(view, replace(live.row, by=one.id), words, (held for _, held in found))
    else:
        _add(draft, words, one.id, [held for _, held in found])
    return _change(view, one, draft, "merged", f"merged into “{shorten(words, 80)}”")


def _live(draft: _Draft, one: Held) -> Held:
    """Take the mark off a side that gave way before."""
    if not one.in_force:
        draft.texts[one.path] = unmarked(draft.text(one.path), one.entry)
    return one


def _drop(draft: _Draft, side: Side, by: str) -> None:
    """Take out the line of a memory file; a journal's, or one with others below it, is superseded."""
    one = draft.found(side)
    if one is None:
        return
    rest = None if file_roles.journal_day(one.path) else removed(draft.text(one.path), one.entry)
    if rest is None:
        draft.status(side, "superseded", by)
    else:
        draft.texts[one.path] = rest
        draft.rows[one.row.id] = replace(one.row, status="superseded", by=by)


def _add(draft: _Draft, words: str, by: str, found: Sequence[Held]) -> None:
    path = draft.view.workspace.memory_file
    tag = next((one.tag for one in found if one.tag in SECTIONS), "knowledge")
    before = draft.view.read(path) or "# Memory\n"
    draft.texts[path] = append_under(before, SECTIONS[tag], bullet(words, tag), create=True)
    name = entry_id(path, words)
    draft.rows[name] = _merged_row(draft.view, Row(name, path, "", tag, by=by), words, found)


def _merged_row(view: View, row: Row, words: str, found: Iterable[Held]) -> Row:
    today = view.workspace.now().date()
    sure = confidence.base("operator")
    first = today if row.hash != digest(words) else row.first
    sources = row.sources.union(*({one.row.id, *one.row.sources} for one in found)) - {row.id}
    row = replace(row, hash=digest(words), origin="operator", confidence=sure, status="live", sources=sources)
    return replace(row, first=first, last=today)


def _change(view: View, one: Conflict, draft: _Draft, winner: Winner, words: str) -> Change:
    when = f"{view.workspace.now():%Y-%m-%d %H:%M}"
    draft.texts[file_roles.CONFLICTS] = conflict.closed(
        draft.text(file_roles.CONFLICTS), one.id, winner, f"{when} by operator: {words}"
    )
    cited = tuple(_pointers(view, (one.a, one.b)))
    subject = f"memory: conflict {one.id}: {shorten(words, _SUBJECT)}"
    why = f"The operator decided. A: {one.a.text}\nB: {one.b.text}"
    rows: Mapping[str, Row] = draft.rows
    return Change(subject, why, draft.edits(), cited, rows=tuple(rows.values()))


def _pointers(view: View, some: Iterable[Side]) -> Iterable[str]:
    draft = _Draft(view)
    for side in some:
        with contextlib.suppress(ClawgitError):
            if one := draft.found(side):
                yield one.pointer(view.read(one.path) or "")
