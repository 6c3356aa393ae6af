"""Finds the lines learnt from a source, through history."""

import contextlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct, field

from clawgit import errors, file_roles
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import churn, history, paths, repository
from clawgit.git.churn import Touch
from clawgit.language.dates import parse_date
from clawgit.sessions import chat_store
from clawgit.sessions.session_messages import hash_words as hash_message
from clawgit.store.calls import KnownCalls
from clawgit.store.entry_table import Moment
from clawgit.text import conflict, document, evidence_pointer
from clawgit.text.entry import entries, hash_entry, read_saying
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import entries as sidecar
from clawgit.workspace import manifest, records
from clawgit.workspace.change import ORIGINS
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import to_text
from clawgit.workspace.line_writers import LineWriters
from clawgit.workspace.records import Record
from clawgit.workspace.waiting_batches import message_of_mention
from clawgit.workspace.workspace import Workspace

Kind = Literal["session", "lines", "change", "agent", "contact", "domain", "origin"]
_PREFIXED: tuple[Kind, ...] = ("session", "agent", "contact", "domain", "origin")
_LINES = re.compile(r"(?P<path>[^@#]+)(?:@(?P<rev>[^#]+))?(?:#L(?P<start>\d{1,9})(?:-L?(?P<end>\d{1,9}))?)?")
_FORMS = Advice(
    "one of session:ID[#EVENT], FILE[@REV][#L4-L6], CHANGE, agent:NAME, contact:ID, domain:HOST, origin:untrusted"
)
_KEY_PARTS = 3
"""Parts of the key of a conversation before those that say with whom it is: `agent:ID:CHANNEL`."""
_KINDS_OF_TALK = {"direct", "dm", "group", "channel", "thread", "topic", "main"}


class Source(Struct, frozen=True):
    """A source by its kind, as the register spells it; `start` is 0 for a whole file, `since` "" for always."""

    kind: Kind
    name: str
    spelled: str
    event: str = ""
    rev: str = ""
    start: int = 0
    end: int = 0
    since: str = ""


def read_source(workspace: Workspace, text: str, since: str = "") -> Source:
    """Return the named source; a file's revision is fixed. Raises UsageError for an invalid name."""
    plain = text.strip()
    prefix, colon, name = (part.strip() for part in plain.partition(":"))
    kind = next((item for item in _PREFIXED if colon and item == prefix), None)
    if since and (parse_date(since) is None or kind not in ("agent", "origin")):
        day = Command("clawgit taint origin:untrusted --since 2026-05-01")
        raise errors.date_invalid(f"--since takes a date, with agent: and origin: alone: {plain}, {since!r}", fix=day)
    if kind and name and (kind != "origin" or name in ORIGINS):
        session, _, event = name.partition("#" if kind == "session" else "\0")
        return Source(kind, session, f"{kind}:{name}" + (f" since {since}" if since else ""), event, since=since)
    match = None if kind else _LINES.fullmatch(plain)
    if match and ("/" in match["path"] or "." in match["path"]):
        return _read_lines(workspace, match)
    if commit := None if kind else _find_change(workspace, plain):
        return Source("change", commit, commit)
    raise errors.source_unknown(f"no such source: {plain!r}", fix=_FORMS)


def _find_change(workspace: Workspace, name: str) -> str | None:
    """Return a commit by a name; None for no commit, and for a merge, which taught nothing by itself."""
    with contextlib.suppress(ClawgitError):
        commit = records.find_commit(workspace, name)
        return commit if len(history.commit(workspace.repo, commit).parents) <= 1 else None
    return None


def _read_lines(workspace: Workspace, match: "re.Match[str]") -> Source:
    """Return the named lines of a file at a commit, else in the last one that has the file."""
    path, repo = paths.check(match["path"]), workspace.repo
    start = int(match["start"] or 0)
    end = int(match["end"] or start)
    rev = match["rev"]
    names = (
        [records.find_commit(workspace, rev)]
        if rev
        else [item.commit for item in records.list_records(workspace, path, limit=2)]
    )
    commits = (oid for name in names for rev in (name, f"{name}^") if (oid := repository.resolve(repo, rev)))
    commit = next((oid for oid in commits if repository.blob_id(repo, oid, path)), None)
    count = len(document.split(to_text(repository.read(repo, commit, path)))) if commit else 0
    if commit is None or not bool(match["start"]) <= start <= end <= count:
        raise errors.source_unknown(f"history has no such file, or no such lines of it: {match[0]}", fix=_FORMS)
    span = f"#L{start}" + (f"-L{end}" if end > start else "") if start else ""
    return Source("lines", path, f"{path}@{commit[:10]}{span}", rev=commit, start=start, end=end)


class _Delta(Struct):
    """The changes of a commit: added lines with file and words, removed ones, and rows of entries before and after.

    Headings do not count.
    """

    given: list[tuple[str, str, str]] = field(default_factory=list)
    taken: set[tuple[str, str]] = field(default_factory=set)
    old_rows: dict[str, Row] = field(default_factory=dict)
    new_rows: dict[str, Row] = field(default_factory=dict)
    corrections: list[str] = field(default_factory=list)

    def add(self, touch: Touch) -> None:
        """Note the change of one file."""
        old, new = (
            [row.decode("utf-8", "replace").removesuffix("\r") for rows in blocks for row in rows]
            for blocks in ([hunk.taken for hunk in touch.hunks], [hunk.given for hunk in touch.hunks])
        )
        if touch.path == sidecar.PATH:
            self.old_rows, self.new_rows = (sidecar.parse("\n".join(rows)) for rows in (old, new))
            return
        self.corrections += new if touch.path == file_roles.CORRECTIONS else []
        self.taken |= {(touch.path, words) for row in old if not row.startswith("#") and (words := read_saying(row))}
        self.given += [
            (touch.path, words, row) for row in new if not row.startswith("#") and (words := read_saying(row))
        ]

    def list_mentions(self, *keys: str) -> frozenset[str]:
        """Return the mentions that entries had."""
        return frozenset[str]().union(*(self.old_rows[key].mentions for key in keys if key in self.old_rows))


class Trail:
    """Follows lines from a source through history, the oldest commit first: evidence is older than its lines.

    `steps` are the changes to undo, the newest first, those in `direct` name the source; `sayings` the learnt lines,
    each with the files that it went to, `exact` the lines that were named themselves, `mentions` and `turns` those of
    the source. `brought` are the entries that came with it, each with its commit and mentions; `partly` are changes
    that rest on other sources as well. The commits before number `first` have nothing of it.
    """

    def __init__(self, workspace: Workspace, source: Source) -> None:
        self.workspace, self.source, self.repo = workspace, source, workspace.repo
        log = (commit for commit in history.walk_log(self.repo, renames=False) if len(commit.parents) <= 1)
        self.commits = [*log][::-1]
        self.records = [records.record(commit) for commit in self.commits]
        self.numbers = {commit.id: number for number, commit in enumerate(self.commits)}
        self.steps: list[Record] = []
        self.direct = set[str]()
        self.sayings: defaultdict[str, set[str]] = defaultdict(set)
        self.mentions, self.turns, self.partly = set[str](), set[str](), set[str]()
        self.brought: dict[str, tuple[str, frozenset[str]]] = {}
        self._messages, self._corrections = set[str](), set[str]()
        self._sessions = frozenset(self._list_sessions())
        self._writers = LineWriters(workspace)
        calls = KnownCalls(workspace.store).list_all() if self._sessions and not source.event else []
        self._written = {call.path for call in calls if call.session in self._sessions and call.path}
        self._host = re.compile(rf"(?<![\w-]){re.escape(source.name)}(?![\w-]|\.\w)", re.IGNORECASE)
        named_lines = to_text(repository.read(self.repo, source.rev, source.name)) if source.kind == "lines" else ""
        rows = [*map(document.content, document.split(named_lines))][max(source.start - 1, 0) : source.end or None]
        self.exact = {row for row in rows if row.strip()}
        self.sayings.update((words, {source.name}) for words in filter(None, map(read_saying, rows)))
        # Lines that no commit but a merge has may have gone on from anywhere.
        default_number = self.numbers.get(source.rev, 0) if source.kind == "lines" else len(self.commits)
        self.first = next((number for number in range(len(self.commits)) if self._begins(number)), default_number)
        deltas: defaultdict[int, _Delta] = defaultdict(_Delta)
        later = [commit.id for commit in self.commits[self.first :]]
        for number, touch in churn.churn(self.repo, later, "*.md", sidecar.PATH):
            if isinstance(touch, Touch):
                deltas[self.first + number].add(touch)
        for number in range(self.first, len(self.commits)):
            self._visit(number, deltas[number])
        self.steps.reverse()

    def _list_sessions(self) -> Iterator[str]:
        """Yield the conversations that are the source, or that a contact had."""
        if self.source.kind == "session":
            yield self.source.name
        if self.source.kind == "contact":
            with chat_store.open_chat_store(self.workspace.store, os.environ, reading=True) as store:
                for summary in store.sessions():
                    if self.source.name in {*summary.session.key.split(":")[_KEY_PARTS:]} - _KINDS_OF_TALK:
                        yield summary.session.id

    def _begins(self, number: int) -> bool:
        """Return whether a commit has something of the source."""
        commit, record = self.commits[number], self.records[number]
        if self.source.kind == "lines":
            name = self.source.name
            rows = document.split(self._read(commit.id, name)) if name in commit.paths else ()
            return not self.exact.isdisjoint(map(document.content, rows))
        cites = any(map(self._is_of_source, _list_pointers(record)))
        return cites or self._is_direct(record) or not self._written.isdisjoint(commit.paths)

    def _visit(self, number: int, delta: _Delta) -> None:
        """Find the parts of a change that rest on the source, or on lines learnt from it."""
        record, pointers = self.records[number], _list_pointers(self.records[number])
        # Beside turns, cited lines are only the changed ones.
        talks = [pointer for pointer in pointers if pointer.kind == "session"]
        cites = [self._is_of_source(pointer) for pointer in talks or pointers]
        rests = [
            is_cited or self._rests(pointer, all) for is_cited, pointer in zip(cites, talks or pointers, strict=True)
        ]
        merges = any(row.sources & self.brought.keys() for row in delta.new_rows.values())
        is_direct = self._is_direct(record) or (bool(cites) and all(cites))
        if is_direct or (rests and all(rests)) or (merges and not talks):
            self.steps.append(record)
            self.direct |= {record.commit} if is_direct else set()
            self._take(record.commit, delta)
        elif merges or any(cites) or any(self._rests(pointer, any) for pointer in pointers):
            self._share(record, delta)
        for path, words, row in delta.given:
            if words in self.sayings or (path in self._written and self._is_written(record, path, row)):
                self.sayings[words].add(path)

    def _is_of_source(self, pointer: Pointer) -> bool:
        source = self.source
        if source.kind == "domain":
            is_of = self._host.search(pointer.quote or "") is not None
        else:
            is_of = pointer.kind == "session" and pointer.id in self._sessions and source.event in ("", pointer.event)
        if is_of and pointer.kind == "session" and (turn := f"{pointer.id}#{pointer.event}") not in self.turns:
            self.turns.add(turn)
            message = self.workspace.conversations(pointer.id, pointer.event)
            if message and message.date:
                day = f"{datetime.fromisoformat(message.date).astimezone(UTC):%Y%m%d}"
                self._messages.add(message_of_mention(f"{day}-{hash_message('', message.text)[:8]}"))
        return is_of

    def _is_direct(self, record: Record) -> bool:
        """Return whether a change is the source, or calls of its sessions alone wrote it."""
        source = self.source
        if source.since and record.date.isoformat() < source.since:
            return False
        kinds = {"agent": record.agent, "origin": record.origin, "change": record.commit}
        sessions = {name.rpartition("/")[2] for name in record.sessions}
        is_written = bool(sessions) and sessions <= self._sessions and record.origin == "agent" and not source.event
        return kinds[source.kind] == source.name if source.kind in kinds else is_written

    def _is_written(self, record: Record, path: str, row: str) -> bool:
        """Return whether a call of the source's wrote a line; its commit may name no call, or others' as well."""
        writer = self._writers.find(path, row, Moment(record.commit, record.date.isoformat(), record.author))
        is_certain = writer.how in ("reported", "matched") and not record.change
        return bool(is_certain and writer.call and writer.call.session in self._sessions)

    def _rests(self, pointer: Pointer, share: Callable[[Iterable[bool]], bool]) -> bool:
        """Return whether any, or all, of the lines that are cited are tainted."""
        if pointer.kind != "lines":
            return pointer.kind == "correction" and pointer.id in self._corrections
        commit = repository.resolve(self.repo, pointer.rev) if pointer.rev else self.workspace.head
        rows = self._read(commit, pointer.path).split("\n")[pointer.start - 1 : pointer.end]
        sayings = [words for row in rows if (words := read_saying(row))]
        return bool(sayings) and share(pointer.path in self.sayings.get(words, ()) for words in sayings)

    def _take(self, commit: str, delta: _Delta) -> None:
        """Take all that a change wrote for tainted."""
        for key, row in delta.new_rows.items():
            self.mentions |= row.mentions - delta.list_mentions(key, *row.sources)
            if key not in delta.old_rows:
                self.brought[key] = commit, row.mentions
        self._corrections |= {record.id for record in conflict.corrections("\n".join(delta.corrections))}
        for path, words, _ in delta.given:
            is_frame = manifest.kind(path) in ("view", "corrections", "conflicts") or path == file_roles.INDEX
            if not is_frame and (path, words) not in delta.taken:
                self.sayings[words].add(path)

    def _share(self, record: Record, delta: _Delta) -> None:
        """Take the part of a change with other sources that only this source supports."""
        self.partly |= {record.change} if record.change else set()
        sayings = {
            (path, hash_entry(next((entry.text for entry in entries(row)), row))): words
            for path, words, row in delta.given
        }
        for key, row in delta.new_rows.items():
            new = row.mentions - delta.list_mentions(key)
            tainted = {name for name in new if message_of_mention(name) in self._messages}
            self.mentions |= tainted
            words = sayings.get((row.file, row.hash))
            if tainted and tainted == new and key not in delta.old_rows and words:
                self.sayings[words].add(row.file)

    def _read(self, commit: str | None, path: str) -> str:
        return to_text(repository.read(self.repo, commit, path))


def _list_pointers(record: Record) -> list[Pointer]:
    pointers: list[Pointer] = []
    for evidence in record.evidence:
        with contextlib.suppress(ClawgitError):  # what others wrote there points anywhere
            pointers.append(evidence_pointer.parse_pointer(evidence.pointer))
    return pointers
