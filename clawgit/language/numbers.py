"""Reads numbers that are written as words."""

from collections.abc import Mapping
from functools import cache

from clawgit.language import lexicon

_VAGUE = ("one", "two", "three")
_STEPS = (("ten", 10), ("hundred", 100), ("thousand", 1000))


@cache
def small(iso: str) -> Mapping[str, int]:
    """Return the words for whole numbers below twenty of a language, with `a`, `couple`, `few` and their like."""
    units = {word: at for at, row in enumerate(lexicon.rows(iso, "numbers", "units")) for word in row}
    native = {word: at for at, row in enumerate(lexicon.rows(iso, "numbers", "native"), 1) for word in row}
    more = {word: at for at, key in enumerate(_VAGUE, 1) for word in lexicon.words(iso, "numbers", key)}
    return {**native, **units, **more}


@cache
def digits(iso: str) -> Mapping[str, int]:
    """Return the letters of a language that are digits: 三."""
    return {letter: at for at, row in enumerate(lexicon.words(iso, "numbers", "digits")) for letter in row}


@cache
def steps(iso: str) -> Mapping[str, int]:
    """Return the letters that stand for ten, a hundred, a thousand."""
    return {letter: worth for key, worth in _STEPS for letter in str(lexicon.section(iso, "numbers", key) or "")}


def eastern(said: str) -> int:
    """Return what a numeral in Chinese or Korean letters, or a Korean word, counts; ValueError for none."""
    if "\uac00" <= said[0] <= "\ud7a3" and said in small("ko"):
        return small("ko")[said]
    iso = "ko" if "\uac00" <= said[0] <= "\ud7a3" else "zh"
    return value(said, iso)


def value(said: str, iso: str) -> int:
    """Return what letters such as 二十三 count; ValueError for other letters."""
    total, held = 0, -1
    for letter in said:
        if letter in steps(iso):
            total, held = total + (1 if held < 0 else held) * steps(iso)[letter], -1
        elif letter in digits(iso):
            held = digits(iso)[letter]
        else:
            raise ValueError(said)
    return total + max(held, 0)
