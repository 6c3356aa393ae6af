"""How much of each file OpenClaw shows the agent."""

from collections.abc import Mapping

from msgspec import Struct

from clawgit import file_roles

ORDER = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "BOOTSTRAP.md", "MEMORY.md", "HEARTBEAT.md")
"""The files that go into every prompt, in the order in which they share the whole."""
RETIRED = (file_roles.TOOLS, "HEARTBEAT.md")
"""Files that OpenClaw shows no more: its doctor moves their content."""
_MAX_USER_CHARS = 4_000

MAX_MEMORY_LINES = 200
"""A memory file should have fewer."""
_MIN_ROOM = 64
_HEAD, _TAIL = 0.75, 0.25
_HEAD_OF_RULES, _TAIL_OF_RULES = 0.45, 0.15
"""Of AGENTS.md, between which OpenClaw shows single lines that it takes for rules."""
_TRIES, _LINE_ENDS = 3, 5


class Limits(Struct, frozen=True):
    """Characters for each file, and for all together."""

    file: int = 20_000
    total: int = 60_000

    def of(self, path: str) -> int:
        """Return the characters allowed for a file when there is room for it."""
        return min(_MAX_USER_CHARS, self.file) if file_roles.role_name(path) == file_roles.USER else self.file


class Unseen(Struct, frozen=True):
    """A file of which the agent never sees `hidden` of `size` characters: those on lines `first` to `last`.

    With `cap` characters of room it would be shown whole; `head` of those that are shown come before the gap.
    """

    path: str
    size: int
    hidden: int
    first: int
    last: int
    cap: int
    head: int


def find_unseen(texts: Mapping[str, str], limits: Limits | None = None) -> tuple[Unseen, ...]:
    """Return the parts left out of the files that are not shown whole, the largest gap first.

    OpenClaw shows three quarters of the room from the beginning of a file and a quarter from its end, and a note on the
    cut takes its part of the room; the file of one user is shown whole or not at all.
    """
    limits = limits or Limits()
    left = limits.total
    gaps = []
    for path in (name for name in ORDER if name not in RETIRED):
        size = length(texts.get(path, "").rstrip())
        cap = min(limits.of(path), left if left >= _MIN_ROOM else 0)
        left -= min(size, cap)
        if size > cap:
            gaps.append(_describe_gap(path, texts[path], size, cap, _split_room(path, size, cap)))
    sizes = {path: length(text.rstrip()) for path, text in texts.items() if file_roles.role_name(path) != path}
    others = ((path, size, limits.of(path)) for path, size in sizes.items() if size > limits.of(path))
    gaps += [_describe_gap(path, texts[path], size, cap, (0, 0)) for path, size, cap in others]
    return tuple(sorted(gaps, key=lambda gap: -gap.hidden))


def _describe_gap(path: str, text: str, size: int, cap: int, ends: tuple[int, int]) -> Unseen:
    start, end = _find_place(text, ends[0]), _find_place(text, size - ends[1])
    first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, max(end - 1, start)) + 1
    return Unseen(path, size, size - sum(ends), first, last, cap, ends[0])


def _find_place(text: str, units: int) -> int:
    """Return the offset in `text` after so many characters, as JavaScript counts them."""
    if text.isascii():
        return min(units, len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


def _split_room(path: str, size: int, cap: int) -> tuple[int, int]:
    """Return how many characters are shown of the beginning and of the end of a file that is cut."""
    if path == file_roles.AGENTS or not cap:
        return int(cap * _HEAD_OF_RULES), int(cap * _TAIL_OF_RULES)
    head = tail = 0
    for _ in range(_TRIES):  # the note says how much is shown
        note = (
            f"[...truncated, read {path} for full content...]…(truncated {path}: kept {head}+{tail} chars of {size})…"
        )
        room = max(0, cap - len(note) - _LINE_ENDS)
        head, tail = int(room * _HEAD), int(room * _TAIL)
    return head, tail


def length(text: str) -> int:
    """Return the number of characters as JavaScript counts: two for each beyond U+FFFF."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
