"""Follows what a source taught through history."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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


class Step(Struct, frozen=True):
    """A change that goes: one commit, over its parent; `direct` tells that it names the source itself."""

    commit: str
    parent: str | None
    record: Record
    direct: bool


class Trail(Struct):
    """What a source taught: changes, the newest first, and sayings by the files that they stood in.

    `instead` are lines that stand again where a sentence goes that told them, too, by file and sentence. `partly` are
    the changes that rest on other sources as well; `brought` are the entries that came with what goes, by id, with the
    mentions that they came with; `suspected` the lines that may say the same, with the reason. `exact` are lines that
    were named themselves, by file: they go whatever they say. `begins` is the commit in which the first of it stood.
    """

    steps: list[Step] = field(default_factory=list)
    places: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    instead: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    mentions: set[str] = field(default_factory=set)
    brought: dict[str, frozenset[str]] = field(default_factory=dict)
    turns: set[str] = field(default_factory=set)
    partly: set[str] = field(default_factory=set)
    suspected: dict[tuple[str, str], str] = field(default_factory=dict)
    exact: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    begins: str | None = None
    notes: list[str] = field(default_factory=list)

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
    return _Walk(workspace, seeds).walked()


class _Walk:
    """History, the oldest commit first, and what of it is tainted."""

    def __init__(self, workspace: Workspace, seeds: Seeds) -> None:
        self._repo, self._seeds = workspace.repo, seeds
        self._commits = [one for one in history.log(workspace.repo, renames=False) if len(one.parents) < _MERGE][::-1]
        self._records = [records.record(commit) for commit in self._commits]
        self._touching: dict[str, list[int]] = defaultdict(list)
        for at, one in enumerate(self._commits):
            for path in one.paths:
                self._touching[path].append(at)
        self._head = workspace.head
        self._known: dict[tuple[str | None, str], Mapping[str, str]] = {}
        self._rows: dict[str | None, Mapping[str, Row]] = {}
        self._marked: dict[int, bool] = {}
        self._corrections: set[str] = set()
        self._messages: set[str] = set()
        self._unkept: set[str] = set()
        self._open: deque[tuple[int, str, str]] = deque()
        self._lost: dict[str, Mapping[str, Sequence[int]]] = {}
        self._seen: set[tuple[str, str]] = set()
        self.trail = Trail()

    def walked(self) -> Trail:
        """Follow everything, and return it."""
        self._begin()
        while True:
            while self._open:
                self._onwards(*self._open.popleft())
            if not self._cited():
                break
        order = sorted(self._marked.items(), reverse=True)
        if order:
            self.trail.begins = self._commits[order[-1][0]].id
        for at, direct in order:
            one = self._commits[at]
            self.trail.steps.append(Step(one.id, one.parents[0] if one.parents else None, self._records[at], direct))
        return self.trail

    def _begin(self) -> None:
        for at, found in enumerate(self._records):
            parts = found.squashed or (found,)
            cited = [[self._of_turn(ground) for ground in _grounds(part)] for part in parts]
            tainted = [
                self._seeds.record(part) or (bool(own) and all(own)) for part, own in zip(parts, cited, strict=True)
            ]
            if all(tainted):
                self._mark(at, direct=True)
            elif any(tainted) or any(map(any, cited)):
                self._share(at)
        if self._seeds.lines:
            path, commit, some = self._seeds.lines
            where = next((at for at, one in enumerate(self._commits) if one.id == commit), 0)
            for said in filter(None, map(saying, some)):
                self._put(where, path, said)
            self.trail.exact[path] |= {row for row in map(document.content, some) if row.strip()}
            self.trail.begins = self._first(path, commit, self.trail.exact[path])

    def _first(self, path: str, commit: str, rows: set[str]) -> str:
        """Return the first commit in which any of these lines stood in a file."""
        for at in self._touching[path]:
            if not rows.isdisjoint(map(document.content, document.split(self._text(self._commits[at].id, path)))):
                return self._commits[at].id
        return commit

    def _of_turn(self, pointer: Pointer) -> bool:
        if not self._seeds.turn(pointer):
            return False
        if pointer.kind == "session":
            self.trail.turns.add(f"{pointer.id}#{pointer.event}")
            message = self._seeds.message(pointer.id, pointer.event)
            (self._messages if message else self._unkept).add(message or f"{pointer.id}#{pointer.event}")
        return True

    def _share(self, at: int) -> None:
        """Note a change that rests on other sources, too: what it brought from others stays."""
        found, one = self._records[at], self._commits[at]
        self.trail.partly |= {each.change for each in (found, *found.squashed) if each.change}
        before, after = self._sidecar(self._parent(at)), self._sidecar(one.id)
        for key, row in after.items():
            new = row.mentions - (before[key].mentions if key in before else frozenset())
            tainted = {each for each in new if is_mention(each) and message_of_mention(each) in self._messages}
            lines = self._said(one.id, row.file).items() if key not in before else ()
            said = [each for each, line in lines if digest(_bare(line)) == row.hash]
            if not tainted and any(self._is_nearest(each, found) for each in said):
                tainted = set(new)
            self.trail.mentions |= tainted
            if tainted and tainted == new:
                for each in said:
                    self._put(at, row.file, each)

    def _is_nearest(self, said: str, found: Record) -> bool:
        """Return whether a saying is nearest to a quote of the source whose turn nobody keeps any more."""
        quotes = [pointer for part in (found, *found.squashed) for pointer in _grounds(part) if pointer.quote]
        ours = [quote for quote in quotes if f"{quote.id}#{quote.event}" in self._unkept]
        best, other = (
            max((_share(saying(one.quote or ""), said) for one in some), default=0.0)
            for some in (ours, [quote for quote in quotes if quote not in ours])
        )
        return best >= _TOLD_OF and best >= other

    def _mark(self, at: int, *, direct: bool) -> None:
        """Take a change for one that goes, and follow what it wrote."""
        if at in self._marked:
            return
        self._marked[at] = direct
        one = self._commits[at]
        before, after = (self._sidecar(commit) for commit in (one.parents[0] if one.parents else None, one.id))
        for key, row in after.items():
            if (was := before.get(key)) != row:
                inherited = frozenset().union(*(before[name].mentions for name in row.sources if name in before))
                self.trail.mentions |= row.mentions - (was.mentions if was else frozenset()) - inherited
                if was is None:
                    self.trail.brought[key] = row.mentions
        for path, said in self._written(at):
            self._put(at, path, said)
        if file_roles.CORRECTIONS in one.paths:
            there = {each.id for each in correction.corrections(self._text(self._parent(at), file_roles.CORRECTIONS))}
            new = correction.corrections(self._text(one.id, file_roles.CORRECTIONS))
            self._corrections |= {each.id for each in new} - there

    def _put(self, at: int, path: str, said: str) -> None:
        if (path, said) not in self._seen:
            self._seen.add((path, said))
            self.trail.places[path].add(said)
            self._open.append((at, path, said))

    def _written(self, at: int) -> Iterator[tuple[str, str]]:
        """Yield the sayings that a commit brought, by file: no headings, and nothing of records and views."""
        one = self._commits[at]
        for path in one.paths:
            if path.endswith(".md") and manifest.kind(path) not in _FRAMES and path != file_roles.INDEX:
                there = self._said(self._parent(at), path)
                yield from ((path, said) for said in self._said(one.id, path) if said not in there)

    def _onwards(self, at: int, path: str, said: str) -> None:
        """Follow a saying to the changes that took it out of a file, and see where it went."""
        for gone in self._losses(path).get(said, ()):
            if gone > at and gone not in self._marked and not self._records[gone].undoes:
                self._out_of(gone, path, said)

    def _losses(self, path: str) -> Mapping[str, Sequence[int]]:
        """Return the commits that took each saying out of a file."""
        if path not in self._lost:
            found: dict[str, list[int]] = defaultdict(list)
            before = frozenset[str]()
            for at in self._touching[path]:
                after = frozenset(self._text(self._commits[at].id, path).split("\n"))
                for said in {saying(row) for row in before - after} - {saying(row) for row in after - before}:
                    found[said].append(at)
                before = after
            self._lost[path] = found
        return self._lost[path]

    def _out_of(self, gone: int, path: str, said: str) -> None:
        """See where a saying went that a change took out of a file."""
        one, found = self._commits[gone], self._records[gone]
        moved = [other for other in one.paths if other != path and other.endswith(".md")]
        moved = [other for other in moved if said in self._said(one.id, other)]
        for other in moved:
            self._put(gone, other, said)
        if moved:
            return
        new = [(other, each) for other, each in self._written(gone) if (other, each) not in self._seen]
        if found.agent in (None, _CAPTURE):
            for other, each in new:
                if other == path and _share(each, said) >= _REWORDED:
                    self.trail.suspected[other, each] = f"took the place of a line in {one.id[:10]}"
        elif self._merged(gone, path, said):
            self._mark(gone, direct=False)
        elif any(other.startswith(file_roles.FOLDERS) and other != path for other, _ in new):
            self._told(gone, path, said, new)

    def _merged(self, at: int, path: str, said: str) -> bool:
        """Return whether a change made an entry of this one and others, and rests on nothing else that is clean."""
        if any(ground.kind == "session" for ground in _grounds(self._records[at])):
            self._share(at)
            return False
        before, after = self._sidecar(self._parent(at)), self._sidecar(self._commits[at].id)
        line = self._said(self._parent(at), path).get(said, "")
        ids = {key for key, row in before.items() if row.file == path and row.hash == digest(_bare(line))}
        return any(ids & row.sources for key, row in after.items() if key not in before or before[key] != row)

    def _told(self, at: int, path: str, said: str, new: list[tuple[str, str]]) -> None:
        """Find the sentences that tell a line, among others: they go, and the others stand again."""
        there, here = self._said(self._parent(at), path), self._said(self._commits[at].id, path)
        words = {each for _, each in new}
        others = {each: line for each, line in there.items() if each not in here and each not in words and each != said}
        for other, each in new:
            if _share(each, said) >= _TOLD_OF:
                self._put(at, other, each)
                told = [line for key, line in others.items() if _share(each, key) >= _TOLD_OF]
                self.trail.instead.setdefault((other, each), []).extend(told)

    def _cited(self) -> bool:
        """Mark the changes that rest on lines or corrections of tainted ones; tell whether there were any."""
        found = False
        for at, one in enumerate(self._records):
            if at in self._marked or not one.evidence:
                continue
            every = [pointer for cited in one.evidence if (pointer := _pointer(cited.pointer))]
            lines = [pointer for pointer in every if self._rests(pointer, any)]
            if lines and all(self._rests(pointer, all) or self._of_turn(pointer) for pointer in _grounds(one)):
                self._mark(at, direct=False)
                found = True
            elif lines:
                found |= self._brought(at)
        return found

    def _brought(self, at: int) -> bool:
        """Follow the sayings that a change carried on among others; tell whether any is new."""
        self._share(at)
        every = self.trail.sayings
        long = [one for one in every if len(one) >= SHORTEST]
        new = [
            (path, said)
            for path, said in self._written(at)
            if (path, said) not in self._seen and (said in every or any(one in said for one in long))
        ]
        for path, said in new:
            self._put(at, path, said)
        return bool(new)

    def _rests(self, pointer: Pointer, share: Callable[[Iterable[bool]], bool]) -> bool:
        """Return whether any, or all, of the lines that are cited are tainted."""
        if pointer.kind == "correction":
            return pointer.id in self._corrections
        if pointer.kind == "session" or pointer.path not in self.trail.places:
            return False
        commit = repository.resolve(self._repo, pointer.rev) if pointer.rev else self._head
        rows = self._text(commit, pointer.path).split("\n")[pointer.start - 1 : pointer.end]
        said = [one for row in rows if (one := saying(row))]
        return bool(said) and share(one in self.trail.places[pointer.path] for one in said)

    def _parent(self, at: int) -> str | None:
        return next(iter(self._commits[at].parents), None)

    def _text(self, commit: str | None, path: str) -> str:
        return loosely(repository.read(self._repo, commit, path)) if commit else ""

    def _said(self, commit: str | None, path: str) -> Mapping[str, str]:
        """Return what the lines of a file said, without headings, each with its line."""
        key = (repository.blob_id(self._repo, commit, path) if commit else None, path)
        if key not in self._known:
            rows = [document.content(row) for row in document.split(self._text(commit, path))]
            self._known[key] = {said: row for row in rows if not row.startswith("#") and (said := saying(row))}
        return self._known[key]

    def _sidecar(self, commit: str | None) -> Mapping[str, Row]:
        if commit not in self._rows:
            self._rows[commit] = entries.parse(self._text(commit, entries.PATH))
        return self._rows[commit]


def _bare(line: str) -> str:
    return next((one.text for one in entries_of(line)), line)


def _grounds(one: Record) -> list[Pointer]:
    """Return what a change rests on: what was said, or lines; beside what was said, lines are what it changes."""
    every = [pointer for cited in one.evidence if (pointer := _pointer(cited.pointer))]
    return [pointer for pointer in every if pointer.kind == "session"] or every


def _pointer(text: str) -> Pointer | None:
    try:
        return evidence_pointer.parse(text)
    except ClawgitError:
        return None


def _share(one: str, other: str) -> float:
    """Return the percent of the words of the shorter that the other has, too."""
    return fuzz.token_set_ratio(one, other)
