"""Three-way merge by entry, then by line."""

from collections import Counter, defaultdict, deque
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.text import document
from clawgit.text.line_alignment import Piece, Side, align, pieces, side, trimmed
from clawgit.text.unit import (
    LISTED,
    PLAIN,
    Unit,
    closes_fence,
    contains,
    fence,
    fuller,
    heading_level,
    indent,
    is_bullet,
    is_listed,
    is_row,
    keys,
    raw,
    units,
)


class Clash(Struct, frozen=True):
    """A stretch that both sides changed, each in its way."""

    base: tuple[Unit, ...]
    ours: tuple[Unit, ...]
    theirs: tuple[Unit, ...]


def weave(base: list[Unit], ours: list[Unit], theirs: list[Unit]) -> tuple[list[Unit], list[Clash]]:
    """Return the woven units and what could not be woven.

    Lines that stand in all three are fixed; between two of them each stretch is decided on its own. The
    last unit of each list is the end of the text.
    """
    mine, yours = align(keys(base[:-1]), keys(ours[:-1])), align(keys(base[:-1]), keys(theirs[:-1]))
    mine.append(len(ours) - 1)
    yours.append(len(theirs) - 1)
    out: list[Unit] = []
    clashes: list[Clash] = []
    low = left = right = 0
    for at, (i, j) in enumerate(zip(mine, yours, strict=True)):
        if i < 0 or j < 0:
            continue
        if at > low or i > left or j > right:
            one = side(base[low:at], ours[left:i], [i - left for i in mine[low:at]])
            two = side(base[low:at], theirs[right:j], [j - right for j in yours[low:at]])
            clash = _clash(base[low:at], one, two)
            out += [] if clash else _stretch(base[low:at], one, two)
            clashes += [clash] if clash else []
        out.append(_kept(base[at], ours[i], theirs[j]))
        low, left, right = at + 1, i + 1, j + 1
    return out, clashes


def _kept(base: Unit, ours: Unit, theirs: Unit) -> Unit:
    """Decide spacing and line end of a line that both keep: who changed it wins, then the larger."""
    if theirs in (ours, base):
        return ours._replace(first=False)
    if ours == base:
        return theirs._replace(first=False)
    larger = fuller(ours, theirs)
    blank = theirs.blank if ours.blank == base.blank else ours.blank if theirs.blank == base.blank else larger.blank
    eol = theirs.eol if ours.eol == base.eol else ours.eol if theirs.eol == base.eol else larger.eol
    return Unit(ours.key, blank, eol)


def _stretch(base: list[Unit], one: Side, two: Side) -> list[Unit]:
    """Return what stands between two fixed lines, the sides being compatible."""
    if one.fresh and two.fresh:
        if contains(one.fresh, two.fresh) and contains(two.fresh, one.fresh):
            return [fuller(a, b) for a, b in zip(one.fresh, two.fresh, strict=True)]
        if base and contains(one.fresh, two.fresh):
            return list(one.fresh)
        if base and contains(two.fresh, one.fresh):
            return list(two.fresh)
    out: list[Unit] = []
    for at in range(len(base) + 1):
        out += join(one.inserts.get(at, []), two.inserts.get(at, []))
        here, there = one.values.get(at), two.values.get(at)
        if here and there:
            out.append(fuller(here, there) if here.key == there.key else here)
        elif here:
            out += _changed(base[at], here, two, at)
        elif there:
            out += _changed(base[at], there, one, at)
    return out


def _changed(base: Unit, value: Unit, other: Side, at: int) -> list[Unit]:
    """Return a changed line, unless the other side wrote the very line elsewhere in the stretch."""
    still = other.still.get(at)
    if still is None:
        return []
    same = _kept(base._replace(key=value.key), value, still._replace(key=value.key))
    return [same]


def _clash(base: list[Unit], one: Side, two: Side) -> Clash | None:
    mine, yours = set(keys(one.fresh)), set(keys(two.fresh))
    for at in range(len(base)):
        if not (_agree(one, two, at, yours) and _agree(two, one, at, mine)):
            return Clash(tuple(base), one.units, two.units)
        here, there = one.rewrites.get(at), two.rewrites.get(at)
        if here and there and not (_within(here, two) or _within(there, one)):
            return Clash(tuple(base), one.units, two.units)
    return None


def _within(rewrite: tuple[str, ...], other: Side) -> bool:
    return not Counter(rewrite) - Counter(keys(other.fresh))


def _agree(one: Side, two: Side, at: int, yours: set[str]) -> bool:
    """Return whether the line that `one` made of line `at` can stand beside what `two` did."""
    value = one.values.get(at)
    if value is None or at in two.still or value.key in yours:
        return True
    rival = two.values.get(at)
    if rival is not None:
        return rival.key == value.key
    return at in two.rewrites and _within(two.rewrites[at], one)


class Conflict(Struct, frozen=True):
    """One stretch on which the sides disagree."""

    base: str
    ours: str
    theirs: str


class Merge(Struct, frozen=True):
    """A merged text, or None and the conflicts that prevent it."""

    text: str | None
    conflicts: tuple[Conflict, ...] = ()


def merge(base: str | None, ours: str, theirs: str) -> Merge:
    """Merge two texts that grew from `base` (None: born on both sides).

    What only one side changed is taken; inserts of both at one place are both kept, equal ones once. A line
    changed to two different things, or changed here and deleted there, is a conflict. The answer does not
    depend on which side is which, and merging it again with a side changes nothing: where repeated lines
    make that impossible, the stretch is a conflict.
    """
    root = base or ""
    if theirs in {ours, root}:
        return Merge(ours)
    if ours == root:
        return Merge(theirs)
    one, two = sorted((ours, theirs))
    text, conflicts = _merged(root, one, two)
    if text is not None and not (_stable(root, text, one) and _stable(root, text, two)):
        text, conflicts = None, _differences(root, one, two)
    swap = (one, two) != (ours, theirs)
    return Merge(text, tuple(Conflict(c.base, c.theirs, c.ours) if swap else c for c in conflicts))


def _stable(base: str, text: str, side: str) -> bool:
    if side == text:
        return True
    if text == base:
        return False
    one, two = sorted((text, side))
    return _merged(base, one, two)[0] == text


def _merged(base: str, ours: str, theirs: str) -> tuple[str | None, list[Conflict]]:
    ending = _ending(base, ours, theirs)
    if ending:
        base, ours, theirs = (document.convert(text, ending) for text in (base, ours, theirs))
    rows: list[str] = []
    conflicts: list[Conflict] = []
    for piece in pieces(*(document.split(text) for text in (base, ours, theirs))):
        rows += piece.agreed
        woven, clashes = _woven(piece, ending or document.eol(base), top=not rows)
        rows += woven
        conflicts += clashes
    if conflicts:
        return None, conflicts
    final = _decided(*(document.ends_with_newline(text) for text in (base, ours, theirs)))
    return document.closed(rows, ending or document.eol(base), final=final), []


def _woven(piece: Piece, ending: str, *, top: bool) -> tuple[list[str], list[Conflict]]:
    _, base, ours, theirs = piece
    if theirs in (base, ours):
        return ours, []
    if base == ours:
        return theirs, []
    woven, clashes = weave(*(units(rows, ending, top=top) for rows in (base, ours, theirs)))
    return document.split(raw(_spaced(woven, ending))), [_conflict(clash) for clash in clashes]


def _ending(base: str, ours: str, theirs: str) -> str:
    """Return the line ending that all texts take because a side was converted to it; "" for none."""
    was, here, there = (document.uniform(text) for text in (base, ours, theirs))
    if here and there:
        return _decided_text(was, here, there)
    lone, other = (here, there) if here else (there, here)
    if not lone or was in {lone, ""} or (other is None and was == ""):
        return ""
    return lone


def _decided_text(base: str | None, ours: str, theirs: str) -> str:
    if ours == base:
        return theirs
    return ours if theirs == base else max(ours, theirs)


def _decided(base: bool, ours: bool, theirs: bool) -> bool:  # noqa: FBT001 - three alike
    return ours if ours == theirs else not base


def _spaced(woven: list[Unit], ending: str) -> list[Unit]:
    """Set a blank line before what was a file's first line and now follows other text."""
    out = woven[:1]
    for before, unit in pairwise(woven):
        tight = unit.first and not unit.blank and not (is_listed(before.key) and is_listed(unit.key))
        out.append(unit._replace(blank=(ending,)) if tight else unit)
    return out


def _conflict(clash: Clash) -> Conflict:
    return Conflict(raw(clash.base), raw(clash.ours), raw(clash.theirs))


def _differences(base: str, ours: str, theirs: str) -> list[Conflict]:
    """Return the stretches that both sides changed."""
    found = pieces(*(document.split(text) for text in (base, ours, theirs)))
    both = [p for p in found if p.base not in (p.ours, p.theirs) and p.ours != p.theirs] or found
    return [Conflict(*("".join(rows) for rows in trimmed(*piece[1:]))) for piece in both]


class _Node(Struct, frozen=True):
    """A heading, bullet, row, fence or paragraph, and what stands under it.

    `opens` marks the first bullet of a list: the blank lines before it belong to the list.
    """

    level: int
    units: tuple[Unit, ...]
    opens: bool
    children: list["_Node"] = field(default_factory=list)


def join(one: list[Unit], two: list[Unit]) -> list[Unit]:
    """Return both inserts: what is the same once, the rest of one side after the other's.

    Sections join by heading, nested bullets under their parent. The order depends on the content, never on
    which side comes first.
    """
    if keys(one) == keys(two):
        return [fuller(a, b) for a, b in zip(one, two, strict=True)]
    if contains(one, two):
        return one
    if contains(two, one):
        return two
    return _flat(_joined(_tree(one), _tree(two)))


def _joined(one: list[_Node], two: list[_Node]) -> list[_Node]:
    waiting: defaultdict[tuple[str, ...], deque[int]] = defaultdict(deque)
    for at, node in enumerate(two):
        waiting[keys(node.units)].append(at)
    pairs = {at: waiting[name].popleft() for at, node in enumerate(one) if (name := keys(node.units)) and waiting[name]}
    if _comes_first(one, two, len(pairs)):
        taken = set(pairs.values())
        order = [_paired(node, two[pairs[at]]) if at in pairs else node for at, node in enumerate(one)]
        order += [node for at, node in enumerate(two) if at not in taken]
    else:
        back = {there: here for here, there in pairs.items()}
        order = [_paired(node, one[back[at]]) if at in back else node for at, node in enumerate(two)]
        order += [node for at, node in enumerate(one) if at not in pairs]
    order.sort(key=lambda node: -node.level)  # a later, deeper one would become a child
    return [_follow(node, order[at - 1]) if at else node for at, node in enumerate(order)]


def _follow(node: _Node, before: _Node) -> _Node:
    """Let what was a list's first bullet and now follows another bullet stand close to it."""
    if not node.opens or before.level < LISTED:
        return node
    return replace(node, units=(node.units[0]._replace(blank=()), *node.units[1:]))


def _comes_first(one: list[_Node], two: list[_Node], shared: int) -> bool:
    whole = (shared == len(two), shared == len(one))
    if whole == (True, False):
        return True
    if whole == (False, True):
        return False
    return [keys(node.units) for node in one] <= [keys(node.units) for node in two]


def _paired(one: _Node, two: _Node) -> _Node:
    same = [fuller(a, b) for a, b in zip(one.units, two.units, strict=True)]
    if one.opens != two.opens:
        same[0] = (two if one.opens else one).units[0]
    opens = one.opens and two.opens
    return _Node(one.level, tuple(same), opens, _joined(one.children, two.children))


def _tree(block: list[Unit]) -> list[_Node]:
    root: list[_Node] = []
    stack: list[_Node] = []
    at = 0
    while at < len(block):
        stop = _extent(block, at)
        level = _level(block[at].key)
        while stack and stack[-1].level >= level:
            stack.pop()
        among = stack[-1].children if stack else root
        opens = level >= LISTED and all(other.level < LISTED for other in among[-1:])
        node = _Node(level, tuple(block[at:stop]), opens)
        among.append(node)
        stack.append(node)
        at = stop
    return root


def _level(key: str) -> int:
    if level := heading_level(key):
        return level
    return LISTED + indent(key) if is_bullet(key) else PLAIN


def _extent(block: list[Unit], at: int) -> int:
    """Return the index after the whole fence, bullet or paragraph that starts at `at`."""
    head, stop = block[at].key, at + 1
    if mark := fence(head):
        while stop < len(block) and not closes_fence(block[stop].key, mark):
            stop += 1
        return min(stop + 1, len(block))
    if heading_level(head) or is_row(head):
        return stop
    while stop < len(block) and _continues(block[stop], head):
        stop += 1
    return stop


def _continues(unit: Unit, head: str) -> bool:
    if heading_level(unit.key) or is_bullet(unit.key):
        return False
    if is_bullet(head) and indent(unit.key) > indent(head):
        return True
    return not unit.blank and not is_row(unit.key) and not fence(unit.key)


def _flat(nodes: list[_Node]) -> list[Unit]:
    found: list[Unit] = []
    for node in nodes:
        found += node.units
        found += _flat(node.children)
    return found
