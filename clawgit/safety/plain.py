"""Text as a reader takes it: one width, nothing invisible."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_QUOTES = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201b": "'", "\u02bc": "'", "`": "", "*": "", "~": "", "_": " "}
)
# Cyrillic and Greek letters that look like Latin ones (Unicode's confusables), for words that mix scripts.
_LIKE = dict(zip("авсԁеһіјԛкӏморѕтухѵԝαεικνορτυχ", "abcdehijqklmopstyxvwaeikvoptux", strict=True))
_ALIKE = str.maketrans(_LIKE | {other.upper(): latin.upper() for other, latin in _LIKE.items()})


def plain(text: str) -> str:
    """Return `text` in NFKC without emphasis or invisible characters, look-alikes undone; lines stay lines."""
    lines = (unicodedata.normalize("NFKC", line) for line in text.split("\n"))
    joined = "\n".join(re.sub(r"[\v\f\x1c-\x1e\x85\u2028\u2029]", " ", line) for line in lines)
    visible = _invisible().sub("", joined).translate(_QUOTES)
    return visible if visible.isascii() else _word().sub(_latin, visible)


def _latin(word: re.Match[str]) -> str:
    letters = word[0]
    mixed = any(c.isascii() for c in letters) and any("\u0370" <= c <= "\u052f" for c in letters)
    return letters.translate(_ALIKE) if mixed else letters


@cache
def _invisible() -> re.Pattern[str]:
    return re.compile(
        "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
    )


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+")
