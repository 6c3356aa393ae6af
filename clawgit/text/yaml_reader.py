"""Reads YAML, bounded in size and depth."""

import re
from typing import Any

MAX_CONFIG_BYTES = 256 << 10
MAX_FRONT_MATTER_BYTES = 64 << 10
MAX_DEPTH = 20

_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_WHOLE = re.compile(r"[-+]?[0-9][0-9_]*")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+|0b[01]+")
_PART = re.compile(r"[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


class BlockError(ValueError):
    """The block cannot be read, or not be changed in place; `line` counts from 1, within the block."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line


class RefusedError(BlockError):
    """The block is not read whatever it says: it is too large or too deep, or uses aliases, merge keys or tags."""


def compose_yaml(text: str, limit: int = MAX_CONFIG_BYTES) -> Any:
    """Return the root node of the only document, None without one. Raises BlockError.

    The events are looked at before anything is built from them.
    """
    import yaml  # noqa: PLC0415 - 11 ms that most commands do not need

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    require_size(text, limit)
    try:
        depth = 0
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if reason := _refusal(yaml, event, depth):
                raise RefusedError(event.start_mark.line + 1, reason)
        return yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as exc:
        kind = RefusedError if "nesting depth" in str(exc.problem) else BlockError  # libyaml looks ahead
        raise kind(exc.problem_mark.line + 1 if exc.problem_mark else 1, str(exc.problem)) from exc
    except (yaml.YAMLError, UnicodeError) as exc:  # a character that no YAML may hold
        line = text.count("\n", 0, getattr(exc, "position", 0) or 0) + 1
        raise BlockError(line, "the yaml block cannot be read") from exc


def require_size(text: str, limit: int) -> None:
    """Raise RefusedError for more than `limit` bytes."""
    if len(text) > limit or len(text.encode("utf-8", "replace")) > limit:
        raise RefusedError(1, f"more than {limit:,} bytes of YAML are not read")


def _refusal(yaml: Any, event: Any, depth: int) -> str:
    """Return why YAML with this event is not read, "" where nothing is wrong."""
    if depth > MAX_DEPTH:
        return f"values nested more than {MAX_DEPTH} deep are not read"
    if getattr(event, "anchor", None):
        return f"aliases are not read: {'*' if isinstance(event, yaml.AliasEvent) else '&'}{event.anchor[:40]}"
    if getattr(event, "tag", None):
        return f"tags are not read: {event.tag[:40]}"
    if isinstance(event, yaml.ScalarEvent) and event.value == "<<" and not event.style:
        return "merge keys are not read: <<"
    return ""


def read_yaml(text: str, limit: int = MAX_CONFIG_BYTES) -> tuple[dict[str, Any], dict[str, int]] | None:
    """Return values by key, and the line (from 1) of each; None for what is no mapping. Raises BlockError.

    YAML 1.2: `12:30`, `on` and `yes` are text, and so is a date.
    """
    node = compose_yaml(text, limit)
    if node is None or (node.id == "scalar" and not node.value):
        return {}, {}
    if node.id != "mapping":
        return None
    return _to_plain(node), {key.value: key.start_mark.line + 1 for key, _ in node.value}


def _to_plain(node: Any) -> Any:
    """Return the value of a node. Raises BlockError for a key that is set twice, or is no text."""
    if node.id == "scalar":
        return node.value if node.style else _to_scalar(node)
    if node.id == "sequence":
        return [_to_plain(item) for item in node.value]
    values: dict[str, Any] = {}
    for key, value in node.value:
        if key.id != "scalar" or key.value in values:
            reason = f"{key.value} is set twice" if key.id == "scalar" else "a key has to be a word"
            raise BlockError(key.start_mark.line + 1, reason)
        values[key.value] = _to_plain(value)
    return values


def _to_scalar(node: Any) -> Any:
    """Return what a scalar without quotes means."""
    text: str = node.value
    if text in ("", "~") or (text.lower() in _WORDS and text in (text.lower(), text.upper(), text.title())):
        return _WORDS[text.lower()]
    try:
        if _WHOLE.fullmatch(text):
            return int(text.replace("_", ""))
        if _BASED.fullmatch(text):
            return int(text, 0)
    except ValueError as exc:  # thousands of digits
        raise BlockError(node.start_mark.line + 1, "a number is too long") from exc
    if _PART.fullmatch(text):
        return float(text.replace("_", ""))
    if _NO_NUMBER.fullmatch(text):
        return float(text.replace(".", ""))
    return text


Value = str | int | float | list[object]

_VALUES = {
    "whole": "0|[1-9][0-9]{0,14}",
    "part": r"[0-9]{1,9}\.[0-9]{1,9}",
    "clock": "[0-2][0-9]:[0-5][0-9]",
    "empty": r"\[\]",
    "bare": "[A-Za-z]+(?:[/_-][A-Za-z]+)*",
}
_ANY = "|".join(f"(?P<{name}>{form})" for name, form in _VALUES.items())
_QUOTED = r""""(?P<double>[ !\#-\[\]-~]*)"|'(?P<single>[ -&(-~]*)'"""
_LINE = re.compile(rf"(?P<key>[a-z][a-z0-9_]*):[ ]+(?:{_ANY}|{_QUOTED})[ ]*(?:[ ]\#[ -~]*)?")
_NOTHING = re.compile(r"[ ]*(?:#[ -~]*)?")
WORDS_OF_YAML = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def parse_simple(block: str) -> tuple[dict[str, Value], dict[str, int]] | None:
    """Return values by key, and the line (from 1) of each; None for anything that is not plainly `key: scalar`.

    A YAML parser gives the same, and takes twenty milliseconds to load.
    """
    values: dict[str, Value] = {}
    lines: dict[str, int] = {}
    for number, row in enumerate(block.removesuffix("\n").split("\n"), 1):
        if _NOTHING.fullmatch(row):
            continue
        match = _LINE.fullmatch(row)
        if match is None or match["key"] in values or (match["bare"] or "").lower() in WORDS_OF_YAML:
            return None
        values[match["key"]], lines[match["key"]] = _value(match), number
    return values, lines


def _value(match: re.Match[str]) -> Value:
    if match["whole"]:
        return int(match["whole"])
    if match["part"]:
        return float(match["part"])
    if match["empty"]:
        return []
    return next(match[name] for name in ("clock", "double", "single", "bare") if match[name] is not None)
