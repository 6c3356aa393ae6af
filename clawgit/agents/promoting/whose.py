"""Whose words a note is, and whether they are safe."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from clawgit.agents.promoting.journals import Note
from clawgit.errors import ClawgitError
from clawgit.git import history
from clawgit.git.blame import Blamed, blame
from clawgit.git.command import git
from clawgit.safety import hidden_text, injection, secrets
from clawgit.text.bullet import bullet
from clawgit.text.identity import digest
from clawgit.workspace import records
from clawgit.workspace.change import ORIGINS
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace import Workspace

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
        whole, lines = self._whole.get(note.path, ""), self._lines.get(note.path, {})
        commits = [whole or lines.get(line, "") for line in range(note.start, note.end + 1)]
        return _gravest([*(self._origins.get(oid, "unknown") for oid in commits), *([row.origin] if row else [])])


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
