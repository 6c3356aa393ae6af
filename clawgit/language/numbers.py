"""Reads numbers that are written as words."""

from collections.abc import Mapping
from functools import cache

from clawgit.language import detect, lexicon

_VAGUE = ("one", "two", "three")
_STEPS = {"ten": 10, "hundred": 100, "thousand": 1000, "million": 1_000_000}
_TEN = 10


@cache
def small(iso: str) -> Mapping[str, int]:
    """Return the words for whole numbers below twenty of a language, with `a`, `couple`, `few` and their like."""
    native = lexicon.number_rows(iso, "numbers", "native", start=1)
    vague = {word: number for number, key in enumerate(_VAGUE, 1) for word in lexicon.words(iso, "numbers", key)}
    return {**native, **vague, **lexicon.number_rows(iso, "numbers", "units")}


@cache
def table(iso: str) -> Mapping[str, int]:
    """Return the words for whole numbers below a hundred that are one word: `twelve`, `dreiundzwanzig`."""
    tens_rows = lexicon.number_rows(iso, "numbers", "tens", start=2)
    tens = {word.casefold(): _TEN * number for word, number in tens_rows.items()}
    units = {word.casefold(): number for word, number in lexicon.number_rows(iso, "numbers", "units").items()}
    compounds: dict[str, int] = {}
    for link in lexicon.words(iso, "numbers", "joined"):
        unit_words = {word: number for word, number in units.items() if 1 < number < _TEN}
        unit_words |= dict.fromkeys(lexicon.words(iso, "numbers", "joined_one"), 1)
        compounds |= {f"{unit}{link}{ten}": a + b for unit, a in unit_words.items() for ten, b in tens.items()}
    return {**units, **tens, **compounds}


# ---- letters of East Asia


@cache
def digits(iso: str) -> Mapping[str, int]:
    """Return the letters of a language that are digits: 三."""
    return {letter: number for number, row in enumerate(lexicon.words(iso, "numbers", "digits")) for letter in row}


@cache
def steps(iso: str) -> Mapping[str, int]:
    """Return the letters for ten, a hundred, a thousand; languages with words for them have none."""
    pairs = ((str(lexicon.section(iso, "numbers", key) or ""), worth) for key, worth in _STEPS.items())
    return {letter: worth for text, worth in pairs if detect.eastern(text) for letter in text}


def eastern(said: str) -> int:
    """Return the value of a numeral such as 二十三, or a Korean word; ValueError for none."""
    for iso in ("zh", "ko"):
        digit_values, tens = digits(iso), steps(iso)
        if set(said) <= {*digit_values, *tens}:
            total, digit = 0, -1
            for letter in said:
                if letter in tens:
                    total, digit = total + (1 if digit < 0 else digit) * tens[letter], -1
                else:
                    digit = digit_values[letter]
            return total + max(digit, 0)
    if said not in small("ko"):
        raise ValueError(said)
    return small("ko")[said]
