"""A change that waits for the operator."""

import contextlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import commit_chain, commit_graph, history, references, regular_file, repository
from clawgit.git.commit_graph import Entry
from clawgit.git.history import Commit
from clawgit.git.repository import Oid, Repository
from clawgit.text.entry import is_id
from clawgit.text.spelling import nearest
from clawgit.workspace import commit_message, file_contents, records
from clawgit.workspace.commit_message import Message
from clawgit.workspace.workspace_base import WorkspaceBase

_PATIENCE = 10.0


@contextmanager
def turn(state: Path) -> Iterator[None]:
    """Hold the lock of the desk, so that what is decided twice is decided once; the system drops it at the end.

    Raises BusyError when somebody else is at it for too long.
    """
    place, busy = state / "desk.lock", errors.in_use("somebody else is deciding a proposal")
    with ExitStack() as stack:
        try:
            stack.enter_context(regular_file.locked(place, busy, _PATIENCE))
        except OSError as exc:
            raise errors.unwritable(place, exc) from exc
        yield


OPEN = "refs/clawgit/proposals/"
REJECTED = "refs/clawgit/rejected/"
LASTS = timedelta(days=14)
RESTORE_LASTS = timedelta(days=7)
CONTROL_LASTS = timedelta(days=3650)
"""Nobody asks for these files again: they wait until they are decided."""
Kind = Literal["change", "restore", "control"]
KINDS: tuple[Kind, ...] = get_args(Kind)


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
            return self.created + {"restore": RESTORE_LASTS, "control": CONTROL_LASTS}.get(self.kind, LASTS)
        except OverflowError:  # somebody dated it to the end of time
            return self.created

    @cached_property
    def said(self) -> Message:
        """Its subject, reason and trailers."""
        return commit_message.parse(self.commit.message)

    @property
    def agent(self) -> str | None:
        """Who says to have made it; "capture" for an edit that was found on disk."""
        return self.said.get("Clawgit-Agent")

    @property
    def kind(self) -> Kind:
        """What is decided: a change, lines of clawgit's that came or went, or what another machine may not control."""
        claimed = self.said.get(commit_message.KIND)
        return next((kind for kind in KINDS if kind == claimed), "change")

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
    def entries(self) -> dict[str, tuple[Entry | None, Entry | None]]:
        """Each file before and after as git has it, by path; None for no file."""
        ends = (self.commit.parents[0], self.commit.id) if self.commit.parents else (None, self.commit.id)
        before, after = ({path: commit_graph.entry(self.repo, end, path) for path in self.paths} for end in ends)
        return {path: (before[path], after[path]) for path in self.paths}

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that it changes. Raises ClawgitError where what it starts from, or leads to, is not here."""
        try:
            return commit_chain.changed(
                self.repo, self.commit.parents[0] if self.commit.parents else None, self.commit.id
            )
        except KeyError as exc:
            raise self._incomplete() from exc

    def _text(self, commit: Oid | None, path: str) -> str | None:
        try:
            if self.kind == "control":
                return described(self.repo, commit_graph.entry(self.repo, commit, path))
            data = repository.read(self.repo, commit, path)
        except KeyError as exc:
            raise self._incomplete() from exc
        return file_contents.decoded(path, data)

    def _incomplete(self) -> ClawgitError:
        return errors.object_missing(
            f"proposal {self.id} is not here as a whole: git lacks a part of it", fix=Command("git fsck")
        )


def described(repo: Repository, entry: Entry | None) -> str | None:
    """Return a file as it is shown, whatever it is; None for no file."""
    if entry is None:
        return None
    if entry.submodule:
        return f"(a repository of its own, at {entry.blob})\n"
    data = repository.blob(repo, entry.blob)
    if not entry.regular:
        return f"(a symbolic link to {data.decode('utf-8', 'replace')})\n"
    text = file_contents.text_of(data)
    return f"(a binary file of {len(data):,} bytes, {entry.blob})\n" if text is None else text


def waiting_proposals(repo: Repository) -> Iterator[Proposal]:
    """Yield the proposals that nobody has decided, oldest first, the expired ones too."""
    found = (Proposal(name, commit, repo) for name, commit in _below(repo, OPEN))
    yield from sorted(found, key=lambda one: (one.created, one.id))


def rejected_proposals(repo: Repository) -> Iterator[Proposal]:
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


_LEAST = 4  # letters of an id that stand for it
_FIX = Command("clawgit soul proposals")


def find(workspace: WorkspaceBase, name: str) -> Proposal:
    """Return the proposal whose id is, or begins with, `name`: one that waits, else one that was rejected.

    Raises ClawgitError that says what became of it, where the log knows, or names the nearest.
    """
    if len(name) < _LEAST or not is_id(name.ljust(10, "k")):
        raise errors.id_unknown(f"{name!r} is no id of a proposal, nor the first letters of one", fix=_FIX)
    waiting, rejected = list(waiting_proposals(workspace.repo)), list(rejected_proposals(workspace.repo))
    for found in ([one for one in some if one.id.startswith(name)] for some in (waiting, rejected)):
        if len(found) > 1:
            ids = ", ".join(one.id for one in found)
            raise errors.id_ambiguous(f"several proposals begin with {name}: {ids}", fix=Advice("type more of it"))
        if found:
            return found[0]
    commit = landed(workspace, name)
    if commit:
        raise errors.already_decided(f"{name} was approved in {commit[:10]}", fix=Command("git show {}", commit[:10]))
    raise _unknown(name, (one.id for one in (*waiting, *rejected)))


def landed(workspace: WorkspaceBase, name: str) -> str | None:
    """Return the commit that says to be the change of that id. Whoever commits can say so: it decides nothing."""
    try:
        commit = records.find(workspace, name)
    except ClawgitError:
        return None
    found = records.record(history.commit(workspace.repo, commit))
    named = (one.change or "" for one in (found, *found.squashed))
    return commit if any(change.startswith(name) for change in named) else None


def answer(found: Proposal) -> str:
    """Return when and why a proposal was rejected, as a sentence goes on; "" while it waits."""
    if found.rejection is None:
        return ""
    why = commit_message.one_line(commit_message.parse(found.rejection.message).why)
    return f"was rejected on {found.rejection.date:%Y-%m-%d}" + (f": {why}" if why else "")


def _unknown(name: str, ids: Iterable[str]) -> ClawgitError:
    near = nearest(name, set(ids), 1)
    return errors.id_unknown(
        f"there is no proposal {name}", fix=Command("clawgit soul review {}", near[0]) if near else _FIX
    )
