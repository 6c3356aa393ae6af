"""How much of each file OpenClaw shows the agent."""

from collections.abc import Mapping
from dataclasses import dataclass

PER_FILE, TOTAL = 20_000, 60_000
OWN = {"USER.md": 4_000}
ORDER = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "BOOTSTRAP.md", "MEMORY.md", "HEARTBEAT.md")
"""The files that go into every prompt, in the order in which they share the whole."""

_LEAST = 64
_HEAD, _TAIL = 0.7, 0.2


@dataclass(frozen=True, slots=True)
class Cut:
    """A file of which the agent sees `shown` of `size` characters, where `cap` would have been room for it."""

    path: str
    size: int
    shown: int
    cap: int


def cuts(texts: Mapping[str, str]) -> list[Cut]:
    """Return the files that are not shown whole. A cut file keeps 70 % of its room as head and 20 % as tail."""
    left = TOTAL
    found = []
    for path in ORDER:
        size = length(texts.get(path, ""))
        cap = min(OWN.get(path, PER_FILE), left if left >= _LEAST else 0)
        shown = size if size <= cap else int(cap * _HEAD) + int(cap * _TAIL)
        left -= shown
        if shown < size:
            found.append(Cut(path, size, shown, cap))
    return found


def length(text: str) -> int:
    """Return how many characters JavaScript counts: what lies beyond U+FFFF is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
