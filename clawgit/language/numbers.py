"""Reads numbers that are written as words."""

from collections.abc import Mapping
from functools import cache

from clawgit.language import detect, lexicon

_VAGUE = ("one", "two", "three")
_STEPS = {"ten": 10, "hundred": 100, "thousand": 1000}
_TEN = 10


@cache
def small(iso: str) -> Mapping[str, int]:
    """Return the words for whole numbers below twenty of a language, with `a`, `couple`, `few` and their like."""
    units = {word: at for at, row in enumerate(lexicon.rows(iso, "numbers", "units")) for word in row}
    native = {word: at for at, row in enumerate(lexicon.rows(iso, "numbers", "native"), 1) for word in row}
    more = {word: at for at, key in enumerate(_VAGUE, 1) for word in lexicon.words(iso, "numbers", key)}
    return {**native, **more, **units}


@cache
def table(iso: str) -> Mapping[str, int]:
    """Return the words for whole numbers below a hundred that are one word: `twelve`, `dreiundzwanzig`."""
    units = {word.casefold(): at for at, row in enumerate(lexicon.rows(iso, "numbers", "units")) for word in row}
    tens = {
        word.casefold(): _TEN * at for at, row in enumerate(lexicon.rows(iso, "numbers", "tens"), 2) for word in row
    }
    joined: dict[str, int] = {}
    for link in lexicon.words(iso, "numbers", "joined"):
        ones = {word: at for word, at in units.items() if 1 < at < _TEN}
        ones |= dict.fromkeys(lexicon.words(iso, "numbers", "joined_one"), 1)
        joined |= {f"{one}{link}{ten}": a + b for one, a in ones.items() for ten, b in tens.items()}
    return {**units, **tens, **joined}


# ---- letters of East Asia


@cache
def digits(iso: str) -> Mapping[str, int]:
    """Return the letters of a language that are digits: 三."""
    return {letter: at for at, row in enumerate(lexicon.words(iso, "numbers", "digits")) for letter in row}


@cache
def steps(iso: str) -> Mapping[str, int]:
    """Return the letters that stand for ten, a hundred, a thousand; languages with words for them have none."""
    said = ((str(lexicon.section(iso, "numbers", key) or ""), worth) for key, worth in _STEPS.items())
    return {letter: worth for text, worth in said if detect.eastern(text) for letter in text}


def eastern(said: str) -> int:
    """Return what a numeral such as 二十三, or a Korean word, counts; ValueError for none."""
    for iso in ("zh", "ko"):
        ones, tens = digits(iso), steps(iso)
        if set(said) <= {*ones, *tens}:
            total, held = 0, -1
            for letter in said:
                if letter in tens:
                    total, held = total + (1 if held < 0 else held) * tens[letter], -1
                else:
                    held = ones[letter]
            return total + max(held, 0)
    if said not in small("ko"):
        raise ValueError(said)
    return small("ko")[said]
