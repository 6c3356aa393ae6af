"""Follows every entry from the commit that it came with."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from msgspec import Struct, field

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.churn import Comparison, FileChange, compare_commits, list_blobs, list_commits
from clawgit.git.history import cut_off
from clawgit.git.repository import Oid, Repository
from clawgit.store.entry_links import align_version, find_moves, find_rewordings
from clawgit.text.entry import entry_id
from clawgit.text.entry_versions import EntryReader, PlacedStatement, Statement

Role = str
Classify = Callable[[str], Role | None]
"""`classify(path)`: "memory", "journal", "identity" or "instruction"; None for a file without entries."""

JOURNAL = "journal"
SURE = 100.0
UNKNOWN = ""
"""The commit of a birth, or a change, that history does not go back to."""
GLOBS = "*.md"
_MIN_SHARE_OF_RENAME = 0.5


class Link(Struct, frozen=True, gc=False):
    """An entry through all versions: its id, its first commit, that of its last words, the weakest similarity since.

    `source` is the file in which it got its last words.
    """

    id: str
    birth: Oid
    changed: Oid
    similarity: float = SURE
    source: str = ""


class TracedEntry(Struct, frozen=True, gc=False):
    """An entry of a version, and its link."""

    row: PlacedStatement
    link: Link


class Removal(Struct, frozen=True):
    """An entry that a commit removed, as it was in `holder`, the commit before."""

    link: Link
    path: str
    row: PlacedStatement
    commit: Oid
    holder: Oid


Files = dict[str, Sequence[TracedEntry]]
Commits = Mapping[Oid, tuple[Oid, ...]]
"""Commits with their parents; parents come first."""


class History(Struct):
    """The history of all entries up to a commit: `files` by path, `removals` by id.

    `stamps` are the date, in ISO 8601, and the author of each commit that changed entries.
    """

    files: Files = field(default_factory=dict)
    stamps: dict[Oid, tuple[str, str]] = field(default_factory=dict)
    removals: dict[str, Removal] = field(default_factory=dict)


def read_history(repo: Repository, head: Oid, classify: Classify) -> History:
    """Return the history of all entries up to `head`."""
    replay = Replay(repo, classify)
    commits = list_commits(repo, head)
    history = replay.run(commits, compare_commits(repo, commits, GLOBS))
    blobs = list_blobs(repo, head)
    replay.adopt(head, {path: blob for path, blob in blobs.items() if classify(path) and path not in history.files})
    return history


class VersionDraft(Struct):
    """A file that changed: its rows with their links, and the `leftovers` of the version before, by place.

    `anchors` are the places of unchanged entries, with those in that version; `source` is the file of that version.
    `is_known`: an entry without a link is new, and not older than the known history.
    """

    path: str
    rows: Sequence[PlacedStatement]
    source: str
    is_known: bool = True
    links: list[Link | None] = field(default_factory=list)
    leftovers: dict[int, TracedEntry] = field(default_factory=dict)
    anchors: dict[int, int] = field(default_factory=dict)

    def new(self) -> dict[int, PlacedStatement]:
        """Return the entries without a link, by place."""
        return {place: row for place, row in enumerate(self.rows) if self.links[place] is None}

    def align(self, version: Sequence[TracedEntry]) -> None:
        """Link the unlinked to the entries of an older version of the file that have no place yet."""
        leftovers, used_ids = dict(enumerate(version)), {link.id for link in self.links if link}
        aligned = align_version([entry.row for entry in version], self.rows)
        for place, older in aligned.items():
            link = leftovers.pop(older).link
            if self.links[place] is None and link.id not in used_ids:
                self.links[place] = link
        if not self.leftovers:
            self.leftovers, self.anchors = leftovers, aligned

    def link_rewordings(self, commit: Oid) -> None:
        """Link the unlinked to entries of the version before in other words."""
        old = {place: entry.row for place, entry in self.leftovers.items()}
        for place, (older, similarity) in find_rewordings(old, self.new(), self.anchors).items():
            link = self.leftovers.pop(older).link
            self.links[place] = Link(link.id, link.birth, commit, min(link.similarity, similarity), self.path)


def draft_version(
    path: str, rows: Sequence[PlacedStatement], versions: Iterable[Sequence[TracedEntry]], *, is_known: bool = True
) -> VersionDraft:
    """Return the draft of a file, aligned with its older versions, the first one before the others."""
    draft = VersionDraft(path, rows, path, is_known, [None] * len(rows))
    for version in versions:
        draft.align(version)
    return draft


def link_files(drafts: Sequence[VersionDraft], before: Files) -> None:
    """Link entries of files that were renamed, and entries that went from one file and came to another.

    `before` are the versions before of all changed files.
    """
    deletions = {path: before[path] for path in before.keys() - {draft.path for draft in drafts}}
    for draft in drafts:
        if draft.is_known and draft.path not in before:
            _align_rename(draft, deletions)
    news = {(file, place): new for file, draft in enumerate(drafts) for place, new in draft.new().items()}
    if not news:
        return
    sources = {path: dict(enumerate(version)) for path, version in before.items()}
    sources |= {draft.source: draft.leftovers for draft in drafts}
    olds = {(path, place): entry.row for path, left in sources.items() for place, entry in left.items()}
    for (file, place), (path, older) in find_moves(olds, news).items():
        drafts[file].links[place] = sources[path].pop(older).link


def _align_rename(draft: VersionDraft, deletions: Files) -> None:
    """Align a new file with the removed one that has its content, or most of it, and take that out of `deletions`."""
    forms = Counter(row.statement.form for row in draft.rows)
    shares = {  # of common entries in the longer of two files
        path: (forms & Counter(entry.row.statement.form for entry in version)).total()
        / max(forms.total(), len(version))
        for path, version in sorted(deletions.items())
        if draft.rows
    }
    best = max(shares, key=lambda path: shares[path], default="")
    if best and shares[best] >= _MIN_SHARE_OF_RENAME:
        draft.align(deletions.pop(best))
        draft.source = best


def pair_entries(
    before: Mapping[str, str | None], after: Mapping[str, str | None]
) -> list[tuple[tuple[str, Statement] | None, tuple[str, Statement]]]:
    """Return the entries of texts by path, each with its path, and before it the same entry of the texts before."""
    reader, olds, files = EntryReader(), list[tuple[str, Statement]](), Files()
    for path, text in before.items():
        if text is not None:
            rows = reader.read(text)
            files[path] = [TracedEntry(row, Link(str(number), "", "")) for number, row in enumerate(rows, len(olds))]
            olds += ((path, row.statement) for row in rows)
    texts = ((path, text) for path, text in after.items() if text is not None)
    drafts = [draft_version(path, reader.read(text), filter(None, [files.get(path)])) for path, text in texts]
    link_files(drafts, files)
    for draft in drafts:
        draft.link_rewordings(UNKNOWN)
    return [
        (olds[int(link.id)] if link else None, (draft.path, row.statement))
        for draft in drafts
        for row, link in zip(draft.rows, draft.links, strict=True)
    ]


class Replay:
    """Carries the entries from commit to commit, parents first.

    `states` are the files of commits that have children to come. A file that git names and its state lacks could not be
    read: the births of its entries are not known. `is_used(id)`: an entry before these commits has it.
    """

    def __init__(
        self,
        repo: Repository,
        classify: Classify,
        states: Mapping[Oid, Files] = MappingProxyType({}),
        is_used: Callable[[str], bool] = lambda name: False,  # noqa: ARG005
    ) -> None:
        self._repo, self._classify, self._reader = repo, classify, EntryReader()
        self._states, self._is_used = dict(states), is_used
        self._ids, self._orders = set[str](), Counter[tuple[str, str]]()
        self._cut = cut_off(repo)
        self._history = History()

    def run(self, commits: Commits, comparisons: Iterable[Comparison]) -> History:
        """Follow the entries through `commits`, and return their history up to the last one."""
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
        # An entry that is in a file is not removed, even if a branch removed it.
        for entry in chain.from_iterable(self._history.files.values()):
            self._history.removals.pop(entry.link.id, None)
        return self._history

    def adopt(self, commit: Oid, blobs: Mapping[str, Oid]) -> None:
        """Add files with an unknown past."""
        drafts = (self._draft(path, blob, is_known=False) for path, blob in sorted(blobs.items()))
        self._land(Comparison(commit, None), [draft for draft in drafts if draft])

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
        former = {path: files.pop(path) for path in changes[0] if path in files}
        if len(sides) > 1:
            _drop_duplicates(files, drafts)
        else:
            link_files(drafts, former)
        for draft in drafts:
            if self._classify(draft.path) != JOURNAL:
                draft.link_rewordings(sides[0].commit)
        self._land(sides[0], drafts)
        self._note_removals(sides[0].commit, losses, {path for side in changes for path in side}, merge=len(sides) > 1)
        return files

    def _draft_files(self, changes: Sequence[Mapping[str, FileChange]], before: Sequence[Files]) -> list[VersionDraft]:
        """Read the files that differ from those of the first parent, and align them with those of all parents."""
        drafts: list[VersionDraft] = []
        for path, change in sorted(changes[0].items()):
            versions = [state[path] for state in before if path in state]
            is_known = change.before is None or bool(versions)
            for state, changed in zip(before[1:], changes[1:], strict=True):
                if path in state and path not in changed:  # as the other side has it
                    versions = [state[path], *versions]
            draft = self._draft(path, change.after, versions, is_known=is_known) if change.after else None
            drafts += [draft] if draft else []
        return drafts

    def _draft(
        self, path: str, blob: Oid, versions: Iterable[Sequence[TracedEntry]] = (), *, is_known: bool
    ) -> VersionDraft | None:
        """Read a file; None if it is not here, so that nothing is known of it from now on."""
        try:
            rows = self._reader.read(repository.blob(self._repo, blob).decode("utf-8", "replace"))
        except ClawgitError:
            return None
        return draft_version(path, rows, versions, is_known=is_known)

    def _land(self, side: Comparison, drafts: Iterable[VersionDraft]) -> None:
        """Give births to entries without a link, and put the files in place."""
        self._history.stamps.setdefault(side.commit, (side.date, side.author))
        for draft in drafts:
            birth = side.commit if draft.is_known and side.commit not in self._cut else UNKNOWN
            self._history.files[draft.path] = [
                TracedEntry(
                    row, link or Link(self._make_id(draft.path, row.statement.text), birth, birth, source=draft.path)
                )
                for row, link in zip(draft.rows, draft.links, strict=True)
            ]

    def _make_id(self, path: str, text: str) -> str:
        """Return a new id: of the path, the text and the first ordinal with which no other entry has it."""
        # A commit is no part of an id: a purge changes that.
        order = self._orders[path, text] + 1
        while (name := entry_id(path, text, order)) in self._ids or self._is_used(name):
            order += 1
        self._orders[path, text] = order
        self._ids.add(name)
        return name

    def _note_removals(
        self,
        commit: Oid,
        losses: Iterable[tuple[str, Sequence[TracedEntry], Oid]],
        paths: Iterable[str],
        *,
        merge: bool,
    ) -> None:
        """Note the entries that no changed file has any more. A removal in a branch is not one of the merge."""
        files, removals = self._history.files, self._history.removals
        live = {entry.link.id for path in paths if path in files for entry in files[path]}
        for path, version, holder in losses:
            for entry in version:
                name = entry.link.id
                if name not in live and not (merge and name in removals):
                    removals[name] = Removal(entry.link, path, entry.row, commit, holder)


def _drop_duplicates(files: Files, drafts: Iterable[VersionDraft]) -> None:
    """Leave an entry only one of two places to which branches moved it."""
    ids = {entry.link.id for version in files.values() for entry in version}
    for draft in drafts:
        for place, link in enumerate(draft.links):
            if link and link.id in ids:
                draft.links[place] = None
            elif link:
                ids.add(link.id)
    for draft in drafts:
        draft.leftovers = {place: entry for place, entry in draft.leftovers.items() if entry.link.id not in ids}
