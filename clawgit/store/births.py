"""Follows every entry from the commit that it came with."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.churn import Comparison, FileChange, compare_commits, list_blobs, list_commits
from clawgit.git.history import cut_off
from clawgit.git.repository import Oid, Repository
from clawgit.store.entry_links import align_version, find_moves, find_rewordings
from clawgit.text.entry_versions import EntryReader, PlacedStatement

Role = str
Classify = Callable[[str], Role | None]
"""`classify(path)`: "memory", "journal", "identity" or "instruction"; None for a file without entries."""

JOURNAL = "journal"
SURE = 100.0
UNKNOWN = ""
"""The commit of a birth, or a change, that history does not go back to."""
GLOBS = "*.md"
_MIN_SHARE_OF_RENAME = 0.5


class Origin(Struct, frozen=True, gc=False):
    """An entry at its birth: the file and the words that it had then; not `known` if history does not go back to it."""

    commit: Oid
    path: str
    text: str
    known: bool


class Link(Struct, frozen=True, gc=False):
    """An entry of a version: its origin, the commit that last changed its words, and the weakest similarity since."""

    origin: int
    changed: Oid
    similarity: float = SURE


class FileVersion(Struct, frozen=True):
    """A file with its entries, and the link of each."""

    blob: Oid
    rows: Sequence[PlacedStatement]
    links: Sequence[Link]


class Removal(Struct, frozen=True):
    """An entry that a commit removed, as it was in `holder`, the commit before."""

    link: Link
    path: str
    row: PlacedStatement
    commit: Oid
    holder: Oid


Files = dict[str, FileVersion]
Commits = Mapping[Oid, tuple[Oid, ...]]
"""Commits with their parents; parents come first."""


class History(Struct):
    """The history of all entries up to a commit.

    `files` by path, `origins` by number, `removals` by the number of the origin. `stamps` are the date, in ISO 8601,
    and the author of each commit that changed entries.
    """

    files: Files = field(default_factory=dict)
    stamps: dict[Oid, tuple[str, str]] = field(default_factory=dict)
    origins: dict[int, Origin] = field(default_factory=dict)
    removals: dict[int, Removal] = field(default_factory=dict)


def read_history(repo: Repository, head: Oid, classify: Classify) -> History:
    """Return the history of all entries up to `head`."""
    replay = Replay(repo, classify)
    commits = list_commits(repo, head)
    files = replay.run(commits, compare_commits(repo, commits, GLOBS))
    blobs = list_blobs(repo, head)
    replay.adopt(head, {path: blob for path, blob in blobs.items() if classify(path) and path not in files})
    return replay.finish()


class _VersionDraft(Struct):
    """A file that a commit changed: its rows with their links, and the `leftovers` of the version before.

    `anchors` are the places of unchanged entries, with those in that version. `sure`: an entry without a link is new,
    and not older than the known history.
    """

    path: str
    blob: Oid
    rows: Sequence[PlacedStatement]
    links: list[Link | None]
    leftovers: dict[int, tuple[PlacedStatement, Link]]
    source: str
    sure: bool = True
    anchors: dict[int, int] = field(default_factory=dict)

    def new(self) -> dict[int, PlacedStatement]:
        """Return the entries without a link, by place."""
        return {place: row for place, row in enumerate(self.rows) if self.links[place] is None}

    def link_rewordings(self, commit: Oid) -> None:
        """Link the unlinked to entries of the version before in other words."""
        old = {place: row for place, (row, _) in self.leftovers.items()}
        for place, (older, similarity) in find_rewordings(old, self.new(), self.anchors).items():
            link = self.leftovers.pop(older)[1]
            self.links[place] = Link(link.origin, commit, min(link.similarity, similarity))

    def align(self, version: FileVersion, origins: set[int]) -> None:
        """Link the unlinked to the entries of an older version of the file."""
        leftovers = dict(enumerate(zip(version.rows, version.links, strict=True)))
        aligned = align_version(version.rows, self.rows)
        for place, older in aligned.items():
            link = leftovers.pop(older)[1]
            if self.links[place] is None and link.origin not in origins:
                self.links[place] = link
        if not self.leftovers:
            self.leftovers, self.anchors = leftovers, aligned


class Replay:
    """Carries the entries from commit to commit, parents first.

    `states` are the files of commits that have children to come. A file that git names and its state lacks could not be
    read: the births of its entries are not known. Origins are counted from `number` on.
    """

    def __init__(
        self,
        repo: Repository,
        classify: Classify,
        states: Mapping[Oid, Files] = MappingProxyType({}),
        number: int = 1,
    ) -> None:
        self._repo, self._classify, self._reader = repo, classify, EntryReader()
        self._states, self._next_number = dict(states), number
        self._cut = cut_off(repo)
        self._history = History()

    def run(self, commits: Commits, comparisons: Iterable[Comparison]) -> Files:
        """Follow the entries through `commits`, and return the files of the last one."""
        children = Counter(parent for parents in commits.values() for parent in parents)
        stream = iter(comparisons)
        for commit, parents in commits.items():
            sides = [next(stream) for _ in parents or (None,)]
            children.subtract(parents)
            before = [
                dict(self._states.get(parent, {})) if children[parent] > 0 else self._states.pop(parent, {})
                for parent in parents
            ] or [{}]  # the last child may change the files of a commit
            self._history.files = self._states[commit] = self._step(sides, before)
        return self._history.files

    def adopt(self, commit: Oid, blobs: Mapping[str, Oid]) -> None:
        """Add files with an unknown past."""
        drafts = (self._draft(path, blob, sure=False) for path, blob in sorted(blobs.items()))
        self._land(Comparison(commit, None), [draft for draft in drafts if draft])

    def finish(self) -> History:
        """Return the history. An entry that is in a file is not removed, even if a branch removed it."""
        live = {link.origin for version in self._history.files.values() for link in version.links}
        removals = self._history.removals
        self._history.removals = {number: removals[number] for number in removals if number not in live}
        return self._history

    def _step(self, sides: Sequence[Comparison], before: Sequence[Files]) -> Files:
        """Return the files of a commit, given those of its parents: the first one before the others."""
        # Objects are missing, as in a shallow clone: nothing is known of the files from here on.
        if any(side.changes is None for side in sides):
            return {}
        changes = [
            {change.path: change for change in side.changes or () if self._classify(change.path)} for side in sides
        ]
        if len(sides) == 1 and not changes[0]:
            return before[0]
        losses = [
            (path, version, side.parent or side.commit)
            for side, state, changed in zip(sides, before, changes, strict=True)
            for path in changed
            if (version := state.get(path))
        ]
        files = self._history.files = before[0]
        drafts = self._draft_files(changes, before)
        deletions = {path: files.pop(path) for path in changes[0] if path in files}
        if len(sides) > 1:
            _drop_duplicates(files, drafts)
        else:
            _link_moves(drafts, deletions)
        for draft in drafts:
            if self._classify(draft.path) != JOURNAL:
                draft.link_rewordings(sides[0].commit)
        self._land(sides[0], drafts)
        self._note_removals(sides[0].commit, losses, {path for side in changes for path in side}, merge=len(sides) > 1)
        return files

    def _draft_files(self, changes: Sequence[Mapping[str, FileChange]], before: Sequence[Files]) -> list[_VersionDraft]:
        """Read the files that differ from those of the first parent, and align them with those of all parents."""
        drafts: list[_VersionDraft] = []
        for path, change in sorted(changes[0].items()):
            versions = [state[path] for state in before if path in state]
            sure = change.before is None or bool(versions)
            draft = self._draft(path, change.after, sure=sure) if change.after else None
            if draft is None:
                continue
            origins: set[int] = set()
            for state, changed in zip(before[1:], changes[1:], strict=True):
                if path in state and path not in changed:  # as the other side has it
                    versions = [state[path], *versions]
            for version in versions:
                draft.align(version, origins)
                origins.update(link.origin for link in draft.links if link)
            drafts.append(draft)
        if len(changes) == 1:
            _align_renames(drafts, changes[0], before[0])
        return drafts

    def _draft(self, path: str, blob: Oid, *, sure: bool) -> _VersionDraft | None:
        """Read a file; None if it is not here, so that nothing is known of it from now on."""
        try:
            rows = self._reader.read(repository.blob(self._repo, blob).decode("utf-8", "replace"))
        except ClawgitError:
            return None
        return _VersionDraft(path, blob, rows, [None] * len(rows), {}, path, sure)

    def _land(self, side: Comparison, drafts: Iterable[_VersionDraft]) -> None:
        """Give births to entries without a link, and put the files in place."""
        self._history.stamps.setdefault(side.commit, (side.date, side.author))
        for draft in drafts:
            sure = draft.sure and side.commit not in self._cut
            for place, row in enumerate(draft.rows):
                if draft.links[place] is None:
                    number, self._next_number = self._next_number, self._next_number + 1
                    self._history.origins[number] = Origin(side.commit, draft.path, row.statement.text, sure)
                    draft.links[place] = Link(number, side.commit if sure else UNKNOWN)
            links = tuple(link for link in draft.links if link)
            self._history.files[draft.path] = FileVersion(draft.blob, draft.rows, links)

    def _note_removals(
        self, commit: Oid, losses: Iterable[tuple[str, FileVersion, Oid]], paths: Iterable[str], *, merge: bool
    ) -> None:
        """Note the entries that no changed file has any more. A removal in a branch is not one of the merge."""
        files, removals = self._history.files, self._history.removals
        live = {link.origin for path in paths if path in files for link in files[path].links}
        for path, version, holder in losses:
            for row, link in zip(version.rows, version.links, strict=True):
                if link.origin not in live and not (merge and link.origin in removals):
                    removals[link.origin] = Removal(link, path, row, commit, holder)


def _align_renames(drafts: Sequence[_VersionDraft], changes: Mapping[str, FileChange], files: Files) -> None:
    """Match new files with removed ones if they have the same content, or most of it."""
    deletions = {path: files[path] for path, change in changes.items() if change.after is None and path in files}
    for draft in drafts:
        if not deletions or changes[draft.path].before is not None or not draft.rows:
            continue
        forms = Counter(row.statement.form for row in draft.rows)
        shares = {  # of common entries in the longer of two files
            path: (forms & Counter(row.statement.form for row in version.rows)).total()
            / max(forms.total(), len(version.rows))
            for path, version in deletions.items()
        }
        best = max(shares, key=lambda path: shares[path])
        if shares[best] >= _MIN_SHARE_OF_RENAME:
            draft.align(deletions.pop(best), set())
            draft.source = best


def _drop_duplicates(files: Files, drafts: Iterable[_VersionDraft]) -> None:
    """Leave an entry only one of two places to which branches moved it."""
    origins = {link.origin for version in files.values() for link in version.links}
    for draft in drafts:
        for place, link in enumerate(draft.links):
            if link and link.origin in origins:
                draft.links[place] = None
            elif link:
                origins.add(link.origin)
    for draft in drafts:
        draft.leftovers = {place: pair for place, pair in draft.leftovers.items() if pair[1].origin not in origins}


def _link_moves(drafts: Sequence[_VersionDraft], deletions: Files) -> None:
    """Link entries that went from one file and came to another."""
    news = {(file, place): new for file, draft in enumerate(drafts) for place, new in draft.new().items()}
    if not news:
        return
    sources = {draft.source: draft.leftovers for draft in drafts}
    for path, version in deletions.items():
        sources.setdefault(path, dict(enumerate(zip(version.rows, version.links, strict=True))))
    olds = {(path, place): row for path, leftovers in sources.items() for place, (row, _) in leftovers.items()}
    for (file, place), (path, older) in find_moves(olds, news).items():
        drafts[file].links[place] = sources[path].pop(older)[1]
