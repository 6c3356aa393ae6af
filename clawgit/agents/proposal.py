"""What an agent proposes."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

from msgspec import Struct, field

from clawgit.agents.view import View
from clawgit.workspace.change import Change
from clawgit.workspace.cursors import Cursor
from clawgit.workspace.unkept_requests import Unkept

Act = Literal["add", "mention", "note", "lesson"]


class Learnt(Struct, frozen=True):
    """One thing to be kept: `act` says how, `entry` is its id, `differs` that of one that it likely contradicts."""

    text: str
    path: str
    tag: str
    act: Act
    entry: str = ""
    evidence: str | None = None
    differs: str | None = None


class Proposal(Struct, frozen=True):
    """One step of a run: `change` becomes one commit; None where what was read gives none.

    `read` counts what was looked at since the step before, `skipped` what was left out of it, by reason. `reached`
    tells how far each conversation is read then, with the count of its messages up to there; `answered` is the last
    flag of the inbox that was looked at. `wait` is True where the change is for the operator to decide, whatever its
    risk. `unkept` are requests of the operator's of which nothing came.
    """

    change: Change | None = None
    learnt: tuple[Learnt, ...] = ()
    read: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    reached: tuple[tuple[Cursor, int], ...] = ()
    answered: str = ""
    wait: bool | None = None
    unkept: tuple[Unkept, ...] = ()


class Agent(Protocol):
    """Reads, and proposes; it never writes."""

    @property
    def name(self) -> str:
        """How it is called, and how its commits name it."""

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield proposals; the next is drawn when the one before has been applied, or taken into the view."""

    @property
    def notes(self) -> Sequence[str]:
        """Sentences on what is worth telling."""

    @property
    def usage(self) -> Mapping[str, float]:
        """What a model was asked, empty without one."""
