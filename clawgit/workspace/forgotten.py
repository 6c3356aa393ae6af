"""Finds what rests on conversations that OpenClaw forgot."""

from collections.abc import Iterator
from dataclasses import dataclass

from clawgit.errors import ClawgitError
from clawgit.git import history
from clawgit.text import evidence as pointers
from clawgit.workspace import message, records, undo
from clawgit.workspace.host.forgotten import Forgotten
from clawgit.workspace.records import Record
from clawgit.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Resting:
    """A change that stands, and cites a forgotten session; `alone` tells that it cites nothing else."""

    change: str
    session: str
    subject: str
    alone: bool

    @property
    def message(self) -> str:
        """The sentence for the operator."""
        more = "" if self.alone else " and on others"
        return f"OpenClaw forgot the session {self.session}; {self.change} ({self.subject}) rests on it{more}"

    @property
    def fix(self) -> str:
        """The command that takes it back; what others said, too, may be learnt again."""
        return f"clawgit undo {self.change}" + ("" if self.alone else " --again")


def known(workspace: Workspace) -> Forgotten:
    """Return the sessions that the agents of a workspace were told to forget."""
    return workspace.host.forgotten(one.id for one in workspace.host.owners(workspace.root))


def resting(workspace: Workspace, found: Forgotten) -> Iterator[Resting]:
    """Yield the changes that rest on forgotten sessions and can be taken back, the newest first."""
    sessions = {name for _, name in found.sessions}
    if not sessions:
        return
    undone: set[str | None] = set()
    for commit in history.log(workspace.repo, containing=message.CHANGE, named=False):
        one = records.record(commit)
        for part in one.squashed or (one,):
            if undone & {part.change, commit.id}:
                continue
            undone |= {part.undoes} - {None}
            cited = [name for name in _sessions(part) if name in sessions]
            if cited and part.change and _stands(workspace, part):
                yield Resting(part.change, cited[0], part.subject, len(cited) == len(part.evidence))


def _sessions(part: Record) -> Iterator[str]:
    """Yield the sessions that a change cites."""
    for one in part.evidence:
        try:
            pointer = pointers.parse(one.pointer)
        except ClawgitError:
            continue
        if pointer.kind == "session":
            yield pointer.id


def _stands(workspace: Workspace, part: Record) -> bool:
    """Tell whether something of a change is left to take back; where later changes stand in the way, there is."""
    try:
        undo.undo(workspace, part.change)
    except undo.ConflictError:
        return True
    except ClawgitError:
        return False
    return True
