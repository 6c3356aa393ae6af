"""Finds the JSON in a model's answer."""

import json
import re
from typing import Any

_MAX_CHARS = 400_000
_MAX_PLACES = 64
_THOUGHT = re.compile(r"\s*<(think|thinking)>")
_BEGIN = re.compile(r"""\{\s*["}]|\[\s*["\[{\]\d-]""")
_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*+[}\]])', re.DOTALL)
_FLAT = re.compile(r'[\[{](?:"(?:[^"\\]|\\.)*+"|[^\[\]{}"])*+[\]}]', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)


def strip_thoughts(text: str) -> str:
    """Return the answer after thoughts; "" for a thought without an end."""
    thought = _THOUGHT.match(text)
    return text.partition(f"</{thought[1]}>")[2].strip() if thought else text.strip()


def values(text: str) -> list[Any]:
    """Return the objects and lists in a text, the longest first.

    Around them may be prose and fences, in them commas before a closing bracket and bare line feeds. A truncated or
    broken one ends the search, as its inner parts would pass for an answer, unless it has none: `[2027-02-01]`. At most
    64 places are looked at.
    """
    rest, matches = strip_thoughts(text)[:_MAX_CHARS], list[tuple[int, Any]]()
    for _ in range(_MAX_PLACES):
        match = _BEGIN.search(rest)
        if match is None:
            break
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
            flat = _FLAT.match(rest)
            if flat is None:
                break
            rest = rest[flat.end() :]
    return [value for _, value in sorted(matches, key=lambda pair: -pair[0])]
