"""OpenClaw's limits of files and its blank forms."""

import re
from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from clawgit import file_roles
from clawgit.resources import resource

_FORMS = frozenset({"IDENTITY.md", "USER.md", "TOOLS.md", "HEARTBEAT.md"})
_FIELD = re.compile(r"[-*+] +[*_]*[^:\uff1a*_]{1,40}[*_]* ?[:\uff1a](.*)")
_DECORATION = re.compile(r"#.*|---|([*_])(?![*_]).*\1|")
"""A title, a line between parts, emphasised words, or nothing."""
_NAME = r"(?im)^[ \t]*[-*+][ \t]*\**(?:name|what to call them|call them|nickname)[ \t]*:?\**[ \t]*:?[ \t]*([^\n]*)$"
_NAME_CHARS = range(2, 41)
_BRACKETS = {"(": ")", "\uff08": "\uff09", "[": "]", "<": ">"}


def form_lines(path: str, text: str | None) -> frozenset[str]:
    """Return the blank lines of a form, and all lines of an untouched one.

    Blank are a field without a value, its hint, and lines of the shipped templates.
    """
    name, rows = file_roles.role_name(path), [row.strip() for row in (text or "").split("\n")]
    if name not in _FORMS:
        return frozenset()
    blank, waits = set(shipped_lines(name)), False
    for row in rows:
        field = _FIELD.match(row)
        is_hint = _is_hint(field[1]) if field else waits and bool(row) and _is_hint(row)
        blank |= {row} if is_hint else set()
        waits = is_hint or row.startswith("#") or (waits and not row)
    fields = [number for number, row in enumerate(rows) if _FIELD.match(row)]
    if not fields or any(rows[number] not in blank for number in fields):
        return frozenset(blank)
    end = next((number for number in range(fields[-1], len(rows)) if rows[number] == "---"), len(rows))
    answers = (row for row in rows[fields[0] : end] if row not in blank and not _DECORATION.fullmatch(row))
    return frozenset(blank if any(answers) else rows) - {""}


def is_blank(path: str, text: str) -> bool:
    """Return whether a file has no content of its own: only lines of a form, and titles."""
    form = form_lines(path, text)
    left = (row for row in text.split("\n") if row.strip() and row.strip() not in form)
    return all(row.startswith(("#", "```", "---")) for row in left)


def may_go(path: str, previous: str | None, now: str | None, agents: str | None = None) -> bool:
    """Return whether OpenClaw itself removes or empties a file with this content once it is done with it.

    That is a ritual; and TOOLS.md, which its doctor moves into AGENTS.md, with the text `agents`.
    """
    if path in file_roles.MAY_GO:
        return now is None or (is_blank(path, now) and {*now.split("\n")} <= {"", *(previous or "").split("\n")})
    is_moved = path == file_roles.TOOLS and now is None and previous is not None
    return is_moved and (is_blank(path, previous or "") or (previous or "").strip() in (agents or ""))


def _is_hint(words: str) -> bool:
    """Return whether the words behind a label, or below it, are none of its owner's: none at all, or in brackets."""
    words = words.strip(" *_")
    return not words or words.endswith(_BRACKETS.get(words[0], "\n"))


def read_names(user: str) -> frozenset[str]:
    """Return the names that USER.md gives, whole and the first word of each; a name left blank is none."""
    values = (re.sub(r"[*_`]", "", line).strip() for line in re.findall(_NAME, user))
    names = [name for name in values if name and len(name) in _NAME_CHARS and not name.startswith(("(", "["))]
    return frozenset((*names, *(name.split()[0].rstrip(",;") for name in names)))


@cache
def shipped_lines(name: str) -> frozenset[str]:
    """Return the lines of our template, and of OpenClaw's, without titles: those may be above other text."""
    places = (resource("templates") / place for place in (f"workspace/{name}", "blank_lines.txt"))
    rows = (row.strip() for place in places for row in place.read_text("utf-8").split("\n"))
    return frozenset(row for row in rows if row and not row.startswith("#"))


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
