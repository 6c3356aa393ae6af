"""The log as people read it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.history import Commit
from clawgit.text import evidence as pointers
from clawgit.text.dates import end_of, parse_date
from clawgit.text.identity import is_id
from clawgit.text.similarity import nearest
from clawgit.workspace import message
from clawgit.workspace.workspace import Workspace

_RECENT = 500


@dataclass(frozen=True, slots=True)
class Cited:
    """A pointer as its trailer has it, and the quote alone."""

    pointer: str
    quote: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """One commit, explained; `agent` and `change` are None for a human or foreign commit."""

    commit: str
    change: str | None
    date: datetime
    agent: str | None
    author: str
    origin: str | None
    risk: str | None
    subject: str
    why: str
    evidence: tuple[Cited, ...]
    files: tuple[str, ...]
    undoes: str | None = None


def log(workspace: Workspace, *paths: str, limit: int | None = None, since: str | None = None) -> Iterator[Record]:
    """Yield what happened to `paths` (none: everything), newest first, as `git log` orders it."""
    return (record(commit) for commit in history.log(workspace.repo, *paths, limit=limit, since=since))


def record(commit: Commit) -> Record:
    """Return a commit as a record."""
    said = message.parse(commit.message)
    return Record(
        commit.id,
        said.get("Clawgit-Change"),
        commit.date,
        said.get("Clawgit-Agent"),
        commit.author,
        said.get("Origin"),
        said.get("Risk"),
        said.subject,
        said.why,
        tuple(_cited(value) for value in said.all("Evidence")),
        commit.paths,
        said.get("Clawgit-Undoes"),
    )


def moment(workspace: Workspace, commit: str) -> datetime:
    """Return when a commit was written."""
    return history.commit(workspace.repo, commit).date


def _cited(value: str) -> Cited:
    text, _, digest = value.rpartition(" sha256:")
    try:
        pointer = pointers.parse(text if digest else value)
    except ClawgitError:
        return Cited(value, None)
    return Cited(pointers.format(pointer), pointer.quote)


def find(workspace: Workspace, name: str) -> str:
    """Return the commit that `name` means: a change id (or its beginning), any revision, or a date.

    A date means the last commit of that day. Raises ClawgitError naming the nearest.
    """
    found = _by_change(workspace, name) or repository.resolve(workspace.repo, name) or _by_date(workspace, name)
    if found is None and workspace.head is None:
        raise ClawgitError("there is no commit yet", fix="clawgit status")
    if found is None:
        near = nearest(name, _names(workspace))
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise ClawgitError(f"there is no change, revision or date {name!r}{hint}", fix="clawgit soul log")
    return found


def _by_change(workspace: Workspace, name: str) -> str | None:
    if not is_id(name.ljust(10, "k")):
        return None
    matches = history.log(workspace.repo, containing=f"Clawgit-Change: {name}")
    found = {
        said: commit.id
        for commit in matches
        if (said := message.parse(commit.message).get("Clawgit-Change")) and said.startswith(name)
    }
    if len(found) > 1:
        raise ClawgitError(f"several changes begin with {name}: {', '.join(found)}", fix="type more of it")
    return next(iter(found.values()), None)


def _by_date(workspace: Workspace, name: str) -> str | None:
    day = parse_date(name)
    if day is None:
        return None
    moment = end_of(day, workspace.now().tzinfo)
    found = history.at(workspace.repo, moment)
    if found is None:
        raise ClawgitError(f"there is no commit from {name} or before", fix="clawgit soul log")
    return found


def _names(workspace: Workspace) -> set[str]:
    recent = log(workspace, limit=_RECENT)
    return {name for found in recent for name in (found.change, found.commit[:10]) if name}
