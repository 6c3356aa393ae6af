"""Keeps what is unapproved or corrected out of answers."""

from collections.abc import Collection, Iterable

from clawgit.errors import ClawgitError
from clawgit.git.repository import Oid
from clawgit.search import boilerplate
from clawgit.search.answer import Hit
from clawgit.search.rank import Ranked
from clawgit.search.store import Place
from clawgit.text import entry
from clawgit.text.identity import digest
from clawgit.workspace import enforcement, scope, served
from clawgit.workspace.workspace import Workspace

_ARCHIVES = "memory/archive/"
"""Where journals go as they were: what did not hold there holds no more here."""


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


def without_refuted(workspace: Workspace, ranked: list[Ranked]) -> list[Ranked]:
    """Return what was found, without what a correction says is wrong: its own quote of it, and entries left standing.

    Where a file is not rewritten (a journal, or what OpenClaw's agent alone may write) a correction changes no line;
    the sidecar alone says that it was made.
    """
    ranked = [one for one in ranked if not boilerplate.refuted(one.place)]
    if not any(_untouched(workspace, path) for path in {one.place.path for one in ranked}):
        return ranked
    rows = workspace.rows().values()
    dead = {(row.file, row.hash) for row in rows if row.status == "superseded"}
    dead -= {(row.file, row.hash) for row in rows if row.status == "live"}
    dead |= {(_ARCHIVES, name) for path, name in dead if scope.journal_day(path)}
    return [one for one in ranked if not (_untouched(workspace, one.place.path) and _refuted(one.place, dead))]


def _untouched(workspace: Workspace, path: str) -> bool:
    return workspace.theirs(path) or path.startswith(_ARCHIVES) or scope.journal_day(path) is not None


def _refuted(place: Place, dead: Collection[tuple[str, str]]) -> bool:
    said = [one.text for one in entry.entries(place.text)]
    path = _ARCHIVES if place.path.startswith(_ARCHIVES) else place.path
    return bool(said) and all((path, digest(text)) in dead for text in said)


def _differs(workspace: Workspace, path: str, commit: Oid | None) -> bool:
    try:
        return bool(served.read(workspace, path, commit)[1])
    except ClawgitError:
        return True
