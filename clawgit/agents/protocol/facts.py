"""What a text states: numbers, days, times, identifiers."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from clawgit.language import date_mentions, date_tokens, detect, numbers, times
from clawgit.language.dates import Mention
from clawgit.language.own_words import straight
from clawgit.language.times import Clock

_TOKENS = (
    r"(?<![\w+.-])\w[\w+.-]{0,20}://[^\s<>\"']+|www\.[^\s<>\"']+",  # addresses
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+",
    r"(?<![\w.])(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]*)*|[A-Za-z]:\\[^\s]+",  # paths
    r"(?<!\w)[@#][A-Za-z][\w-]*|(?<!\S)--?[A-Za-z][\w-]*",  # handles and flags
    r"(?<!\d)\+?\(?\d[\d ()/-]{7,40}\d(?!\d)",  # telephones, numbers of accounts
    r"\b\d{1,3}(?:\.\d{1,3}){2,}\b",
    r"(?<![\w-])[A-Za-z][\w-]{0,60}(?:/[\w.-]{0,60}[\d._][\w.-]{0,60})+",
    r"(?<![\w.-])[A-Za-z]\w{0,60}(?:[._:][A-Za-z\d][\w-]{0,60})+\b",
    r"(?<![\w-])[A-Za-z][a-z\d]{0,40}-[\w-]{0,60}(?:\.[\w-]{1,60})+\b",
    r"\b[A-Za-z]+-\d[\w.-]*\b|\b\w*_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*\b",
    r"\b[A-Za-z]{1,9}\d[\w.-]*[A-Za-z\d]\b|\b[A-Za-z]{1,9}\d\b|\b(?=[\da-f]*[a-f])(?=[a-f]*\d)[\da-f]{7,}\b",
)
_TOKEN = re.compile("|".join(_TOKENS), re.ASCII)
_TICKED = re.compile(r"`+([^`\n]+)`+")
_NUMBER = re.compile(
    r"((?<![\d.,])\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)([kKM](?!\w))?"
)
_MANY = {"k": 1000.0, "K": 1000.0, "M": 1e6}
_RANGE_LETTERS = 24
WORDY = rf"[^\W{detect.DENSE}{detect.HANGUL}]"
"""A letter or digit that goes on a word: no letter of East Asia."""
_SEPARATED = re.compile(r"[.,' \u00a0\u202f](?=\d{3}(?!\d))")


class Amount(Struct, frozen=True):
    """A number, as all that its digits may mean (1.500)."""

    values: frozenset[float]
    said: str


class Facts(Struct, frozen=True):
    """What a text states."""

    amounts: tuple[Amount, ...]
    mentions: tuple[Mention, ...]
    clocks: tuple[Clock, ...]
    tokens: tuple[str, ...]
    rest: str
    """The text with all these blotted out."""


@lru_cache(maxsize=2048)
def read(text: str, isos: tuple[str, ...]) -> Facts:
    """Return the facts of a text in some languages."""
    plain = straight(text)
    ticked = [one[1].strip() for one in _TICKED.finditer(plain)]
    dated = date_mentions.find(plain, isos)
    clocks = tuple(
        one
        for one in times.find(plain, isos)
        if not any(one.start < other.end and other.start < one.end and other.sure for other in dated)
    )
    spans = [(_range_start(plain, one.start, isos), one.end) for one in dated if one.sure]
    spans += [(clock.start, clock.end) for clock in clocks]
    found = [one for one in _TOKEN.finditer(plain) if not _inside(one.span(), spans)]
    tokens = [*ticked, *(one[0].rstrip(".,;:!?)-") for one in found)]
    rest = _blotted(plain, [*spans, *(one.span() for one in found)])
    return Facts(tuple(_amounts(rest, isos)), dated, clocks, tuple(dict.fromkeys(filter(None, tokens))), rest)


def _range_start(plain: str, start: int, isos: tuple[str, ...]) -> int:
    """Return where the first day of a range stands that a date ends: `from 6 to 17 April`."""
    begun = _range_before(isos).search(plain, max(0, start - _RANGE_LETTERS), start)
    return begun.start() if begun else start


@lru_cache(maxsize=32)
def _range_before(isos: tuple[str, ...]) -> "re.Pattern[str]":
    until = "|".join(re.escape(word) for word, lead in date_tokens.vocabulary(isos).leads.items() if lead == "until")
    return re.compile(
        rf"(?<![\d.,:])\d{{1,2}}(?:\.|st|nd|rd|th)?\s?(?:[-\u2013~]|\s(?:{until})\s(?:\w{{2,3}}\s)?)\s?\Z"
    )


def _inside(span: tuple[int, int], spans: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in spans)


def _blotted(text: str, spans: list[tuple[int, int]]) -> str:
    out = list(text)
    for start, end in spans:
        out[start:end] = "\0" * (end - start)
    return "".join(out)


def _amounts(rest: str, isos: tuple[str, ...]) -> Iterator[Amount]:
    if detect.eastern(rest):
        rest = numbers.counted(rest, detect.eastern_language(rest))
    for match in _NUMBER.finditer(rest):
        values = meanings(match[1])
        many = _MANY.get(match[2] or "", 1.0)
        yield Amount(values | {value * many for value in values}, match[1])
    yield from _spelled(rest, isos)


def meanings(said: str) -> frozenset[float]:
    """Return what digits may mean: a point or comma before three of them parts thousands, or decimals."""
    found = set()
    joined = _SEPARATED.sub("", said)
    for one in {joined.replace(",", "."), said.replace(" ", "").replace(",", ".")}:
        try:
            found.add(float(one))
        except ValueError:
            continue
    return frozenset(found)


def _spelled(rest: str, isos: tuple[str, ...]) -> Iterator[Amount]:
    """Yield numbers in words of languages with spaces, but for one: it is an article in most."""
    said = re.findall(r"[^\W\d_]+|\d+(?:\.\d+)?", rest)
    small = [f"#{word}" if word[0].isdigit() else word.casefold() for word in said]  # as the tables have them
    taken = -1
    for at, word in enumerate(small):
        if at < taken:
            continue
        for iso in isos:
            worth, end = (0.0, at) if detect.eastern(word) else numbers.run(small, at, iso)
            rank = numbers.ordinal(word, iso) if end == at and word[0] != "#" else None
            if end > at and (worth > 1 or worth == 0) and not (end == at + 1 and word[0] == "#"):
                yield Amount(frozenset((worth,)), " ".join(said[at:end]))
                taken = end
                break
            if rank is not None and rank > 1:
                yield Amount(frozenset((float(rank),)), said[at])
                break
