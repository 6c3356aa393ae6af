"""Headings, and the lines that belong to each."""

import re
import unicodedata

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.text import lines
from clawgit.text.document import Document, parse
from clawgit.text.similarity import nearest

_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_STEP = re.compile(r"\s+>\s+")


class Section(Struct, frozen=True):
    """A heading on lines `line` to `body` - 1, its text on `body` to `end`, subsections included.

    `path` holds the titles from the outermost heading to this one. `start` equals `line`.
    """

    title: str
    level: int
    line: int
    body: int
    end: int
    path: tuple[str, ...]

    @property
    def start(self) -> int:
        """Return the first line of the whole extent: the heading's."""
        return self.line


def sections(text: str) -> tuple[Section, ...]:
    """Return all sections in the order of their headings."""
    document = parse(text)
    heads = [block for block in document.blocks if block.kind == "heading"]
    found: list[Section] = []
    open_: list[Section] = []
    ends: list[int] = [len(document.lines)] * len(heads)
    stack: list[int] = []
    for at, head in enumerate(heads):
        while stack and heads[stack[-1]].level >= head.level:
            ends[stack.pop()] = head.start - 1
        stack.append(at)
    for head, end in zip(heads, ends, strict=True):
        title = _title(document, head.start, head.end)
        open_ = [outer for outer in open_ if outer.end >= head.start]
        path = (*(outer.title for outer in open_), title)
        section = Section(title, head.level, head.start, head.end + 1, end, path)
        found.append(section)
        open_.append(section)
    return tuple(found)


def find(text: str, title: str) -> Section:
    """Return the first section of that title, or of "outer > inner".

    Case, emphasis, spaces and leading or closing marks do not count. Raises ClawgitError that names the
    nearest titles.
    """
    all_ = sections(text)
    for wanted in ((_fold(title),), tuple(_fold(step) for step in _STEP.split(title))):
        for section in all_:
            if _matches(tuple(_fold(step) for step in section.path), wanted):
                return section
    titles = list(dict.fromkeys(section.title for section in all_))
    near = nearest(_STEP.split(title)[-1], titles) or titles[:5]
    fix = "use one of: " + ", ".join(near) if near else "add a heading to the file first"
    raise ClawgitError(f"no section “{title}”", fix=fix)


def section_titles(text: str) -> list[str]:
    """Return for each line the title it stands under, "" above the first heading."""
    rows = [""] * len(lines.split(text))
    for section in sections(text):  # inner ones overwrite
        rows[section.line - 1 : section.end] = [section.title] * (section.end - section.line + 1)
    return rows


def step(title: str) -> str:
    """Return the last title of "outer > inner"."""
    return _STEP.split(title)[-1].strip().lstrip("#").strip()


def _matches(path: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    if path[-1] != wanted[-1]:
        return False
    outer = iter(path[:-1])
    return all(step in outer for step in wanted[:-1])


def _fold(title: str) -> str:
    plain = re.sub(r"[*_`~]", "", _CLOSING.sub("", title.strip().lstrip("#")))
    return " ".join(unicodedata.normalize("NFKC", plain).casefold().split())


def _title(document: Document, start: int, end: int) -> str:
    rows = [lines.content(row).strip(" \t") for row in document.lines[start - 1 : end]]
    rows[0] = rows[0].removeprefix("\ufeff")
    if len(rows) > 1:
        return " ".join(rows[:-1])
    return _CLOSING.sub("", rows[0].lstrip(" \t").lstrip("#")).strip(" \t")
