"""Finds the JSON in a model's answer."""

import json
import re
from collections.abc import Iterator
from typing import Any

_LONGEST = 400_000
_MAX_PLACES = 64
_THOUGHT = re.compile(r"\s*<(think|thinking)>")
_LOOKS_LIKE_IT = re.compile(r"""\{\s*["}]|\[\s*["\[{\]\d-]""")
_STRING = r'"(?:[^"\\]|\\.)*+"?'
_PART = re.compile(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_COMMA = re.compile(rf"({_STRING})|,(?=\s*+[}}\]])", re.DOTALL)


def strip_thoughts(text: str) -> str:
    """Return the answer after thoughts; "" for a thought without an end."""
    thought = _THOUGHT.match(text)
    return text.partition(f"</{thought[1]}>")[2].strip() if thought else text.strip()


def values(text: str) -> list[Any]:
    """Return the objects and lists in a text, the longest first.

    Around them may be prose and fences, in them commas before a closing bracket and bare line feeds. A truncated or
    broken one gives nothing: neither itself nor its parts. At most 64 places are looked at.
    """
    spans = sorted(_find_json_spans(strip_thoughts(text)[:_LONGEST]), key=len, reverse=True)
    return [value for span in spans for value in _value(span)]


def _find_json_spans(text: str) -> Iterator[str]:
    offset = 0
    for _ in range(_MAX_PLACES):
        match = _LOOKS_LIKE_IT.search(text, offset)
        end = _find_closing_bracket(text, match.start()) if match else None
        # A truncated part ends the search, as its inner parts would pass for an answer.
        if match is None or end is None:
            return
        yield text[match.start() : end]
        offset = end


def _find_closing_bracket(text: str, start: int) -> int | None:
    """Return the index of the bracket that closes the one at `start`, None when it never is."""
    depth = 0
    for part in _PART.finditer(text, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(part[0], 0)
        if not depth:
            return part.end()
    return None


def _value(span: str) -> Iterator[Any]:
    for tidy in (span, _COMMA.sub(lambda match: match[1] or "", span)):
        try:
            yield json.loads(tidy, strict=False)
        except (ValueError, RecursionError):
            continue
        return
