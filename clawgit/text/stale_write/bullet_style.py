"""Writes an item in the style of its new neighbours."""

from msgspec import Struct

from clawgit.text.stale_write.item import Item, heading_title
from clawgit.text.unit import heading_level


class BulletStyle(Struct, frozen=True):
    """How a bullet stands: its column, its mark, and the column of its words."""

    indent: int
    mark: str
    content: int


def style_of(item: Item) -> BulletStyle:
    """Return how an item stands."""
    return BulletStyle(item.indent, item.mark, item.content)


def following(style: BulletStyle) -> BulletStyle:
    """Return how the next bullet of the same list stands: a number goes up by one."""
    if not style.mark[:1].isdigit():
        return style
    mark = f"{int(style.mark[:-1]) + 1}{style.mark[-1]}"
    return BulletStyle(style.indent, mark, style.content + len(mark) - len(style.mark))


def bullet(rows: list[str], item: Item, style: BulletStyle) -> list[str]:
    """Return the lines of a bullet, or of a paragraph that becomes one, in another style."""
    first = rows[0].lstrip(" \t")[len(item.mark) :].lstrip(" \t")
    space = " " * (style.content - style.indent - len(style.mark))
    head = " " * style.indent + style.mark + space + first
    return [head, *shifted(rows[1:], item.content, style.content)]


def paragraph(rows: list[str], item: Item, indent: int) -> list[str]:
    """Return the words of a bullet or paragraph without a mark."""
    first = rows[0].lstrip(" \t")[len(item.mark) :].lstrip(" \t")
    return [" " * indent + first, *shifted(rows[1:], item.content or item.indent, indent)]


def shifted(rows: list[str], before: int, after: int) -> list[str]:
    """Move lines from one column to another; what stands left of it stands at it then."""
    moved = []
    for row in rows:
        plain = row.expandtabs(4) if row[:1] == "\t" else row
        space = len(plain) - len(plain.lstrip(" "))
        moved.append(" " * after + plain[min(space, before) :] if plain.strip() else "")
    return moved


def heading(rows: list[str], level: int) -> list[str]:
    """Return a heading at that level."""
    if len(rows) == 1 and heading_level(rows[0]) == level:
        return rows
    return ["#" * level + " " + " ".join(heading_title(rows).split())]


def ticked(row: str, item: Item) -> str:
    """Return a bullet's first line with its box in the other state."""
    at = row.index("[")
    return row[: at + 1] + (" " if item.checked else "x") + row[at + 2 :]
