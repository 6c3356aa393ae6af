"""Keeps what is unapproved or corrected out of answers."""

from collections.abc import Collection, Iterable
from functools import lru_cache

from clawgit.errors import ClawgitError
from clawgit.git.repository import Oid
from clawgit.search import boilerplate
from clawgit.search.answer import Hit
from clawgit.search.rank import Ranked
from clawgit.search.store import Place
from clawgit.text import entry
from clawgit.text.identity import digest
from clawgit.workspace import conflicted, enforcement, entries, scope, served
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
    """Return what was found, without what a correction quotes as wrong, and without entries that hold no more.

    These are known by their tag, or by the sidecar alone: a journal is not rewritten, nor a file that OpenClaw's agent
    alone may write, and there no line says it.
    """
    dead = _dead(conflicted.sidecar(workspace.repo))
    return [one for one in ranked if not (boilerplate.refuted(one.place) or _refuted(one.place, dead))]


@lru_cache(maxsize=2)  # a server asks about the same sidecar again and again
def _dead(text: str) -> frozenset[tuple[str, str]]:
    """Return the files and hashes of the entries that a sidecar knows to be superseded, and nowhere live."""
    if "superseded" not in text:
        return frozenset()
    rows = entries.parse(text).values()
    live = {(row.file, row.hash) for row in rows if row.status == "live"}
    dead = {(row.file, row.hash) for row in rows if row.status == "superseded"} - live
    return frozenset(dead | {(_ARCHIVES, name) for path, name in dead if scope.journal_day(path)})


def _refuted(place: Place, dead: Collection[tuple[str, str]]) -> bool:
    if not dead and "#superseded" not in place.text:
        return False
    said = entry.entries(place.text)
    path = _ARCHIVES if place.path.startswith(_ARCHIVES) else place.path
    return bool(said) and all("superseded" in one.status or (path, digest(one.text)) in dead for one in said)


def _differs(workspace: Workspace, path: str, commit: Oid | None) -> bool:
    try:
        return bool(served.read(workspace, path, commit)[1])
    except ClawgitError:
        return True
