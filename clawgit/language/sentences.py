"""Cuts a message into sentences."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from clawgit.language import lexicon

_END = re.compile(
    r"[.!?…]+[\"')\]”’»*_]*(?=\s|$|[\u2600-\u27bf\U0001f000-\U0001faff])"
    r"|[。！？｡]+[」』）)”’]*"
    r"|[\u2600-\u27bf\U0001f000-\U0001faff][\ufe0f\u200d\U0001f3fb-\U0001f3ff\u2600-\u27bf\U0001f000-\U0001faff]*(?=\s|$)"
)
_EMOJI = re.compile(r"[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]+\s*")
_NAME = re.compile(r"[^\W\d_]+")
_LAST = re.compile(r"[\w.]+\Z")
_MARKER = re.compile(r"[ \t]*(?:[-*+•‣▪◦–—·]+[ \t]+|\(?\d{1,2}[.)][ \t]+|\[[ xX]\][ \t]+|[#>]+[ \t]*)*")
_WIDE, _NARROW = 60, 24
"""Letters from which on a line may be wrapped: where people write without capitals, and elsewhere."""
_LINE = re.compile(r"[^\n]+")
_BLANK = " \t\r\n\f\v\u3000\u00a0"
_CONTEXT = 60
"""Letters before and behind a mark that are read."""
_YEAR = 3
_SHORT, _VOWELS = 4, frozenset("aeiouwyáéíóúàèìòùäöüâêîôûãõ")
"""A word of so few letters without a vowel at its end may be an abbreviation: `incl.`, `Tel.`."""
_OPEN_BRACKET = re.compile(r"\((?=\S)[^()]*\Z")


_WORD = re.compile(r"\w+")


class Sentence(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a message; `own` are its words with quotations blotted out.

    `bullet`: it is in a bullet of a list.
    """

    start: int
    end: int
    own: str
    bullet: bool


@cache
def _abbreviations() -> frozenset[str]:
    """Return words that a point belongs to, also before a capital."""
    return frozenset(word for iso in lexicon.languages() for word in lexicon.words(iso, "sentences", "abbreviations"))


@cache
def _dotted() -> tuple[str, ...]:
    """Return the languages in which a point makes a number an ordinal: `20. Juni`, `im 2. Stock`."""
    return tuple(iso for iso in lexicon.languages() if "." in lexicon.words(iso, "numbers", "ordinal_ends"))


@cache
def _months() -> frozenset[str]:
    tables = ((iso, table) for iso in _dotted() for table in ("calendar", "dates"))
    return frozenset(name for iso, table in tables for name in lexicon.number_rows(iso, table, "months"))


@cache
def _small() -> frozenset[str]:
    """Return small words, with which sentences begin."""
    return frozenset().union(*map(lexicon.small_words, lexicon.languages()))


def texts(text: str) -> list[str]:
    """Return the sentences of a text, without its bullets."""
    return [text[sentence.start : sentence.end] for sentence in sentences(text)]


def count_words(own: str) -> int:
    """Return the number of words in a text; in scripts without spaces, three letters are two."""
    words = _WORD.findall(own)
    if not lexicon.eastern(own):
        return len(words)
    return sum(1 if word.isascii() else -(-2 * len(word) // 3) for word in words)


def sentences(own: str) -> Iterator[Sentence]:
    """Yield the sentences of a message, given with others' words blotted out, in order."""
    for start, end, bullet in _find_line_blocks(own):
        begin = start
        for mark in _END.finditer(own, start, end):
            if mark.end() < end and _continues_sentence(own, mark):
                continue
            yield from _sentence(own, begin, mark.end(), bullet=bullet)
            begin = mark.end()
        yield from _sentence(own, begin, end, bullet=bullet)


def _find_line_blocks(own: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the spans of lines without their bullets; lines that were only wrapped are one."""
    start = end = -1
    bullet = False
    for line in _LINE.finditer(own):
        marker = _MARKER.match(own, line.start(), line.end())
        offset = marker.end() if marker else line.start()
        if start >= 0 and _is_wrapped(own, start, end, line.start(), offset):
            end = line.end()
            continue
        if start >= 0:
            yield start, end, bullet
        start, end, bullet = offset, line.end(), offset > line.start() and own[line.start() : offset].strip() != ""
    if start >= 0:
        yield start, end, bullet


def _is_wrapped(own: str, start: int, end: int, line: int, begin: int) -> bool:
    """Return whether the line at `line` goes on with the sentence before it."""
    before = own[max(start, own.rfind("\n", start, end) + 1) : end]
    return (
        line == end + 1
        and begin == line
        and len(before) >= (_WIDE if own[start].islower() else _NARROW)
        and before[-1] not in ".!?…。！？:"
        and own[begin : begin + 1].islower()
    )


def _continues_sentence(own: str, mark: "re.Match[str]") -> bool:
    """Return whether a sentence goes on after its apparent end."""
    after = own[mark.end() : mark.end() + _CONTEXT].lstrip()
    if after[:1].islower():  # which tells nothing behind `!` where people write without capitals
        return mark[0][0] in ".…" or bool(_EMOJI.match(mark[0])) or (mark[0][0] in "!?" and own.lstrip()[:1].isupper())
    return mark[0] == "." and _is_point_inside(own, mark.start(), after)


def _is_point_inside(own: str, point: int, after: str) -> bool:
    """Return whether the point at `point` ends an abbreviation, initials, or a number that counts."""
    match = _LAST.search(own, max(0, point - _CONTEXT), point)
    word = match[0].lower() if match else ""
    if after[:1].isdigit():  # few sentences begin with a number
        return True
    # A single letter is an initial, except `i`, with which a sentence may end.
    if len(word) == 1 and word.isalpha():
        return word != "i"
    if word.isdecimal() and len(word) < _YEAR and (name := _NAME.match(after)):
        low, before = name[0].casefold(), own[max(0, point - _CONTEXT) : point]
        return low in _months() or (low not in _small() and lexicon.detect(before) in _dotted())
    if _OPEN_BRACKET.search(own, max(0, point - _CONTEXT), point):
        return True
    is_capital = own[point - len(word)].isupper()
    is_initials = all(len(part) == 1 and part.isalpha() for part in word.split("."))
    is_short = word.isalpha() and len(word) <= _SHORT and (is_capital or not (word[-1] in _VOWELS or word in _small()))
    if (is_short or is_initials) and (following := _WORD.match(after)) and following[0].casefold() not in _small():
        return True
    return word in _abbreviations()


def _sentence(own: str, start: int, end: int, *, bullet: bool) -> Iterator[Sentence]:
    """Yield a sentence without the blanks and emojis around it, if it has a word."""
    text = own[start:end]
    start += len(text) - len(text.lstrip(_BLANK))
    if not text.isascii() and (lead := _EMOJI.match(own, start, end)):
        start = lead.end()
    body = own[start:end].rstrip(_BLANK)
    if any(map(str.isalnum, body)):
        yield Sentence(start, start + len(body), body, bullet)
