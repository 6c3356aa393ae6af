"""Finds the times that a text names."""

import re
from collections.abc import Iterator
from functools import lru_cache

from clawgit.language import date_tokens, detect
from clawgit.language.date_tokens import Token, Vocabulary, tokens
from clawgit.language.dates import Lead, Mention, possible

_LONGEST = 20_000
"""Letters of a text in which times are looked for."""
_PLAIN_YEAR = re.compile(r"(?:19|20)\d\d")
_YEAR = re.compile(r"(?:1[5-9]|2[01])\d\d")
"""What is a year behind a month."""
_DAYS, _DIGITS = 31, 2
_BOUNDS = frozenset({"since", "from", "until"})
_PARTS = 5
"""Words between a bound or a weekday and its month, at the most: `until the end of`, `Friday, the 3rd of`."""
_NO_DAY = (":", "%", "/")
"""Behind a number that is no day."""
_WORDY = "0-9A-Za-z_\u00aa-\u02b8\u0370-\u10ff"
"""Letters that go on a number: those of East Asia stand right beside a date."""
_FORMS = (
    rf"(?P<y1>\d{{4}})(?P<sep>[-/.])(?P<m1>\d\d?)(?P=sep)(?P<d1>\d\d?)(?=[tT]\d\d:\d\d|(?![{_WORDY}]|[-./]\w))",
    rf"(?P<y2>(?:19|20)\d\d)-(?P<m2>0[1-9]|1[0-2])(?![{_WORDY}/]|[-.]\w)",
    rf"(?P<d3>\d\d?)\.[ ]?(?P<m3>\d\d?)\.[ ]?(?P<y3>\d{{4}})(?![{_WORDY}/]|[-.]\w)",
    rf"(?P<s1>\d\d?)/(?P<s2>\d\d?)/(?P<y4>\d{{4}})(?![{_WORDY}/]|[-.]\w)",
)
_NUMERIC = re.compile(rf"(?<![{_WORDY}./:-])(?:{'|'.join(_FORMS)})")


def find(text: str, languages: tuple[str, ...] | None = None) -> tuple[Mention, ...]:
    """Return the times that a text names, in order, none inside of another.

    `languages` are those to read it in; without them those that it may be in.
    """
    return _found(text[:_LONGEST], detect.candidates(text) if languages is None else languages)


@lru_cache(maxsize=1024)
def _found(text: str, languages: tuple[str, ...]) -> tuple[Mention, ...]:
    low = lowered(text)
    found: list[Mention] = []
    for readers in (_numeric(low), _eastern(low, languages), _western(low, languages, found)):
        for one in readers:
            if not any(one.start < other.end and other.start < one.end for other in found):
                found.append(one)
    return tuple(sorted(found, key=lambda one: one.start))


def lowered(text: str) -> str:
    """Return a text in small letters, each in its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(one if len(one.lower()) != 1 else one.lower() for one in text)


def _numeric(low: str) -> Iterator[Mention]:
    """Yield dates in digits; one that two orders of day and month allow is `slashed`."""
    if not any(map(str.isdecimal, low)):
        return
    for match in _NUMERIC.finditer(low):
        said = {name: int(part) for name, part in match.groupdict().items() if part and name != "sep"}
        at, end = match.span()
        if "y1" in said or "d3" in said:
            key = "1" if "y1" in said else "3"
            year, month, day = said["y" + key], said["m" + key], said["d" + key]
            if possible(month, day):
                yield Mention(at, end, "day", year, month, day)
        elif "y2" in said:
            yield Mention(at, end, "month", said["y2"], said["m2"])
        else:
            yield _slashed(at, end, said["s1"], said["s2"], said["y4"])


def _slashed(at: int, end: int, one: int, two: int, year: int) -> Mention:
    for day, month in ((one, two), (two, one)):
        if possible(month, day) and (one == two or not possible(day, month)):
            return Mention(at, end, "day", year, month, day)
    return Mention(at, end, "slashed", year)


# ---- Chinese, Japanese, Korean: no spaces to go by


def _eastern(low: str, languages: tuple[str, ...]) -> Iterator[Mention]:
    if not detect.eastern(low):
        return
    for name, pattern in date_tokens.eastern(languages):
        for match in pattern.finditer(low):
            yield from _eastern_one(name, match, date_tokens.vocabulary(languages))


def _eastern_one(name: str, match: "re.Match[str]", known: Vocabulary) -> Iterator[Mention]:
    said = {part: text for part, text in match.groupdict().items() if text}
    at, end = match.span()
    year = int(said["y"]) if "y" in said else None
    month, day = (date_tokens.count(said[part]) if part in said else None for part in ("m", "d"))
    if name in {"date", "nth"}:
        if day and possible(month or 1, day):
            yield Mention(at, end, "day" if month else "nth", year, month, day)
    elif name in {"month", "year"}:
        yield Mention(at, end, "month" if month else "year", year, month, lead="in")
    elif name == "of week":
        unit, away = known.eastern_periods[said["week"]]
        yield Mention(at, end, "weekday of week", weekday=known.letters[said["weekday"]], unit=unit, count=away)
    elif name == "weekday":
        yield Mention(at, end, "weekday", weekday=known.weekdays[match[0]])
    elif name == "period":
        unit, away = known.eastern_periods[match[0]]
        yield Mention(at, end, "period", unit=unit, count=away)
    else:
        count = date_tokens.count(said["n"]) * (-1 if name == "ago" else 1)
        yield Mention(at, end, "shift", unit=known.eastern_units[said["unit"]], count=count)


# ---- languages with spaces


def _western(low: str, languages: tuple[str, ...], found: list[Mention]) -> Iterator[Mention]:
    """Yield the times of words; those that stand in `found` already are not read again."""
    said = tokens(low)
    known = date_tokens.vocabulary(languages)
    reader = _Reader(low, said, known)
    for at, word in enumerate(said):
        if not known.touches(word.text) or any(one.start < word.end and word.start < one.end for one in found):
            continue
        if mention := reader.read(at):
            yield mention


class _Reader:
    """Reads what stands at a word of a text."""

    def __init__(self, low: str, said: list[Token], known: Vocabulary) -> None:
        self.low, self.said, self.known = low, said, known

    def read(self, at: int) -> Mention | None:
        """Return what begins, or has its middle, at a word."""
        return (
            self._phrase(at)
            or self._shift(at)
            or self._month(at)
            or self._weekday(at)
            or self._dotted(at)
            or self._nth(at)
            or self._end(at)
            or self._season(at)
            or self._year(at)
        )

    def text(self, at: int) -> str:
        return self.said[at].text if 0 <= at < len(self.said) else ""

    def word(self, at: int) -> str:
        """Return a word without the article that is elided before it: `d'avril`."""
        said = self.text(at)
        return said.rpartition("'")[2] if said not in self.known.every else said

    def touching(self, at: int) -> bool:
        """Return whether nothing stands between a word and the one before it."""
        return 0 < at < len(self.said) and self.said[at - 1].end == self.said[at].start

    def lead(self, at: int) -> Lead:
        """Return what the words before a time make of it, "" for nothing."""
        leads = self.known.leads
        if self.text(at - 1) in self.known.next and self.text(at - 2) in leads:
            return "next"  # on the next Friday
        if self.text(at - 1) in self.known.the and self.text(at - 2) in leads:
            at -= 1
        found = leads.get(self.text(at - 1), "")
        return found if found not in {"", "in"} else self.bound(at - 1) or found

    def bound(self, at: int) -> Lead:
        """Return what stands before a part of a month or year: the `until` of `until the end of`."""
        first, parts = at, {word for phrase in self.known.end for word in phrase}
        while (
            at >= 0 and first - at < _PARTS and (self.text(at) in parts or self.known.leads.get(self.text(at)) == "in")
        ):
            at -= 1
        found = self.known.leads.get(self.text(at), "")
        return found if at < first and found in _BOUNDS else ""

    def behind(self, at: int) -> tuple[Lead, int]:
        """Return the same of a word behind: `martes pasado`; and where the time ends."""
        word = self.text(at + 1)
        if self.known.side_behind and word in self.known.sides:
            return self.known.sides[word], at + 1
        return "", at

    def _phrase(self, at: int) -> Mention | None:
        for words, (unit, away) in self.known.periods.get(self.text(at), ()):
            if tuple(one.text for one in self.said[at : at + len(words)]) == words:
                return Mention(self.said[at].start, self.said[at + len(words) - 1].end, "period", unit=unit, count=away)
        return None

    def _shift(self, at: int) -> Mention | None:
        """Read `two weeks ago`, `vor zwei Wochen`, `in 3 days`, at the unit."""
        unit = self.known.units.get(self.text(at))
        if not unit:
            return None
        begin = at - 1 - (self.text(at - 1) in self.known.of)
        count, vague = self.count(begin)
        if not count:
            return None
        if vague and self.text(begin - 1) in self.known.one:  # a few days
            begin -= 1
        for side, words in ((-1, self.known.ago_behind), (1, self.known.ahead_behind)):
            for phrase in words:
                if self.follows(at + 1, phrase):
                    end = self.said[at + len(phrase)].end
                    return Mention(self.said[begin].start, end, "shift", unit=unit, count=side * count, vague=vague)
        for side, words in ((-1, self.known.ago_before), (1, self.known.ahead_before)):
            for phrase in words:
                first = begin - len(phrase)
                if first >= 0 and self.follows(first, phrase):
                    return Mention(
                        self.said[first].start,
                        self.said[at].end,
                        "shift",
                        unit=unit,
                        count=side * count,
                        vague=vague,
                    )
        return None

    def follows(self, at: int, phrase: tuple[str, ...]) -> bool:
        return tuple(one.text for one in self.said[at : at + len(phrase)]) == phrase

    def count(self, at: int) -> tuple[int, bool]:
        """Return how many a word says, 0 for another, and whether that is no exact number."""
        word = self.text(at)
        if word.isdecimal():
            return (int(word) if len(word) <= _DIGITS + 2 else 0), False
        return self.known.numbers.get(word, 0), word in self.known.vague

    def _month(self, at: int) -> Mention | None:
        month = self.known.months.get(self.word(at))
        if not month:
            return None
        return self._day_before(at, month) or self._day_behind(at, month) or self._month_alone(at, month)

    def _day_before(self, at: int, month: int) -> Mention | None:
        """Read `3 May`, `the 5th of June 2026`, `14 de febrero de 2026`."""
        begin = at - 1 - (self.text(at - 1) in self.known.of)
        if self.text(begin) in self.known.ordinal_ends and self.touching(begin):
            begin -= 1
        day = self.text(begin)
        if not (day.isdecimal() and len(day) <= _DIGITS and possible(month, int(day))):
            return None
        if self.touching(begin) and self.text(begin - 1) in ".:/-,":
            return None
        year, end = self.year(at + 1)
        lead = self.lead(begin)
        return Mention(self.said[begin].start, self.said[end].end, "day", year, month, int(day), lead=lead)

    def _day_behind(self, at: int, month: int) -> Mention | None:
        """Read `May 3`, `May the 3rd, 2026`."""
        end = at + 1 + (self.text(at + 1) == "." and self.touching(at + 1))
        end += self.text(end) in self.known.the
        day = self.text(end)
        if not (day.isdecimal() and len(day) <= _DIGITS and possible(month, int(day))):
            return None
        if self.text(end + 1) in self.known.ordinal_ends and self.touching(end + 1) and self.text(end + 1) != ".":
            end += 1
        after = self.text(end + 1)
        if self.touching(end + 1) and (after in _NO_DAY or (after == "." and self.text(end + 2).isdecimal())):
            return None
        if after in self.known.halves or (end == at + 1 and self.touching(end)):
            return None
        year, last = self.year(end + 1)
        lead = self.lead(at)
        return Mention(self.said[at].start, self.said[last].end, "day", year, month, int(day), lead=lead)

    def year(self, at: int) -> tuple[int | None, int]:
        """Return the year that stands at a word, perhaps behind a comma or `of`, and the last word of it."""
        end = at
        if self.text(end) in (",", "."):
            end += 1
        end += self.text(end) in self.known.of
        said = self.text(end)
        if said.isdecimal() and _YEAR.fullmatch(said) and not self.units_follow(end + 1):
            return int(said), end
        return None, at - 1

    def units_follow(self, at: int) -> bool:
        return self.touching(at) and self.text(at) in (":", "%")

    def _month_alone(self, at: int, month: int) -> Mention | None:
        year, end = self.year(at + 1)
        lead = self.lead(at)
        if not lead:
            lead, end_behind = self.behind(at)
            end = max(end, end_behind)
        word = self.word(at)
        sure = year is not None or lead not in {"", "on"} or word not in self.known.other_words
        return Mention(self.said[at].start, self.said[end].end, "month", year, month, lead=lead, sure=sure)

    def _weekday(self, at: int) -> Mention | None:
        day = self.known.weekdays.get(self.text(at))
        if day is None:
            every = self.known.every_weekday.get(self.text(at))
            return None if every is None else Mention(*self.said[at].span, "habit", weekday=every)
        if self._day_follows(at + 1):
            return None  # Friday, 27 November
        lead = self.lead(at)
        end = at
        if lead in {"", "on"}:
            side, end = self.behind(at)
            lead = side or lead
        sure = lead not in {"", "in"} or self.text(at) not in self.known.other_words
        return Mention(self.said[at].start, self.said[end].end, "weekday", weekday=day, lead=lead, sure=sure)

    def _day_follows(self, at: int) -> bool:
        """Return whether a day of a month begins at a word, perhaps behind a comma and an article."""
        at += self.text(at) in {",", "."}
        at += self.text(at) in self.known.the or self.known.leads.get(self.text(at)) == "on"
        found = (self._month(month) for month in range(at, min(at + _PARTS, len(self.said))))
        return any(one and one.form == "day" and one.start == self.said[at].start for one in found)

    def _dotted(self, at: int) -> Mention | None:
        """Read `30.04.`, `am 3.5.`: a day and a month in digits, and no version that ends a sentence."""
        day, month = self.text(at), self.text(at + 2)
        if not (day.isdecimal() and month.isdecimal() and max(len(day), len(month)) <= _DIGITS):
            return None
        points = self.text(at + 1) == self.text(at + 3) == "." and "." in self.known.ordinal_ends
        if not (points and all(map(self.touching, (at + 1, at + 2, at + 3))) and possible(int(month), int(day))):
            return None
        opened = self.text(at - 1)[-1:] in "(,;"
        if (self.touching(at) and not opened) or (self.touching(at + 4) and self.text(at + 4)[:1].isalnum()):
            return None
        lead = self.lead(at)
        before = self.text(at - 1)
        bare = not lead and before not in self.known.weekdays and before[-1:] != "m"  # vom, zum, dem
        if bare and len(day) < _DIGITS:
            return None
        return Mention(self.said[at].start, self.said[at + 3].end, "day", None, int(month), int(day), lead=lead)

    def _nth(self, at: int) -> Mention | None:
        """Read `on the 14th`, `am 3.`: a day without a month, behind a word that says so."""
        day = self.text(at)
        if not (day.isdecimal() and len(day) <= _DIGITS and 1 <= int(day) <= _DAYS):
            return None
        ends = self.text(at + 1)
        if not (ends in self.known.ordinal_ends and self.touching(at + 1)):
            return None
        lead = self.lead(at)
        if lead not in {"on", *_BOUNDS} or self.text(at + 2) in self.known.not_behind_nth:
            return None
        after = self.said[at + 2] if at + 2 < len(self.said) else None
        if self.word(at + 2 + (self.text(at + 2) in self.known.of)) in self.known.months:
            return None
        glued = after is not None and after.start == self.said[at + 1].end and after.text[0].isalnum()
        if ends == "." and after and (glued or after.text.isalpha()):
            return None  # 3.5, am 3. Stock
        return Mention(self.said[at].start, self.said[at + 1].end, "nth", day=int(day), lead=lead)

    def _end(self, at: int) -> Mention | None:
        if self.text(at) not in self.known.begins_end:
            return None
        for phrase in self.known.end:
            unit = self.known.end_units.get(self.text(at + len(phrase)))
            if unit and self.follows(at, phrase):
                return Mention(self.said[at].start, self.said[at + len(phrase)].end, "end", unit=unit)
        return None

    def _season(self, at: int) -> Mention | None:
        season = self.known.seasons.get(self.text(at))
        if season is None:
            return None
        lead = self.lead(at)
        end = at
        if lead not in {"last", "this", "next"}:
            lead, end = self.behind(at)
        if not lead:
            return None
        return Mention(self.said[at].start, self.said[end].end, "season", lead=lead, count=season)

    def _year(self, at: int) -> Mention | None:
        said = self.text(at)
        if not (said.isdecimal() and _PLAIN_YEAR.fullmatch(said)):
            return None
        lead = self.lead(at)
        if lead not in {"in", "last", "this", *_BOUNDS}:
            return None
        goes_on = self.touching(at + 1) and (self.text(at + 1) in "-/" or self.touching(at + 2))
        if goes_on:
            return None
        return Mention(self.said[at].start, self.said[at].end, "year", int(said), lead=lead)
