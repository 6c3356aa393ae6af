"""Puts what a writer never saw into its text."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct, field

from clawgit.text import document
from clawgit.text.stale_write.item import Item, Sheet, cells, heading_title
from clawgit.text.stale_write.item_merge import ItemMerge
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


class Branch(Struct, eq=False):
    """An item among others; `number` counts in the writer's text, or with `guest` in the committed one.

    The root has the number -1. `gone` marks what others deleted.
    """

    kind: str
    number: int
    parent: "Branch | None" = None
    guest: bool = False
    level: int = 0
    style: BulletStyle | None = None
    gone: bool = False
    children: list["Branch"] = field(default_factory=list)

    @property
    def column(self) -> int:
        """Return where what stands under this begins."""
        return self.style.content if self.style and self.kind == "bullet" else 0


def tree(sheet: Sheet) -> tuple[Branch, list[Branch]]:
    """Return the root, and the branch of each item."""
    root = Branch("root", -1)
    found: list[Branch] = []
    for at, item in enumerate(sheet.items):
        parent = found[item.parent] if item.parent >= 0 else root
        style = BulletStyle(item.indent, item.mark, item.content) if item.kind == "bullet" else None
        branch = Branch(item.kind, at, parent, level=item.level, style=style)
        parent.children.append(branch)
        found.append(branch)
    return root, found


def walk(root: Branch) -> Iterator[Branch]:
    """Yield all below `root`, in the order of the text."""
    stack = root.children[::-1]
    while stack:
        branch = stack.pop()
        yield branch
        stack += branch.children[::-1]


def insert(parent: Branch, at: int, branch: Branch) -> None:
    """Put a branch among the children, a section after what stands there without one."""
    heads = next(
        (place for place, child in enumerate(parent.children) if child.kind == "heading"), len(parent.children)
    )
    at = max(at, heads) if branch.kind == "heading" else min(at, heads)
    branch.parent = parent
    parent.children.insert(at, branch)


def planted(merged: ItemMerge, now: Sheet, here: Sheet) -> tuple[Branch, list[int]]:
    """Return the tree of the writer's text with what was added to `now`, and the numbers of what fits nowhere.

    An item stands under what it stood under, beside its old neighbours, in their style.
    """
    ground = _Ground(merged, now, here)
    unfit = [number for number in merged.added if not ground.take_in(number)]
    _drop(ground.root, merged, here)
    return ground.root, unfit


def _drop(root: Branch, merged: ItemMerge, here: Sheet) -> None:
    """Mark what others deleted, unless something stands under it that they did not."""
    for branch in reversed(list(walk(root))):
        if not branch.guest and branch.number in merged.dropped:
            branch.gone = all(child.gone or _says_nothing(child, here) for child in branch.children)


def _says_nothing(branch: Branch, here: Sheet) -> bool:
    return not branch.guest and not here.items[branch.number].key


class _Ground:
    """The writer's text as a tree that takes items in."""

    def __init__(self, merged: ItemMerge, now: Sheet, here: Sheet) -> None:
        self.now, self.here = now, here
        self.root, branches = tree(here)
        self.stands = {to: branches[at] for to, at in merged.stands.items()} | {-1: self.root}
        self.young: defaultdict[int, list[int]] = defaultdict(list)
        for at, item in enumerate(now.items):
            self.young[item.parent].append(at)
        self.order = {at: place for siblings in self.young.values() for place, at in enumerate(siblings)}
        marks = [item.mark for item in here.items if item.kind == "bullet" and not item.mark[0].isdigit()]
        self.mark = max(marks, key=marks.count) if marks else ""

    def take_in(self, number: int) -> bool:
        """Put an item of `now` into its place; with what it stands under, if that is gone and nothing else is near."""
        if number in self.stands:
            return True
        item = self.now.items[number]
        spot = self._place(number)
        if spot is None:
            if not self.take_in(item.parent):
                return False
            spot = self.stands[item.parent], len(self.stands[item.parent].children)
        parent, at = spot
        if (item.kind == "row") != (parent.kind == "head") or (item.kind == "row" and not self._fits(parent, number)):
            return False
        branch = Branch(item.kind, number, parent, guest=True, level=item.level)
        insert(parent, at, branch)
        self._style(branch)
        self.stands[number] = branch
        return True

    def _place(self, number: int) -> tuple[Branch, int] | None:
        """Return the parent and the place among its children, None where nothing of the surroundings is left."""
        item = self.now.items[number]
        parent = self.stands.get(item.parent)
        siblings, place = self.young[item.parent], self.order[number]
        for later, around in ((1, reversed(siblings[:place])), (0, siblings[place + 1 :])):
            for sibling in around:
                beside = self.stands.get(sibling)
                if beside is None or beside.parent is None or (beside.kind == "heading") != (item.kind == "heading"):
                    continue
                if parent is None or beside.parent is parent:
                    return beside.parent, beside.parent.children.index(beside) + later
        return (parent, len(parent.children)) if parent else None

    def _fits(self, parent: Branch, number: int) -> bool:
        """Tell whether the table that a row comes to stand in has enough cells for it."""
        sheet = self.now if parent.guest else self.here
        head, row = sheet.source(sheet.items[parent.number])[0], self.now.source(self.now.items[number])[0]
        return len(cells(head)) >= len(cells(row))

    def _style(self, branch: Branch) -> None:
        parent = branch.parent or self.root
        at = parent.children.index(branch)
        beside = [*parent.children[:at][::-1], *parent.children[at + 1 :]]
        if branch.kind == "heading":
            levels = [child.level for child in beside if child.kind == "heading"]
            branch.level = min(levels[0] if levels else max(branch.level, parent.level + 1), 6)
        if branch.kind == "bullet":
            before = next((child.style for child in parent.children[:at][::-1] if child.style), None)
            after = next((child.style for child in parent.children[at + 1 :] if child.style), None)
            branch.style = following(before) if before else after or self._usual(parent, branch)

    def _usual(self, parent: Branch, branch: Branch) -> BulletStyle:
        """Return how a bullet stands where none stands yet: with the mark that the text has elsewhere."""
        own = self.now.items[branch.number].mark
        mark = own if own[0].isdigit() or not self.mark else self.mark
        return BulletStyle(parent.column, mark, parent.column + len(mark) + 1)


_PROSE = {"bullet", "text"}
_BOM = "\ufeff"


def insert_items(merged: ItemMerge, now: Sheet, here: Sheet, text: str) -> tuple[str, list[int]] | None:
    """Return `text`, which `here` was read from, with the merge done, and the numbers of what was added in vain.

    None where newer words cannot stand in the place of older ones.
    """
    root, unfit = planted(merged, now, here)
    ending = document.eol(text)
    rows: list[str] = []
    before: Branch | None = None
    carried: list[str] = []
    loose: dict[int, bool] = {}
    for branch in walk(root):
        gap = _gap(here, branch)
        if branch.gone:
            carried = carried or gap
            continue
        own = _rows(branch, merged, now, here)
        if own is None:
            return None
        rows += _spacing(before, branch, gap, carried, ending, loose=_is_loose(branch, here, loose))
        rows += [row if document.end_of(row) else row + ending for row in own]
        before, carried = branch, []
    rows += here.rows[here.items[-1].end if here.items else 0 :]
    out = document.closed(rows, ending, final=document.ends_with_newline(text))
    if text.startswith(_BOM) and not out.startswith(_BOM):
        out = _BOM + out.replace(_BOM, "", 1)
    return out, unfit


def _gap(here: Sheet, branch: Branch) -> list[str]:
    """Return the blank lines before an item of the writer's text."""
    if branch.guest:
        return []
    start = here.items[branch.number - 1].end if branch.number else 0
    return here.rows[start : here.items[branch.number].start]


def _spacing(
    before: Branch | None, branch: Branch, gap: list[str], carried: list[str], ending: str, *, loose: bool
) -> list[str]:
    """Return the blank lines before an item: its own, but where a new neighbour needs others."""
    if before is None:
        return [] if branch.guest else gap
    if not branch.guest and not before.guest:
        return gap or carried
    if "bullet" in {before.kind, branch.kind} and before.kind in {"bullet", "heading"} and branch.style:
        tight = before.kind == "bullet" and not loose
        return [] if tight else [ending]
    if branch.kind == "row":
        return []
    return gap or [ending]


def _is_loose(branch: Branch, here: Sheet, known: dict[int, bool]) -> bool:
    """Tell whether blank lines stand between the writer's bullets around here; what was looked at is `known`."""
    if branch.parent is None:
        return False
    if id(branch.parent) not in known:
        hosts = [child for child in branch.parent.children if child.kind == "bullet" and not child.guest]
        known[id(branch.parent)] = any(one.number + 1 == two.number and _gap(here, two) for one, two in pairwise(hosts))
    return known[id(branch.parent)]


def _rows(branch: Branch, merged: ItemMerge, now: Sheet, here: Sheet) -> list[str] | None:
    """Return the lines of an item, None where its new words cannot stand in its place."""
    if branch.guest:
        return _guest(branch, now)
    item = here.items[branch.number]
    raw = here.rows[item.start : item.end]
    if branch.number in merged.boxed:
        return [ticked(raw[0], item), *raw[1:]]
    to = merged.replaced.get(branch.number)
    return raw if to is None else _reworded(item, here, now.items[to], now)


def _guest(branch: Branch, now: Sheet) -> list[str]:
    item = now.items[branch.number]
    rows = now.source(item)
    if branch.style:
        return bullet(rows, item, branch.style)
    if branch.kind == "heading":
        return heading(rows, branch.level)
    column = branch.parent.column if branch.parent else 0
    return rows if column == item.indent or branch.kind == "row" else shifted(rows, item.indent, column)


def _reworded(item: Item, here: Sheet, new: Item, now: Sheet) -> list[str] | None:
    """Return newer words in the style of the writer's older ones."""
    rows = now.source(new)
    if item.kind == "bullet" and new.kind in _PROSE:
        found = bullet(rows, new, style_of(item))
        both = item.checked is not None and new.checked is not None
        return [ticked(found[0], new), *found[1:]] if both and item.checked != new.checked else found
    if item.kind == "text" and new.kind in _PROSE:
        return paragraph(rows, new, item.indent)
    if item.kind != new.kind:
        return None
    if item.kind == "heading":
        return heading(rows, item.level)
    if item.kind in {"row", "head"} and len(cells(rows[0])) != len(cells(here.source(item)[0])):
        return None
    return rows if item.indent == new.indent else shifted(rows, new.indent, item.indent)
