"""Reads numbers that are written as words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from clawgit.language import lexicon

_VAGUE = ("one", "two", "three")
_STEPS = {"ten": 10, "hundred": 100, "thousand": 1000, "million": 1_000_000}
_TEN, _HUNDRED, _THOUSAND = 10, 100, 1000
_PAIR = 2
_MAX_LINK_LETTERS = 3
"""Letters of a word inside of a number: `two hundred and seven`."""
_TOKEN = re.compile(r"\d+|[^\W\d_]+")


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
        compounds |= {f"{unit}{link}{ten}": n + m for unit, n in unit_words.items() for ten, m in tens.items()}
    return {**units, **tens, **compounds}


@cache
def _load_number_words(iso: str) -> tuple[Mapping[str, int], frozenset[str], "re.Pattern[str]"]:
    """Return the words for numbers and steps of a language, what joins and ends them, and what parts a long word."""
    ordinals = lexicon.number_rows(iso, "numbers", "ordinals", start=1)
    steps = {word: worth for key, worth in _STEPS.items() for word in lexicon.words(iso, "numbers", key)}
    links = dict.fromkeys(lexicon.words(iso, "numbers", "joined_one"), 1)
    worths = {**table(iso), **ordinals, **steps, **links}
    ends = frozenset(word for key in ("ordinal_tails", "joined") for word in lexicon.words(iso, "numbers", key))
    return worths, ends, re.compile("|".join(lexicon.longest_first((*worths, *ends))) or "(?!)")


def read_spoken(text: str) -> Iterator[int]:
    """Yield what the words of a text may count, in any of the languages: `third`, `zweihundertsieben`, `38 thousand`.

    Single digits in a row are a number as well: `zwei null sieben`.
    """
    run: list[int] = []
    skipped = end = 0
    for match in _TOKEN.finditer(text.casefold()):
        worths = _split_number(match[0])
        skipped = 0 if worths else skipped + len(match[0])
        is_apart = match[0].isdecimal() or bool(text[end : match.start()].strip(" -"))
        if is_apart or skipped > (_MAX_LINK_LETTERS if run and run[-1] >= _HUNDRED else 0):
            yield from _join_numbers(run)
            run = []
        run += worths
        end = match.end()
    yield from _join_numbers(run)


@cache
def _split_number(token: str) -> tuple[int, ...]:
    """Return the numbers that a word is made of, () if it is none."""
    if token.isdecimal():
        return (int(token),)
    for iso in lexicon.languages():
        worths, ends, pattern = _load_number_words(iso)
        parts = pattern.findall(token)
        # A word that begins with an ending or a link, such as `und`, is no number.
        if "".join(parts) == token and parts[0] not in ends:
            return tuple(worths[part] for part in parts if part in worths)
    return ()


def _join_numbers(run: Sequence[int]) -> Iterator[int]:
    """Yield the numbers of a row of them, each, together, and as digits."""
    yield from run
    if len(run) < _PAIR:
        return
    total = last = 0
    for worth in run:
        if worth >= _THOUSAND:
            total, last = total + max(last, 1) * worth, 0
        elif worth == _HUNDRED:
            last = max(last, 1) * worth
        elif last % _HUNDRED == 0 or (worth < _TEN and last % _TEN == 0):
            last += worth
        else:
            yield total + last
            total, last = 0, worth
    yield total + last
    if max(run) < _TEN:
        yield int("".join(map(str, run)))


# ---- letters of East Asia


@cache
def digits(iso: str) -> Mapping[str, int]:
    """Return the letters of a language that are digits: 三."""
    return {letter: number for number, row in enumerate(lexicon.words(iso, "numbers", "digits")) for letter in row}


@cache
def steps(iso: str) -> Mapping[str, int]:
    """Return the letters for ten, a hundred, a thousand; languages with words for them have none."""
    pairs = ((str(lexicon.section(iso, "numbers", key) or ""), worth) for key, worth in _STEPS.items())
    return {letter: worth for text, worth in pairs if lexicon.eastern(text) for letter in text}


def eastern(numeral: str) -> int:
    """Return the value of a numeral such as 二十三, or a Korean word; ValueError for none."""
    for iso in ("zh", "ko"):
        digit_values, tens = digits(iso), steps(iso)
        if set(numeral) <= {*digit_values, *tens}:
            total, digit = 0, -1
            for letter in numeral:
                if letter in tens:
                    # A ten without a digit before it counts once.
                    total, digit = total + (1 if digit < 0 else digit) * tens[letter], -1
                else:
                    digit = digit_values[letter]
            return total + max(digit, 0)
    if numeral not in small("ko"):
        raise ValueError(numeral)
    return small("ko")[numeral]
