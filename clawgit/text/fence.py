"""Reads and changes the settings of a Markdown file."""

import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from clawgit.text import simple_yaml
from clawgit.text.yaml_blocks import blocks

_BARE = re.compile(r"[A-Za-z_][\w./@-]*")
_WORDS_OF_YAML = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


class BlockError(ValueError):
    """The block cannot be read, or not be changed in place; `line` counts from 1, within the block."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line


def parse(block: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Return values by key as plain Python, and the line of the block (from 1) that each key stands on.

    YAML 1.2: `12:30`, `on` and `yes` are text, and so is a date. Raises BlockError.
    """
    if (simple := simple_yaml.parse(block)) is not None:
        return simple
    values = _loaded(block)
    if values is None:
        return {}, {}
    lines = values.lc.data or {}  # a key that `<<` brought in stands on no line of its own
    plain = {str(key): _plain(value) for key, value in values.items()}
    return plain, {str(key): lines[key][0] + 1 for key in values if key in lines}


def _loaded(block: str) -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - 15 ms that most commands do not need
    from ruamel.yaml.comments import CommentedMap  # noqa: PLC0415
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

    try:
        yaml = YAML()
        yaml.composer.warn_double_anchors = False
        values = yaml.load(block)
    except MarkedYAMLError as exc:
        line = exc.problem_mark.line + 1 if exc.problem_mark else 1
        twice = re.match(r'found duplicate key "(.*?)" with', exc.problem or "", re.DOTALL)
        raise BlockError(line, f"{twice[1]} is set twice" if twice else str(exc.problem)) from exc
    except (YAMLError, ValueError, LookupError, AttributeError, TypeError) as exc:  # the last three for odd tags
        raise BlockError(1, "the yaml block cannot be read") from exc
    if values is not None and not isinstance(values, CommentedMap):
        raise BlockError(1, "the yaml block holds no keys")
    return values


def _plain(value: Any) -> Any:
    """Return a value without what ruamel remembers of its writing."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if type(value).__name__ == "ScalarBoolean":  # an int that is not a bool
        return bool(value)
    if isinstance(value, date):
        return str(value)
    kinds = (kind for kind in (bool, str, int, float) if isinstance(value, kind))
    return next(kinds, lambda same: same)(value)


def with_value(text: str, key: str, value: object, title: str = "", known: Collection[str] = ()) -> str:
    """Return the file with `key` of the block that counts set to `value`; no byte of anything else changes.

    `known` are the names by which settings without a mark are told.
    A missing key is added at the end of the block, a missing block at the end of the file, below `title` if that is
    empty. Raises BlockError where the value cannot be replaced by itself.
    """
    found = next(iter(blocks(text, known)), None)
    eol = "\r\n" if "\r\n" in text else "\n"
    if found is None:
        before = text or title.replace("\n", eol)
        gap = "" if not before else eol if before.endswith("\n") else eol * 2
        return f"{before}{gap}```yaml{eol}{_line(key, value)}{eol}```{eol}"
    old, lines = parse(found.text)
    new = _replaced(found.text, key, value) if key in lines else _added(found.text, key, value, eol)
    _verify(old, new, key, value, lines.get(key, 1))
    return text[: found.start] + new + text[found.start + len(found.text) :]


def _verify(old: Mapping[str, Any], new: str, key: str, value: object, line: int) -> None:
    """Raise BlockError unless exactly one value is another now: anchors and odd layouts are for a person."""
    try:
        same = parse(new)[0] == {**old, key: value}
    except BlockError:
        same = False
    if not same:
        raise BlockError(line, f"{key} cannot be changed without touching what stands around it")


def _added(block: str, key: str, value: object, eol: str) -> str:
    node = _composed(block)
    indent = " " * node.value[0][0].start_mark.column if node is not None and node.value else ""
    gap = eol if block and not block.endswith("\n") else ""
    return f"{block}{gap}{indent}{_line(key, value)}{eol}"


def _replaced(block: str, key: str, value: object) -> str:
    name, node = next(pair for pair in _composed(block).value if pair[0].value == key)
    start, end = node.start_mark.index, _end(block, node)
    if end <= start:  # nothing stands there
        start = end = block.index(":", name.end_mark.index) + 1
        return f"{block[:start]} {_shown(value)}{block[end:]}"
    style = node.style if isinstance(node.value, str) else None
    indent = "  " if node.start_mark.column == 0 else ""  # a list in brackets has to stand deeper than its key
    return (
        block[:start] + indent + _shown(value, style or ("plain" if isinstance(node.value, str) else "")) + block[end:]
    )


def _end(block: str, node: Any) -> int:
    """Return where a value ends; that of a list without brackets, by itself, goes on to the next key."""
    start: int = node.start_mark.index
    if isinstance(node.value, list) and not node.flow_style and node.value:
        last = node.value[-1]
        return max(_end(block, last[1] if isinstance(last, tuple) else last), start + 1)
    return start + len(block[start : node.end_mark.index].rstrip())


def _composed(block: str) -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415

    return YAML().compose(block)


def _line(key: str, value: object) -> str:
    return f"{key}: {_shown(value)}"


def _shown(value: object, style: str = "") -> str:
    """Return a value as YAML, a text in the quotes that it had."""
    if isinstance(value, str) and style == "plain" and _BARE.fullmatch(value) and value.lower() not in _WORDS_OF_YAML:
        return value
    if isinstance(value, str) and style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    import json  # noqa: PLC0415 - who only reads does without

    return json.dumps(value, ensure_ascii=False)
