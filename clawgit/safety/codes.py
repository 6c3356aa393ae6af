"""Sentences written in a code that people do not read."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

_RUNS = (
    r"(?<![A-Za-z0-9+/=])(?P<base64>[A-Za-z0-9+/]{20,}={0,2})(?![A-Za-z0-9+/=])"
    r"|(?<![0-9A-Za-z])(?P<hex>(?:[0-9a-fA-F]{2}[ ]?){12,})(?![0-9A-Za-z])"
    r"|(?P<escapes>(?:(?:\\x|%|\\u00)[0-9a-fA-F]{2}){6,})|(?P<entities>(?:&#x?[0-9a-fA-F]{2,4};){6,})"
)
_HINTS = r"[A-Za-z0-9+/]{20}|(?:[0-9a-fA-F]{2} ?){12}|[x%0][0-9a-fA-F]{2}[\\%]|;&#"
_PROSE = r"[ -~\s]+"
_DIGITS = r"(?:[0-9a-fA-F]{2} ?){12,}"  # hex, though base64 may look so
_WORD = r"[A-Za-z]{3,}"
_MIN_WORDS = 2
_SHORTEST = 18  # characters: six escapes of three


def find(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and sentence of what reads as prose once decoded."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) < _SHORTEST or not re.search(_HINTS, line):
            continue
        for match in re.finditer(_RUNS, line):
            prose = _decoded(match)
            if re.fullmatch(_PROSE, prose) and len(re.findall(_WORD, prose)) >= _MIN_WORDS and " " in prose.strip():
                yield number, " ".join(prose.split())[:80]


def _decoded(match: re.Match[str]) -> str:
    run = match[0]
    try:
        match "hex" if re.fullmatch(_DIGITS, run) else match.lastgroup:
            case "base64":
                data = base64.b64decode(run.rstrip("=") + "=" * (-len(run.rstrip("=")) % 4), validate=True)
            case "entities":
                data = bytes(_code(one) for one in re.findall(r"&#(x?[0-9a-fA-F]+);", run))
            case _:
                data = bytes.fromhex("".join(re.findall(r"(?:\\x|%|\\u00)?([0-9a-fA-F]{2})", run)))
        return data.decode()
    except (binascii.Error, ValueError):
        return ""


def _code(entity: str) -> int:
    return int(entity[1:], 16) if entity.startswith("x") else int(entity)
