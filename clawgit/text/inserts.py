"""Joins what two sides inserted at one place."""

import re
from collections import Counter, defaultdict, deque

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.text.unit import (
    LISTED,
    PLAIN,
    Unit,
    choose_fuller,
    closes_fence,
    fence,
    heading_level,
    indent,
    is_bullet,
    is_row,
    is_table_head,
    keys,
)

_NOTE = re.compile(r"#{2,6} \d{1,2}:\d\d")
"""The heading of a note of a journal: two of one minute are two notes."""


class _Node(Struct, frozen=True):
    """A heading, bullet, row, fence or paragraph, and what stands under it.

    `opens` marks the first bullet of a list: the blank lines before it belong to the list.
    """

    level: int
    units: tuple[Unit, ...]
    opens: bool
    children: list["_Node"] = field(default_factory=list)


def join_inserts(one: list[Unit], two: list[Unit]) -> list[Unit]:
    """Return both inserts: what is the same once, the rest of one side after the other's.

    Sections join by heading, nested bullets under their parent; notes of a journal only where all of them is the same.
    The order depends on the content, never on which side comes first.
    """
    if not one or not two:
        return one or two
    if keys(one) == keys(two):
        return [choose_fuller(a, b) for a, b in zip(one, two, strict=True)]
    return _flatten(_join_nodes(_read_tree(one), _read_tree(two)))


def _join_nodes(one: list[_Node], two: list[_Node]) -> list[_Node]:
    """Join siblings: all of one side in its order, then the rest of the other; a side that has all comes first."""
    first, second = sorted((one, two), key=lambda side: [keys(node.units) for node in side])
    if (Counter(map(_name, one)) & Counter(map(_name, two))).total() == len(first) < len(second):
        first, second = second, first
    waiting: defaultdict[tuple[str, ...], deque[_Node]] = defaultdict(deque)
    for node in second:
        waiting[_name(node)].append(node)
    twins = [waiting[name].popleft() if waiting[name := _name(node)] else None for node in first]
    order = [_join_pair(node, twin) if twin else node for node, twin in zip(first, twins, strict=True)]
    left = {id(node) for nodes in waiting.values() for node in nodes}
    order += [node for node in second if id(node) in left]
    order.sort(key=lambda node: -node.level)  # a later, deeper one would become a child
    return [_follow(node, order[at - 1]) if at else node for at, node in enumerate(order)]


def _name(node: _Node) -> tuple[str, ...]:
    """Return what a node is the same by."""
    return keys(_flatten([node])) if _NOTE.match(node.units[0].key) else keys(node.units)


def _follow(node: _Node, before: _Node) -> _Node:
    """Let what was a list's first bullet and now follows another bullet stand close to it."""
    if not node.opens or before.level < LISTED:
        return node
    return replace(node, units=(node.units[0]._replace(blank=()), *node.units[1:]))


def _join_pair(one: _Node, two: _Node) -> _Node:
    same = [choose_fuller(a, b) for a, b in zip(one.units, two.units, strict=True)]
    if one.opens != two.opens:
        same[0] = (two if one.opens else one).units[0]._replace(side=0)
    opens = one.opens and two.opens
    return _Node(one.level, tuple(same), opens, _join_nodes(one.children, two.children))


def _read_tree(block: list[Unit]) -> list[_Node]:
    root: list[_Node] = []
    stack: list[_Node] = []
    start = 0
    while start < len(block):
        stop = _find_end(block, start)
        level = _level(block[start])
        while stack and stack[-1].level >= level:
            stack.pop()
        among = stack[-1].children if stack else root
        opens = level >= LISTED and all(other.level < LISTED for other in among[-1:])
        node = _Node(level, tuple(block[start:stop]), opens)
        among.append(node)
        stack.append(node)
        start = stop
    return root


def _level(unit: Unit) -> int:
    if level := heading_level(unit.key):
        return level
    return LISTED + indent(unit.text) if is_bullet(unit.key) else PLAIN


def _find_end(block: list[Unit], start: int) -> int:
    """Return the index after the whole fence, bullet or paragraph that starts at `start`."""
    head, stop = block[start], start + 1
    if mark := fence(head.key):
        while stop < len(block) and not closes_fence(block[stop].key, mark):
            stop += 1
        return min(stop + 1, len(block))
    if is_row(head.key):
        while stop < len(block) and is_row(block[stop].key) and not block[stop].blank:
            stop += 1
        return stop if any(map(is_table_head, keys(block[start:stop]))) else start + 1
    if heading_level(head.key):
        return stop
    while stop < len(block) and _continues(block[stop], head):
        stop += 1
    return stop


def _continues(unit: Unit, head: Unit) -> bool:
    if heading_level(unit.key) or is_bullet(unit.key):
        return False
    if is_bullet(head.key) and indent(unit.text) > indent(head.text):
        return True
    return not unit.blank and not is_row(unit.key) and not fence(unit.key)


def _flatten(nodes: list[_Node]) -> list[Unit]:
    found: list[Unit] = []
    for node in nodes:
        found += node.units
        found += _flatten(node.children)
    return found
