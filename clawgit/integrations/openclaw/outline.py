"""Finds where the members of JSON5 objects stand."""

import re

from msgspec import Struct

from clawgit.workspace.host import json as host_json

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
