"""Puts what a writer never saw into its text."""

from itertools import pairwise

from clawgit.text import lines
from clawgit.text.healing import dress
from clawgit.text.healing.branch import Branch, walk
from clawgit.text.healing.fate import Fate
from clawgit.text.healing.item import Item, Sheet
from clawgit.text.healing.place import planted
from clawgit.text.healing.shape import cells

_PROSE = {"bullet", "text"}
_BOM = "\ufeff"


def graft(fate: Fate, now: Sheet, here: Sheet, text: str) -> tuple[str, list[int]] | None:
    """Return `text`, which `here` was read from, with its fate done, and the numbers of what was added in vain.

    None where newer words cannot stand in the place of older ones.
    """
    root, unfit = planted(fate, now, here)
    ending = lines.eol(text)
    rows: list[str] = []
    before: Branch | None = None
    carried: list[str] = []
    for branch in walk(root):
        gap = _gap(here, branch)
        if branch.gone:
            carried = carried or gap
            continue
        own = _rows(branch, fate, now, here)
        if own is None:
            return None
        rows += _spacing(before, branch, gap, carried, ending, loose=_is_loose(branch, here))
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
    if "bullet" in {before.kind, branch.kind} and before.kind in {"bullet", "heading"} and branch.dress:
        tight = before.kind == "bullet" and not loose
        return [] if tight else [ending]
    if branch.kind == "row":
        return []
    return gap or [ending]


def _is_loose(branch: Branch, here: Sheet) -> bool:
    """Tell whether blank lines stand between the writer's bullets around here."""
    siblings = branch.parent.children if branch.parent else []
    hosts = [child for child in siblings if child.kind == "bullet" and not child.guest]
    return any(one.number + 1 == two.number and _gap(here, two) for one, two in pairwise(hosts))


def _rows(branch: Branch, fate: Fate, now: Sheet, here: Sheet) -> list[str] | None:
    """Return the lines of an item, None where its new words cannot stand in its place."""
    if branch.guest:
        return _guest(branch, now)
    item = here.items[branch.number]
    raw = here.rows[item.start : item.end]
    if branch.number in fate.boxed:
        return [dress.ticked(raw[0], item), *raw[1:]]
    to = fate.replaced.get(branch.number)
    return raw if to is None else _reworded(item, here, now.items[to], now)


def _guest(branch: Branch, now: Sheet) -> list[str]:
    item = now.items[branch.number]
    rows = now.source(item)
    if branch.dress:
        return dress.bullet(rows, item, branch.dress)
    if branch.kind == "heading":
        return dress.heading(rows, branch.level)
    column = branch.parent.column if branch.parent else 0
    return rows if column == item.indent or branch.kind == "row" else dress.shifted(rows, item.indent, column)


def _reworded(item: Item, here: Sheet, new: Item, now: Sheet) -> list[str] | None:
    """Return newer words in the dress of the writer's older ones."""
    rows = now.source(new)
    if item.kind == "bullet" and new.kind in _PROSE:
        found = dress.bullet(rows, new, dress.dress_of(item))
        both = item.checked is not None and new.checked is not None
        return [dress.ticked(found[0], new), *found[1:]] if both and item.checked != new.checked else found
    if item.kind == "text" and new.kind in _PROSE:
        return dress.paragraph(rows, new, item.indent)
    if item.kind != new.kind:
        return None
    if item.kind == "heading":
        return dress.heading(rows, item.level)
    if item.kind in {"row", "head"} and len(cells(rows[0])) != len(cells(here.source(item)[0])):
        return None
    return rows if item.indent == new.indent else dress.shifted(rows, new.indent, item.indent)
