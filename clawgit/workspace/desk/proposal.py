"""A change that waits for the operator."""

import contextlib
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cached_property

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import chain, history, references, repository
from clawgit.git.history import Commit
from clawgit.git.repository import Oid, Repository
from clawgit.text.identity import is_id
from clawgit.workspace import contents, message
from clawgit.workspace.message import Message

OPEN = "refs/clawgit/proposals/"
REJECTED = "refs/clawgit/rejected/"
LASTS = timedelta(days=14)


class Proposal(Struct, frozen=True, dict=True):
    """A commit that is on no branch: what it changes, over the commit below it.

    What its message says of agent, origin and evidence is a claim, and decides nothing. `rejection` is the message of
    whoever rejected it.
    """

    id: str
    commit: Commit
    repo: Repository
    rejection: Commit | None = None

    @property
    def created(self) -> datetime:
        """When it was made."""
        return self.commit.date

    @property
    def expires(self) -> datetime:
        """When it can be approved no longer."""
        try:
            return self.created + LASTS
        except OverflowError:  # somebody dated it to the end of time
            return self.created

    @cached_property
    def said(self) -> Message:
        """Its subject, reason and trailers."""
        return message.parse(self.commit.message)

    @property
    def agent(self) -> str | None:
        """Who says to have made it; "capture" for an edit that was found on disk."""
        return self.said.get("Clawgit-Agent")

    @property
    def evidence(self) -> tuple[str, ...]:
        """The trailers of its evidence."""
        return self.said.all("Evidence")

    @cached_property
    def texts(self) -> dict[str, tuple[str | None, str | None]]:
        """Each file before and after, by path; None for no file. Raises ClawgitError for what is no text."""
        base = self.commit.parents[0] if self.commit.parents else None
        return {path: (self._text(base, path), self._text(self.commit.id, path)) for path in self.paths}

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that it changes. Raises ClawgitError where what it starts from, or leads to, is not here."""
        try:
            return chain.changed(self.repo, self.commit.parents[0] if self.commit.parents else None, self.commit.id)
        except KeyError as exc:
            raise self._incomplete() from exc

    def _text(self, commit: Oid | None, path: str) -> str | None:
        try:
            data = repository.read(self.repo, commit, path)
        except KeyError as exc:
            raise self._incomplete() from exc
        return contents.decoded(path, data)

    def _incomplete(self) -> ClawgitError:
        return ClawgitError(f"proposal {self.id} is not here as a whole: git lacks a part of it", fix="git fsck")


def waiting(repo: Repository) -> Iterator[Proposal]:
    """Yield the proposals that nobody has decided, oldest first, the expired ones too."""
    found = (Proposal(name, commit, repo) for name, commit in _below(repo, OPEN))
    yield from sorted(found, key=lambda one: (one.created, one.id))


def rejected(repo: Repository) -> Iterator[Proposal]:
    """Yield the proposals that were rejected, oldest first."""
    answers = [(name, no) for name, no in _below(repo, REJECTED) if no.parents]
    commits = _commits(repo, (no.parents[0] for _, no in answers))
    found = (Proposal(name, commits[no.parents[0]], repo, no) for name, no in answers if no.parents[0] in commits)
    yield from sorted(found, key=lambda one: (one.created, one.id))


def _below(repo: Repository, prefix: str) -> Iterator[tuple[str, Commit]]:
    """Yield what the references below `prefix` point at; one that is none of ours, or leads nowhere, is passed over."""
    names = [name for name in references.ours(repo) if name.startswith(prefix) and is_id(name.removeprefix(prefix))]
    targets = {name: oid for name in names if (oid := references.target(repo, name))}
    commits = _commits(repo, targets.values())
    return ((name.removeprefix(prefix), commits[oid]) for name, oid in targets.items() if oid in commits)


def _commits(repo: Repository, oids: Iterable[Oid]) -> dict[Oid, Commit]:
    there = [oid for oid in oids if repository.resolve(repo, f"{oid}^{{commit}}")]
    try:
        return history.several(repo, there)
    except (ClawgitError, ValueError):  # somebody put a commit there that git cannot read: the others count
        return {oid: one for oid in there for one in _readable(repo, oid)}


def _readable(repo: Repository, oid: Oid) -> Iterator[Commit]:
    with contextlib.suppress(ClawgitError, ValueError):
        yield from history.several(repo, (oid,)).values()
