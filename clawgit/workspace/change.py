"""A change, and its outcome."""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct, field

from clawgit.errors import BusyError, Command, already_decided, keeps_changing
from clawgit.git.repository import Oid
from clawgit.store.item import Kind
from clawgit.text import diff
from clawgit.text.diff import Hunk
from clawgit.text.entry import new_id
from clawgit.workspace.entries import Row
from clawgit.workspace.reading_cursors import Cursor

Origin = Literal["operator", "agent", "untrusted", "unknown"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)


class StaleChangeError(BusyError):
    """The workspace is not any more as the change was worked out for."""

    def __init__(self) -> None:
        super().__init__(keeps_changing.name, "the branch or a file was changed meanwhile", fix=keeps_changing.advice)


class Edit(Struct, frozen=True):
    """The new `text` of the file at `path` (None: no file); `base` is the text that it was worked out from.

    When the file has moved on since, the difference is merged into the present text, or the change is refused. `known`
    is older content from history: a line that comes back from there brings no new secret. An `exact` edit is refused if
    the file has moved on. A new file is `executable` if it was.
    """

    path: str
    base: str | None
    text: str | None
    known: str = ""
    exact: bool = False
    executable: bool = False


class Append(Struct, frozen=True):
    """Append `block` to the file at `path`, in place; `birth` comes before it if the file is new."""

    path: str
    block: str
    birth: str = ""


class Change(Struct, frozen=True):
    """Edits with their reason and evidence; becomes exactly one commit.

    `evidence` are pointers in their grammar (docs/format.md); `agent` is None for a person; `rows` are set in the
    sidecar and those of `drops` removed from it, `cursors` are how far conversations were read for it; `undoes` names
    the change or commit that this one reverts, with `is_redo` if that is an undo; `approved`: it waited in the inbox;
    `held`: it must wait, whatever it touches. `left_out` are sentences on files that it should edit, and cannot.
    """

    subject: str
    why: str = ""
    edits: tuple[Edit | Append, ...] = ()
    evidence: tuple[str, ...] = ()
    origin: Origin = "operator"
    agent: str | None = None
    rows: tuple[Row, ...] = ()
    drops: tuple[str, ...] = ()
    cursors: tuple[Cursor, ...] = ()
    undoes: str | None = None
    is_redo: bool = False
    approved: bool = False
    held: bool = False
    left_out: tuple[str, ...] = ()
    id: str = field(default_factory=new_id)

    def hunks(self) -> dict[str, tuple[Hunk, ...]]:
        """Return its changes of each file that it edits."""
        edits = [edit for edit in self.edits if isinstance(edit, Edit)]
        return {edit.path: diff.hunks(edit.base or "", edit.text or "") for edit in edits}

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it edits, without the sidecar."""
        return tuple(edit.path for edit in self.edits)


class Offered(Struct, frozen=True):
    """The outcome of an offer: the waiting proposal, or the same one that was rejected before."""

    id: str
    rejected: bool = False


class Applied(Struct, frozen=True):
    """The outcome of a change: `commit` is None when there was nothing to do, or when it waits as `proposal`."""

    commit: Oid | None
    change: str
    files: tuple[str, ...] = ()
    captured: Oid | None = None
    doubts: tuple[str, ...] = ()
    proposal: Offered | None = None
    notes: tuple[str, ...] = ()


class StaleWrite(Struct, frozen=True):
    """A file as an agent's write and the commits that it did not know come together; `lines` are back in it."""

    text: str
    lines: tuple[str, ...]


class Returned(Struct, frozen=True):
    """A path with its former content; the edit is the `item` of the inbox, "" for one that was rejected before."""

    path: str
    item: str
    kind: Kind

    @property
    def words(self) -> str:
        """The sentence on it."""
        state = f"waits: clawgit show {self.item}" if self.item else "was rejected before"
        return f"{self.path} is as before: the edit found on disk {state}"


class Captured(Struct, frozen=True):
    """The outcome of a capture: `commit` is None when there was nothing to do.

    `returned` are the identity files that were put back, and `stale` the writes that were merged, by path; `items` wait
    for the operator, since lines of clawgit's went or came back. `changed` are the files that others changed, on disk
    or in commits of their own.
    """

    commit: Oid | None = None
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    stale: Mapping[str, StaleWrite] = field(default_factory=dict)
    returned: tuple[Returned, ...] = ()
    items: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def refuse_rejected(applied: Applied) -> None:
    """Raise ClawgitError for a proposal that the operator rejected before."""
    waits = applied.proposal
    if waits and waits.rejected:
        words = f"it was rejected before, as {waits.id}; bring new evidence, or land it in your own name"
        raise already_decided(words, fix=Command("clawgit show {}", waits.id))
