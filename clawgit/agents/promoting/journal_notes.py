"""Reads journals as notes."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import date
from textwrap import dedent

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import history
from clawgit.memory.in_force import find_rule, rules_of
from clawgit.safety import hidden_text, injection, secrets
from clawgit.text import document, entry
from clawgit.text.edit import bullet
from clawgit.text.entry import Entry, digest, entries, entry_id
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.sameness.note_reading import Known
from clawgit.workspace import dumped_text, file_roles, manifest, records
from clawgit.workspace.change import Origin
from clawgit.workspace.workspace import Workspace

_LONGEST = 1000
_CLOCK = re.compile(r"\A\d\d:\d\d (?=\S)")
"""What clawgit puts before a note of the day."""
_LEADS = (":", "\uff1a", ":**", ":*", "\uff1a**")
_GRAVITY: tuple[Origin, ...] = ("operator", "agent", "unknown", "untrusted")
_NEAR = 8


class Note(Struct, frozen=True):
    """A bullet or paragraph of a journal with its lines; `nested` are the lines below it, moved to the left as it is.

    `said` are its words without the time of day that clawgit puts before them.
    """

    path: str
    day: date
    entry: Entry
    said: str
    end: int
    nested: str = ""

    @property
    def start(self) -> int:
        """Its first line, from 1."""
        return self.entry.start


def source(note: Note) -> str:
    """Return the id of a note in its journal, by which an entry names where it came from."""
    return entry_id(note.path, note.entry.text, note.entry.ordinal)


def paths(workspace: Workspace) -> list[tuple[date, str]]:
    """Return the journals with their days, the oldest first; archives are none."""
    files = (place.relative_to(workspace.root).as_posix() for place in workspace.root.glob("memory/**/*.md"))
    dated = ((file_roles.journal_day(path), path) for path in files if not path.startswith("memory/archive/"))
    return sorted((day, path) for day, path in dated if day)


def read(workspace: Workspace, path: str, unread: list[str]) -> str:
    """Return the text of a journal, of a conversation that OpenClaw left there "".

    Why one cannot be read goes into `unread`.
    """
    try:
        text = workspace.read(path) or ""
        return "" if dumped_text.is_dump(path, text.encode()) else text
    except ClawgitError as exc:
        unread.append(exc.message)
        return ""


def notes(path: str, day: date, text: str, ours: Container[str] = ()) -> Iterator[Note]:
    """Yield the bullets and paragraphs of a journal. Tables and what is very long are passed over.

    `ours` are the hashes of the lines that clawgit wrote there: the time of day before these is none of their words.
    """
    rows, every = document.split(text), entry.entries(text)
    for at, one in enumerate(every):
        if one.kind == "row" or (one.kind == "paragraph" and rows[one.start - 1][:1].isspace()):
            continue
        if len(one.text) > _LONGEST or document.is_clipped(one.text):
            continue
        below = list(_below(one, every[at + 1 :]))
        end = max((inner.end for inner in below), default=one.end)
        nested = dedent("".join(rows[one.end : end])) if below else ""
        if one.text.endswith(_LEADS) and not nested:
            continue  # it says nothing without the list or table that follows
        said = _CLOCK.sub("", one.text) if digest(one.text) in ours else one.text
        yield Note(path, day, one, said, end, nested)


def _below(one: Entry, later: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the bullets nested below a bullet."""
    for other in later:
        if one.kind != "bullet" or other.kind != "bullet" or other.depth <= one.depth:
            return
        yield other


def find_origins(workspace: Workspace, names: Iterable[str]) -> Mapping[tuple[str, int], Origin]:
    """Return the origin of the lines of some journals, by path and number; the graver of its row and its commit."""
    wanted = tuple(set(names))
    with workspace.open_table() as table:
        rows = table.list_rows(("journal",), wanted) if wanted else []
    commits = history.several(workspace.repo, {row.changed.commit for row in rows if row.changed})
    by_commit = {oid: records.record(commit).origin for oid, commit in commits.items()}
    by_words: dict[tuple[str, str], list[str | None]] = {}
    for row in rows:
        by_words.setdefault((row.path, row.key), []).append(by_commit.get(row.changed.commit) if row.changed else None)
    sidecar = {(row.file, row.hash): row.origin for row in workspace.rows().values()}
    return {
        (path, number): gravest([*by_words.get((path, key), [None]), *([known] if known else [])])
        for path in wanted
        for one in entries(_read(workspace, path))
        for key in [digest(one.text)]
        for known in [sidecar.get((path, key))]
        for number in range(one.start, one.end + 1)
    }


def gravest(origins: Iterable[str | None]) -> Origin:
    """Return the origin that is trusted least, "unknown" for none."""
    return max((_GRAVITY[_rank(origin)] for origin in origins), key=_GRAVITY.index, default="unknown")


def _rank(origin: str | None) -> int:
    return next((at for at, name in enumerate(_GRAVITY) if name == origin), _GRAVITY.index("unknown"))


def held(note: Note, origin: str) -> str:
    """Return why a note waits for somebody to look at it, "" where nothing speaks against it."""
    text = f"{note.said}\n{note.nested}"
    if origin == "untrusted":
        return "from outside"
    if secrets.scan(text):
        return "holds a secret"
    if hidden_text.scan(text):
        return "holds hidden characters"
    if injection.scan(text):
        return "could be an instruction"
    try:
        bullet(note.said)
    except ClawgitError:
        return "cannot stand as a bullet"
    return ""


class Core:
    """The entries of core memory and of the identity, and those that were there once."""

    def __init__(self, workspace: Workspace) -> None:
        self._known: Known[str] = Known()
        self._hashes: set[str] = set()
        for path in sorted({*workspace.memory_files, *file_roles.IDENTITY, *_lasting(workspace)}):
            for one in entries(_read(workspace, path)):
                self.put(one.text)
        rows = workspace.rows().values()
        self._gone = {row.hash for row in rows if row.status == "tombstone"}
        self._undone = {name for row in rows if row.status == "tombstone" for name in row.sources}
        core = {row.hash for row in rows if manifest.kind(row.file, workspace.memory_file) == "memory"}
        self._before = core - self._gone
        self._rules = rules_of(workspace)

    def put(self, text: str) -> None:
        """Know one entry more."""
        self._hashes.add(digest(text))
        self._known.add(text, text)

    def barred(self, note: Note, entry: str) -> str:
        """Return why a note is not promoted, "" where nothing speaks against it; `entry` is what would stand there."""
        text, ways = note.said, {digest(note.said), digest(entry)}
        if ways & self._hashes:
            return "known"
        if ways & self._gone or source(note) in self._undone:
            return "taken back before"
        if ways & self._before:
            return "deleted before"
        if any(compare(text, other).relation == "same" for other in self._known.near(text, _NEAR)):
            return "known"
        return "corrected" if find_rule(text, self._rules) else ""


def _read(workspace: Workspace, path: str) -> str:
    try:
        return workspace.read(path) or ""
    except ClawgitError:  # what is no text holds no entry; the doctor tells of it
        return ""


def _lasting(workspace: Workspace) -> Iterator[str]:
    """Yield what is neither a journal nor an archive below memory/."""
    for place in workspace.root.glob("memory/**/*.md"):
        path = place.relative_to(workspace.root).as_posix()
        if manifest.kind(path) == "memory":
            yield path
