"""Reads and changes the settings of a Markdown file."""

import re
from collections.abc import Collection, Iterator
from itertools import accumulate
from typing import Any

from msgspec import Struct

from clawgit.text import document
from clawgit.text.unit import closes_fence, fence
from clawgit.text.yaml_reader import BlockError, compose_yaml, read_front_matter, read_yaml

_YAML = re.compile(r"\{?\s*\.?ya?ml\b", re.IGNORECASE)
_STRAY = re.compile(r"\s*([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\s*[:=]")
_ODD = re.compile(r"\s*(?:[-*+|]\s*)?[\"'`*]*([a-z][a-z0-9]*(?:_[a-z0-9]+)+)[\"'`*:]*\s*[:=|]")


class Block(Struct, frozen=True):
    """The lines that hold settings, where they begin in the file, and on which line, from 1."""

    text: str
    start: int
    line: int


def blocks(text: str, names: Collection[str] = ()) -> list[Block]:
    """Return the blocks of a file; the first one counts.

    They are the fences that say yaml or yml; one that is never closed reaches to the end. A file without any is one
    block if it is YAML itself, and ours by the names that are `names`: one with an underscore, or all of them.
    """
    start = len(text) - len(text.removeprefix("\ufeff"))
    return list(_read_fences(text)) or [Block(text[start:], start, 1)] * _is_settings(text[start:], names)


def _is_settings(text: str, known_names: Collection[str]) -> bool:
    if not any(name in text for name in known_names):
        return False  # it needs no YAML, which takes 20 ms to load
    names = read_front_matter(f"---\n{text}\n---\n").values.keys()
    return any("_" in name and name in known_names for name in names) or (bool(names) and names <= set(known_names))


def list_stray_keys(text: str, names: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield the known keys, with their lines, that seem to be set outside of every block, and so have no effect."""
    block_list, inside = blocks(text, names), set[int]()
    for block in block_list:
        inside.update(range(block.line, block.line + block.text.count("\n") + 1))
    like = _STRAY if block_list else _ODD  # where there is a block, a list below it may well explain it
    for number, row in enumerate(_empty_comments(document.split(text)), 1):
        match = like.match(row) if number not in inside else None
        if match and match[1] in names:
            yield match[1], number


def _read_fences(text: str) -> Iterator[Block]:
    """Yield the lines of each fence of YAML that is in no comment and no other fence."""
    rows = document.split(text)
    starts = [0, *accumulate(map(len, rows))]
    mark, first = "", 0  # of the fence that is open: what opened it, and its first line if it is YAML
    for number, row in enumerate((*_empty_comments(rows), "")):
        if mark and (closes_fence(row, mark) or number == len(rows)):
            if first:
                yield Block("".join(rows[first:number]), starts[first], first + 1)
            mark = ""
        elif not mark and (mark := fence(row.lstrip("\ufeff"))):
            first = number + 1 if _YAML.match(row.partition(mark)[2].strip()) else 0


def _empty_comments(rows: list[str]) -> list[str]:
    """Return the rows with those of comments empty; one that is never closed is none."""
    result, start = list(rows), -1  # of the comment that is open
    for number, row in enumerate(rows):
        if start < 0 and row.lstrip("\ufeff ").startswith("<!--"):
            start = number
        if start >= 0 and "-->" in row:
            result[start : number + 1] = [""] * (number + 1 - start)
            start = -1
    return result


_BARE = re.compile(r"[A-Za-z_][\w./@-]*")
_WORDS_OF_YAML = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def parse_settings(block: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Return values by key as plain Python, and the line of the block (from 1) of each key.

    YAML 1.2: `12:30`, `on` and `yes` are text, and so is a date. Raises BlockError.
    """
    result = read_yaml(block)
    if result is None:
        raise BlockError(1, "the yaml block holds no keys")
    return result


def with_value(text: str, key: str, value: object, title: str = "", names: Collection[str] = ()) -> str:
    """Return the file with `key` of the first block set to `value`; no byte of anything else changes.

    `names` are the names of settings without a mark. A missing key is added at the end of the block, a missing block at
    the end of the file, below `title` if that is empty. Raises BlockError if the value cannot be replaced by itself.
    """
    block = next(iter(blocks(text, names)), None)
    eol = "\r\n" if "\r\n" in text else "\n"
    if block is None:
        before = text or title.replace("\n", eol)
        gap = "" if not before else eol if before.endswith("\n") else eol * 2
        return f"{before}{gap}```yaml{eol}{key}: {_format_value(value)}{eol}```{eol}"
    old, lines = parse_settings(block.text)
    if key in lines:
        new = _replace_value(block.text, key, value)
    else:
        node = compose_yaml(block.text)
        indent = " " * node.value[0][0].start_mark.column if node is not None and node.value else ""
        gap = eol if block.text and not block.text.endswith("\n") else ""
        new = f"{block.text}{gap}{indent}{key}: {_format_value(value)}{eol}"
    try:
        is_same = parse_settings(new)[0] == {**old, key: value}  # anchors and odd layouts are for a person
    except BlockError:
        is_same = False
    if not is_same:
        raise BlockError(lines.get(key, 1), f"{key} cannot be changed without touching what stands around it")
    return text[: block.start] + new + text[block.start + len(block.text) :]


def _replace_value(block: str, key: str, value: object) -> str:
    name, node = next(pair for pair in compose_yaml(block).value if pair[0].value == key)
    start, end = node.start_mark.index, _find_value_end(block, node)
    # A key without a value has an empty node at another place.
    if end <= start:  # nothing stands there
        start = end = block.index(":", name.end_mark.index) + 1
        return f"{block[:start]} {_format_value(value)}{block[end:]}"
    indent = "  " if node.start_mark.column == 0 else ""  # a list in brackets has to stand deeper than its key
    new = _format_value(value, is_bare=isinstance(node.value, str) and not node.style)
    return block[:start] + indent + new + block[end:]


def _find_value_end(block: str, node: Any) -> int:
    """Return the end of a value; that of a list without brackets, by itself, goes on to the next key."""
    start: int = node.start_mark.index
    if isinstance(node.value, list) and not node.flow_style and node.value:
        last = node.value[-1]
        return max(_find_value_end(block, last[1] if isinstance(last, tuple) else last), start + 1)
    return start + len(block[start : node.end_mark.index].rstrip())


def _format_value(value: object, *, is_bare: bool = False) -> str:
    """Return a value as YAML, a text in quotes where it cannot do without them or had them."""
    if is_bare and isinstance(value, str) and _BARE.fullmatch(value) and value.lower() not in _WORDS_OF_YAML:
        return value
    import json  # noqa: PLC0415 - who only reads does without

    return json.dumps(value, ensure_ascii=False)
