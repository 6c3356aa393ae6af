"""Reads journals as notes."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from textwrap import dedent

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.mining import message_text
from clawgit.agents.mining.message_text import machine
from clawgit.agents.standing_corrections import rules, ruling
from clawgit.errors import ClawgitError
from clawgit.git import history
from clawgit.git.git_command import git
from clawgit.git.history import Blamed, blame
from clawgit.safety import hidden_text, injection, secrets
from clawgit.text import document, entry
from clawgit.text.edit import bullet
from clawgit.text.entry import Entry, digest, entries, entry_id
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.sameness.note_reading import Known
from clawgit.workspace import dumped_text, file_roles, manifest, records
from clawgit.workspace.change import ORIGINS
from clawgit.workspace.correction_records import standing
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace import Workspace

_LONGEST = 1000
_CLOCK = re.compile(r"\A\d\d:\d\d (?=\S)")
"""What clawgit puts before a note of the day."""
_LEADS = (":", "\uff1a", ":**", ":*", "\uff1a**")


class Note(Struct, frozen=True):
    """One line of a journal, or paragraph: `said` as it reads on any day, the lines that it stands on, what is nested.

    `nested` are the lines below it as they stand, moved to the left as it is.
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


def outline(workspace: Workspace, path: str) -> list[str]:
    """Return the titles of the sections of a file and its entries, in their order; [] where it cannot be read."""
    text = _read(workspace, path)
    heads = [(one.line, f"## {one.title}") for one in document.sections(text) if one.level > 1]
    return [words for _, words in sorted([*heads, *((one.start, f"- {one.text}") for one in entries(text))])]


def paths(workspace: Workspace) -> list[tuple[date, str]]:
    """Return the journals with their days, the oldest first; archives are none."""
    found = (place.relative_to(workspace.root).as_posix() for place in workspace.root.glob("memory/**/*.md"))
    dated = ((file_roles.journal_day(path), path) for path in found if not path.startswith("memory/archive/"))
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
    """Yield the bullets and paragraphs of a journal. Machine text, tables and what is very long are passed over.

    `ours` are the hashes of the lines that clawgit wrote there: the time of day before these is none of their words.
    """
    rows, found = document.split(text), entry.entries(text)
    for at, one in enumerate(found):
        if one.kind == "row" or (one.kind == "paragraph" and rows[one.start - 1][:1].isspace()):
            continue
        if len(one.text) > _LONGEST or document.is_clipped(one.text) or machine(one.text):
            continue
        below = list(_below(one, found[at + 1 :]))
        end = max((inner.end for inner in below), default=one.end)
        nested = dedent("".join(rows[one.end : end])) if below else ""
        if one.text.endswith(_LEADS) and not nested:
            continue  # it says nothing without the list or table that follows
        said = _CLOCK.sub("", one.text) if digest(one.text) in ours else one.text
        yield Note(path, day, one, _dated(said, day), end, nested)


def _below(one: Entry, later: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the bullets nested below a bullet."""
    for other in later:
        if one.kind != "bullet" or other.kind != "bullet" or other.depth <= one.depth:
            return
        yield other


def _dated(text: str, day: date) -> str:
    """Return the words with the days that they name as seen from that day, where it is the same in any tense."""
    ahead = message_text.days(text, day, past=False)
    return message_text.dated(text, [one for one in message_text.days(text, day, past=True) if one in ahead])


_AT_ONCE, _MANY = 4, 20


class Origins:
    """Who wrote each line of some journals."""

    def __init__(self, workspace: Workspace, paths: Iterable[str]) -> None:
        self._rows: dict[tuple[str, str], Row] = {(row.file, row.hash): row for row in workspace.rows().values()}
        wanted = list(dict.fromkeys(paths))
        self._whole = _whole(workspace) if len(wanted) > _MANY else {}
        pieces = [path for path in wanted if path not in self._whole]
        with ThreadPoolExecutor(_AT_ONCE) as pool:  # each waits for a git of its own
            blamed = dict(zip(pieces, pool.map(partial(_blamed, workspace), pieces), strict=True))
        self._lines = {path: {one.line: one.commit or "" for one in lines} for path, lines in blamed.items()}
        commits = {*self._whole.values(), *(oid for lines in self._lines.values() for oid in lines.values() if oid)}
        found = history.several(workspace.repo, commits)
        self._origins = {oid: records.record(commit).origin or "unknown" for oid, commit in found.items()}

    def of(self, note: Note) -> str:
        """Return the origin of a note, the gravest of its lines."""
        row = self._rows.get((note.path, digest(note.entry.text)))
        found = self._of_lines(note.path, range(note.start, note.end + 1))
        return _gravest([*found, *([row.origin] if row else [])])

    def _of_lines(self, path: str, numbers: Iterable[int]) -> list[str]:
        whole, lines = self._whole.get(path, ""), self._lines.get(path, {})
        return [self._origins.get(whole or lines.get(line, ""), "unknown") for line in numbers]

    def with_headings(self, note: Note, text: str) -> Note:
        """Return a note with the headings above it, without where one of the file's came from somebody less trusted.

        They are read with the note, and what they say may end up in core memory as it does.
        """
        rows = enumerate(document.split(text)[: note.start - 1], 1)
        origin = self.of(note)
        above = self._of_lines(note.path, (number for number, row in rows if row.lstrip().startswith("#")))
        words = "\n".join(note.entry.section)
        if _gravest([origin, *above]) == origin and not (hidden_text.scan(words) or injection.scan(words)):
            return note
        return replace(note, entry=replace(note.entry, section=note.entry.section[:1]))


def _whole(workspace: Workspace) -> dict[str, str]:
    """Return the commit that each file came with, of those that no other one touched and that stand as it had them.

    That is two calls of git for all of them, and blame is one for each.
    """
    root = workspace.repo.root
    try:
        listed = git(root, "log", "-z", "-m", "-M", "--name-status", "--format=%x01%H", "HEAD")
        changed = git(root, "diff", "-z", "--name-only", "HEAD")
    except ClawgitError:
        return {}
    found: dict[str, set[str]] = defaultdict(set)
    for path, commit in _touched(listed):
        found[path].add(commit)
    others = set(changed.decode("utf-8", "surrogateescape").split("\0"))
    return {path: commits.pop() for path, commits in found.items() if len(commits) == 1 and path not in others}


def _touched(listed: bytes) -> Iterator[tuple[str, str]]:
    """Yield each path with each commit that touched it; one that has, or gave, another name has "" besides."""
    words, commit = iter(listed.decode("utf-8", "surrogateescape").split("\0")), ""
    for word in words:
        status = word.lstrip("\n")
        if status.startswith("\1"):
            commit = status[1:]
        elif status:
            path = next(words)
            if status[0] in "CR":
                yield path, ""
                path = next(words)
                yield path, ""
            yield path, commit


def _blamed(workspace: Workspace, path: str) -> tuple[Blamed, ...]:
    try:
        return blame(workspace.repo, path)
    except ClawgitError:  # nobody has committed it yet
        return ()


def _gravest(found: Iterable[str]) -> str:
    order = {name: at for at, name in enumerate(("operator", "agent", "unknown", "untrusted"))}
    assert set(order) == set(ORIGINS)
    return max(found, key=lambda one: order.get(one, order["unknown"]))


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
    return "" if _stands(note.said) else "cannot stand as a bullet"


def _stands(text: str) -> bool:
    try:
        bullet(text)
    except ClawgitError:
        return False
    return True


_NEAR = 8


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
        self._taken_back = {name for row in rows if row.status == "tombstone" for name in row.sources}
        core = {row.hash for row in rows if manifest.kind(row.file, workspace.memory_file) == "memory"}
        self._before = core - self._gone
        self._rules = rules(one.record for one in standing(workspace.root, workspace.read))

    def put(self, text: str) -> None:
        """Know one entry more."""
        self._hashes.add(digest(text))
        self._known.add(text, text)

    def barred(self, note: Note, entry: str) -> str:
        """Return why a note is not promoted, "" where nothing speaks against it; `entry` is what would stand there."""
        text, ways = note.said, {digest(note.said), digest(entry)}
        if ways & self._hashes:
            return "known"
        if ways & self._gone or source(note) in self._taken_back:
            return "taken back before"
        if ways & self._before:
            return "deleted before"
        if any(compare(text, other).relation == "same" for other in self._known.near(text, _NEAR)):
            return "known"
        return "corrected" if ruling(text, self._rules) else ""


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
