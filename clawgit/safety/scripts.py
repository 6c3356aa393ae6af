"""Patterns split by the script of what they match."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise

LATIN = "latin"
_LETTERS = {
    "cyrillic": re.compile("[\u0370-\u052f]"),
    "arabic": re.compile("[\u0600-\u06ff]"),
    "indic": re.compile("[\u0900-\u097f]"),
    "hangul": re.compile("[\u1100-\u11ff\uac00-\ud7af]"),
    "wide": re.compile("[\u2e80-\u9fff\uf900-\uffef]"),
}
_OTHERS = re.compile("[\u0370-\uffef]")  # no letter before them is other than Latin
_REMEMBERED = 4096  # texts
_GAP = r"(?:\.|\[\^?[^\]]*\])\{0,\d+\}\??"  # between what must come first and what must follow
_TOKENS = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]"
_NEGATED = r"\[\^(?:\\.|[^\]\\])*\]"
# A byte a letter: what Latin-1 does not hold is read without its marks, and typed quotes and dashes as plain ones.
_PLAIN = str.maketrans(
    "ąćęłńśźżčďěňřšťůžğışőűășțĄĆĘŁŃŚŹŻŞĞİ“”„‟\u2013\u2014",
    'acelnszzcdenrstuzgisouastACELNSZZSGI""""--',
)


@lru_cache(maxsize=_REMEMBERED)
def of(text: str) -> tuple[str, ...]:
    """Return the scripts of `text`, Latin first and always: it is what numbers, names and addresses are written in."""
    return (LATIN, *_others(text))


@cache
def part(pattern: str, script: str) -> str:
    """Return the alternatives of `pattern` that can match in `script`, "" where none can.

    One that holds letters of another script needs them: `tests/safety/test_scripts.py` proves it.
    """
    return _parts(pattern).get(script, "")


def opening(pattern: str) -> str:
    """Return the alternatives of `pattern`, each up to its first gap: what it matches holds a match of these."""
    if not re.search(_GAP, pattern):
        return pattern
    depth, start, pieces = 0, 0, []
    for token in re.finditer(f"(?P<gap>{_GAP})|{_TOKENS}", pattern):
        mark = token[0]
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if depth or (start < 0 and mark != "|"):
            continue
        if token["gap"]:
            pieces.append(pattern[start : token.start()])
            start = -1
        elif mark == "|":
            pieces += [pattern[start : token.start()]] if start >= 0 else []
            start = token.end()
    return "|".join(pieces + ([pattern[start:]] if start >= 0 else []))


def encoded(text: str) -> bytes:
    """Return `text` with a byte a letter; what Latin-1 has no letter for is a question mark."""
    return text.encode() if text.isascii() else text.translate(_PLAIN).encode("latin-1", "replace")


def search(pattern: str, text: str) -> re.Match[str] | None:
    """Search as `re.search` does, with no more of `pattern` compiled than the scripts of `text` ask for."""
    found = (re.search(some, text) for script in of(text) if (some := part(pattern, script)))
    return next(filter(None, found), None)


def match(pattern: str, text: str) -> re.Match[str] | None:
    """Match as `re.match` does, with no more of `pattern` compiled than the scripts of `text` ask for."""
    found = (re.match(some, text) for script in of(text) if (some := part(pattern, script)))
    return next(filter(None, found), None)


def every(pattern: str, text: str) -> set[str]:
    """Return what `pattern` finds in `text`."""
    return {one[0] for script in of(text) if (some := part(pattern, script)) for one in re.finditer(some, text)}


def without(pattern: str, text: str) -> str:
    """Return `text` with a blank for whatever `pattern` finds."""
    for script in of(text):
        text = re.sub(some, " ", text) if (some := part(pattern, script)) else text
    return text


@cache
def _parts(pattern: str) -> dict[str, str]:
    if not _others(pattern):
        return {LATIN: pattern}
    parts: dict[str, list[str]] = {}
    for branch in _branches(pattern):
        named = _others(branch)
        if named and "[^" in branch:
            named = _others(re.sub(_NEGATED, "", branch))
        for script in named or (LATIN,):
            parts.setdefault(script, []).append(branch)
    return {script: "|".join(branches) for script, branches in parts.items()}


def _others(text: str) -> tuple[str, ...]:
    """Return the scripts of `text` that are not Latin."""
    if text.isascii() or not _OTHERS.search(text):
        return ()
    return tuple(name for name, letters in _LETTERS.items() if letters.search(text))


@cache
def _branches(pattern: str) -> tuple[str, ...]:
    depth, ends = 0, [-1]
    for token in re.finditer(_TOKENS, pattern):
        mark = token[0]
        if mark == "|":
            ends += [] if depth else [token.start()]
        elif mark == "(":
            depth += 1
        elif mark == ")":
            depth -= 1
    return tuple(pattern[start + 1 : end] for start, end in pairwise([*ends, len(pattern)]))
