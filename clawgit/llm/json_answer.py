"""Finds the JSON in a model's answer."""

import json
import re
from typing import Any

_MAX_CHARS = 400_000
_MAX_VALUES = 64
_THOUGHT = re.compile(r"\s*<(think|thinking)>")
_BEGIN = re.compile(r"""\{\s*["}]|\[\s*["\[{\]\d-]""")
_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*+[}\]])', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)


def strip_thoughts(text: str) -> str:
    """Return the answer after thoughts; "" for a thought without an end."""
    thought = _THOUGHT.match(text)
    return text.partition(f"</{thought[1]}>")[2].strip() if thought else text.strip()


def values(text: str) -> list[Any]:
    """Return the objects and lists in a text, the longest first.

    Around them may be prose and fences, in them commas before a closing bracket and bare line feeds. A truncated or
    broken one ends the search: its inner parts would pass for an answer. At most 64 are looked for.
    """
    rest, matches = strip_thoughts(text)[:_MAX_CHARS], list[tuple[int, Any]]()
    while (match := _BEGIN.search(rest)) and len(matches) < _MAX_VALUES:
        rest = rest[match.start() :]
        for tidy in (rest, _COMMA.sub(lambda part: part[1] or "", rest)):
            try:
                value, end = _DECODER.raw_decode(tidy)
            except (ValueError, RecursionError):
                continue
            matches.append((end, value))
            rest = tidy[end:]
            break
        else:
            break
    return [value for _, value in sorted(matches, key=lambda pair: -pair[0])]
