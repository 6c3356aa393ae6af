"""Text as a reader takes it: one width, nothing invisible."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_TYPED = (*((quote, "'") for quote in "\u2018\u2019\u201b\u02bc"), ("`", ""), ("*", ""), ("~~", ""), ("_", " "))
# Cyrillic and Greek letters that look like Latin ones (Unicode's confusables), for words that mix scripts.
_LIKE = dict(zip("авсԁеһіјԛкӏморѕтухѵԝαεικνορτυχ", "abcdehijqklmopstyxvwaeikvoptux", strict=True))
_ALIKE = str.maketrans(_LIKE | {other.upper(): latin.upper() for other, latin in _LIKE.items()})

_DIGITS = str.maketrans("013457@$", "oieastas")
_LEET = (  # a digit before a letter, or two for `ll`; what ends in a number is a name
    r"(?<![\w/.:@#\-])(?:[A-Za-z]*[013457@$]+[A-Za-z][A-Za-z013457@$]*|[A-Za-z]{1,3}11)(?![\w/@])"
)
_HYPHENED = r"(?<![\w/.\-])[A-Za-z']+(?:-[A-Za-z']+){3,}(?![\w/.\-])"  # do-not-tell-anybody
_SPACED = r"(?<![^\s])(?:[^\W\d_][ .\-_]){3,}[^\W\d_](?:[ ]{2,}[^\W\d_](?:[ .\-_][^\W\d_])*)*(?!\w)"
_GREEK_OR_CYRILLIC = "[\u0370-\u052f]"
_HYPHENS = 3
_APART = r"[ .\-_][^\W\d_][ .\-_][^\W\d_][ .\-_]"
_BULLET = r"[ \t]*[-+*] (?=\S)"
_SHORT = 8  # words of an item that may be a piece of a sentence


def plain(text: str) -> str:
    """Return `text` in NFKC without emphasis or invisible characters, look-alikes undone; lines stay lines."""
    lines = (line if line.isascii() else unicodedata.normalize("NFKC", line) for line in text.split("\n"))
    joined = "\n".join(re.sub(r"[\v\f\x1c-\x1e\x85\u2028\u2029]", " ", line) for line in lines)
    visible = _invisible().sub("", joined)
    for written, meant in _TYPED:
        visible = visible.replace(written, meant)
    return "\n".join(_written(line) for line in visible.split("\n"))


def _written(line: str) -> str:
    """Return `line` as it reads; each disguise is looked for where something hints at it."""
    if not line.isascii() and re.search(_GREEK_OR_CYRILLIC, line):
        line = _word().sub(_latin, line)
    if re.search(r"[013457@$][A-Za-z013457@$]", line):
        line = re.sub(_LEET, _lettered, line)
    if line.count("-") >= _HYPHENS:
        line = re.sub(_HYPHENED, _opened, line)
    return re.sub(_SPACED, _closed, line) if re.search(_APART, line) else line


def gathered(text: str) -> str:
    """Return `text` with neighbouring short items of a list joined to one sentence, each character where it was."""
    lines = text.split("\n")
    short = [bool(re.match(_BULLET, line)) and len(line.split()) <= _SHORT for line in lines]
    for at in range(1, len(lines)):
        if short[at] and short[at - 1]:
            lines[at] = re.sub(r"[-+*]", " ", lines[at], count=1)
    return "\n".join(lines)


def _lettered(word: re.Match[str]) -> str:
    """Undo digits that stand for letters, where letters prevail."""
    if word[0].isalpha() or sum(not c.isalpha() for c in word[0]) > len(word[0]) / 2:
        return word[0]
    return word[0].replace("11", "ll").translate(_DIGITS)


def _opened(word: re.Match[str]) -> str:
    return re.sub(r"[-.]", " ", word[0])


def _closed(run: re.Match[str]) -> str:
    return re.sub(r"(?<=\w)[ .\-_](?=\w(?!\w))", "", run[0])


def _latin(word: re.Match[str]) -> str:
    letters = word[0]
    if letters.isascii():
        return letters
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
