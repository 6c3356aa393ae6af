"""Tells whether two memories contradict each other."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.running import View
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.history import blame
from clawgit.git.repository import Oid
from clawgit.language import detect, lexicon, logic, tense
from clawgit.language.values import is_unit, unit_words
from clawgit.text import document
from clawgit.text.edit import is_link
from clawgit.text.entry import Entry, digest, entries, entry_id
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.evidence_pointer import format as pointing
from clawgit.text.sameness.note import NEGATIONS, QUANTIFIERS, Reading, bag, read, temporal
from clawgit.text.sameness.note_comparison import compare, leftovers
from clawgit.workspace import dumped_text, file_contents, file_roles, write_guard
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.entries import Row
from clawgit.workspace.entry_association import free_id
from clawgit.workspace.host import openclaw_files as host_files
from clawgit.workspace.workspace import Workspace

_MARKS = frozenset((",", "and"))
_DENIALS = NEGATIONS | bag("不 没 沒 無 无 未 非 否 别 勿 안 못 않 아니다")
_MODALS = bag("must may can should might could would will need shall muss darf kann soll debe puede doit peut")
_SMALL = bag("do does did to be the now one anymore any 's of for at in on was have am im um bei zu =")
_KANA = re.compile("[\u3041-\u309f要是会能可以必须地하]+")
_DONE = re.compile(
    r"[a-z-]{3,}ed|(?:ab|an|auf|aus|ein|um|zu)?ge[a-zäöü]{2,}(?:t|en)|[a-zäöü]{2,}iert|[a-zñ]{3,}(?:ó|aron|ieron)"
)
_CALENDAR = "DMY"


class Judgement(Struct, frozen=True):
    """Whether two notes contradict each other, whether they are `alike` enough to be looked at, and why, in words."""

    contradicts: bool
    alike: bool = False
    reasons: tuple[str, ...] = ()


def judge(one: str, other: str) -> Judgement:
    """Compare two notes: all else being said alike, one number, date or name is another, or one denies the other.

    What has happened may happen again with another value, so of that only a denial counts.
    """
    verdict = compare(one, other)
    if verdict.relation != "conflict":
        return Judgement(contradicts=False)
    return Judgement(_clash(one, other), alike=True, reasons=verdict.reasons)


def _clash(one: str, other: str) -> bool:
    here, there = read(one), read(other)
    if here.day and there.day and here.day != there.day:
        return False
    left, right = _without_inflected(*leftovers(here.words, there.words))
    if _denies(left) != _denies(right):
        return all(_light(word) or word in _DENIALS or word in _MODALS for word in (*left, *right))
    isos = logic.languages(one, other)
    if _done(one, here, isos) or _done(other, there, isos):
        return False
    left, right = ([word for word in words if not _light(word)] for words in (left, right))
    kinds = {_kind(word, here) for word in left}, {_kind(word, there) for word in right}
    if not left or not right or kinds[0] != kinds[1] or "" in kinds[0] or len(kinds[0] - {"unit"}) > 1:
        return False
    rows = _row(here), _row(there)
    named = kinds[0] == {"name"}
    return all(_said_of_one(row, own, isos, named=named) for row, own in zip(rows, (left, right), strict=True))


def _without_inflected(left: list[str], right: list[str]) -> tuple[list[str], list[str]]:
    """Return words without those that both sides have, but for an `s` at the end: eats and eat."""
    mine, theirs = ({word + "s" for word in words if word.isalpha()} for words in (left, right))
    pairs = {(word, word + "s") for word in left if word + "s" in right}
    pairs |= {(word, word[:-1]) for word in left if word in theirs and word not in mine}
    return [word for word in left if word not in dict(pairs)], [w for w in right if w not in {b for _, b in pairs}]


def _row(note: Reading) -> list[str]:
    return [word for word in note.marked if word not in _MARKS]


def _denies(words: Iterable[str]) -> bool:
    some = set(words)
    return bool(_DENIALS & some) or some >= {"な", "い"}


def _light(word: str) -> bool:
    """Return whether a word says nothing by itself."""
    return word in _SMALL or bool(_KANA.fullmatch(word))


def _done(text: str, note: Reading, isos: tuple[str, ...]) -> bool:
    """Return whether a note tells of what has been."""
    return tense.past(text, isos) is True or any(map(_DONE.fullmatch, note.words))


def _kind(word: str, note: Reading) -> str:
    """Return what kind of value a word is, "" for none."""
    if (word[0] == "#" and len(word) > 1) or (word[0] == "o" and word[1:].isdigit()) or word in QUANTIFIERS - {"都"}:
        return "number"
    if temporal(word):
        return "calendar" if word[0] in _CALENDAR else "time"
    if word.startswith("u:"):
        return "unit"
    return "name" if word in note.names or re.search(r"[\d@/]", word) else ""


def _said_of_one(row: Sequence[str], own: Sequence[str], isos: tuple[str, ...], *, named: bool) -> bool:
    """Return whether words that are a note's own stand in one place, and say something of what stands before it."""
    at = sorted(max((n for n, word in enumerate(row) if word == wanted), default=-1) for wanted in own)
    if at[0] < 1 or any(not _light(row[n]) and row[n] not in own for n in range(at[0], at[-1])):
        return False
    before, behind = ([word for word in some if not _light(word)] for some in (row[: at[0]], row[at[-1] + 1 :]))
    linked = _light(row[at[0] - 1]) or any(row[at[0] - 1] in lexicon.words(iso, "search", "small") for iso in isos)
    if detect.eastern("".join(row)):
        return bool(before)
    alone = linked and all(is_unit(word) or temporal(word) or word in unit_words() for word in behind)
    return (len(before) > 1 or (bool(before) and alone)) and (linked or not named)


JOURNALS = timedelta(days=30)
_LONGEST = 160
_CLOCK = re.compile(r"\d{1,2}:\d{2}\s+(?:[-–—]\s+)?")  # noqa: RUF001 - dashes


class Held(Struct, frozen=True):
    """A memory: its file, its entry there, and its row, or the one that it would have."""

    path: str
    entry: Entry
    row: Row

    @property
    def text(self) -> str:
        """What it says, on one line, as CONFLICTS.md may show it."""
        return write_guard.cleaned(one_line(self.entry.text))

    @property
    def key(self) -> str:
        """The hash of what it says."""
        return digest(self.text)

    @property
    def tag(self) -> str:
        """Its primary tag."""
        return self.entry.tag or self.row.tag

    @property
    def told(self) -> str:
        """What is compared: a line of a journal without its time of day."""
        return _CLOCK.sub("", self.entry.text, count=1) if file_roles.journal_day(self.path) else self.entry.text

    @property
    def in_force(self) -> bool:
        """Whether nothing has put it out of force yet; what stands there again after an undo is no tombstone."""
        return self.row.status != "superseded" and "superseded" not in self.entry.status

    @property
    def is_logged(self) -> bool:
        """Whether it is a bare line of a journal, which clawgit made no memory of."""
        return not self.tag and file_roles.journal_day(self.path) is not None

    def pointer(self, text: str) -> str:
        """Return the evidence that points here, in the file that says `text`."""
        said = one_line("".join(document.split(text)[self.entry.start - 1 : self.entry.end]))
        quote = shorten(one_line(self.entry.text), _LONGEST).removesuffix("…")
        known = quote if quote and quote in said and write_guard.cleaned(quote) == quote else None
        return pointing(Pointer("lines", self.path, self.entry.start, self.entry.end, quote=known))


def clashing(one: Held, other: Held) -> Judgement:
    """Return what rules say of two notes: nothing unless a memory with a tag is one of them, and no log the other.

    What stands in journals otherwise is a log, in which a number is another one each day.
    """
    if not (one.tag or other.tag) or one.is_logged or other.is_logged:
        return Judgement(contradicts=False)
    return judge(one.told, other.told)


def held(view: View, path: str) -> Iterator[Held]:
    """Yield the bullets of a file that say something, each with its row."""
    every = view.rows()
    rows = {row.hash: row for row in sorted(every.values(), reverse=True) if row.file == path}
    for one in entries(view.read(path) or ""):
        if one.kind == "bullet" and not is_link(one.text):
            name = digest(one.text)
            bare = Row(free_id(every, path, one.text, one.ordinal), path, name, one.tag or "", "unknown")
            yield Held(path, one, rows.get(name, bare))


class Pool:
    """The memories of some files; read anew where a file is not as it was left."""

    def __init__(self, view: View, paths: Iterable[str]) -> None:
        self._texts: dict[str, str | None] = {}
        self._held: dict[str, dict[str, Held]] = {}
        for path in paths:
            self._read(view, path)

    def __iter__(self) -> Iterator[Held]:
        return (one for some in self._held.values() for one in some.values())

    def find(self, view: View, wanted: Held) -> Held | None:
        """Return a memory as it stands by now, None where it is gone or out of force."""
        if view.read(wanted.path) != self._texts[wanted.path]:
            self._read(view, wanted.path)
        found = self._held[wanted.path].get(digest(wanted.entry.text))
        return found if found and found.in_force else None

    def left(self, change: Change) -> None:
        """Take note of what becomes of the files and rows with a change that moves no line."""
        for edit in change.edits:
            if isinstance(edit, Edit) and edit.path in self._texts:
                self._texts[edit.path] = edit.text
        for row in change.rows:
            some = self._held.get(row.file, {})
            if row.hash in some:
                some[row.hash] = replace(some[row.hash], row=row)

    def _read(self, view: View, path: str) -> None:
        self._texts[path] = view.read(path)
        self._held[path] = {digest(one.entry.text): one for one in reversed(list(held(view, path)))}
        self._held[path] = dict(reversed(self._held[path].items()))


def places(workspace: Workspace, since: date) -> tuple[str, ...]:
    """Return the files that are compared: the memory files, and the journals from a day on."""
    journals = (place.relative_to(workspace.root).as_posix() for place in (workspace.root / "memory").glob("**/*.md"))
    young = (path for path in journals if (day := file_roles.journal_day(path)) and day >= since)
    said = (path for path in young if not _dumped(workspace.root / path, path))
    return (*workspace.memory_files, *sorted(said))


def _dumped(place: Path, path: str) -> bool:
    """Return whether a file holds a conversation that OpenClaw left there; who said what in it nobody knows."""
    try:
        return dumped_text.may_be_dump(path) and dumped_text.is_dump(path, host_files.head(place, dumped_text.HEAD))
    except OSError:
        return False


def old(workspace: Workspace, paths: tuple[str, ...], since: datetime) -> frozenset[str]:
    """Return the hashes of what these files said at a moment, as git has it."""
    commit = history.at(workspace.repo, since) if workspace.head else None
    if commit is None:
        return frozenset()
    return frozenset(
        digest(entry.text) for path in paths for entry in entries(_then(workspace, commit, path)) if entry.text
    )


def _then(workspace: Workspace, commit: Oid, path: str) -> str:
    try:
        return file_contents.decoded(path, repository.read(workspace.repo, commit, path)) or ""
    except ClawgitError:  # what was broken then said nothing
        return ""


def dated(workspace: Workspace, one: Held) -> date:
    """Return since when a memory says what it says: the journal's day, the row's first mention, else git's."""
    day = file_roles.journal_day(one.path)
    if day:
        return day
    if one.row.first and one.row.id == entry_id(one.path, one.entry.text, one.entry.ordinal):
        return one.row.first
    try:
        blamed = blame(workspace.repo, one.path, span=(one.entry.start, one.entry.start))
    except ClawgitError:
        return workspace.now().date()
    commit = blamed[0].commit if blamed else None
    return history.commit(workspace.repo, commit).date.date() if commit else workspace.now().date()
