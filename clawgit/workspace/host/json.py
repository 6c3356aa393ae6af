"""Reads JSON as people write it: JSON5."""

import json
import re
from typing import Any

_STRING = r'"(?:[^"\\\n]|\\.)*"' + r"|'(?:[^'\\\n]|\\.)*'"
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*(?:.*?\*/|.*\Z)", re.DOTALL)
_LOOSE = re.compile(rf"({_STRING})|([A-Za-z_$][\w$]*)(?=\s*:)|,(?=\s*[\]}}])")
_PLACE = re.compile(r"^<string>:(\d+) (.*?)(?: at column \d+)?$", re.DOTALL)
_BEARABLE = 128 << 10  # characters; the package reads 100,000 a second


class JsonError(Exception):
    """Text that cannot be read, and the line where that shows; it counts from 1."""

    def __init__(self, words: str, line: int) -> None:
        super().__init__(words)
        self.words = " ".join(words.split())
        self.line = line


def parse(text: str) -> Any:
    """Return the value of JSON5 text. Raises JsonError.

    Comments, commas at the end, bare keys and single quotes are made plain JSON, which takes a hundredth of the time
    that the package for the rest of JSON5 does.
    """
    try:
        return json.loads(text)
    except RecursionError as exc:
        raise JsonError("it is nested too deep", 1) from exc
    except ValueError:
        return _loosely(text)


def _loosely(text: str) -> Any:
    plain = _LOOSE.sub(_strict, _COMMENT.sub(_blank, text))
    try:
        return json.loads(plain)
    except RecursionError as exc:
        raise JsonError("it is nested too deep", 1) from exc
    except json.JSONDecodeError as exc:
        if len(text) > _BEARABLE:
            raise JsonError(exc.msg, exc.lineno) from exc
    except ValueError as exc:  # a number that is too long
        raise JsonError(str(exc).partition(";")[0], 1) from exc
    return _whole(text)


def _blank(found: re.Match[str]) -> str:
    """Return a string as it is, a comment as its line ends."""
    return found[1] or "\n" * found[0].count("\n") or " "


def _strict(found: re.Match[str]) -> str:
    if found[2]:
        return f'"{found[2]}"'
    if not found[1]:
        return ""
    if found[1].startswith('"'):
        return found[1]
    return '"' + re.sub(r"\\'|\"", lambda one: "'" if one[0] == r"\'" else r"\"", found[1][1:-1]) + '"'


def _whole(text: str) -> Any:
    import json5  # noqa: PLC0415 - 10 ms, and hardly any file needs it

    try:
        return json5.loads(text)
    except RecursionError as exc:
        raise JsonError("it is nested too deep", 1) from exc
    except ValueError as exc:
        said = _PLACE.match(str(exc))
        line = int(said[1]) if said else 1
        raise JsonError(said[2] if said else str(exc), line) from exc
