"""Joins what two sides inserted at one place."""

from collections import defaultdict, deque

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.text.unit import (
    LISTED,
    PLAIN,
    Unit,
    contains,
    fence,
    fuller,
    heading_level,
    indent,
    is_bullet,
    is_row,
    keys,
)


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
        while stop < len(block) and not block[stop].key.strip().startswith(mark):
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
