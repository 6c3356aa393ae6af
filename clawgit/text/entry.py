"""One memory: a bullet, a table row, a paragraph."""

import re
from collections import Counter
from functools import lru_cache

from msgspec import Struct

from clawgit.text import lines
from clawgit.text.document import Block, Document, parse
from clawgit.text.escape import unescape
from clawgit.text.identity import normalise, split_tags
from clawgit.text.outline import Section, sections

_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_CHECKBOX = re.compile(r"\[([ xX])\](?:[ \t]+|$)")
_ENTRIES = {"bullet": "bullet", "row": "row", "paragraph": "paragraph", "continuation": "paragraph"}


class Entry(Struct, frozen=True):
    """One memory on lines `start` to `end` (from 1, both inside).

    `text` is what it says: no marker, no trailing comments, no trailing tags. `tag` is its primary tag,
    `status` the status tags. `checked` is None without a checkbox. `section` is the path of titles.
    `ordinal` counts, from 1, entries of the file that say the same.
    """

    kind: str
    text: str
    tag: str | None
    status: tuple[str, ...]
    section: tuple[str, ...]
    start: int
    end: int
    ordinal: int
    depth: int = 0
    checked: bool | None = None


@lru_cache(maxsize=4)
def entries(text: str) -> tuple[Entry, ...]:
    """Return all entries of a Markdown text in order; of a text that was just read they are known."""
    document = parse(text)
    heads = list(sections(text))
    path: tuple[str, ...] = ()
    said: Counter[str] = Counter()
    found: list[Entry] = []
    for block in document.blocks:
        if block.kind == "heading":
            path = _path(heads, path, block)
        kind = _ENTRIES.get(block.kind)
        if kind is None:
            continue
        words, checked = _words(document, block)
        plain, tag, status = split_tags(without_comments(words).strip(" \t\r\n"))
        if not plain.strip():
            continue
        said[normalise(plain)] += 1
        ordinal = said[normalise(plain)]
        found.append(Entry(kind, plain, tag, status, path, block.start, block.end, ordinal, block.level, checked))
    return tuple(found)


def _path(heads: list[Section], path: tuple[str, ...], block: Block) -> tuple[str, ...]:
    while heads and heads[0].line < block.start:
        heads.pop(0)
    return heads[0].path if heads and heads[0].line == block.start else path


def without_comments(text: str) -> str:
    """Cut off HTML comments at the end of a text."""
    text = text.rstrip(" \t\r\n")
    while text.endswith("-->") and (at := text.rfind("<!--")) >= 0:
        text = text[:at].rstrip(" \t\r\n")
    return text


def _words(document: Document, block: Block) -> tuple[str, bool | None]:
    rows = [lines.content(row) for row in document.lines[block.start - 1 : block.end]]
    if block.start == 1:
        rows[0] = rows[0].removeprefix("\ufeff")
    if block.kind == "row":
        cells = rows[0].strip(" \t").removeprefix("|").removesuffix("|")
        return cells.strip(" \t"), None
    if block.kind != "bullet":
        return "\n".join(row.strip(" \t") for row in rows).strip("\n"), None
    marker = _MARKER.match(rows[0])
    width = len(marker[0].rstrip(" \t")) + 1 if marker else 0
    first = rows[0][marker.end() :] if marker else rows[0]
    box = _CHECKBOX.match(first)
    checked = box[1] != " " if box else None
    first = first[box.end() :] if box else first
    return "\n".join([unescape(first), *(unescape(_dedent(row, width)) for row in rows[1:])]), checked


def _dedent(row: str, width: int) -> str:
    space = len(row) - len(row.lstrip(" "))
    return row[min(space, width) :].rstrip(" \t") if row.strip(" \t") else ""
