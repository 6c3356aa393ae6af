"""Puts members into JSON5 text, and takes them out."""

import json
import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from clawgit.workspace.host import openclaw_files as host_json

_BLANK = re.compile(r"(?:[\s\ufeff]+|//[^\n\r\u2028\u2029]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n\r]|\\(?:\r\n|.))*"' + r"|'(?:[^'\\\n\r]|\\(?:\r\n|.))*'", re.DOTALL)
_BARE = re.compile(r"[^\W\d][\w$\u200c\u200d]*|\$[\w$\u200c\u200d]*")
_SCALAR = re.compile(r"""[^\s,\[\]{}:"'/\\]+""")


class ShapeError(Exception):
    """Text that cannot be edited safely; the words are the second half of a sentence."""


class Value(Struct, frozen=True):
    """A value at `start` to `end` of the text, in characters; `members` is None for all but objects."""

    start: int
    end: int
    members: "tuple[Member, ...] | None" = None


class Member(Struct, frozen=True):
    """A member of an object; `start` is where its key begins."""

    key: str
    start: int
    value: Value


def outline(text: str) -> Value:
    """Return the outermost value of JSON5 text. Raises ShapeError."""
    try:
        found = _value(text, skip(text, 0))
    except RecursionError as exc:
        raise ShapeError("is nested too deep") from exc
    if skip(text, found.end) != len(text):
        raise _unexpected(text, skip(text, found.end))
    return found


def skip(text: str, at: int) -> int:
    """Return where white space and comments that begin at `at` end."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int) -> Value:
    match text[at : at + 1]:
        case "{":
            return _object(text, at)
        case "[":
            return _array(text, at)
        case "'" | '"':
            return Value(at, _end(_STRING.match(text, at), text, at))
        case _:
            return Value(at, _end(_SCALAR.match(text, at), text, at))


def _object(text: str, start: int) -> Value:
    members: list[Member] = []
    at = skip(text, start + 1)
    while text[at : at + 1] != "}":
        key, end = _key(text, at)
        colon = skip(text, end)
        if text[colon : colon + 1] != ":":
            raise _unexpected(text, colon)
        value = _value(text, skip(text, colon + 1))
        members.append(Member(key, at, value))
        at = _next(text, value.end, "}")
    return Value(start, at + 1, tuple(members))


def _array(text: str, start: int) -> Value:
    at = skip(text, start + 1)
    while text[at : at + 1] != "]":
        at = _next(text, _value(text, at).end, "]")
    return Value(start, at + 1)


def _next(text: str, end: int, last: str) -> int:
    """Return where what follows a value begins: the next one behind its comma, or the `last` bracket."""
    at = skip(text, end)
    if text[at : at + 1] == ",":
        return skip(text, at + 1)
    if text[at : at + 1] != last:
        raise _unexpected(text, at)
    return at


def _key(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] in ("'", '"'):
        end = _end(_STRING.match(text, at), text, at)
        try:
            return str(host_json.parse(text[at:end])), end
        except host_json.JsonError as exc:
            raise _unexpected(text, at) from exc
    found = _BARE.match(text, at)
    return text[at : _end(found, text, at)], _end(found, text, at)


def _end(found: re.Match[str] | None, text: str, at: int) -> int:
    if found is None:
        raise _unexpected(text, at)
    return found.end()


def _unexpected(text: str, at: int) -> ShapeError:
    return ShapeError(f"cannot be read at line {text.count(chr(10), 0, at) + 1}")


_INCLUDE = "$include"
_USUAL = "  "
_REST_OF_LINE = re.compile(r"(?:[ \t]+|/\*.*?\*/)*(?://[^\n\r]*)?(?=\r?\n|\r)", re.DOTALL)


def put(text: str, keys: Sequence[str], value: Any) -> str:
    """Return `text` with `value` at `keys`; objects on the way that are missing are made.

    Every other byte stays. Raises ShapeError where something stands there already, or where an object on the way is
    written in another file: then nobody but its writer knows where the member belongs.
    """
    within, rest = _descend(text, keys)
    if not rest:
        raise ShapeError(f"says something else at {'.'.join(keys)}")
    for key in reversed(rest[1:]):
        value = {key: value}
    return _with_member(text, within, rest[0], value)


def take(text: str, keys: Sequence[str]) -> str:
    """Return `text` without the member that `keys` lead to, its comma and the line it stood on. Raises ShapeError."""
    within, rest = _descend(text, keys[:-1])
    members = within.members or ()
    found = [at for at, one in enumerate(members) if not rest and one.key == keys[-1]]
    if len(found) != 1:
        raise ShapeError(f"has nothing at {'.'.join(keys)}")
    return _without(text, members, found[0])


def _descend(text: str, keys: Sequence[str]) -> tuple[Value, Sequence[str]]:
    """Return the innermost object on the way, and the keys that lead on from it."""
    value = outline(text)
    for at, key in enumerate(keys):
        if value.members is None:
            raise ShapeError(f"has no object at {'.'.join(keys[:at]) or 'its top'}")
        if any(member.key == _INCLUDE for member in value.members):
            raise ShapeError(f"includes another file at {'.'.join(keys[:at]) or 'its top'}")
        found = [member.value for member in value.members if member.key == key]
        if len(found) > 1:
            raise ShapeError(f"has {'.'.join(keys[: at + 1])} twice")
        if not found:
            return value, keys[at:]
        value = found[0]
    return value, ()


def _with_member(text: str, within: Value, key: str, value: Any) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    base = _indent(text, within.start)
    if not within.members:
        member = _member(key, value, base + unit, unit, newline)
        close = "" if "\n" in text[within.start : within.end] else newline + base
        return f"{text[: within.start + 1]}{newline}{base}{unit}{member}{close}{text[within.start + 1 :]}"
    last = within.members[-1]
    end = last.value.end
    comma = _comma(text, end)
    after = end if comma is None else comma + 1
    rest = _REST_OF_LINE.match(text, after)
    if rest is None:  # the bracket stands on the same line
        lead = ", " if comma is None else " "
        return f"{text[:after]}{lead}{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}{text[after:]}"
    indent = _indent(text, last.start) if _leads(text, last.start) else base + unit
    member = newline + indent + _member(key, value, indent, unit, newline)
    if comma is not None:
        return f"{text[: rest.end()]}{member},{text[rest.end() :]}"
    return f"{text[:end]},{text[end : rest.end()]}{member}{text[rest.end() :]}"


def _member(key: str, value: Any, indent: str, unit: str, newline: str) -> str:
    rows = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    return f"{json.dumps(key)}: " + (newline + indent).join(rows)


def _without(text: str, members: Sequence[Member], at: int) -> str:
    one = members[at]
    comma = _comma(text, one.value.end)
    end = one.value.end if comma is None else comma + 1
    start = _begin(text, one.start)
    before = _comma(text, members[at - 1].value.end) if comma is None and at else None
    head = text[:start] if before is None else text[:before] + text[before + 1 : start]
    return head + text[end:]


def _begin(text: str, start: int) -> int:
    """Return where the line break or the blanks before a member begin."""
    blanks = len(text[:start]) - len(text[:start].rstrip(" \t"))
    start -= blanks
    if text[:start].endswith("\r\n"):
        return start - 2
    return start - text[:start].endswith("\n")


def _comma(text: str, end: int) -> int | None:
    at = skip(text, end)
    return at if text[at : at + 1] == "," else None


def _leads(text: str, at: int) -> bool:
    """Return whether nothing but blanks stands before `at` on its line."""
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" \t\ufeff")


def _indent(text: str, at: int) -> str:
    """Return the blanks that the line of `at` begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """Return by how much the text is indented."""
    members = outline(text).members or ()
    return next((_indent(text, member.start) for member in members if _leads(text, member.start)), "") or _USUAL
