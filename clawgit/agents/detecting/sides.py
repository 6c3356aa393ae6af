"""The memories that are held against each other."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.view import View
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.blame import blame
from clawgit.git.repository import Oid
from clawgit.text import lines
from clawgit.text.entry import Entry, entries
from clawgit.text.evidence import Pointer
from clawgit.text.evidence import format as pointing
from clawgit.text.identity import digest, entry_id
from clawgit.workspace import contents, dumped, guard, scope
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.host import files as host_files
from clawgit.workspace.message import one_line, shorten
from clawgit.workspace.workspace import Workspace

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
        return guard.cleaned(one_line(self.entry.text))

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
        return _CLOCK.sub("", self.entry.text, count=1) if scope.journal_day(self.path) else self.entry.text

    @property
    def in_force(self) -> bool:
        """Whether nothing has put it out of force yet; what stands there again after an undo is no tombstone."""
        return self.row.status != "superseded" and "superseded" not in self.entry.status

    def pointer(self, text: str) -> str:
        """Return the evidence that points here, in the file that says `text`."""
        said = one_line("".join(lines.split(text)[self.entry.start - 1 : self.entry.end]))
        quote = shorten(one_line(self.entry.text), _LONGEST).removesuffix("…")
        known = quote if quote and quote in said and guard.cleaned(quote) == quote else None
        return pointing(Pointer("lines", self.path, self.entry.start, self.entry.end, quote=known))


def held(view: View, path: str) -> Iterator[Held]:
    """Yield the bullets of a file, each with its row."""
    rows = {row.hash: row for row in sorted(view.rows().values(), reverse=True) if row.file == path}
    for one in entries(view.read(path) or ""):
        if one.kind == "bullet":
            name = digest(one.text)
            bare = Row(entry_id(path, one.text, one.ordinal), path, name, one.tag or "", "unknown")
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
    journals = (_relative(workspace, place) for place in (workspace.root / "memory").glob("**/*.md"))
    young = (path for path in journals if (day := scope.journal_day(path)) and day >= since)
    said = (path for path in young if not _dumped(workspace.root / path, path))
    return (*workspace.memory_files, *sorted(said))


def _dumped(place: Path, path: str) -> bool:
    """Tell whether a file holds a conversation that OpenClaw left there; who said what in it nobody knows."""
    try:
        return dumped.may_be_dump(path) and dumped.is_dump(path, host_files.head(place, dumped.HEAD))
    except OSError:
        return False


def _relative(workspace: Workspace, place: Path) -> str:
    return place.relative_to(workspace.root).as_posix()


def old(workspace: Workspace, paths: tuple[str, ...], since: datetime) -> frozenset[str]:
    """Return the hashes of what these files said at a moment, as git has it."""
    commit = history.at(workspace.repo, since) if workspace.head else None
    if commit is None:
        return frozenset()
    return frozenset(digest(one.text) for path in paths for one in entries(_then(workspace, commit, path)) if one.text)


def _then(workspace: Workspace, commit: Oid, path: str) -> str:
    try:
        return contents.decoded(path, repository.read(workspace.repo, commit, path)) or ""
    except ClawgitError:  # what was broken then said nothing
        return ""


def dated(workspace: Workspace, one: Held) -> date:
    """Return since when a memory says what it says: the journal's day, the row's first mention, else git's."""
    day = scope.journal_day(one.path)
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
