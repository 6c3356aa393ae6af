"""Renders the changelog and the compaction log."""

import contextlib
from collections.abc import Iterable, Iterator

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import compaction_log, scope, views, views_kept
from clawgit.workspace.workspace import Workspace


def render(workspace: Workspace) -> None:
    """Render the changelog of the identity anew, where it was rendered before.

    Raises ClawgitError when it cannot be.
    """
    path = views.where(workspace)
    if views.ours(workspace.root / path):
        _render(workspace, path)


def _render(workspace: Workspace, path: str) -> None:
    if grown := views_kept.grown(workspace, path):
        view, tip = grown
    else:
        tip = repository.tip(workspace.repo)
        view = views.changelog(workspace, tip)
    views.write(workspace, view)
    views_kept.keep(workspace, view, tip)


def follow(workspace: Workspace, written: Iterable[str], *, undone: bool = False) -> None:
    """Let the views that there are follow a commit of ours that wrote these files; an undo changes both.

    Git's hooks do not hear of such a commit. Best effort: the nightly run renders them too.
    """
    with contextlib.suppress(ClawgitError, OSError):
        if any(scope.guarded(path) for path in written):
            render(workspace)
        if undone:
            compaction_log.again(workspace)


def begin(workspace: Workspace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Render the views for the first time; return those that are there now, and why others are not.

    One that git would take for a file to commit is not made. Whatever is in the way is told: the workspace stands.
    """
    notes = tuple(_first_changelog(workspace))
    try:
        notes = (*notes, *compaction_log.render(workspace))
    except (ClawgitError, OSError) as exc:
        notes = (*notes, f"{compaction_log.PATH} is not rendered: {exc}")
    names = (*views.NAMES, compaction_log.PATH)
    return tuple(name for name in names if views.ours(workspace.root / name)), notes


def _first_changelog(workspace: Workspace) -> Iterator[str]:
    try:
        path = views.where(workspace)
        if repository.ignored(workspace.repo, path):
            _render(workspace, path)
        else:
            yield f"{path} is not rendered, as git does not ignore it: add /{path} to .gitignore; clawgit changelog"
    except (ClawgitError, OSError) as exc:
        yield f"the changelog is not rendered: {exc}"
