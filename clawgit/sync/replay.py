"""Follows every file through the commits of several machines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from clawgit.git import commit_graph, repository
from clawgit.git.commit_graph import Entry, Node
from clawgit.git.repository import Oid, Repository
from clawgit.safety.markers import join_sides
from clawgit.sync import entry_conflicts, merge_rules
from clawgit.sync.entry_conflicts import Fallen, Merged, Settled
from clawgit.sync.merge_rules import History
from clawgit.text.merging.event_graph import BASE, EventGraph
from clawgit.text.merging.line_history import Version
from clawgit.text.merging.row_history import RowHistory, RowVersion
from clawgit.workspace import entries, file_roles
from clawgit.workspace.file_contents import text_of

_AT_HAND = 8
"""So many files are read once: those of an edit, before and after, and of the base."""


class Held(Struct, frozen=True):
    """A file in a commit: its version, and its blob (None: no file).

    Of a file that is settled the blob may say more than its version: what follows from the others.
    """

    version: Version | RowVersion
    blob: Oid | None


Files = dict[str, Held]


class Replay:
    """What became of each file that the machines touched, up to each commit since all of them were one.

    A commit with one parent is an edit of what this one holds. A merge is what its parents come to by our rules, and
    where somebody made something else of it, an edit of that. So all who have the same commits come to the same text.
    What a merge adds by itself, a row for a second wording or a record that asks which holds, follows from the others
    and is no edit: it is worked out anew with each merge, until somebody edits what it is about.
    """

    def __init__(self, repo: Repository, heads: Sequence[Oid]) -> None:
        self._repo = repo
        self._read = lru_cache(_AT_HAND)(lambda blob: _text_of(repository.blob(repo, blob)))
        self.window = commit_graph.window(repo, heads)
        self.graph = EventGraph()
        self.histories: dict[str, History] = {}
        self.unreadable: set[str] = set()
        self._events: dict[Oid, int] = {}
        self._files: dict[Oid, Files] = {}
        self._fallen: dict[Oid, Fallen] = {}
        for node in self.window.nodes:
            parents = [self._events.get(parent, BASE) for parent in node.parents]
            self._events[node.id] = self.graph.add(node.id, parents)
            follow = self._merge if len(node.parents) > 1 else self._edit
            self._files[node.id] = follow(node)
            self._fallen.setdefault(node.id, self._fell(node.parents))

    def touched(self, heads: Iterable[Oid]) -> list[str]:
        """Return the files that anybody touched and that can be followed, sorted."""
        found = {path for head in heads for path in self._of(head)}
        return sorted(found - self.unreadable)

    def joined(self, path: str, heads: Sequence[Oid]) -> Version | RowVersion:
        """Return what the versions of a file at these heads come to."""
        return self._joined(path, [(self.held(path, head).version, self._event(head)) for head in heads])

    def contested(self, path: str, version: RowVersion) -> dict[str, list[str]]:
        """Return the rows of a table that concurrent commits wrote in several ways, by name."""
        found = self.histories[path]
        return found.contested(version) if isinstance(found, RowHistory) else {}

    def text(self, path: str, version: Version | RowVersion) -> str | None:
        """Return what a version of a file says, None where there is none."""
        return _text(self.histories[path], version)

    def settled(self, heads: Sequence[Oid], texts: Mapping[str, str | None]) -> Settled:
        """Return the sidecar and CONFLICTS.md as they are once what these heads come to is settled.

        `texts` are the merged files (None: no file); all others are the same at each head.
        """
        versions = [self.joined(path, heads) for path in entry_conflicts.PATHS]
        rows, records = (self.text(path, one) for path, one in zip(entry_conflicts.PATHS, versions, strict=True))
        values = versions[0].values if isinstance(versions[0], RowVersion) else {}

        def read(path: str) -> str:
            return (texts[path] if path in texts else self._text_at(heads[0], path)) or ""

        def day(name: str) -> str:
            return entry_conflicts.day(self.window.nodes[event - 1].stamp for event in values.get(name, {}) if event)

        contested = self.contested(entries.PATH, versions[0]) if isinstance(versions[0], RowVersion) else {}
        fallen = self._fell(heads).union(*self._falling(heads, texts))
        return entry_conflicts.settled(Merged(rows, records, read, contested, day, fallen))

    def _falling(self, heads: Sequence[Oid], texts: Mapping[str, str | None]) -> Iterator[Fallen]:
        for path, text in texts.items():
            if path.endswith(".md") and len({self.held(path, head).blob for head in heads}) > 1:
                yield entry_conflicts.fallen(path, [self._text_at(head, path) or "" for head in heads], text or "")

    def _fell(self, heads: Iterable[Oid]) -> Fallen:
        return Fallen().union(*(self._fallen.get(head, Fallen()) for head in heads))

    def held(self, path: str, head: Oid) -> Held:
        """Return a file as it is at a commit."""
        found = self._of(head).get(path)
        return found or Held(self._history(path).start, repository.blob_id(self._repo, self.window.base, path))

    def _of(self, head: Oid) -> Files:
        return self._files.get(head, {})

    def _event(self, head: Oid) -> int:
        return self._events.get(head, BASE)

    def _history(self, path: str) -> History:
        if path not in self.histories:
            blob = repository.blob_id(self._repo, self.window.base, path)
            text = self._read(blob) if blob else None
            if text is None and blob:
                self.unreadable.add(path)
            self.histories[path] = merge_rules.history(path, self.graph, text)
        return self.histories[path]

    def _edit(self, node: Node) -> Files:
        parent = node.parents[0] if node.parents else None
        files = dict(self._of(parent)) if parent else {}
        changed = commit_graph.difference(self._repo, parent, node.id)
        for path, (was, after) in changed.items():
            if _followed(path):
                before = files.get(path) or self._start(path, parent)
                files[path] = self._edited(node, path, before.version, after, born=was is None)
        if (
            parent
            and None not in changed.get(entries.PATH, ())
            and not changed.keys().isdisjoint(entry_conflicts.PATHS)
        ):
            files |= self._unsettled(node, parent)
        return files

    def _unsettled(self, node: Node, parent: Oid) -> Files:
        """Return the settled files after an edit of one of them.

        Who edits a row that was worked out, or a record, has read all that was: it is that edit's from now on. By who
        edits other rows it is left as it is.
        """
        history = self._history(entries.PATH)
        held = {path: self.held(path, parent) for path in entry_conflicts.PATHS}
        version = held[entries.PATH].version
        if not isinstance(history, RowHistory) or not isinstance(version, RowVersion):
            return {}
        was, now = (self._text_at(oid, entries.PATH) for oid in (parent, node.id))
        own = history.differing(was, version)
        asked = self._blob(parent, file_roles.CONFLICTS) != self._blob(node.id, file_roles.CONFLICTS)
        if not own:
            return {}
        about = own.union(self.contested(entries.PATH, version))
        if not asked and about.isdisjoint(history.differing(was, now)):
            version = _edited_rows(history, version, self._events[node.id], now, was)
            return {entries.PATH: Held(version, self._blob(node.id, entries.PATH))}
        return {
            path: self._edited(node, path, one.version, commit_graph.entry(self._repo, node.id, path))
            for path, one in held.items()
        }

    def _text_at(self, head: Oid, path: str) -> str | None:
        blob = self._blob(head, path)
        return self._read(blob) if blob else None

    def _blob(self, head: Oid, path: str) -> Oid | None:
        return repository.blob_id(self._repo, head, path)

    def _start(self, path: str, parent: Oid | None) -> Held:
        """Return a file before the first event that touches it; a history that began elsewhere began without files."""
        history = self._history(path)
        if parent is None and self.window.base is not None:
            return Held(_edited(history, history.start, BASE, None), None)
        return Held(history.start, None)

    def _merge(self, node: Node) -> Files:
        paths = dict.fromkeys(path for parent in node.parents for path in self._of(parent))
        differing = (commit_graph.difference(self._repo, parent, node.id) for parent in node.parents)
        paths |= dict.fromkeys(path for found in differing for path in found if _followed(path))
        if entries.PATH not in paths:
            return {path: self._merged(node, path) for path in paths}
        files = {path: self._merged(node, path) for path in paths if path not in entry_conflicts.PATHS}
        texts = {path: self._text_at(node.id, path) for path in files}
        self._fallen[node.id] = self._fell(node.parents).union(*self._falling(node.parents, texts))
        found = self.settled(node.parents, texts)
        for path, text in zip(entry_conflicts.PATHS, (found.rows, found.records), strict=True):
            blob = self._blob(node.id, path)
            if (None if text is None else repository.hash_blob(text.encode())) == blob:
                files[path] = Held(self.joined(path, node.parents), blob)
            else:
                files[path] = self._merged(node, path)
        return files

    def _merged(self, node: Node, path: str) -> Held:
        sides = [(self.held(path, parent), parent) for parent in node.parents]
        now = commit_graph.entry(self._repo, node.id, path)
        blob = now.blob if now else None
        version = self._joined(path, [(held.version, self._event(parent)) for held, parent in sides])
        if any(held.version is version and held.blob == blob for held, _ in sides):
            return Held(version, blob)
        text = self.text(path, version)
        if (None if text is None else repository.hash_blob(text.encode())) == blob:
            return Held(version, blob)
        if file_roles.guarded(path) or (now is None and node.ours):  # it has not seen what the others made of theirs
            own = [(held, parent) for held, parent in sides if held.blob == blob]
            if own:
                return Held(self._joined(path, [(held.version, self._event(parent)) for held, parent in own]), blob)
        return self._edited(node, path, version, now)

    def _joined(self, path: str, sides: Sequence[tuple[Version | RowVersion, int]]) -> Version | RowVersion:
        found: Version | RowVersion = _joined(self._history(path), sides)
        return found

    def _edited(
        self, node: Node, path: str, version: Version | RowVersion, now: Entry | None, *, born: bool = False
    ) -> Held:
        """Return a file after an edit.

        That a register goes with clawgit, or by others, is no edit, nor is its return (`born`): its rows are.
        """
        text = self._read(now.blob) if now and now.regular else None
        if now is not None and text is None:
            self.unreadable.add(path)
            return Held(version, now.blob)
        history = self._history(path)
        if isinstance(history, RowHistory) and isinstance(version, RowVersion) and version.there:
            if now is None and not (node.ours and self._blob(node.id, file_roles.FORMAT)):
                return Held(version, None)
            if born and now:
                return Held(_edited_rows(history, version, self._events[node.id], text, ""), now.blob)
        return Held(_edited(history, version, self._events[node.id], text), now.blob if now else None)


def _text_of(data: bytes) -> str | None:
    """Return bytes as text, without conflict markers: who committed these said what both sides say."""
    text = text_of(data)
    return None if text is None else join_sides(text)


def _followed(path: str) -> bool:
    return merge_rules.rule(path) in ("rows", "lines")


def _edited(history: Any, version: Any, event: int, text: str | None) -> Any:
    """Return what the file's own kind of history makes of it; versions are of that kind."""
    return history.edited(version, event, text)


def _edited_rows(history: RowHistory, version: Any, event: int, text: str | None, shown: str | None) -> RowVersion:
    return history.edited(version, event, text, shown or "")


def _joined(history: Any, sides: Any) -> Any:
    return history.joined(sides)


def _text(history: Any, version: Any) -> str | None:
    found: str | None = history.text(version)
    return found
