"""Finds what rests on conversations that OpenClaw forgot."""

from collections.abc import Iterator

from msgspec import Struct

from clawgit.errors import ClawgitError, Command
from clawgit.git import history
from clawgit.text import evidence_pointer as pointers
from clawgit.workspace import commit_message, dumped_text, records, taint_register
from clawgit.workspace.host import openclaw_files as host_files
from clawgit.workspace.host.openclaw_state import Forgotten
from clawgit.workspace.records import Record
from clawgit.workspace.workspace import Workspace


class Resting(Struct, frozen=True):
    """A forgotten session on which changes rest that stand: how many, and the subject of the newest."""

    session: str
    changes: int
    subject: str

    @property
    def message(self) -> str:
        """The sentence for the operator."""
        many = "1 change rests on it" if self.changes == 1 else f"{self.changes} changes rest on it, the newest"
        return f"OpenClaw forgot the session {self.session}; {many}: {self.subject}"

    @property
    def fix(self) -> Command:
        """The command that shows what it taught, and takes that back."""
        return Command("clawgit taint {}", f"session:{self.session}")


class Left(Struct, frozen=True):
    """A file that holds a forgotten session word for word."""

    path: str
    session: str

    @property
    def message(self) -> str:
        """The sentence for the operator."""
        return f"OpenClaw forgot the session {self.session}; {self.path} still holds it"

    @property
    def fix(self) -> Command:
        """The command that takes it out of the files; history keeps it."""
        return Command("rm {} && clawgit capture", self.path)


def known(workspace: Workspace) -> Forgotten:
    """Return the sessions that the agents of a workspace were told to forget."""
    return workspace.host.forgotten(owner.id for owner in workspace.host.owners(workspace.root))


def told(workspace: Workspace, found: Forgotten) -> Iterator[Resting | Left]:
    """Yield what stands of forgotten sessions: changes, then files."""
    yield from resting(workspace, found)
    yield from left(workspace, found)


def resting(workspace: Workspace, found: Forgotten) -> Iterator[Resting]:
    """Yield the forgotten sessions on which changes rest that can be taken back, unless they are tainted."""
    register = taint_register.parse(workspace.read(taint_register.PATH) or "")
    tainted = {taint.source.removeprefix(taint_register.SESSION) for taint in register.taints.values()}
    sessions = {name for _, name in found.sessions} - tainted
    if not sessions:
        return
    undone: set[str | None] = set()
    stands: dict[str, list[Record]] = {}
    for commit in history.log(workspace.repo, containing=commit_message.CHANGE, named=False):
        one = records.record(commit)
        for part in one.squashed or (one,):
            if undone & {part.change, commit.id}:
                continue
            undone |= {part.undoes} - {None}
            cited = [name for name in _sessions(part) if name in sessions]
            if cited and part.change and _stands(workspace, part):
                stands.setdefault(cited[0], []).append(part)
    for name, some in stands.items():
        yield Resting(name, len(some), some[0].subject)


def left(workspace: Workspace, found: Forgotten) -> Iterator[Left]:
    """Yield the dumps of forgotten sessions that still lie among the memories: OpenClaw does not always find them."""
    sessions = {name for _, name in found.sessions}
    for place in sorted((workspace.root / "memory").glob("*.md")) if sessions else ():
        path = f"memory/{place.name}"
        if not dumped_text.may_be_dump(path) or place.is_symlink():
            continue
        try:
            head = host_files.head(place, dumped_text.HEAD)
        except OSError:
            continue
        session = dumped_text.session(head) if dumped_text.is_dump(path, head) else ""
        if session in sessions:
            yield Left(path, session)


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
    """Return whether something of a change is left to take back; where later changes stand in the way, there is."""
    from clawgit.workspace import undo  # noqa: PLC0415 - few are told to forget anything

    try:
        undo.undo(workspace, part.change)
    except undo.ConflictError:
        return True
    except ClawgitError:
        return False
    return True
