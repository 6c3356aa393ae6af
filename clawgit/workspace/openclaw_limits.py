"""How much of each file OpenClaw shows the agent."""

from collections.abc import Mapping

from msgspec import Struct, field

ORDER = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "BOOTSTRAP.md", "MEMORY.md", "HEARTBEAT.md")
"""The files that go into every prompt, in the order in which they share the whole."""

_LEAST = 64
_HEAD, _TAIL = 0.7, 0.2


class Limits(Struct, frozen=True):
    """Characters for each file, for all together, and for files that differ; by default as OpenClaw has it now."""

    file: int = 20_000
    total: int = 60_000
    own: Mapping[str, int] = field(default_factory=lambda: {"USER.md": 4_000})

    def of(self, path: str) -> int:
        """Return what a file may have when there is room for it."""
        return min(self.own.get(path, self.file), self.file)


class Cut(Struct, frozen=True):
    """A file of which the agent sees `shown` of `size` characters, where `cap` would have been room for it."""

    path: str
    size: int
    shown: int
    cap: int

    @property
    def head(self) -> int:
        """How many of them come before what is left out."""
        return min(self.shown, int(self.cap * _HEAD))


def cuts(texts: Mapping[str, str], limits: Limits | None = None) -> list[Cut]:
    """Return the files that are not shown whole. A cut file keeps 70 % of its room as head and 20 % as tail."""
    limits = limits or Limits()
    left = limits.total
    found = []
    for path in ORDER:
        size = length(texts.get(path, ""))
        cap = min(limits.of(path), left if left >= _LEAST else 0)
        shown = size if size <= cap else int(cap * _HEAD) + int(cap * _TAIL)
        left -= shown
        if shown < size:
            found.append(Cut(path, size, shown, cap))
    return found


def length(text: str) -> int:
    """Return how many characters JavaScript counts: what lies beyond U+FFFF is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
