"""What a line of Markdown opens, seen alone."""

import re
from functools import lru_cache
from typing import NamedTuple

_BULLET = re.compile(r"([-*+]|\d{1,9}[.)])(?:([ \t]+)(?=\S)|[ \t]*$)")
_RULE = re.compile(r"([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_UNDER = re.compile(r"(?:=+|-{2,})[ \t]*$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]|$)")
_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CODE = 4


class Shape(NamedTuple):
    """What a line opens, or goes on with.

    `kind` is blank, fence, comment, heading, bullet, rule, under (what makes a heading of the paragraph above it) or
    text. The line begins at column `indent`, its words at `content`; `mark` is the bullet's, fence's or heading's.
    """

    kind: str
    indent: int = 0
    content: int = 0
    mark: str = ""


_BLANK = Shape("blank")


@lru_cache(maxsize=16_384)
def shape(row: str) -> Shape:
    """Return the shape of a line without its end; a tab counts to the next fourth column."""
    body = row.lstrip(" \t")
    if not body.strip("\r"):
        return _BLANK
    space = row[: len(row) - len(body)]
    indent = len(space.expandtabs(4)) if "\t" in space else len(space)
    first = body[0]
    if first in "-*+=_" or first.isdigit():
        return _listed(body, indent)
    if first in "`~" and (match := _FENCE.match(body)):
        return Shape("fence", indent, indent, match[1] or match[2])
    if first == "#" and indent < _CODE and (match := _HEADING.match(body)):
        return Shape("heading", indent, indent, match[1])
    return Shape("comment" if body.startswith("<!--") else "text", indent, indent)


def _listed(body: str, indent: int) -> Shape:
    if body[0] in "-=" and indent < _CODE and _UNDER.match(body):
        return Shape("under", indent, indent, body.rstrip(" \t")[:3])
    if body[0] in "-*_" and _RULE.match(body):
        return Shape("rule", indent, indent)
    match = _BULLET.match(body)
    if not match:
        return Shape("text", indent, indent)
    gap = len((match[2] or " ").expandtabs(4))
    width = len(match[1]) + (gap if gap <= _CODE else 1)
    return Shape("bullet", indent, indent + width, match[1])


def is_delimiter(row: str) -> bool:
    """Tell whether this is the line between a table's head and its rows."""
    return "-" in row and bool(_DELIMITER.match(row.strip(" \t")))


def cells(row: str) -> list[str]:
    """Return the cells of a table's line."""
    plain = row.strip(" \t\r").removeprefix("|")
    plain = plain.removesuffix("|") if not plain.endswith("\\|") else plain
    return re.split(r"(?<!\\)\|", plain)
