"""What is asked of a search, and what it answers."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Literal

from msgspec import Struct, field

Mode = Literal["core", "enhanced"]
MemoryTier = Literal["T0", "T1", "T2", "T3"]


class Query(Struct, frozen=True):
    """What is asked: None leaves a number to CONFIG.md.

    `since` and `until` are days of what is found, both inside. `category` is a tag, or a word of a heading or path.
    """

    text: str
    most: int | None = None
    least: float | None = None
    since: date | None = None
    until: date | None = None
    category: str | None = None
    explain: bool = False


class Hit(Struct, frozen=True):
    """Lines `start` to `end` of a file that answer, the best part of them as `snippet`.

    `score` is between 0 and 1. `commit` holds exactly this file, None when none does yet; `stale` tells that the file
    has changed since it was read, `gone` that the lines stand no more and `commit` is the last that had them. `text` is
    all of the lines, `heading` what stands above them. `explain` says what the score is made of.
    """

    path: str
    start: int
    end: int
    score: float
    snippet: str
    tier: MemoryTier
    source: str = "memory"
    commit: str | None = None
    day: date | None = None
    stale: bool = False
    gone: bool = False
    heading: str = ""
    text: str = ""
    explain: Mapping[str, object] = field(default_factory=dict)

    @property
    def citation(self) -> str:
        """Where to look it up: `path#L4-L9`."""
        lines = f"L{self.start}" if self.start == self.end else f"L{self.start}-L{self.end}"
        return f"{self.path}#{lines}"


class Answer(Struct, frozen=True):
    """What was found, the best first; `degraded` says what is missing and why.

    `commit` is HEAD, or what the answer is as of; `asof` the moment of that. `repaired` are words that were taken for
    slips of others, `stems` what was looked for as the index has it. `notes` are sentences about files of
    which something else was searched than what stands there.
    """

    results: tuple[Hit, ...]
    mode: Mode = "core"
    degraded: str | None = None
    commit: str | None = None
    provider: str = "clawgit"
    model: str | None = None
    repaired: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stems: frozenset[str] = frozenset()
    asof: datetime | None = None
    notes: tuple[str, ...] = ()
