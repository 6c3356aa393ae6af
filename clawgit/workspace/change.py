"""A change: what is to be written, and why."""

from typing import Literal, get_args

from msgspec import Struct, field

from clawgit.text.identity import new_id
from clawgit.workspace.cursors import Cursor
from clawgit.workspace.entries import Row

Origin = Literal["operator", "agent", "untrusted", "unknown"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)


class Edit(Struct, frozen=True):
    """The file at `path` becomes `text` (None: no file); `base` is the text that this was worked out from.

    When the file has moved on since, the difference is merged into what it is now, or the change is refused.
    `known` is what history holds of it already: a line that comes back from there brings no new secret. An `exact` one
    is refused wherever the file has moved on.
    """

    path: str
    base: str | None
    text: str | None
    known: str = ""
    exact: bool = False


class Append(Struct, frozen=True):
    """`block` goes to the end of the file at `path`, in place; `birth` stands above it if the file is new."""

    path: str
    block: str
    birth: str = ""


class Change(Struct, frozen=True):
    """Edits with their reason and evidence; becomes exactly one commit.

    `evidence` are pointers in their grammar (docs/format.md); `agent` is None for a person; `rows` are set in the
    sidecar and those of `drops` taken out of it, `cursors` tell how far conversations were read for it; `undoes` names
    the change or commit that this one takes back; `approved` tells that it waited on the desk,
    `held` that it must, whatever it touches.
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
    approved: bool = False
    held: bool = False
    id: str = field(default_factory=new_id)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it edits, without the sidecar."""
        return tuple(edit.path for edit in self.edits)
