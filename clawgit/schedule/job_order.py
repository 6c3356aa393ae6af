"""A runner's order to a job, and the answer."""

from typing import Any, Literal

from msgspec import Struct, field

Result = Literal["done", "nothing", "stopped", "failed", "killed"]


class Order(Struct, frozen=True):
    """A job to be done in the workspace at `root`, at the moment `now` (ISO 8601), within bounds.

    `since` is when the job was first seen, in seconds since 1970. `seconds` and `tokens` are its limits, and
    `memory_mb` its memory (0: as much as there is).
    """

    job: str
    root: str
    now: str
    since: float
    seconds: float
    tokens: int
    memory_mb: int = 0


class Did(Struct):
    """The outcome of a job.

    "nothing": there was nothing to do; "stopped": it was asked to end; "killed": it took longer than it may. `again`:
    there is more to do soon; `noted`: the run is in the ledger already.
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
