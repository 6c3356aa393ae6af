"""Renders only what came since a changelog was rendered."""

import contextlib
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit import __version__
from clawgit.errors import ClawgitError
from clawgit.git import history, regular_file
from clawgit.git.history import Commit
from clawgit.git.repository import Oid
from clawgit.workspace import views
from clawgit.workspace.views import View

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace


def keep(workspace: "Workspace", view: View, tip: Oid) -> None:
    """Note that a view was rendered from the log of `tip`. Best effort: without it, all is rendered anew."""
    words = (__version__, view.path, tip, _sum(view.text.encode()), str(view.entries), *sorted(view.undone))
    place = _place(workspace)
    temporary = place.with_name(f".{place.name}.{os.getpid()}.tmp")
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes("\0".join(words).encode("utf-8", "surrogateescape"))
        temporary.replace(place)


def grown(workspace: "Workspace", path: str) -> tuple[View, Oid] | None:
    """Return the changelog at `path` with what came since it was rendered, and the commit that this leads to.

    None where it was not rendered here or is another file since, and where HEAD does not follow in a straight line.
    """
    kept = None if (workspace.repo.commondir / "shallow").exists() else _kept(workspace, path)
    if kept is None:
        return None
    view, tip = kept
    commits = _since(workspace, tip)
    if not _straight(commits, tip):
        return None
    found = views.explained(one for one in commits if one.paths)
    more = views.grown(view, found) if found else view
    return (more, commits[0].id) if more else None


def _kept(workspace: "Workspace", path: str) -> tuple[View, Oid] | None:
    """Return the view that was rendered to `path` and still stands there, and the commit that it was rendered from."""
    try:
        noted = _place(workspace).read_bytes().decode("utf-8", "surrogateescape").split("\0")
        data = regular_file.read(workspace.root / path)
    except OSError:
        return None
    match noted:
        case [version, name, tip, total, entries, *undone] if (version, name, total) == (__version__, path, _sum(data)):
            return View(path, data.decode(), int(entries), current=True, undone=frozenset(undone)), tip
        case _:
            return None


def _since(workspace: "Workspace", tip: Oid) -> tuple[Commit, ...]:
    """Return the commits of HEAD that `tip` does not reach, all of them, newest first; none where git cannot tell."""
    try:
        return tuple(history.log(workspace.repo, *views.PATHS, start=f"{tip}..HEAD", literal=False, sparse=True))
    except ClawgitError:
        return ()


def _straight(commits: Sequence[Commit], tip: Oid) -> bool:
    """Tell whether commits follow each other and `tip`, so that the log of it goes on as it was below them."""
    below = [*(one.id for one in commits[1:]), tip]
    return bool(commits) and all(one.parents == (under,) for one, under in zip(commits, below, strict=True))


def _sum(data: bytes) -> str:
    return f"{len(data)} {zlib.crc32(data)}"


def _place(workspace: "Workspace") -> Path:
    return workspace.repo.room / "cache" / "changelog"
