"""Follows every file through the commits of several machines."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from clawgit.git import commit_graph, repository
from clawgit.git.commit_graph import Entry, Node
from clawgit.git.repository import Oid, Repository
from clawgit.sync import merge_rules
from clawgit.sync.merge_rules import History
from clawgit.text.merging.event_graph import BASE, EventGraph
from clawgit.text.merging.line_history import Version
from clawgit.text.merging.row_history import RowHistory, RowVersion
from clawgit.workspace import file_roles
from clawgit.workspace.file_contents import text_of


class Held(Struct, frozen=True):
    """A file in a commit: its version, and its blob (None: no file)."""

    version: Version | RowVersion
    blob: Oid | None


Files = dict[str, Held]


class Replay:
    """What became of each file that the machines touched, up to each commit since all of them were one.

    A commit with one parent is an edit of what this one holds. A merge is what its parents come to by our rules, and
    where somebody made something else of it, an edit of that. So all who have the same commits come to the same text.
    """

    def __init__(self, repo: Repository, heads: Sequence[Oid]) -> None:
        self._repo = repo
        self.window = commit_graph.window(repo, heads)
        self.graph = EventGraph()
        self.histories: dict[str, History] = {}
        self.unreadable: set[str] = set()
        self._events: dict[Oid, int] = {}
        self._files: dict[Oid, Files] = {}
        for node in self.window.nodes:
            parents = [self._events.get(one, BASE) for one in node.parents]
            self._events[node.id] = self.graph.add(node.id, parents)
            follow = self._merge if len(node.parents) > 1 else self._edit
            self._files[node.id] = follow(node)

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
            text = text_of(repository.read(self._repo, self.window.base, path))
            if text is None and repository.blob_id(self._repo, self.window.base, path):
                self.unreadable.add(path)
            self.histories[path] = merge_rules.history(path, self.graph, text)
        return self.histories[path]

    def _edit(self, node: Node) -> Files:
        parent = node.parents[0] if node.parents else None
        files = dict(self._of(parent)) if parent else {}
        for path, (_, after) in commit_graph.difference(self._repo, parent, node.id).items():
            if _followed(path):
                before = files.get(path) or self._start(path, parent)
                files[path] = self._edited(node, path, before.version, after)
        return files

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
        return {path: self._merged(node, path) for path in paths}

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
        if file_roles.guarded(path):  # a machine that kept its own version has not seen what the others made of theirs
            own = [(held, parent) for held, parent in sides if held.blob == blob]
            if own:
                return Held(self._joined(path, [(held.version, self._event(parent)) for held, parent in own]), blob)
        return self._edited(node, path, version, now)

    def _joined(self, path: str, sides: Sequence[tuple[Version | RowVersion, int]]) -> Version | RowVersion:
        found: Version | RowVersion = _joined(self._history(path), sides)
        return found

    def _edited(self, node: Node, path: str, version: Version | RowVersion, now: Entry | None) -> Held:
        text = text_of(repository.blob(self._repo, now.blob)) if now and now.regular else None
        if now is not None and text is None:
            self.unreadable.add(path)
            return Held(version, now.blob)
        history = self._history(path)
        return Held(_edited(history, version, self._events[node.id], text), now.blob if now else None)


def _followed(path: str) -> bool:
    return merge_rules.rule(path) in ("rows", "lines")


def _edited(history: Any, version: Any, event: int, text: str | None) -> Any:
    """Return what the file's own kind of history makes of it; versions are of that kind."""
    return history.edited(version, event, text)


def _joined(history: Any, sides: Any) -> Any:
    return history.joined(sides)


def _text(history: Any, version: Any) -> str | None:
    found: str | None = history.text(version)
    return found


def joined_texts(history: Any, events: Sequence[tuple[int, str]]) -> str | None:
    """Return what concurrent events come to that each made a text of what the file held first."""
    sides = [(history.edited(history.start, event, text), event) for event, text in events]
    return _text(history, history.joined(sides))
