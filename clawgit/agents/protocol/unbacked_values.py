"""Tells which values of a text stand nowhere in what bears it out."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cached_property

from msgspec import Struct

from clawgit.agents.protocol import facts
from clawgit.language import date_tokens, dates, detect, lexicon, logic
from clawgit.language.dates import Mention, Span
from clawgit.language.own_words import straight
from clawgit.language.times import Clock

_LETTERS = 4
"""Of a name, which may have another ending."""
_FEW = 31
"""What a number may be in a language of which no words for numbers are known."""
_NOON = 12
_PARTS = ("year", "month", "day", "weekday")


class Source(Struct, frozen=True):
    """A text that bears a claim out, and the day on which it was said."""

    text: str
    day: date | None = None


class Evidence(Struct, frozen=True, dict=True):
    """All that may bear a claim out."""

    sources: tuple[Source, ...]
    isos: tuple[str, ...]

    @cached_property
    def text(self) -> str:
        """All of it, in small letters."""
        return straight("\n".join(one.text for one in self.sources)).lower()

    @cached_property
    def facts(self) -> tuple[facts.Facts, ...]:
        """What each source states."""
        return tuple(facts.read(one.text, self.isos) for one in self.sources)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """What is counted or numbered anywhere, in digits or words, and the years around the days of the sources."""
        found = set(facts.groups(self.text))
        found |= {float(one) for word in self.words if (one := facts.rank(word, self.isos))}
        for source, read in zip(self.sources, self.facts, strict=True):
            found |= {value for one in read.amounts for value in one.values}
            found |= {float(abs(one)) for day in read.mentions for one in (day.day, day.year, day.count) if one}
            found |= set(facts.numerals(source.text, self.isos))
            found |= {value for token in read.tokens for value in facts.groups(token)}
            found |= {float(source.day.year + step) for step in (-1, 0, 1)} if source.day else set()
        return frozenset(found)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word."""
        return frozenset(facts.words(self.text))


def missing(text: str, evidence: Evidence) -> str:
    """Return an identifier, a number, a time or a name of a text that no evidence has, "" for none.

    Days and units are left to who judges support. Of a language that nothing is known of, names are, too.
    """
    return next(_missing(text, evidence), "")


def _missing(text: str, evidence: Evidence) -> Iterator[str]:
    isos = evidence.isos
    strange = not lexicon.section(isos[0], "claims")
    found = facts.read(text, isos)
    for token in found.tokens:
        if not _token(token, evidence) and not (token.isalpha() and _hinted(token.lower(), evidence)):
            yield token
    for one in found.amounts:
        small = strange and not one.unit and min(one.values) <= _FEW
        if not small and not one.values & evidence.numbers:
            yield one.said
    yield from (text[one.start : one.end] for one in found.clocks if not _timed(one, evidence))
    if not strange:
        places = logic.phrases(isos, "places")  # in Hannover, in Betrieb
        ordinary = ordinary_words(isos)
        for name in facts.names(text, isos, found):
            low = name.said.lower()
            if name.sure and name.before.lower() not in places and low not in ordinary and not _hinted(low, evidence):
                yield name.said


def _token(said: str, evidence: Evidence) -> bool:
    low = said.lower()
    at = evidence.text.find(low)
    while at >= 0:
        before, behind = evidence.text[at - 1 : at], evidence.text[at + len(low) : at + len(low) + 1]
        if not (_wordy(before) and _wordy(low[0])) and not (_wordy(behind) and _wordy(low[-1])):
            return True
        at = evidence.text.find(low, at + 1)
    digits = "".join(filter(str.isdecimal, said))
    plain = set(said) <= set("0123456789 ()/+-")
    return plain and bool(digits) and digits.lstrip("0") in "".join(filter(str.isdecimal, evidence.text))


def _wordy(letter: str) -> bool:
    return letter.isalnum() and not detect.eastern(letter)


def _hinted(name: str, evidence: Evidence) -> bool:
    """Tell whether something stands there that may mean a name: its beginning, a part, a short form (`py`, `k8s`)."""
    parts = [one for one in name.split("-") if len(one) >= _LETTERS]
    if any(one[: max(_LETTERS, len(one) // 2 + 1)] in evidence.text for one in (name, *parts)):
        return True
    short = f"{name[0]}{len(name) - 2}{name[-1]}"
    ordinary = ordinary_words(evidence.isos)
    words = {one for one in evidence.words if 1 < len(one) < _LETTERS + 1 and one not in ordinary}
    return short in re.findall(r"\w+", evidence.text) or any(name.startswith(one) for one in words)


def ordinary_words(isos: tuple[str, ...]) -> frozenset[str]:
    """Return words that are no names."""
    told, days = (("search", "small"), ("detect", "words")), date_tokens.vocabulary(isos)
    known = {word for iso in isos for section, key in told for word in lexicon.words(iso, section, key)}
    return frozenset((*known, *days.every, *days.leads)) | logic.words(isos, "subjects")


# ---- days, where a text takes the place of another


def undated(text: str, evidence: Evidence) -> str:
    """Return a day of a text that the evidence does not have, in whatever form; "" for none."""
    found = facts.read(text, evidence.isos)
    days = (one for one in found.mentions if one.sure and not _dated(one, evidence))
    said = (text[one.start : one.end] for one in days)
    return next((one for one in said if one.lower() not in evidence.text), "")


def _timed(one: Clock, evidence: Evidence) -> bool:
    known = {(other.hour % _NOON, other.minute) for read in evidence.facts for other in read.clocks}
    bare = not one.minute and bool({one.hour, one.hour % _NOON} & evidence.numbers)
    return bare or (one.hour % _NOON, one.minute) in known


def _dated(one: Mention, evidence: Evidence) -> bool:
    for source, read in zip(evidence.sources, evidence.facts, strict=True):
        ways = _ways(one, source.day)
        if any(_agree(one, other) or ways & _ways(other, source.day) for other in read.mentions):
            return True
        if source.day and Span(source.day, source.day) in ways:
            return True
    return False


def _ways(one: Mention, day: date | None) -> set[Span]:
    found = (dates.resolve(one, day, past=past, ahead=dates.STATEMENT) for past in (True, False)) if day else ()
    return {span for span in found if span}


def _agree(one: Mention, other: Mention) -> bool:
    pairs = [(getattr(one, name), getattr(other, name)) for name in _PARTS]
    told = [(mine, theirs) for mine, theirs in pairs if mine is not None and theirs is not None]
    return bool(told) and all(mine == theirs for mine, theirs in told)


def times(sources: tuple[Source, ...], isos: tuple[str, ...], day: date) -> list[Span]:
    """Return the times that sources name and a day lies in."""
    found = (
        span
        for source in sources
        if source.day
        for one in facts.read(source.text, isos).mentions
        for span in _ways(one, source.day)
    )
    return [one for one in found if one.first <= day <= one.last]
