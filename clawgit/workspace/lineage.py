"""Follows a file through its names."""

from collections.abc import Iterator

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted
from clawgit.git import disk, history, repository
from clawgit.git.repository import Oid
from clawgit.workspace.workspace import Workspace

_MOST = 20


class Version(Struct, frozen=True):
    """A file as a commit holds it, under the name that it had there."""

    commit: Oid
    path: str
    text: str


def versions(workspace: Workspace, path: str, start: Oid | None = None) -> Iterator[Version]:
    """Yield the versions of a file, newest first, from `start` on, also those under earlier names.

    Commits that only took the file away are left out, those before a new birth are not.
    """
    last, known = start or "HEAD", set[str]()
    for _ in range(_MOST):
        known.add(path)
        oldest: Oid | None = None
        for found in history.log(workspace.repo, path, start=last, named=False):
            data = repository.read(workspace.repo, found.id, path)
            if data is not None:
                yield Version(found.id, path, data.decode("utf-8", "replace"))
            oldest = found.id
        before = history.renames(workspace.repo, oldest).get(path) if oldest else None
        if oldest is None or before is None or before in known:
            return
        last, path = f"{oldest}^", before


def here(workspace: Workspace, path: str) -> str:
    """Return the name that a file has now: another than `path` when it was renamed and nothing took its place."""
    known = {path}
    for _ in range(_MOST):
        if lies(workspace, path):
            return path
        gone = next(history.log(workspace.repo, path, limit=1, named=False), None)
        after = [new for new, old in history.renames(workspace.repo, gone.id).items() if old == path] if gone else []
        if not after or after[0] in known:
            return path
        path = after[0]
        known.add(path)
    return path


def lies(workspace: Workspace, path: str) -> bool:
    """Tell whether a file lies at `path` on disk. Raises ClawgitError where something else is in its place."""
    place = disk.locate(workspace.repo, path)
    if place.is_dir() and not place.is_symlink():
        raise ClawgitError(f"{path} is a folder now", fix=f"git mv {quoted(path)} {quoted(f'{path}.d')}   # then again")
    blocking = next((folder for folder in place.parents if folder.is_file()), None)
    if blocking is not None and blocking.is_relative_to(workspace.root):
        name = blocking.relative_to(workspace.root).as_posix()
        raise ClawgitError(
            f"{name} is a file now, where {path} needs a folder", fix=f"git mv {quoted(name)} {quoted(f'{name}.md')}"
        )
    return place.is_file() or place.is_symlink()
