"""What agents did, and what it cost."""

from collections.abc import Mapping

from msgspec import Struct, field

from clawgit.errors import Command, undo_done, undo_nothing
from clawgit.git.repository import Oid
from clawgit.store.database import StateStore
from clawgit.workspace import manifest, records
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


def standing(workspace: Workspace, name: str | None = None) -> tuple[Ran, tuple[Oid, ...]]:
    """Return the run that made `name` (a change id or revision; None: the newest run that is not taken back).

    With it come its commits that still stand, newest first; the ledger says which belong to a run. Raises ClawgitError
    where no run made it, or nothing of it stands.
    """
    standing_records = list(records.list_standing(workspace))
    newest = next((one.commit for one in standing_records if one.agent in manifest.WRITERS and one.change), None)
    wanted = records.find(workspace, name) if name else newest
    if wanted is None:
        raise undo_nothing("there is no run of an agent to undo that was not undone before", fix=Command("clawgit log"))
    ran = next((ran for ran in reversed(ledger(workspace.store)) if wanted in ran.committed), None)
    if ran is None:
        change = records.read(workspace, wanted).change or wanted[:10]
        raise undo_nothing(f"{wanted[:10]} is of no run that is known here", fix=Command("clawgit undo {}", change))
    if found := tuple(one.commit for one in standing_records if one.commit in ran.committed):
        return ran, found
    raise undo_done(f"all of the run that made {wanted[:10]} is undone already", fix=Command("clawgit log"))
