"""What agents did, and what it cost."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from clawgit.errors import Command, undo_done, undo_nothing
from clawgit.git import history, repository
from clawgit.git.repository import Oid
from clawgit.store.database import StateStore
from clawgit.workspace import manifest, records
from clawgit.workspace.records import Record
from clawgit.workspace.workspace import Workspace

FILE = "runs"


class Ran(Struct, frozen=True):
    """One run of an agent, times in ISO 8601. `error` says why it failed, "" where it did not.

    `read` counts what was looked at, `proposed` what it would keep, `skipped` what was left out, by reason; `committed`
    and `waiting` are the commits and proposals that it came to, `usage` is what a model was asked.
    """

    agent: str
    started: str
    ended: str
    read: int = 0
    proposed: int = 0
    committed: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    usage: Mapping[str, float | bool] = field(default_factory=dict)
    error: str = ""


def note(store: StateStore, ran: Ran) -> None:
    """Append a run to the ledger. Raises ClawgitError."""
    store.append_rows(FILE, (ran,))


def ledger(store: StateStore) -> list[Ran]:
    """Return the runs in their order."""
    return store.read_rows(FILE, Ran)


class Standing(Struct, frozen=True):
    """What still stands of a run: its commits, newest first."""

    ran: Ran
    commits: tuple[Oid, ...]


def standing(workspace: Workspace, name: str | None = None) -> Standing:
    """Return the run that made `name` (a change id or revision; None: the newest run that is not taken back).

    Which run is the newest is told by history, and the ledger says what belongs to it. Raises ClawgitError where no run
    made it, or nothing of it stands, or the newest change of an agent is of no run that the ledger knows.
    """
    wanted = _record(workspace, records.find(workspace, name)) if name else _newest(workspace)
    if wanted is None:
        raise undo_nothing("there is no run of an agent to undo that was not undone before", fix=Command("clawgit log"))
    every = tuple(reversed([*ledger(workspace.store)]))
    ran = next((ran for ran in every if wanted.commit in ran.committed), None)
    moved = {} if ran else _changes(workspace, every)
    ran = ran or next((ran for ran in every if _made(ran, wanted, moved)), None)
    if ran is None:
        short = f"{wanted.commit[:10]} ({wanted.subject})"
        newest = "" if name else "the newest change of an agent, "
        raise undo_nothing(
            f"{newest}{short} is of no run that is known here",
            fix=Command("clawgit undo {}", wanted.change or wanted.commit[:10]),
        )
    moved = moved or _changes(workspace, [ran])
    if found := tuple(one.commit for one in _standing(workspace) if _made(ran, one, moved)):
        return Standing(ran, found)
    raise undo_done(f"all of the run that made {wanted.commit[:10]} is undone already", fix=Command("clawgit log"))


def _record(workspace: Workspace, commit: Oid) -> Record:
    return records.record(history.commit(workspace.repo, commit))


def _newest(workspace: Workspace) -> Record | None:
    """Return the newest change of an agent that was not undone."""
    return next((one for one in _standing(workspace) if one.agent in manifest.WRITERS and one.change), None)


def _standing(workspace: Workspace) -> Iterator[Record]:
    """Yield the commits of the history that are neither undone nor themselves an undo, newest first."""
    undone = set[str | None]()
    for found in records.log(workspace):
        if undone & {found.commit, found.change} - {None}:
            continue
        undone |= {found.undoes} - {None}
        if not found.undoes:
            yield found


def _made(ran: Ran, wanted: Record, moved: Mapping[Oid, str]) -> bool:
    """Return whether a run made a change: by its commit, by its id where it was rebased, or as a proposal approved."""
    if wanted.commit in ran.committed or not wanted.change:
        return wanted.commit in ran.committed
    return wanted.change in ran.waiting or wanted.change in {moved.get(commit) for commit in ran.committed}


def _changes(workspace: Workspace, found: Iterable[Ran]) -> dict[Oid, str]:
    """Return the change ids of the commits of runs, as far as git still has them: a rebase gives them other names."""
    repo = workspace.repo
    there = [oid for ran in found for oid in ran.committed if repository.resolve(repo, oid)]
    named = ((oid, records.record(commit).change) for oid, commit in history.several(repo, there).items())
    return {oid: change for oid, change in named if change}
