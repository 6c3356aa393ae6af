"""Finds where in a writer's text an item belongs."""

from collections import defaultdict

from clawgit.text.stale_write import bullet_style
from clawgit.text.stale_write.bullet_style import BulletStyle
from clawgit.text.stale_write.item import Sheet
from clawgit.text.stale_write.item_merge import ItemMerge
from clawgit.text.stale_write.item_tree import Branch, insert, tree, walk
from clawgit.text.stale_write.line_kind import cells


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
            branch.style = bullet_style.following(before) if before else after or self._usual(parent, branch)

    def _usual(self, parent: Branch, branch: Branch) -> BulletStyle:
        """Return how a bullet stands where none stands yet: with the mark that the text has elsewhere."""
        own = self.now.items[branch.number].mark
        mark = own if own[0].isdigit() or not self.mark else self.mark
        return BulletStyle(parent.column, mark, parent.column + len(mark) + 1)
