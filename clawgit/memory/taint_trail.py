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
from clawgit.sessions.session_messages import digest as hash_message
from clawgit.store.calls import KnownCalls
from clawgit.store.entry_table import Moment
from clawgit.text import correction, document, evidence_pointer
from clawgit.text.entry import digest, entries, saying
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import entries as sidecar
from clawgit.workspace import manifest, records
from clawgit.workspace.change import ORIGINS
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.line_writers import LineWriters
from clawgit.workspace.records import Record
from clawgit.workspace.unkept_requests import message_of_mention
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


# ---- the source


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
    if since and parse_date(since) is None:
        day = Command("clawgit taint origin:untrusted --since 2026-05-01")
        raise errors.date_invalid(f"--since: {since!r} is no date", fix=day)
    if since and kind not in ("agent", "origin"):
        words = f"--since goes with agent: and origin: alone; {plain} is taken back whole"
        raise errors.source_unknown(words, fix=Command("clawgit taint {}", plain))
    if kind and (not name or (kind == "origin" and name not in ORIGINS)):
        fix = Command("clawgit taint origin:untrusted") if kind == "origin" else _FORMS
        raise errors.source_unknown(f"no such source: {plain!r}", fix=fix)
    if kind == "session":
        session, _, event = name.partition("#")
        return Source(kind, session, f"session:{name}", event)
    if kind:
        return Source(kind, name, f"{kind}:{name}" + (f" since {since}" if since else ""), since=since)
    match = _LINES.fullmatch(plain)
    if match and ("/" in match["path"] or "." in match["path"]):
        return _read_lines(workspace, match)
    try:
        commit = records.find(workspace, plain)
    except ClawgitError as exc:
        raise errors.source_unknown(f"no such source: {plain!r}", fix=_FORMS) from exc
    if len(history.commit(workspace.repo, commit).parents) > 1:
        raise errors.source_unknown(f"{commit[:10]} is a merge, and taught nothing by itself", fix=_FORMS)
    return Source("change", commit, commit)


def _read_lines(workspace: Workspace, match: "re.Match[str]") -> Source:
    """Return the named lines of a file at a commit, else in the last one that has the file."""
    path, repo = paths.check(match["path"]), workspace.repo
    start = int(match["start"] or 0)
    end = int(match["end"] or start)
    commits = [records.find(workspace, match["rev"])] if match["rev"] else []
    touching = [] if commits else [record.commit for record in records.log(workspace, path, limit=2)]
    commits += [oid for commit in touching for rev in (commit, f"{commit}^") if (oid := repository.resolve(repo, rev))]
    commit = next((oid for oid in commits if repository.blob_id(repo, oid, path)), None)
    if commit is None:
        raise errors.file_missing(f"{path} is not in history", fix=_FORMS)
    count = len(document.split(loosely(repository.read(repo, commit, path))))
    if not bool(match["start"]) <= start <= end <= count:
        words = f"{path} has {count} lines in {commit[:10]}, and not {start} to {end}"
        raise errors.line_range(words, fix=Command("clawgit log {}", path))
    span = f"#L{start}" + (f"-L{end}" if end > start else "") if start else ""
    return Source("lines", path, f"{path}@{commit[:10]}{span}", rev=commit, start=start, end=end)


def _list_sessions(workspace: Workspace, contact: str) -> Iterator[str]:
    """Yield the conversations that a contact had."""
    with chat_store.open_chat_store(workspace.store, os.environ, reading=True) as store:
        for summary in store.sessions():
            if contact in {*summary.session.key.split(":")[_KEY_PARTS:]} - _KINDS_OF_TALK:
                yield summary.session.id


# ---- what it taught, as the authorship record tells


class Step(Struct, frozen=True):
    """A change that is reverted, over its parent; `is_direct`: it names the source itself."""

    record: Record
    parent: str | None
    is_direct: bool


class Trail:
    """Goes through history, the oldest commit first: evidence is older than the lines that rest on it.

    `sayings` are the tainted ones, each with the files that it went to, `exact` the lines that were named themselves,
    `mentions` and `turns` those of the source. `brought` are the entries that came with it, each with its commit and
    mentions; `partly` are the changes that rest on other sources as well.
    """

    def __init__(self, workspace: Workspace, source: Source) -> None:
        self.workspace, self.source, self.repo = workspace, source, workspace.repo
        log = (commit for commit in history.log(self.repo, renames=False) if len(commit.parents) <= 1)
        self.commits = [*log][::-1]
        self.records = [records.record(commit) for commit in self.commits]
        self.numbers = {commit.id: number for number, commit in enumerate(self.commits)}
        self.steps: list[Step] = []
        self.sayings: defaultdict[str, set[str]] = defaultdict(set)
        self.exact: set[str] = set()
        self.mentions: set[str] = set()
        self.turns: set[str] = set()
        self.brought: dict[str, tuple[str, frozenset[str]]] = {}
        self.partly: set[str] = set()
        self._messages: set[str] = set()
        self._corrections: set[str] = set()
        contact = source.kind == "contact"
        self._sessions = frozenset(_list_sessions(workspace, source.name)) if contact else frozenset({source.name})
        self._writers = LineWriters(workspace)
        is_talk = source.kind in ("session", "contact") and not source.event
        calls = KnownCalls(workspace.store).list_all() if is_talk else []
        self._written = {call.path for call in calls if call.session in self._sessions and call.path}
        self._host = re.compile(rf"(?<![\w-]){re.escape(source.name)}(?![\w-]|\.\w)", re.IGNORECASE)
        self.first = self._find_first()
        self._follow()

    def _find_first(self) -> int:
        """Return the number of the first commit that has something of the source."""
        source = self.source
        if source.kind != "lines":
            is_first = (
                self._is_direct(record) or any(self._cites(record)) or not self._written.isdisjoint(commit.paths)
                for record, commit in zip(self.records, self.commits, strict=True)
            )
            return next((number for number, is_match in enumerate(is_first) if is_match), len(self.records))
        rows = loosely(repository.read(self.repo, source.rev, source.name)).split("\n")
        source_rows = rows[source.start - 1 : source.end] if source.start else rows
        self.exact = {row for row in map(document.content, source_rows) if row.strip()}
        for sentence in filter(None, map(saying, source_rows)):
            self.sayings[sentence].add(source.name)
        touching = [number for number, commit in enumerate(self.commits) if source.name in commit.paths]
        texts = ((number, self._read(self.commits[number].id, source.name).split("\n")) for number in touching)
        first = next((number for number, text in texts if self.exact & set(text)), None)
        return self.numbers.get(source.rev, 0) if first is None else first

    def _follow(self) -> None:
        deltas = [_Delta() for _ in self.commits]
        later = [commit.id for commit in self.commits[self.first :]]
        for number, touch in churn.churn(self.repo, later, "*.md", sidecar.PATH):
            if isinstance(touch, Touch):
                deltas[self.first + number].add(touch)
        for number in range(self.first, len(self.commits)):
            self._visit(number, deltas[number])
        self.steps.reverse()

    def _visit(self, number: int, delta: "_Delta") -> None:
        """Find the parts of a change that rest on the source, or on lines learnt from it."""
        record, grounds = self.records[number], _list_grounds(self.records[number])
        citations = self._cites(record)
        merges = any(row.sources & self.brought.keys() for row in delta.new_rows.values())
        is_direct = self._is_direct(record) or (bool(citations) and all(citations))
        rests = [mine or self._rests(pointer, all) for mine, pointer in zip(citations, grounds, strict=True)]
        is_said = any(pointer.kind == "session" for pointer in grounds)
        if is_direct or (rests and all(rests)) or (merges and not is_said):
            self.steps.append(Step(record, next(iter(self.commits[number].parents), None), is_direct))
            self._take(record.commit, delta)
        elif merges or any(citations) or any(self._rests(pointer, any) for pointer in _list_pointers(record)):
            self._share(record, delta)
        for path, words, row in delta.given:
            if path in self._written and self._is_written(record, path, row):
                self.sayings[words].add(path)
            if words in self.sayings:
                self.sayings[words].add(path)

    def _cites(self, record: Record) -> list[bool]:
        """Return for each ground of a change whether it is of the source."""
        return [self._is_of_source(pointer) for pointer in _list_grounds(record)]

    def _is_of_source(self, pointer: Pointer) -> bool:
        source, is_session = self.source, pointer.kind == "session"
        if source.kind == "domain":
            is_of = self._host.search(pointer.quote or "") is not None
        else:
            is_of = source.kind in ("session", "contact") and is_session and pointer.id in self._sessions
            is_of &= source.event in ("", pointer.event)
        if is_of and is_session:
            self.turns.add(f"{pointer.id}#{pointer.event}")
            turn = self.workspace.conversations(pointer.id, pointer.event)
            if turn and turn.date:
                day = f"{datetime.fromisoformat(turn.date).astimezone(UTC):%Y%m%d}"
                self._messages.add(message_of_mention(f"{day}-{hash_message('', turn.text)[:8]}"))
        return is_of

    def _is_direct(self, record: Record) -> bool:
        """Return whether a change is the source, or calls of its sessions alone wrote it."""
        source = self.source
        if source.since and record.date.isoformat() < source.since:
            return False
        match source.kind:
            case "agent":
                return record.agent == source.name
            case "origin":
                return record.origin == source.name
            case "change":
                return record.commit == source.name
            case "session" | "contact":
                sessions = {name.rpartition("/")[2] for name in record.sessions}
                return bool(sessions) and sessions <= self._sessions and record.origin == "agent" and not source.event
        return False

    def _is_written(self, record: Record, path: str, row: str) -> bool:
        """Return whether a call of the source's wrote a line; its commit may name no call, or others' as well."""
        changed = Moment(record.commit, record.date.isoformat(), record.author)
        writer = self._writers.find(path, row, changed)
        is_certain = writer.how in ("reported", "matched")
        return bool(writer.call and is_certain and not record.change and writer.call.session in self._sessions)

    def _rests(self, pointer: Pointer, share: Callable[[Iterable[bool]], bool]) -> bool:
        """Return whether any, or all, of the lines that are cited are tainted."""
        if pointer.kind == "correction":
            return pointer.id in self._corrections
        if pointer.kind == "session":
            return False
        commit = repository.resolve(self.repo, pointer.rev) if pointer.rev else self.workspace.head
        rows = self._read(commit, pointer.path).split("\n")[pointer.start - 1 : pointer.end]
        sayings = [sentence for row in rows if (sentence := saying(row))]
        return bool(sayings) and share(pointer.path in self.sayings.get(sentence, ()) for sentence in sayings)

    def _take(self, commit: str, delta: "_Delta") -> None:
        """Take all that a change wrote for tainted."""
        for key, row in delta.new_rows.items():
            mentions = delta.list_mentions(key)
            inherited = frozenset[str]().union(*(delta.list_mentions(name) for name in row.sources))
            self.mentions |= row.mentions - mentions - inherited
            if key not in delta.old_rows:
                self.brought[key] = commit, row.mentions
        self._corrections |= {record.id for record in correction.corrections("\n".join(delta.corrections))}
        for path, words, _ in delta.given:
            is_frame = manifest.kind(path) in ("view", "corrections", "conflicts") or path == file_roles.INDEX
            if not is_frame and (path, words) not in delta.taken:
                self.sayings[words].add(path)

    def _share(self, record: Record, delta: "_Delta") -> None:
        """Take the part of a change with other sources that only this source supports."""
        self.partly |= {record.change} if record.change else set()
        sayings = {
            (path, digest(next((entry.text for entry in entries(row)), row))): words for path, words, row in delta.given
        }
        for key, row in delta.new_rows.items():
            new = row.mentions - delta.list_mentions(key)
            tainted = {name for name in new if message_of_mention(name) in self._messages}
            self.mentions |= tainted
            sentence = sayings.get((row.file, row.hash))
            if tainted and tainted == new and key not in delta.old_rows and sentence:
                self.sayings[sentence].add(row.file)

    def _read(self, commit: str | None, path: str) -> str:
        return loosely(repository.read(self.repo, commit, path))


class _Delta(Struct):
    """The changes of a commit: the lines added to files, with their words, and the removed ones.

    Headings do not count. The rows of entries are those of the sidecar as they were and as they are.
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
        self.taken |= {(touch.path, words) for row in old if not row.startswith("#") and (words := saying(row))}
        self.given += [(touch.path, words, row) for row in new if not row.startswith("#") and (words := saying(row))]

    def list_mentions(self, key: str) -> frozenset[str]:
        """Return the mentions that an entry had."""
        return self.old_rows[key].mentions if key in self.old_rows else frozenset()


def _list_grounds(record: Record) -> list[Pointer]:
    """Return the evidence of a change: turns, or lines; beside turns, lines are the changed ones."""
    pointers = _list_pointers(record)
    return [pointer for pointer in pointers if pointer.kind == "session"] or pointers


def _list_pointers(record: Record) -> list[Pointer]:
    pointers: list[Pointer] = []
    for evidence in record.evidence:
        with contextlib.suppress(ClawgitError):  # what others wrote there points anywhere
            pointers.append(evidence_pointer.parse(evidence.pointer))
    return pointers
