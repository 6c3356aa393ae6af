"""Reads numbers that are written as words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from clawgit.language import detect, lexicon

_VAGUE = ("one", "two", "three")
_STEPS = (("ten", 10), ("hundred", 100), ("thousand", 1000))
_BIG = (("hundred", 100), ("thousand", 1000), ("million", 10**6), ("billion", 10**9))
_MYRIADS = (("myriad", 10**4), ("hundred_million", 10**8))
_TEN, _HUNDRED = 10, 100
_YEAR = 3
"""Digits in Chinese letters that are read one by one, as in 二〇二六, are more than this."""


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


@cache
def _big(iso: str) -> Mapping[str, int]:
    """Return the words for a hundred and more; those of English are understood everywhere."""
    return {word: worth for name in ("en", iso) for key, worth in _BIG for word in lexicon.words(name, "numbers", key)}


def run(words: list[str], at: int, iso: str) -> tuple[float, int]:
    """Return the value of the number whose words begin at `at`, and where it ends; `at` where there is none.

    A word that begins with `#` is a number in digits: `#2`, `million`.
    """
    total, group, last, begun = 0.0, 0.0, 0, at
    big = _big(iso)
    while at < len(words):
        word = words[at]
        worth, step = number(word, iso), big.get(word)
        if worth is not None and _adds(worth, last, first=at == begun):
            group, last = group + worth, worth
        elif step and at > begun:
            group *= step
            if step > _HUNDRED:  # a thousand closes its group
                total, group = total + group, 0
            last = step
        elif at == begun and _digits(word) and words[at + 1 : at + 2] and words[at + 1] in big:
            group, last = float(word[1:]), 1
        elif not (at > begun and last >= 2 * _TEN and _goes_on(words, at, iso)):
            break
        at += 1
    return total + group, at


def _adds(worth: int, last: int, *, first: bool) -> bool:
    """Return whether a word goes on with a number whose last word was worth `last`: five behind hundred, or twenty."""
    return first or last >= _HUNDRED or (last in range(2 * _TEN, _HUNDRED, _TEN) and 0 < worth < _TEN)


def _goes_on(words: list[str], at: int, iso: str) -> bool:
    """Return whether a number goes on behind `and`: behind hundreds, or as in `treinta y cinco`."""
    joins = words[at] in lexicon.words(iso, "numbers", "and")
    worth = number(words[at + 1], iso) if joins and at + 1 < len(words) else None
    if worth is None:
        return False
    return words[at - 1] in _big(iso) or (iso == "es" and 0 < worth < _TEN)


def _digits(word: str) -> bool:
    return word[:1] == "#" and word[1:].replace(".", "", 1).isdigit()


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


def _letters(iso: str, keys: Sequence[tuple[str, int]]) -> Mapping[str, int]:
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
    """Return what letters such as 二十三 count, also 5千; ValueError for other letters."""
    total, held = 0, -1
    for letter in re.findall(r"\d+|.", said):
        if letter in steps(iso):
            total, held = total + (1 if held < 0 else held) * steps(iso)[letter], -1
        else:
            held = int(letter) if letter.isdecimal() else _known(digits(iso), letter)
    return total + max(held, 0)


def counted(text: str, iso: str) -> str:
    """Return a text of East Asia with its numerals in digits, Korean ones only before what they count."""
    if iso == "ko":
        big, native, letters = _korean()
        text = big.sub(_korean_myriads, text)
        text = native.sub(lambda found: str(small("ko")[found[1]]), text)
        return letters.sub(lambda found: str(value(found[1], "ko")), text)
    return _han().sub(_numeral, text)


@cache
def _korean() -> tuple["re.Pattern[str]", "re.Pattern[str]", "re.Pattern[str]"]:
    """Return what finds 3만, 세, 삼십, each only before what is counted so."""
    hangul = str(lexicon.section("ko", "numbers", "not_before"))
    letters = "".join((*digits("ko"), *steps("ko")))
    native, sino, big = (
        _either(lexicon.words("ko", "numbers", key)) for key in ("native_before", "digits_before", "myriad_before")
    )
    hour = lexicon.words("ko", "numbers", "native_before")[0]
    return (
        re.compile(
            rf"(\d+(?:\.\d+)?|(?:\d+[{''.join(steps('ko'))}])+)([{''.join(_myriads('ko'))}])(\d{{1,4}})?(?=\s?(?:{big}))"
        ),
        re.compile(
            rf"(?<![{hangul}])({_either(small('ko'))})(?=\s?(?!{hour}(?!{'|'.join(_hours(hour))})[{hangul}])(?:{native}))"
        ),
        re.compile(rf"(?<![{hangul}])([{letters}]+)(?=\s?(?:{sino}))"),
    )


def _korean_myriads(found: "re.Match[str]") -> str:
    many, myriad, rest = found.groups()
    worth = value(many, "ko") if many[-1] in steps("ko") else float(many)
    return f"{worth * _myriads('ko')[myriad] + float(rest or 0):.15g}"


def _hours(hour: str) -> list[str]:
    """Return what may follow the word for an hour: a particle, or what makes it a span."""
    return [word[1:] for word in lexicon.words("ko", "numbers", "native_before") if word[0] == hour and len(word) > 1]


@cache
def _han() -> "re.Pattern[str]":
    letters = "".join((*digits("zh"), *steps("zh")))
    myriads, stepped = "".join(_myriads("zh")), "".join(steps("zh"))
    some = lexicon.section("zh", "numbers", "not_behind_some")
    run = rf"(?:(?:\d+(?:\.\d+)?)?[{letters}]*[{myriads}]|\d+[{stepped}]|[{letters}]+)+"
    return re.compile(rf"(?<![{some}]){run}(?:(?<=[{myriads}])(?:\d|\d{{3,4}})(?![\d.,]))?")


def _numeral(found: "re.Match[str]") -> str:
    said, total = found[0], 0.0
    myriads = _myriads("zh")
    closed = "".join(myriads)
    if brief := re.fullmatch(rf"(.*[{closed}])(\d)", said):  # 4万8
        said, total = brief[1], float(brief[2]) * myriads[brief[1][-1]] / 10
    for part in re.findall(rf"[^{closed}]*[{closed}]|.+", said):
        big = myriads.get(part[-1], 1)
        body = part[:-1] if big > 1 else part
        if re.fullmatch(r"\d+\.\d+", body):
            total += float(body) * big
        elif len(body) > 1 and set(body) <= digits("zh").keys():
            zeros = {letter for letter, worth in digits("zh").items() if worth == 0}
            if big > 1 or not (zeros & set(body) or len(body) > _YEAR):  # three or four
                return said
            return "".join(str(digits("zh")[letter]) for letter in body)
        else:
            total += (value(body, "zh") if body else 1) * big
    return f"{total:.15g}"


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda one: (-len(one), one)))
