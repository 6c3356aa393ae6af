"""What became of a write."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git.repository import Oid

if TYPE_CHECKING:  # what only a write needs is loaded when one begins
    from clawgit.git import transaction
    from clawgit.workspace.alarms import Alarm
    from clawgit.workspace.change import Change
    from clawgit.workspace.desk.offer import Offered
    from clawgit.workspace.planning import Planner
    from clawgit.workspace.risk import Risk
    from clawgit.workspace.stale import Healed

After = Callable[["Applied"], None]


class Applied(Struct, frozen=True):
    """What became of a change: `commit` is None when there was nothing to do, or when it waits as `proposal`."""

    commit: Oid | None
    change: str
    files: tuple[str, ...] = ()
    captured: Oid | None = None
    risk: "Risk | None" = None
    proposal: "Offered | None" = None
    notes: tuple[str, ...] = ()


class Captured(Struct, frozen=True):
    """What became of what others wrote: `commit` is None when there was nothing to do.

    `waiting` are the proposals that edits became which may not stand, and `back` the files that are as before. `asked`
    are the records of CONFLICTS.md that were opened, since nobody can tell what a writer had seen.
    """

    commit: Oid | None = None
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    alarms: "tuple[Alarm, ...]" = ()
    stale: "Mapping[str, Healed]" = field(default_factory=dict)
    waiting: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


def refuse_rejected(applied: Applied) -> None:
    """Raise ClawgitError for a proposal that the operator rejected before."""
    waits = applied.proposal
    if waits and waits.rejected:
        words = f"it was rejected before, as {waits.id}; bring new evidence, or land it in your own name"
        raise ClawgitError(words, fix=f"clawgit soul review {waits.id}")


def told(applied: Applied, after: Iterable[After]) -> Applied:
    """Tell everybody who asked; the change has landed, so that what goes wrong with them is no more than a note."""
    for callback in after:
        try:
            callback(applied)
        except Exception as exc:  # noqa: BLE001 - whatever it is
            applied = replace(applied, notes=(*applied.notes, f"after the change: {exc}"))
    return applied


def became(
    change: "Change", planner: "Planner", written: "transaction.Written", before: Captured, kept: Iterable[str] = ()
) -> Applied:
    """Return what became of `change`, of which `planner` made what was `written`; `before` was captured for it.

    `kept` are sentences on what was kept beside the branch.
    """
    commits = written.commits
    notes = (*before.notes, *written.notes, *planner.taken.notes, *kept)
    if not planner.changes:
        captured = commits[-1] if commits else before.commit
        return Applied(None, change.id, (), captured, planner.risk, planner.proposal, notes)
    captured = commits[-2] if len(commits) > 1 else before.commit
    return Applied(commits[-1], change.id, planner.files, captured, planner.risk, notes=notes)
