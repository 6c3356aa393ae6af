"""Puts what a writer never saw into its text."""

from itertools import pairwise

from clawgit.text import lines
from clawgit.text.stale_write import bullet_style
from clawgit.text.stale_write.item import Item, Sheet
from clawgit.text.stale_write.item_merge import ItemMerge
from clawgit.text.stale_write.item_placement import planted
from clawgit.text.stale_write.item_tree import Branch, walk
from clawgit.text.stale_write.line_kind import cells

_PROSE = {"bullet", "text"}
_BOM = "\ufeff"


def insert_items(merged: ItemMerge, now: Sheet, here: Sheet, text: str) -> tuple[str, list[int]] | None:
    """Return `text`, which `here` was read from, with the merge done, and the numbers of what was added in vain.

    None where newer words cannot stand in the place of older ones.
    """
    root, unfit = planted(merged, now, here)
    ending = lines.eol(text)
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
        rows += [row if lines.end_of(row) else row + ending for row in own]
        before, carried = branch, []
    rows += here.rows[here.items[-1].end if here.items else 0 :]
    out = lines.closed(rows, ending, final=lines.ends_with_newline(text))
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
        return [bullet_style.ticked(raw[0], item), *raw[1:]]
    to = merged.replaced.get(branch.number)
    return raw if to is None else _reworded(item, here, now.items[to], now)


def _guest(branch: Branch, now: Sheet) -> list[str]:
    item = now.items[branch.number]
    rows = now.source(item)
    if branch.style:
        return bullet_style.bullet(rows, item, branch.style)
    if branch.kind == "heading":
        return bullet_style.heading(rows, branch.level)
    column = branch.parent.column if branch.parent else 0
    return rows if column == item.indent or branch.kind == "row" else bullet_style.shifted(rows, item.indent, column)


def _reworded(item: Item, here: Sheet, new: Item, now: Sheet) -> list[str] | None:
    """Return newer words in the style of the writer's older ones."""
    rows = now.source(new)
    if item.kind == "bullet" and new.kind in _PROSE:
        found = bullet_style.bullet(rows, new, bullet_style.style_of(item))
        both = item.checked is not None and new.checked is not None
        return [bullet_style.ticked(found[0], new), *found[1:]] if both and item.checked != new.checked else found
    if item.kind == "text" and new.kind in _PROSE:
        return bullet_style.paragraph(rows, new, item.indent)
    if item.kind != new.kind:
        return None
    if item.kind == "heading":
        return bullet_style.heading(rows, item.level)
    if item.kind in {"row", "head"} and len(cells(rows[0])) != len(cells(here.source(item)[0])):
        return None
    return rows if item.indent == new.indent else bullet_style.shifted(rows, new.indent, item.indent)
