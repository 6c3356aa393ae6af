"""Standing changes of one run of an agent."""

from clawgit.errors import ClawgitError
from clawgit.git.repository import Oid
from clawgit.workspace import records, runs
from clawgit.workspace.workspace import Workspace


def standing(workspace: Workspace, name: str | None = None) -> tuple[Oid, ...]:
    """Return the commits of the run that made `name` (a change id or revision; None: the last run), newest first.

    Those that were taken back are left out. Raises ClawgitError where no run made it, or nothing of it stands.
    """
    wanted = records.find(workspace, name) if name else None
    made = [ran.committed for ran in runs.ledger(workspace.state) if ran.committed]
    if wanted is not None:
        made = [commits for commits in made if wanted in commits]
        if not made:
            raise ClawgitError(f"{wanted[:10]} is of no run that is known here", fix=f"clawgit undo {wanted[:10]}")
    stand = _standing(workspace, {commit for commits in made for commit in commits})
    for commits in reversed(made):
        if found := tuple(commit for commit in reversed(commits) if commit in stand):
            return found
    raise ClawgitError("there is no run of an agent to undo that was not undone before", fix="clawgit log")


def _standing(workspace: Workspace, made: set[Oid]) -> set[Oid]:
    """Return those of the commits `made` that are in the history and not undone there."""
    undone, stand = set[str | None](), set[Oid]()
    for found in records.log(workspace):
        if undone & {found.commit, found.change} - {None}:
            continue
        undone |= {one.undoes for one in found.squashed or (found,) if one.undoes}
        stand |= {found.commit} & made
        if len(stand) == len(made):
            break
    return stand
