"""Finds the JSON in what a model says."""

import json
import re
from collections.abc import Iterator
from typing import Any

_LONGEST = 400_000
_MOST = 64
_THOUGHT = re.compile(r"\s*<(think|thinking)>")
_LOOKS_LIKE_IT = re.compile(r"""\{\s*["}]|\[\s*["\[{\]\d-]""")
_STRING = r'"(?:[^"\\]|\\.)*+"?'
_PART = re.compile(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_COMMA = re.compile(rf"({_STRING})|,(?=\s*+[}}\]])", re.DOTALL)


def spoken(text: str) -> str:
    """Return what was said after thinking aloud; "" for a thought that has no end."""
    thought = _THOUGHT.match(text)
    return text.partition(f"</{thought[1]}>")[2].strip() if thought else text.strip()


def values(text: str) -> list[Any]:
    """Return the objects and lists that stand in a text, the longest first.

    Around them may be prose and fences, in them commas before a closing bracket and bare line feeds. One that is cut
    off, or otherwise broken, gives nothing: neither itself nor what lies in it. At most 64 places are looked at.
    """
    found = sorted(_spans(spoken(text)[:_LONGEST]), key=len, reverse=True)
    return [value for span in found for value in _value(span)]


def _spans(text: str) -> Iterator[str]:
    at = 0
    for _ in range(_MOST):
        begun = _LOOKS_LIKE_IT.search(text, at)
        end = _end(text, begun.start()) if begun else None
        if begun is None or end is None:
            return
        yield text[begun.start() : end]
        at = end


def _end(text: str, start: int) -> int | None:
    """Return where the bracket at `start` is closed, None when it never is."""
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
