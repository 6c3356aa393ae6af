"""What was found, settled or taken back before."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from clawgit.agents.detecting import contradiction
from clawgit.agents.detecting.conflict_findings import pair
from clawgit.agents.running import View
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.text import conflict
from clawgit.text.conflict import Conflict, Side, Winner
from clawgit.text.entry import digest, entries
from clawgit.workspace import file_contents, file_roles
from clawgit.workspace.change import Append, Change, Edit


def settled(view: View) -> Mapping[str, str]:
    """Return the pairs that are not to be reported again, by their id, and why."""
    there = conflict.conflicts(view.read(file_roles.CONFLICTS) or "")
    known = {_pair(one): "open already" if one.open else "settled before" for one in there}
    return {_pair(one): "taken back before" for one in _taken_back(view)} | known


def _pair(one: Conflict) -> str:
    return pair(digest(one.a.text), digest(one.b.text))


def _taken_back(view: View) -> Iterator[Conflict]:
    """Yield the records that stood there before somebody undid a change."""
    repo = view.workspace.repo
    for undo in history.log(repo, file_roles.CONFLICTS, containing="Clawgit-Undoes: ", named=False):
        for parent in undo.parents[:1]:
            try:
                text = file_contents.decoded(file_roles.CONFLICTS, repository.read(repo, parent, file_roles.CONFLICTS))
            except ClawgitError:
                continue
            yield from conflict.conflicts(text or "")


def closing(view: View, now: datetime, agent: str) -> Change | None:
    """Return the change that closes the open records of which a side is gone, out of force or reworded."""
    before = text = view.read(file_roles.CONFLICTS) or ""
    moot = [one for one in conflict.conflicts(text) if one.open and not one.disputed and _is_moot(view, one)]
    for one in moot:
        text = conflict.closed(text, one.id, "none", f"{now:%Y-%m-%d %H:%M} by {agent}: a side is gone or reworded")
    if text == before:
        return None
    names = ", ".join(one.id for one in moot)
    count = "1 conflict" if len(moot) == 1 else f"{len(moot)} conflicts"
    why = f"A side of each is gone, out of force or reworded: {names}"
    return Change(f"memory: {count} closed", why, (Edit(file_roles.CONFLICTS, before, text),), agent=agent)


def closed_by(view: View, edits: Iterable[Edit | Append], now: datetime) -> Iterator[Edit]:
    """Yield what closes the open records of which these edits take a side away; the one that stays holds."""
    before = text = view.read(file_roles.CONFLICTS) or ""
    after = {
        edit.path: {digest(entry.text) for entry in entries(edit.text)}
        for edit in edits
        if isinstance(edit, Edit) and edit.text
    }
    for one in conflict.conflicts(text):
        gone = [side.path in after and digest(side.text) not in after[side.path] for side in (one.a, one.b)]
        if one.open and any(gone):
            winner: Winner = "none" if all(gone) else "b" if gone[0] else "a"
            text = conflict.closed(text, one.id, winner, f"{now:%Y-%m-%d %H:%M} by operator: corrected")
    if text != before:
        yield Edit(file_roles.CONFLICTS, before, text)


def _is_moot(view: View, one: Conflict) -> bool:
    """Return whether a side stands no more where the record has it; of a record without places nobody can tell."""
    return any(side.path and not _stands(view, side) for side in (one.a, one.b))


def _stands(view: View, side: Side) -> bool:
    return any(one.in_force and one.key == digest(side.text) for one in contradiction.held(view, side.path))
