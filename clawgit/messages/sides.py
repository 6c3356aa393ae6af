"""Reads both sides of a correction."""

import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from msgspec import Struct

from clawgit.language import detect, pattern_tables, values
from clawgit.language.sentences import sentences
from clawgit.language.values import content_words, equal, is_alike

_DATA = Path(__file__).parent / "data/sides.toml"
_pattern = partial(pattern_tables.pattern, _DATA, "sides")
_LONGEST = 2_000
"""Characters of a message in which sides are looked for."""


_POINT = "\u2024"
_SINGLE_POINT = re.compile(r"(?<=\w)\.(?!\.)")


class Sides(Struct, frozen=True):
    """The wrong side in a text, the clause with the true one, and all of the text without the wrong one.

    `part` is its last sentence up to the end of both.
    """

    said: str
    clause: str
    positive: str
    part: str


def find(text: str) -> Iterator[Sides]:
    """Yield the wrong and the true sides in a text, if it has both."""
    masked = _mask_points(text[:_LONGEST])
    for form in (*_forms("spaced"), *(_forms("dense") if detect.eastern(text) else ())):
        for match in form.finditer(masked):
            wrong, clause = (_bare(match[side].replace(_POINT, ".")) for side in ("said", "true"))
            loose = not match.groupdict().get("mark", ",").strip() and not content_words(clause.rpartition(" ")[2])
            if clause and not loose and _says_something(wrong) and wrong.casefold() != clause.casefold():
                start, end = match.span("said")
                part = masked[: match.end()].rpartition(". ")[2].replace(_POINT, ".")
                yield Sides(wrong, clause, f"{text[:start]}\0{text[end:]}", part)


def _mask_points(text: str) -> str:
    """Return a text with another mark for each point that ends no sentence: `Prof. Chen`, `11.5`, `relay.local`."""
    ends = {sentence.end - 1 for sentence in sentences(text)}
    return _SINGLE_POINT.sub(lambda point: point[0] if point.start() in ends else _POINT, text)


@cache
def _forms(key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in pattern_tables.read(_DATA, "sides")[key])


def _says_something(side: str) -> bool:
    return bool(content_words(side) or values.find(side) or re.search(r"\d|\b[A-HJ-Z]\b|[^\x00-\x7f]", side))


def _bare(side: str) -> str:
    return _pattern("joint").sub("", side.strip(" \t\"'`*_()[]“”„«»"))


def strip_lead(said: str) -> str:
    """Return a side without the small words that lead to it."""
    first, _, rest = said.partition(" ")
    while rest and not (content_words(first) or values.find(first) or first[:1].isupper()):
        said = rest
        first, _, rest = said.partition(" ")
    return said


def list_other_values(text: str, old: values.Value) -> list[str]:
    """Return the values of a text that are another one of a type."""
    return list(
        {
            value.canon: value.text for value in values.find(text) if is_alike(value, old) and not equal(value, old)
        }.values()
    )


def words_behind(clause: str, anchor: str = "") -> str:
    """Return the part of a clause behind a word, or behind `is`, without `now` and its like; all without either."""
    spots = list(re.finditer(rf"(?<!\w){re.escape(anchor)}(?!\w)\W*", clause, re.IGNORECASE)) if anchor else []
    rest = _pattern("copula").split(clause[spots[-1].end() :] if spots else clause)[-1]
    return _pattern("timely").sub("", rest).strip()


def read_pair(sides: Sides) -> tuple[str, str]:
    """Return the wrong and the true value: a value of its type, else the words behind `is`."""
    wrong = strip_lead(sides.said)
    old = values.read(wrong)
    typed = list_other_values(sides.clause, old) if old and old.kind != "name" else []
    return wrong, typed[0] if len(typed) == 1 else strip_lead(words_behind(sides.clause))
