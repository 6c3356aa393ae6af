"""Reads numbers that are written as words."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from clawgit.language import detect, lexicon

_VAGUE = ("one", "two", "three")
_STEPS = (("ten", 10), ("hundred", 100), ("thousand", 1000))
_MYRIADS = (("myriad", 10**4), ("hundred_million", 10**8))
_TEN, _HUNDRED = 10, 100


@cache
def small(iso: str) -> Mapping[str, int]:
    """Return the words for whole numbers below twenty of a language, with `a`, `couple`, `few` and their like."""
    units = {word: at for at, row in enumerate(lexicon.rows(iso, "numbers", "units")) for word in row}
    native = {word: at for at, row in enumerate(lexicon.rows(iso, "numbers", "native"), 1) for word in row}
    more = {word: at for at, key in enumerate(_VAGUE, 1) for word in lexicon.words(iso, "numbers", key)}
    return {**native, **more, **units}


@cache
def table(iso: str) -> Mapping[str, int]:
    """Return the words for whole numbers below a hundred, and hundreds that are one word: `twelve`, `ochocientos`."""
    units = {word.casefold(): at for at, row in enumerate(lexicon.rows(iso, "numbers", "units")) for word in row}
    tens = {
        word.casefold(): _TEN * at for at, row in enumerate(lexicon.rows(iso, "numbers", "tens"), 2) for word in row
    }
    joined: dict[str, int] = {}
    for link in lexicon.words(iso, "numbers", "joined"):
        ones = {word: at for word, at in units.items() if 1 < at < _TEN}
        ones |= dict.fromkeys(lexicon.words(iso, "numbers", "joined_one"), 1)
        joined |= {f"{one}{link}{ten}": a + b for one, a in ones.items() for ten, b in tens.items()}
    hundreds = {
        word: _HUNDRED * at for at, row in enumerate(lexicon.rows(iso, "numbers", "hundreds"), 1) for word in row
    }
    return {**units, **tens, **joined, **hundreds}


def number(word: str, iso: str) -> int | None:
    """Return what a word counts, None for another word."""
    return table(iso).get(word)


def spelled(words: Iterable[str], iso: str) -> Iterator[int]:
    """Yield what the number words among some words count: `two`, 200 and 205 of `two hundred and five`."""
    steps_of = {word: worth for key, worth in _STEPS[1:] for word in lexicon.words(iso, "numbers", key)}
    joins, held = lexicon.words(iso, "numbers", "and"), 0
    for word in words:
        worth = number(word, iso)
        if worth is None and word not in steps_of:
            held = held if word in joins else 0
            continue
        held = held * steps_of[word] if worth is None else held + worth if held > worth else worth
        yield held
        if worth is not None:
            yield worth


# ---- letters of East Asia


@cache
def digits(iso: str) -> Mapping[str, int]:
    """Return the letters of a language that are digits: 三."""
    return {letter: at for at, row in enumerate(lexicon.words(iso, "numbers", "digits")) for letter in row}


@cache
def steps(iso: str) -> Mapping[str, int]:
    """Return the letters that stand for ten, a hundred, a thousand."""
    return _letters(iso, _STEPS)


@cache
def _myriads(iso: str) -> Mapping[str, int]:
    return _letters(iso, _MYRIADS)


def _letters(iso: str, keys: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    """Return the letters that each count something; languages with words for it have none."""
    said = ((str(lexicon.section(iso, "numbers", key) or ""), worth) for key, worth in keys)
    return {letter: worth for text, worth in said if detect.eastern(text) for letter in text}


def eastern(said: str) -> int:
    """Return what a numeral in Chinese or Korean letters, or a Korean word, counts; ValueError for none."""
    for iso in ("zh", "ko"):
        if set(said) <= {*digits(iso), *steps(iso)}:
            return value(said, iso)
    return _known(small("ko"), said)


def _known(words: Mapping[str, int], said: str) -> int:
    if said not in words:
        raise ValueError(said)
    return words[said]


def value(said: str, iso: str) -> int:
    """Return what letters such as 二十三 count, also 4万8300; ValueError for other letters."""
    closed, total, held = 0, 0, -1
    for letter in re.findall(r"\d+|.", said):
        if letter in steps(iso):
            total, held = total + (1 if held < 0 else held) * steps(iso)[letter], -1
        elif letter in _myriads(iso):
            closed, total, held = closed + (total + max(held, 0) or 1) * _myriads(iso)[letter], 0, -1
        else:
            held = int(letter) if letter.isdecimal() else _known(digits(iso), letter)
    return closed + total + max(held, 0)


def in_digits(text: str, iso: str) -> str:
    """Return a text of East Asia with each numeral that begins in digits wholly in digits: 4万8300, 6千."""
    letters = "".join((*steps(iso), *_myriads(iso)))
    return re.sub(rf"(?<![\d.])\d{{1,9}}[{letters}][\d{letters}]*", lambda found: str(value(found[0], iso)), text)
