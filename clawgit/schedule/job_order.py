"""What a runner asks of a job, and hears."""

from typing import Any, Literal

from msgspec import Struct, field

Result = Literal["done", "nothing", "stopped", "failed", "killed"]


class Order(Struct, frozen=True):
    """A job to be done in the workspace at `root`, at the moment `now` (ISO 8601), within bounds.

    `since` is when the job was first seen, in seconds since 1970. `seconds` and `tokens` are what it may take, and
    `memory_mb` how much memory (0: as much as there is).
    """

    job: str
    root: str
    now: str
    since: float
    seconds: float
    tokens: int
    memory_mb: int = 0


class Did(Struct):
    """What a job came to.

    "nothing" found nothing to do, "stopped" was asked to end, "killed" took longer than it may. `again` says that there
    is more to do soon; `noted` that the run stands in the ledger already.
    """

    result: Result = "nothing"
    commits: list[str] = field(default_factory=list)
    waiting: int = 0
    cost: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    error: str = ""
    fix: str = ""
    again: bool = False
    noted: bool = False
