"""Tells which values of a claim no evidence states."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.protocol import facts
from clawgit.language import date_tokens, dates, detect, lexicon, logic, sentences, tense, times
from clawgit.language import values as units
from clawgit.language.dates import Mention, Span
from clawgit.language.own_words import straight

_HOURS, _NOON = 24, 12
_SHORT = 3
"""Letters of the shortest name that may stand with an ending: Ana, Anas."""
_ENDING = 2
_PARTS = ("early", "late", "night", "midday")
_NEAR, _YEAR = 6, 4
_FRIDAY, _WEEK = 4, 6
"""Days from the first of a week to its last that many work, and to its last."""
_RANGE = re.compile(r"(?<![\d.:])(\d{1,2})(?:[:.](\d\d))?\s?[-\u2013~]\s?\Z")
_FRACTIONS = (("half_behind", 30), ("quarter_behind", 15), ("quarter_before", -15))


class Source(Struct, frozen=True):
    """A text that bears a claim out, and the day on which it was said."""

    text: str
    day: date | None = None


class Evidence(Struct, frozen=True, dict=True):
    """All that may bear a claim out; `people` are names that need no other evidence."""

    sources: tuple[Source, ...]
    isos: tuple[str, ...]
    people: frozenset[str] = frozenset()

    @cached_property
    def text(self) -> str:
        """All of it, in small letters."""
        return straight("\n".join(one.text for one in self.sources)).lower()

    @cached_property
    def facts(self) -> tuple[facts.Facts, ...]:
        """What each source states."""
        return tuple(facts.read(one.text, self.isos) for one in self.sources)

    @cached_property
    def groups(self) -> frozenset[float]:
        """What digits of identifiers, and numerals of East Asia, may count."""
        found = {one for read in self.facts for token in read.tokens for one in facts.groups(token)}
        found |= {float(one) for word in self.words if (one := facts.rank(word, self.isos))}
        return frozenset(found | {one for source in self.sources for one in facts.numerals(source.text, self.isos)})

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word."""
        return frozenset(facts.words(self.text))

    @cached_property
    def spans(self) -> tuple[tuple[Mention, Span], ...]:
        """The days that each source names, in each way that they may be meant."""
        return tuple(found for one in self.sources for found in _spans(one, self.isos))


def missing(claim: str, evidence: Evidence, *, units: bool = True) -> str:
    """Return what of a claim no evidence states, in its words; "" where all is borne out.

    Without `units` a number may have another one, or one that nobody said: `1050 euros` of `it's 1050`.
    """
    found = facts.read(claim, evidence.isos)
    for problem in (
        *(one for one in found.tokens if not _token(one, evidence)),
        *(_said(claim, one) for one in found.mentions if not _date(claim, one, evidence)),
        *(_said(claim, one) for one in found.clocks if not _clock(one, evidence)),
        *(one.said for one in found.amounts if not counted(one if units else replace(one, unit=""), evidence)),
        *_names(claim, found, evidence),
    ):
        return problem
    return ""


def _said(claim: str, one: Mention | times.Clock) -> str:
    return claim[one.start : one.end]


# ---- addresses, identifiers


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


# ---- numbers


def counted(one: facts.Amount, evidence: Evidence) -> bool:
    """Tell whether some evidence states a number, in digits or words."""
    for found in evidence.facts:
        for other in (*found.amounts, *_shifted(found)):
            left_out = not other.unit and one.unit in {"h", "year"}  # `at nine`, `she turns five`
            same = one.values & other.values and (not one.unit or one.unit == other.unit or left_out)
            if same or _length(one) & _length(other):
                return True
        if _numbering(one, evidence.text) & {number for day in found.mentions for number in (day.day, day.year)}:
            return True
    return not one.unit and bool(one.values & evidence.groups)


def _numbering(one: facts.Amount, text: str) -> set[int | None]:
    """Return which day or year an amount may mean: a bare year, and East Asia counts days as it numbers them."""
    year = not one.unit and len(one.said) == _YEAR and one.said.isdecimal()
    return {int(value) for value in one.values} if year or (one.unit == "day" and detect.eastern(text)) else set()


def _shifted(found: facts.Facts) -> Iterator[facts.Amount]:
    """Yield what `three years ago` counts."""
    for one in found.mentions:
        if one.form == "shift" and not one.vague:
            yield facts.Amount(frozenset((float(abs(one.count)),)), one.unit, "")


def _length(one: facts.Amount) -> set[tuple[float, str]]:
    worth = units.length(one.unit) if one.unit else None
    return {(round(value * worth[0], 6), worth[1]) for value in one.values} if worth else set()


# ---- times of day


def _clock(one: times.Clock, evidence: Evidence) -> bool:
    known = {told for source in evidence.sources for told in _clocks(source.text, evidence.isos)}
    if (one.hour, one.minute) in known:
        return True
    if not _parted(evidence):
        known |= {((hour + _NOON) % _HOURS, minute) for hour, minute in known if hour <= _NOON}
        hours = {value for found in evidence.facts for amount in found.amounts for value in amount.values}
        known |= {(int(hour) % _HOURS, 0) for hour in hours | evidence.groups if hour <= _HOURS}
    return (one.hour, one.minute) in known


def _clocks(text: str, isos: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield the times of a text; also the first of `6-8pm`, and with what stands behind an hour: `y media`."""
    for one in facts.read(text, isos).clocks:
        if begun := _RANGE.search(text, 0, one.start):
            yield (int(begun[1]) + (_NOON if one.hour >= _NOON > int(begun[1]) else 0)) % _HOURS, int(begun[2] or 0)
        for key, step in _FRACTIONS:
            said = logic.phrases(isos, key)
            if not one.minute and said and logic.finder(said).match(text[one.end :].lstrip()):
                late = _late(text[one.end :], isos) and one.hour < _NOON
                told = one.hour * 60 + step + (_NOON * 60 if late else 0)
                yield told // 60 % _HOURS, told % 60
                break
        else:
            yield one.hour, one.minute


def _late(text: str, isos: tuple[str, ...]) -> bool:
    said = tuple(one for one in lexicon.phrases(isos[0], "times", "late"))
    return bool(said) and logic.finder(said).search(text[:30]) is not None


def _parted(evidence: Evidence) -> bool:
    """Tell whether the evidence says in which half of the day it is."""
    said = tuple(one for iso in evidence.isos[:1] for key in _PARTS for one in lexicon.phrases(iso, "times", key))
    return logic.finder(said).search(evidence.text) is not None


# ---- days


def _spans(source: Source, isos: tuple[str, ...]) -> Iterator[tuple[Mention, Span]]:
    if source.day is None:
        return
    for sentence in sentences.sentences(straight(source.text)):
        said = source.text[sentence.start : sentence.end]
        past = _past(said, isos)
        found = [_numbered(said, isos, one) for one in facts.read(said, isos).mentions]
        for one in (*found, *_tomorrow(said, isos), *facts.listed_days(said, found)):
            years = _years(one, found, source.day)
            for span in _ways(one, source.day, past=past):
                if not years or span.first.year in years:
                    yield one, span
        yield from facts.numbered_weekdays(said, found, source.day)
        for amount in facts.read(said, isos).amounts:
            yield from _since(amount, source.day)
            for number in _numbering(amount, said) if amount.unit else ():
                one = Mention(0, 0, "nth", day=number)
                yield from ((one, span) for span in _ways(one, source.day, past=past))


def _years(one: Mention, found: Sequence[Mention], day: date) -> set[int]:
    """Return the year that stands beside a day or month without one: `September this year`."""
    if one.year or not one.month:
        return set()
    return {
        day.year + other.count
        for other in found
        if other.unit == "year"
        and other.form == "period"
        and max(one.start - other.end, other.start - one.end) <= _NEAR
    }


def _numbered(said: str, isos: tuple[str, ...], one: Mention) -> Mention:
    """Return a month with the day that a word before it counts: `the first of May`."""
    if one.form != "month" or one.day or not one.month:
        return one
    small = logic.small(isos)
    before = [word for word in facts.words(said[: one.start]) if word not in small][-1:]
    day = facts.rank(before[0], isos) if before else None
    return replace(one, form="day", day=day, sure=True) if day else one


def _tomorrow(said: str, isos: tuple[str, ...]) -> Iterator[Mention]:
    """Yield the word for tomorrow of a language in which it is that for the morning too."""
    if words := logic.phrases(isos, "tomorrow"):
        plain = logic.finder(logic.phrases(isos, "no_tomorrow")).sub(" ", said)
        if found := logic.finder(words).search(plain):
            yield Mention(*found.span(), "period", unit="day", count=1)


def _past(said: str, isos: tuple[str, ...]) -> bool | None:
    """Return the tense of a sentence; what was put off lies ahead, though it was."""
    arranged = logic.words(isos, "arranged")
    low = said.lower()
    if any(one in low if detect.eastern(one) else one in low.split() for one in arranged):
        return False
    return tense.past(said, isos)


def _ways(one: Mention, day: date, *, past: bool | None) -> set[Span]:
    weekly = one.form in {"weekday", "nth"} and one.lead not in {"next", "last"}
    sides = (True, False) if past is None or weekly else (past,)
    found = {dates.resolve(one, day, past=side, ahead=dates.STATEMENT) for side in sides}
    if one.form == "shift" and not one.vague:
        exact = dates.away(one, day)
        found.add(Span(exact, exact))
    return {span for span in found if span}


def _since(amount: facts.Amount, day: date) -> Iterator[tuple[Mention, Span]]:
    """Yield the day on which began what has lasted so many years."""
    if amount.unit in {"day", "week", "month", "year"}:
        for value in amount.values:
            if value == int(value) and value < 200:  # noqa: PLR2004 - years
                one = Mention(0, 0, "shift", unit=amount.unit, count=-int(value))
                try:
                    begun = dates.away(one, day)
                except (ValueError, OverflowError):
                    continue
                yield one, Span(begun, begun)


def _date(claim: str, one: Mention, evidence: Evidence) -> bool:
    if not one.sure:
        return True
    if one.form == "slashed" and any(_slashed(_said(claim, one), span) for _, span in evidence.spans):
        return True
    if one.form in {"slashed", "period", "end", "season", "shift"}:
        return _said(claim, one).lower() in evidence.text or _relative(one, evidence)
    if any(_same(one, other, span) for other, span in evidence.spans):
        return True
    days = [source.day for source in evidence.sources if source.day]
    named = any(dates.exact(other) for other, _ in evidence.spans)
    if one.form == "habit" or one.weekday is not None:
        return any(other.weekday == one.weekday for found in evidence.facts for other in found.mentions)
    bare = not days and any(_alike(one, other) for found in evidence.facts for other in found.mentions)
    return bare or (not named and any(_covers(one, Span(day, day)) for day in days))


def _slashed(said: str, span: Span) -> bool:
    """Tell whether digits between strokes are a day that was said, in one of the two orders."""
    found = [int(part) for part in said.split("/")]
    day = span.first
    return span.first == span.last and day.year == found[2] and {day.day, day.month} == set(found[:2])


def _relative(one: Mention, evidence: Evidence) -> bool:
    days = [source.day for source in evidence.sources if source.day]
    ours = {span for day in days for span in _ways(one, day, past=None)}
    return any(span in ours for _, span in evidence.spans)


def _alike(one: Mention, other: Mention) -> bool:
    return (one.year, one.month, one.day, one.weekday) == (other.year, other.month, other.day, other.weekday)


def _same(one: Mention, other: Mention, span: Span) -> bool:
    """Tell whether a day of the claim is one that was said, or the month or year it lies in."""
    if one.weekday is not None:
        return other.weekday == one.weekday or (span.first == span.last and span.first.weekday() == one.weekday)
    return _covers(one, span)


def _covers(one: Mention, span: Span) -> bool:
    first, last = span.first, span.last
    if one.year is not None and not first.year <= one.year <= last.year:
        return False
    if one.day is not None:
        days = {first, last, first + timedelta(_FRIDAY)} if (last - first).days == _WEEK else {first}
        inside = (last - first).days in {0, _WEEK}
        return inside and any((one.month or day.month, one.day) == (day.month, day.day) for day in days)
    if one.month is not None:
        return first.month == one.month and last.month == one.month and (last - first).days < 31  # noqa: PLR2004
    return one.year == first.year == last.year


def later(claim: str, day: date, isos: tuple[str, ...]) -> str:
    """Return the day, as it is said, on which a claim of what has been puts it after `day`; "" for none."""
    if tense.past(claim, isos) is not True or _past(claim, isos) is False:
        return ""
    for one in facts.read(claim, isos).mentions:
        if one.sure and one.year and (span := dates.resolve(one, day)) and span.first > day:
            return _said(claim, one)
    return ""


def names_day(day: date, evidence: Evidence, most: int = 40_000) -> bool:
    """Tell whether a day is one that the evidence names, or lies in a time of at most so many days that it names."""
    spans = (*(Span(one.day, one.day) for one in evidence.sources if one.day), *(span for _, span in evidence.spans))
    return any(one.first <= day <= one.last and (one.last - one.first).days < most for one in spans)


# ---- names


def _names(claim: str, found: facts.Facts, evidence: Evidence) -> Iterator[str]:
    said = list(facts.names(claim, evidence.isos, found))
    fresh = [one for one in said if not _known(one.said, evidence)]
    yield from (one.said for one in fresh if one.sure)
    if detect.eastern(claim) or not (doubtful := [one for one in fresh if not one.sure]):
        return
    words = set(facts.words(claim))
    lost = list(_lost(words, evidence))
    if logic.words(evidence.isos[:1], "determiners"):
        slots = {lexicon.stem(one.before.lower(), evidence.isos): one.said for one in lost}
        swapped = ((one.said, slots.get(lexicon.stem(one.before.lower(), evidence.isos))) for one in doubtful)
        yield from (f"{name} (for {other})" for name, other in swapped if other)
    elif sure := [one.said for one in lost if one.sure]:
        yield f"{doubtful[0].said} (for {sure[0]})"


def _lost(words: Iterable[str], evidence: Evidence) -> Iterator[facts.Name]:
    """Yield the names of the evidence that a claim does not have."""
    here, ordinary = set(words), ordinary_words(evidence.isos) | evidence.people
    for source, found in zip(evidence.sources, evidence.facts, strict=True):
        for one in facts.names(source.text, evidence.isos, found):
            known = {low := one.said.lower(), low.partition("'")[0]} & ordinary  # `NADA`, `I've`
            if not known and not any(_inflected(low, word) for word in here):
                yield one


def _known(name: str, evidence: Evidence) -> bool:
    low = name.lower().removesuffix("'s")
    if detect.eastern(name) or detect.eastern(evidence.text):
        return _token(low, evidence) or low in ordinary_words(evidence.isos) | evidence.people
    if low in ordinary_words(evidence.isos) or any(_inflected(low, one) for one in evidence.words | evidence.people):
        return True
    if not name.isascii() or len(low) > _SHORT:
        return any(
            lexicon.stem(there, evidence.isos) == lexicon.stem(here, evidence.isos)
            and abs(len(there) - len(here)) <= _ENDING + 1
            and (there.startswith(here) or here.startswith(there))
            for word in evidence.words
            for here, there in ((low, word), (facts.unmarked(low), facts.unmarked(word)))
        )
    return False


def _inflected(one: str, other: str) -> bool:
    """Tell whether one name is the other with an ending."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _SHORT and long.startswith(short) and len(long) - len(short) <= _ENDING)


def ordinary_words(isos: tuple[str, ...]) -> frozenset[str]:
    """Return words that are no names."""
    told, days = (("search", "small"), ("detect", "words")), date_tokens.vocabulary(isos)
    known = {word for iso in isos for section, key in told for word in lexicon.words(iso, section, key)}
    return frozenset((*known, *days.every, *days.leads)) | logic.words(isos, "subjects")
