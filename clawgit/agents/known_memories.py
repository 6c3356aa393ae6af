"""What is known already, which findings are held against."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.entry_placement import Key
from clawgit.agents.messages_to_read import Heard, is_mention
from clawgit.agents.running import View
from clawgit.memory.in_force import find_rule, read_rules
from clawgit.reading.explicit_requests import Finding
from clawgit.text import confidence
from clawgit.text.entry import digest, entries, entry_id
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.sameness.note_reading import Known
from clawgit.workspace import file_roles, manifest
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.unkept_requests import message_of_mention

LESSONS, DELETED = "Lessons", "deleted before"
_NEAR = 8
Act = Literal["add", "mention"]


class Entry(Struct, frozen=True):
    """A memory: its row of the sidecar, and the lines that it stands on, 0 while it is only proposed."""

    text: str
    row: Row
    start: int = 0
    end: int = 0

    @property
    def ours(self) -> bool:
        """Whether it was mined, and nobody reworded it since: then its id is that of its text."""
        mined = bool(self.row.mentions) and all(is_mention(mention) for mention in self.row.mentions)
        return mined and self.row.id == entry_id(self.row.file, self.text)

    @property
    def key(self) -> Key:
        """What orders it among those that were mined."""
        return min(self.row.mentions, default=""), self.text


class Decision(Struct, frozen=True):
    """What becomes of a finding: an act, on the `entry` that says so already, or the reason why nothing does.

    `differs` is the entry that says something else of the same matter, as it seems.
    """

    act: Act | None = None
    reason: str = ""
    entry: Entry | None = None
    differs: Entry | None = None


class Book:
    """The memories of one file, and what must not become one: identity, corrections, what was taken back."""

    def __init__(self, view: View, path: str) -> None:
        self._path, self._text = path, view.read(path)
        self._entries: dict[str, Entry] = {}
        self._by_hash: dict[str, str] = {}
        self._known: Known[str] = Known()
        self._told: Known[str] = Known()
        rows = view.rows()
        places = {path, *view.workspace.memory_files, *_lasting(view)}
        for place in sorted(places):
            for one in _entries(view, place, rows.values()):
                self.put(one)
        for name in file_roles.IDENTITY:
            for said in entries(view.read(name) or ""):
                if LESSONS not in said.section:  # learnt like a memory, and no reason to leave one out
                    self._told.add(said.text, said.text)
        self._rules = read_rules(correction.record for correction in view.corrections())
        gone = [row for row in rows.values() if row.status == "tombstone"]
        self._gone = {row.hash for row in gone}
        live = {message for entry in self._entries.values() for message in _messages(entry.row)}
        self._unlearnt = {message for row in gone for message in _messages(row)} - live
        deleted = (row for row in rows.values() if row.file in places and row.id not in self._entries)
        self._deleted = {message for row in deleted for message in _messages(row)}

    def holds(self, view: View) -> bool:
        """Return whether nobody else has written since."""
        return view.read(self._path) == self._text

    def left(self, change: Change) -> None:
        """Take note of what the file will be after `change`."""
        for edit in change.edits:
            if edit.path == self._path and isinstance(edit, Edit):
                self._text = edit.text

    def put(self, entry: Entry) -> None:
        """Know one entry more, or better."""
        known = self._entries.get(entry.row.id)
        if known is None or known.text != entry.text:
            self._known.add(entry.row.id, entry.text)
        self._entries[entry.row.id] = entry
        self._by_hash[digest(entry.text)] = entry.row.id

    def decide(self, finding: Finding, heard: Heard) -> Decision:
        """Return what becomes of what was found in a message."""
        there = self._entries.get(self._by_hash.get(digest(finding.text), ""))
        if reason := self.barred(finding.text, heard):
            return Decision(reason="known" if there and reason == DELETED else reason)
        if there:
            return _again(there, heard)
        if any(compare(finding.text, told).relation == "same" for told in self._told.near(finding.text, _NEAR)):
            return Decision(reason="restated")
        near = (self._entries[key] for key in self._known.near(finding.text, _NEAR) if key in self._entries)
        found = [(entry, compare(finding.text, entry.text).relation) for entry in near]
        same = next((entry for entry, relation in found if relation == "same"), None)
        if same:
            return _again(same, heard)
        return Decision("add", differs=next((entry for entry, relation in found if relation == "conflict"), None))

    def barred(self, text: str, heard: Heard) -> str:
        """Return why something is not to be learnt whether it is known or not, "" where nothing speaks against it."""
        if digest(text) in self._gone or heard.message in self._unlearnt:
            return "taken back before"
        if heard.message in self._deleted:
            return DELETED
        return "corrected" if find_rule(text, self._rules) else ""


def _lasting(view: View) -> Iterator[str]:
    """Yield the memory files beside the one that is written to: what is no journal below memory/."""
    root = view.workspace.root
    for place in root.glob("memory/**/*.md"):
        path = place.relative_to(root).as_posix()
        if manifest.kind(path) == "memory":
            yield path


def _messages(row: Row) -> Iterator[str]:
    return (message_of_mention(mention) for mention in row.mentions if is_mention(mention))


def _entries(view: View, path: str, rows: Iterable[Row]) -> Iterator[Entry]:
    by_hash = {row.hash: row for row in rows if row.file == path and row.status != "tombstone"}
    for one in entries(view.read(path) or ""):
        if one.kind == "bullet":
            bare = Row(entry_id(path, one.text, one.ordinal), path, digest(one.text), one.tag or "")
            yield Entry(one.text, by_hash.get(digest(one.text), bare), one.start, one.end)


def _again(entry: Entry, heard: Heard) -> Decision:
    """Return what becomes of something that is known: whoever says it again mentions it."""
    if heard.message in _messages(entry.row):
        return Decision(reason="known", entry=entry)
    if heard.origin == "operator" or heard.origin == entry.row.origin == "unknown":
        return Decision("mention", entry=entry)
    return Decision(reason="recalled", entry=entry)


def learnt(path: str, finding: Finding, heard: Heard, today: date) -> Row:
    """Return the row of an entry that a finding becomes."""
    day, origin = heard.day or today, heard.origin
    sure, mentions = confidence.base(origin), frozenset({heard.mention})
    return Row(entry_id(path, finding.text), path, digest(finding.text), finding.tag, origin, sure, day, day, mentions)


def mentioned(entry: Entry, heard: Heard, today: date) -> Row:
    """Return the row of an entry that was mentioned once more."""
    day, row = heard.day or today, entry.row
    first = min(row.first or day, day) if entry.ours else row.first
    return replace(row, first=first, last=max(row.last or day, day), mentions=row.mentions | {heard.mention})
