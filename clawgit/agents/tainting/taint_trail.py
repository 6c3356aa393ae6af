"""Follows what a source taught through history."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct, field
from rapidfuzz import fuzz

from clawgit.agents.messages_to_read import is_mention
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.text import correction, document, evidence_pointer
from clawgit.text.entry import digest, saying
from clawgit.text.entry import entries as entries_of
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import entries, file_roles, manifest, records
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.records import Record
from clawgit.workspace.unkept_requests import message_of_mention
from clawgit.workspace.workspace import Workspace

_CAPTURE = "capture"
_TOLD_OF, _REWORDED = 55, 60
"""Percent of words that a sentence shares with a line that it tells, and a line with one whose place it took."""
SHORTEST = 24
"""Characters of a saying that is known again within a longer one, and in files that it was not seen to go to."""
_FRAMES = ("view", "corrections", "conflicts")
"""Kinds of files whose lines frame what is said elsewhere."""
_MERGE = 2
_MAX_VERSIONS = 256
"""Versions of files whose lines are held at a time."""


class Step(Struct, frozen=True):
    """A change that goes: one commit, over its parent; `direct` tells that it names the source itself."""

    commit: str
    parent: str | None
    record: Record
    direct: bool


class Trail(Struct):
    """What a source taught: changes, the newest first, and sayings by the files that they stood in.

    Each saying has the number of the commit that put it there. `instead` are lines that stand again where a sentence
    goes that told them, too, by file and sentence. `partly` are the changes that rest on other sources as well;
    `brought` are the entries that came with what goes, by id, with the mentions that they came with; `suspected` the
    lines that may say the same, with the reason. `exact` are lines that were named themselves, by file: they go
    whatever they say. `begins` is the commit in which the first of it stood.
    """

    steps: list[Step] = field(default_factory=list)
    places: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    instead: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    mentions: set[str] = field(default_factory=set)
    brought: dict[str, frozenset[str]] = field(default_factory=dict)
    turns: set[str] = field(default_factory=set)
    partly: set[str] = field(default_factory=set)
    suspected: dict[tuple[str, str], str] = field(default_factory=dict)
    exact: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    begins: str | None = None

    @property
    def sayings(self) -> frozenset[str]:
        """All that was said, wherever."""
        return frozenset().union(*self.places.values())

    @property
    def changes(self) -> frozenset[str]:
        """The ids of the changes that go."""
        return frozenset(step.record.change for step in self.steps if step.record.change)


class Seeds(Struct, frozen=True):
    """Where a trail begins: `record` and `turn` tell what is of the source; `lines` stood in a file at a commit."""

    record: Callable[[Record], bool] = lambda _: False
    turn: Callable[[Pointer], bool] = lambda _: False
    lines: tuple[str, str, tuple[str, ...]] | None = None
    message: Callable[[str, str], str] = lambda *_: ""
    """Returns what the mentions of a turn have in common, "" where it is not kept here."""


def follow(workspace: Workspace, seeds: Seeds) -> Trail:
    """Return what was learnt from the seeds, and from what was learnt from them, to the end."""
    return _Walk(workspace, seeds).walk()


class _Walk:
    """One way through history, the oldest commit first: evidence is older than what rests on it."""

    def __init__(self, workspace: Workspace, seeds: Seeds) -> None:
        self._repo, self._seeds = workspace.repo, seeds
        log = history.log(workspace.repo, renames=False)
        self._commits = [commit for commit in log if len(commit.parents) < _MERGE][::-1]
        self._records = [records.record(commit) for commit in self._commits]
        self._head = workspace.head
        self._read_rows = lru_cache(_MAX_VERSIONS)(self._read_rows_of_version)
        self._sidecar = lru_cache(_MAX_VERSIONS)(self._read_sidecar)
        self._corrections: set[str] = set()
        self._messages: set[str] = set()
        self.trail = Trail()

    def walk(self) -> Trail:
        """Follow everything, and return it."""
        if self._seeds.lines:
            self._begin(*self._seeds.lines)
        for at in range(len(self._commits)):
            self._visit(at)
        self.trail.steps.reverse()
        if self.trail.steps:
            self.trail.begins = self.trail.steps[-1].commit
        return self.trail

    def _begin(self, path: str, commit: str, rows: Sequence[str]) -> None:
        """Begin with lines as they stood at a commit; `begins` is the first in which one of them stood."""
        number = next((at for at, one in enumerate(self._commits) if one.id == commit), 0)
        self.trail.places[path] |= dict.fromkeys(filter(None, map(saying, rows)), number)
        exact = {row for row in map(document.content, rows) if row.strip()}
        self.trail.exact[path] |= exact
        touching = (one.id for one in self._commits if path in one.paths)
        self.trail.begins = next((one for one in touching if exact & self._read_lines(one, path)), commit)

    def _visit(self, at: int) -> None:
        """See what of the source, or of what it taught, a change rests on, then what it took away."""
        record = self._records[at]
        grounds = _grounds(record)
        cited = [self._of_turn(pointer) for pointer in grounds]
        is_direct = self._seeds.record(record) or (bool(cited) and all(cited))
        pairs = zip(cited, grounds, strict=True)
        if is_direct or (grounds and all(mine or self._rests(pointer, all) for mine, pointer in pairs)):
            self._mark(at, direct=is_direct)
            return
        cites_lines = any(self._rests(pointer, any) for pointer in _pointers(record))
        if cites_lines or any(cited):
            self._share(at)
        if cites_lines:
            self._carry_on(at)
        if not record.undoes:
            for path in self._commits[at].paths:
                for said in self._list_lost(at, path) if path in self.trail.places else ():
                    self._look_where_it_went(at, path, said)

    def _of_turn(self, pointer: Pointer) -> bool:
        if not self._seeds.turn(pointer):
            return False
        if pointer.kind == "session":
            self.trail.turns.add(f"{pointer.id}#{pointer.event}")
            self._messages.add(self._seeds.message(pointer.id, pointer.event))
        return True

    def _rests(self, pointer: Pointer, share: Callable[[Iterable[bool]], bool]) -> bool:
        """Return whether any, or all, of the lines that are cited are tainted."""
        if pointer.kind == "correction":
            return pointer.id in self._corrections
        if pointer.kind == "session" or pointer.path not in self.trail.places:
            return False
        commit = repository.resolve(self._repo, pointer.rev) if pointer.rev else self._head
        rows = self._read_text(commit, pointer.path).split("\n")[pointer.start - 1 : pointer.end]
        sayings = [said for row in rows if (said := saying(row))]
        return bool(sayings) and share(said in self.trail.places[pointer.path] for said in sayings)

    def _share(self, at: int) -> None:
        """Note a change that rests on other sources, too: what it brought from others stays."""
        record, commit = self._records[at], self._commits[at]
        self.trail.partly |= {record.change} if record.change else set()
        before, after = self._sidecar(self._parent(at)), self._sidecar(commit.id)
        for key, row in after.items():
            new = row.mentions - (before[key].mentions if key in before else frozenset())
            tainted = {name for name in new if is_mention(name) and message_of_mention(name) in self._messages}
            self.trail.mentions |= tainted
            if tainted and tainted == new and key not in before:
                for said, line in self._read_rows(commit.id, row.file).items():
                    if digest(_bare(line)) == row.hash:
                        self._put(at, row.file, said)

    def _mark(self, at: int, *, direct: bool) -> None:
        """Take a change for one that goes, with all that it wrote."""
        commit, parent = self._commits[at], self._parent(at)
        self.trail.steps.append(Step(commit.id, parent, self._records[at], direct))
        before, after = self._sidecar(parent), self._sidecar(commit.id)
        for key, row in after.items():
            if (was := before.get(key)) != row:
                inherited = frozenset().union(*(before[name].mentions for name in row.sources if name in before))
                self.trail.mentions |= row.mentions - (was.mentions if was else frozenset()) - inherited
                if was is None:
                    self.trail.brought[key] = row.mentions
        for path, said in self._list_written(at):
            self._put(at, path, said)
        if file_roles.CORRECTIONS in commit.paths:
            texts = (self._read_text(revision, file_roles.CORRECTIONS) for revision in (parent, commit.id))
            known, new = ({one.id for one in correction.corrections(text)} for text in texts)
            self._corrections |= new - known

    def _put(self, at: int, path: str, said: str) -> None:
        self.trail.places[path].setdefault(said, at)

    def _list_written(self, at: int) -> list[tuple[str, str]]:
        """Return the sayings that a commit brought, by file: no headings, and nothing of records and views."""
        commit, parent = self._commits[at], self._parent(at)
        paths = (path for path in commit.paths if path.endswith(".md") and path != file_roles.INDEX)
        return [
            (path, said)
            for path in paths
            if manifest.kind(path) not in _FRAMES
            for said in self._read_rows(commit.id, path).keys() - self._read_rows(parent, path).keys()
        ]

    def _list_lost(self, at: int, path: str) -> list[str]:
        """Return the tainted sayings that a commit took out of a file."""
        before, after = (self._read_lines(commit, path) for commit in (self._parent(at), self._commits[at].id))
        lost = set(map(saying, before - after)) - set(map(saying, after - before))
        return sorted(said for said in lost if self.trail.places[path].get(said, at) < at)

    def _look_where_it_went(self, at: int, path: str, said: str) -> None:
        """See where a saying went that a change took out of a file."""
        commit, record = self._commits[at], self._records[at]
        others = (other for other in commit.paths if other != path and other.endswith(".md"))
        if moved := [other for other in others if said in self._read_rows(commit.id, other)]:
            for other in moved:
                self._put(at, other, said)
            return
        new = [(other, text) for other, text in self._list_written(at) if text not in self.trail.places.get(other, ())]
        if record.agent in (None, _CAPTURE):
            for other, text in new:
                if other == path and _measure_share(text, said) >= _REWORDED:
                    self.trail.suspected[other, text] = f"took the place of a line in {commit.id[:10]}"
        elif self._is_merge(at, path, said):
            if any(pointer.kind == "session" for pointer in _grounds(record)):
                self._share(at)
            elif all(step.commit != commit.id for step in self.trail.steps):
                self._mark(at, direct=False)
        elif any(other.startswith(file_roles.FOLDERS) and other != path for other, _ in new):
            self._tell(at, path, said, new)

    def _is_merge(self, at: int, path: str, said: str) -> bool:
        """Return whether a change made an entry of this one and others."""
        before, after = self._sidecar(self._parent(at)), self._sidecar(self._commits[at].id)
        line = self._read_rows(self._parent(at), path).get(said, "")
        ids = {key for key, row in before.items() if row.file == path and row.hash == digest(_bare(line))}
        return any(ids & row.sources for key, row in after.items() if key not in before or before[key] != row)

    def _tell(self, at: int, path: str, said: str, new: Sequence[tuple[str, str]]) -> None:
        """Find the sentences that tell a line, among others: they go, and the others stand again."""
        before, after = (self._read_rows(commit, path) for commit in (self._parent(at), self._commits[at].id))
        words = {text for _, text in new}
        others = {text: line for text, line in before.items() if text not in after and text not in words | {said}}
        for other, sentence in new:
            if _measure_share(sentence, said) >= _TOLD_OF:
                self._put(at, other, sentence)
                lines = [line for text, line in others.items() if _measure_share(sentence, text) >= _TOLD_OF]
                self.trail.instead.setdefault((other, sentence), []).extend(lines)

    def _carry_on(self, at: int) -> None:
        """Follow the sayings that a change carried on among others."""
        sayings = self.trail.sayings
        long = [said for said in sayings if len(said) >= SHORTEST]
        for path, text in self._list_written(at):
            if text in sayings or any(said in text for said in long):
                self._put(at, path, text)

    def _parent(self, at: int) -> str | None:
        return next(iter(self._commits[at].parents), None)

    def _read_text(self, commit: str | None, path: str) -> str:
        return loosely(repository.read(self._repo, commit, path)) if commit else ""

    def _read_lines(self, commit: str | None, path: str) -> frozenset[str]:
        return frozenset(self._read_text(commit, path).split("\n"))

    def _read_rows_of_version(self, commit: str | None, path: str) -> Mapping[str, str]:
        """Return what the lines of a file said, without headings, each with its line."""
        rows = map(document.content, document.split(self._read_text(commit, path)))
        return {said: row for row in rows if not row.startswith("#") and (said := saying(row))}

    def _read_sidecar(self, commit: str | None) -> Mapping[str, Row]:
        return entries.parse(self._read_text(commit, entries.PATH))


def _bare(line: str) -> str:
    return next((entry.text for entry in entries_of(line)), line)


def _grounds(record: Record) -> list[Pointer]:
    """Return what a change rests on: what was said, or lines; beside what was said, lines are what it changes."""
    pointers = list(_pointers(record))
    return [pointer for pointer in pointers if pointer.kind == "session"] or pointers


def _pointers(record: Record) -> Iterator[Pointer]:
    for cited in record.evidence:
        try:
            yield evidence_pointer.parse(cited.pointer)
        except ClawgitError:  # what others wrote there points anywhere
            continue


def _measure_share(one: str, other: str) -> float:
    """Return the percent of the words of the shorter that the other has, too."""
    return fuzz.token_set_ratio(one, other)
