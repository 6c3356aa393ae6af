"""Finds a proposal, or what became of it."""

from collections.abc import Iterable

from clawgit.errors import ClawgitError
from clawgit.git import history
from clawgit.text.identity import is_id
from clawgit.text.similarity import nearest
from clawgit.workspace import message, records
from clawgit.workspace.desk import proposal
from clawgit.workspace.desk.proposal import Proposal
from clawgit.workspace.workspace import Workspace

_LEAST = 4  # letters of an id that stand for it
_FIX = "clawgit soul proposals"


def find(workspace: Workspace, name: str) -> Proposal:
    """Return the proposal whose id is, or begins with, `name`: one that waits, else one that was rejected.

    Raises ClawgitError that says what became of it, where the log knows, or names the nearest.
    """
    if len(name) < _LEAST or not is_id(name.ljust(10, "k")):
        raise ClawgitError(f"{name!r} is no id of a proposal, nor the first letters of one", fix=_FIX)
    waiting, rejected = list(proposal.waiting(workspace.repo)), list(proposal.rejected(workspace.repo))
    for found in ([one for one in some if one.id.startswith(name)] for some in (waiting, rejected)):
        if len(found) > 1:
            ids = ", ".join(one.id for one in found)
            raise ClawgitError(f"several proposals begin with {name}: {ids}", fix="type more of it")
        if found:
            return found[0]
    commit = landed(workspace, name)
    if commit:
        raise ClawgitError(f"{name} was approved in {commit[:10]}", fix=f"git show {commit[:10]}")
    raise _unknown(name, (one.id for one in (*waiting, *rejected)))


def landed(workspace: Workspace, name: str) -> str | None:
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
    why = message.one_line(message.parse(found.rejection.message).why)
    return f"was rejected on {found.rejection.date:%Y-%m-%d}" + (f": {why}" if why else "")


def _unknown(name: str, ids: Iterable[str]) -> ClawgitError:
    near = nearest(name, set(ids), 1)
    return ClawgitError(f"there is no proposal {name}", fix=f"clawgit soul review {near[0]}" if near else _FIX)
