"""The runs of agents, and their cost."""

from collections.abc import Mapping

from msgspec import Struct, field

from clawgit.errors import Command, undo_done, undo_nothing
from clawgit.git.repository import Oid
from clawgit.store.database import StateStore
from clawgit.workspace import manifest, records
from clawgit.workspace.workspace import Workspace

_LIST = "runs"


class Ran(Struct, frozen=True):
    """One run of an agent, times in ISO 8601. `error` is the reason of a failure, or "".

    `read` counts the inputs, `proposed` the operations, `skipped` those left out, by reason; `committed` and `waiting`
    are the resulting commits and proposals, `usage` is the use of a model.
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
    store.append_rows(_LIST, (ran,))


def ledger(store: StateStore) -> list[Ran]:
    """Return the runs in their order."""
    return store.read_rows(_LIST, Ran)


def find_run(workspace: Workspace, name: str | None) -> tuple[Ran, tuple[Oid, ...]]:
    """Return the run that made `name` (a change id or revision; None: the newest run that is not undone).

    With it come its commits in force, newest first; the ledger assigns them to a run. Raises ClawgitError if no run
    made it, or nothing of it is left.
    """
    standing_records = list(records.list_standing(workspace))
    changes = (record.commit for record in standing_records if record.agent in manifest.WRITERS and record.change)
    commit = records.find_commit(workspace, name) if name else next(changes, None)
    if commit is None:
        raise undo_nothing("there is no run of an agent to undo that was not undone before", fix=Command("clawgit log"))
    ran = next((ran for ran in reversed(ledger(workspace.store)) if commit in ran.committed), None)
    if ran is None:
        change = records.read_commit_record(workspace, commit).change or commit[:10]
        raise undo_nothing(f"{commit[:10]} is of no run that is known here", fix=Command("clawgit undo {}", change))
    if commits := tuple(record.commit for record in standing_records if record.commit in ran.committed):
        return ran, commits
    raise undo_done(f"all of the run that made {commit[:10]} is undone already", fix=Command("clawgit log"))
