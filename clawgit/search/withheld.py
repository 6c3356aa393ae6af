"""Keeps out of answers what nobody approved."""

from collections.abc import Iterable

from clawgit.errors import ClawgitError
from clawgit.git.repository import Oid
from clawgit.search.answer import Hit
from clawgit.workspace import enforcement, scope, served
from clawgit.workspace.workspace import Workspace


def without_unapproved(
    workspace: Workspace, hits: Iterable[Hit], commit: Oid | None = None, *, gone: bool = False
) -> tuple[Hit, ...]:
    """Return the hits that may be shown: under review and locked none in an identity file that is not as approved.

    `commit` says as of when they hold; `gone` that they are lines which stand nowhere any more.
    """
    found = tuple(hits)
    guarded = {one.path for one in found if scope.guarded(one.path)}
    if not guarded or not enforcement.enforces(workspace):
        return found
    barred = guarded if gone else {path for path in guarded if _differs(workspace, path, commit)}
    return tuple(one for one in found if one.path not in barred)


def _differs(workspace: Workspace, path: str, commit: Oid | None) -> bool:
    try:
        return bool(served.read(workspace, path, commit)[1])
    except ClawgitError:
        return True
