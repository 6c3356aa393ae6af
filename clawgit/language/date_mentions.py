"""Finds the times that a text names."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from clawgit.language import date_words, detect, lexicon, numbers
from clawgit.language.date_words import BOUNDS, Languages, Words
from clawgit.language.dates import Lead, Mention, is_possible

_LONGEST = 20_000
"""Letters of a text in which times are looked for."""
_BEFORE = 60
"""Letters before a time in which words make something of it."""
_DAYS = 31
_MIN_STEM = 2
"""Letters that a verb has before the ending of what is to come, as in `partira`."""
_BEHIND = re.compile(r"\s*[,.]?\s*([^\W\d_]*)\s*")
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+")
_WORDY = "0-9A-Za-z_\u00aa-\u02b8\u0370-\u10ff"
"""Letters that go on a number: those of East Asia stand right beside a date."""
_FORMS = (
    rf"(?P<y1>\d{{4}})(?P<sep>[-/.])(?P<m1>\d\d?)(?P=sep)(?P<d1>\d\d?)(?=[tT]\d\d:\d\d|(?![{_WORDY}]|[-./]\w))",
    rf"(?P<y2>(?:19|20)\d\d)-(?P<m2>0[1-9]|1[0-2])(?![{_WORDY}/]|[-.]\w)",
    rf"(?P<d3>\d\d?)\.[ ]?(?P<m3>\d\d?)\.[ ]?(?P<y3>\d{{4}})(?![{_WORDY}/]|[-.]\w)",
    rf"(?P<s1>\d\d?)/(?P<s2>\d\d?)/(?P<y4>\d{{4}})(?![{_WORDY}/]|[-.]\w)",
)
_NUMERIC = re.compile(rf"(?<![{_WORDY}./:-])(?:{'|'.join(_FORMS)})")


def find(text: str, languages: Languages | None = None) -> tuple[Mention, ...]:
    """Return the times that a text names, in order, none inside of another.

    `languages` are those to read it in; without them those that it may be in.
    """
    return _find_mentions(text[:_LONGEST], detect.candidates(text) if languages is None else languages)


@lru_cache(maxsize=1024)
def _find_mentions(text: str, languages: Languages) -> tuple[Mention, ...]:
    low = lowered(text)
    mentions: list[Mention] = []
    for readers in (_numeric(low), _eastern(low, languages), _western(low, languages)):
        for mention in readers:
            if not any(mention.start < other.end and other.start < mention.end for other in mentions):
                mentions.append(mention)
    return tuple(sorted(mentions, key=lambda item: item.start))


def lowered(text: str) -> str:
    """Return a text in small letters and with plain apostrophes, each in its place."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(letter if len(letter.lower()) != 1 else letter.lower() for letter in text)
    return low.replace("’", "'")  # noqa: RUF001 - as people type it


def _numeric(low: str) -> Iterator[Mention]:
    """Yield dates in digits; one that two orders of day and month allow is `slashed`."""
    if not any(map(str.isdecimal, low)):
        return
    for match in _NUMERIC.finditer(low):
        fields = {name: int(part) for name, part in match.groupdict().items() if part and name != "sep"}
        start, end = match.span()
        if "y1" in fields or "d3" in fields:
            key = "1" if "y1" in fields else "3"
            year, month, day = fields["y" + key], fields["m" + key], fields["d" + key]
            if is_possible(month, day):
                yield Mention(start, end, "day", year, month, day)
        elif "y2" in fields:
            yield Mention(start, end, "month", fields["y2"], fields["m2"])
        else:
            yield _slashed(start, end, fields["s1"], fields["s2"], fields["y4"])


def _slashed(at: int, end: int, first: int, second: int, year: int) -> Mention:
    for day, month in ((first, second), (second, first)):
        if is_possible(month, day) and (first == second or not is_possible(day, month)):
            return Mention(at, end, "day", year, month, day)
    return Mention(at, end, "slashed", year)


# ---- Chinese, Japanese, Korean: no spaces to go by


def _eastern(low: str, languages: Languages) -> Iterator[Mention]:
    for name, pattern in date_words.eastern(languages) if detect.eastern(low) else ():
        for match in pattern.finditer(low):
            yield from _eastern_one(name, match, date_words.words(languages))


def _eastern_one(name: str, match: "re.Match[str]", known: Words) -> Iterator[Mention]:
    fields = {part: text for part, text in match.groupdict().items() if text}
    start, end = match.span()
    year = int(fields["y"]) if "y" in fields else None
    month, day = (_count(fields[part]) if part in fields else None for part in ("m", "d"))
    if name in {"date", "nth"}:
        if day and is_possible(month or 1, day):
            yield Mention(start, end, "day" if month else "nth", year, month, day)
    elif name in {"month", "year"}:
        yield Mention(start, end, "month" if month else "year", year, month, lead="in")
    elif name == "of week":
        unit, offset = known.periods[fields["week"]]
        yield Mention(start, end, "weekday of week", weekday=known.letters[fields["weekday"]], unit=unit, count=offset)
    elif name == "weekday":
        yield Mention(start, end, "weekday", weekday=known.weekdays[match[0]])
    elif name == "period":
        unit, offset = known.periods[match[0]]
        yield Mention(start, end, "period", unit=unit, count=offset)
    else:
        count = _count(fields["n"]) * (-1 if name == "ago" else 1)
        yield Mention(start, end, "shift", unit=known.units[fields["unit"]], count=count)


def _count(said: str) -> int:
    """Return the value of digits, Chinese numerals or Korean ones."""
    return int(said) if said.isdecimal() else numbers.eastern(said)


# ---- languages with spaces


def _western(low: str, languages: Languages) -> Iterator[Mention]:
    vocabulary = date_words.words(languages)
    if vocabulary.telling.isdisjoint(_list_names(_WORD.findall(low))) and not any(map(str.isdecimal, low)):
        return  # making the patterns takes 8 ms
    before = date_words.match_before(languages)
    for match in date_words.western(languages).finditer(low):
        led = before.search(low, max(0, match.start() - _BEFORE), match.start())
        lead = vocabulary.leads[led[1]] if led else ""
        words = _WORD.findall(match[0])
        if mention := _READERS[str(match.lastgroup)](_Said(*match.span(), match, words, vocabulary, lead)):
            yield mention


_SIDED = ("last", "this", "next")


class _Said(Struct, frozen=True):
    """A time in words; `lead` is the effect of the words before it."""

    start: int
    end: int
    match: "re.Match[str]"
    words: list[str]
    known: Words
    lead: Lead

    @property
    def figures(self) -> list[int]:
        """The numbers in digits."""
        return [int(word) for word in self.words if word.isdecimal()]

    def look_behind(self, *kept: str) -> tuple[Lead, int]:
        """Return the lead, if it is none of some that of a word behind, as in `martes pasado`; and the end."""
        side = self.known.sides.get(self.words[-1], "") if len(self.words) > 1 else ""
        if side and self.lead not in kept:
            return side, self.end
        rest = self.match[0][: -len(self.words[-1])].rstrip() if side else self.match[0]
        return self.lead, self.start + len(rest)


def _read_period(said: _Said) -> Mention:
    unit, offset = said.known.periods[" ".join(said.match[0].split())]
    return Mention(said.start, said.end, "period", unit=unit, count=offset)


def _read_shift(said: _Said) -> Mention | None:
    """Read `two weeks ago`, `vor zwei Wochen`, `in 3 days`."""
    vocabulary = said.known
    index = next(number for number, word in enumerate(said.words) if word in vocabulary.units)
    word = next(word for word in reversed(said.words[:index]) if word.isdecimal() or word in vocabulary.numbers)
    count = int(word) if word.isdecimal() else vocabulary.numbers[word]
    sides = (("ago", -1), ("ahead", 1), ("past", -1), ("soon", 1))
    side = next((side for name, side in sides if said.match[name]), 0)
    unit, vague = vocabulary.units[said.words[index]], word in vocabulary.vague
    return Mention(said.start, said.end, "shift", unit=unit, count=side * count, vague=vague) if side * count else None


def _read_day(said: _Said) -> Mention:
    """Read `14 de febrero de 2026`, `May the 3rd`; of no such day the month."""
    name = next(word for word in _list_names(said.words) if word in said.known.months)
    day, month, year = said.figures[0], said.known.months[name], (*said.figures[1:], None)[0]
    if is_possible(month, day):
        return Mention(said.start, said.end, "day", year, month, day, lead=said.lead)
    start = said.match.string.index(name, said.start)
    return Mention(start, start + len(name), "month", None, month, sure=name not in said.known.other_words)


def _list_names(words: list[str]) -> list[str]:
    """Return words, each also without the article that is elided before it: `d'avril`."""
    return [name for word in words for name in (word, word.rpartition("'")[2])]


def _read_month(said: _Said) -> Mention:
    if said.match["day_behind"]:
        return _read_day(said)
    name = next(word for word in _list_names(said.words) if word in said.known.months)
    lead, end = said.look_behind("in", "on", *_SIDED, *BOUNDS)
    year = said.figures[0] if said.figures else None
    sure = year is not None or lead not in {"", "on"} or name not in said.known.other_words
    return Mention(said.start, end, "month", year, said.known.months[name], lead=lead, sure=sure)


def _read_weekday(said: _Said) -> Mention | None:
    if _is_day_behind(said):
        return None
    lead, end = said.look_behind("in", *_SIDED, *BOUNDS)
    sure = lead not in {"", "in"} or said.words[0] not in said.known.other_words
    weekday = said.known.weekdays[said.words[0]]
    return Mention(said.start, end, "weekday", weekday=weekday, lead=lead, sure=sure)


def _is_day_behind(said: _Said) -> bool:
    """Return whether the day of a month follows a weekday, perhaps with a comma and an article: it is more exact."""
    low = said.match.string
    behind = _BEHIND.match(low, said.end)
    is_article = behind and behind[1] in said.known.articles
    places = {behind.start(1), behind.end() if is_article else behind.start(1)} if behind else ()
    matches = (said.match.re.match(low, place) for place in places)
    return any(match and (match.lastgroup == "day" or match["day_behind"]) for match in matches)


def _read_habit(said: _Said) -> Mention:
    return Mention(said.start, said.end, "habit", weekday=said.known.habits[said.words[0]])


def _read_dotted(said: _Said) -> Mention | None:
    """Read `30.04.`, `am 3.5.`: a day and a month in digits, and no version that ends a sentence."""
    day, month = said.figures
    before = said.match.string[: said.start].split(" ")[-2:][0]
    is_led = said.lead or before in said.known.weekdays or before[-1:] == "m"  # vom, zum, dem
    fits = is_possible(month, day) and (is_led or said.match[0][1].isdecimal())
    return Mention(said.start, said.end, "day", None, month, day, lead=said.lead) if fits else None


def _read_nth(said: _Said) -> Mention | None:
    """Read `on the 14th`, `am 3.`: a day without a month, behind a word that marks it."""
    day = said.figures[0]
    fits = 1 <= day <= _DAYS and said.lead in {"on", *BOUNDS}
    return Mention(said.start, said.end, "nth", day=day, lead=said.lead) if fits else None


def _read_year(said: _Said) -> Mention | None:
    fits = said.lead in {"in", "last", "this", *BOUNDS}
    return Mention(said.start, said.end, "year", said.figures[0], lead=said.lead) if fits else None


_READERS: Mapping[str, Callable[[_Said], Mention | None]] = {
    "period": _read_period,
    "shift": _read_shift,
    "day": _read_day,
    "dotted": _read_dotted,
    "nth": _read_nth,
    "month": _read_month,
    "weekday": _read_weekday,
    "habit": _read_habit,
    "year": _read_year,
}


# ---- tense


def past(text: str, languages: Languages | None = None) -> bool | None:
    """Return True for the past, False for the future or an arrangement, None if unknown or mixed."""
    languages = detect.candidates(text) if languages is None else languages
    text_words = _WORD.findall(lowered(text))
    has_been, to_come, arranged = (_has_any(text, text_words, languages, key) for key in ("past", "future", "arranged"))
    ends = [end for iso in languages for end in lexicon.words(iso, "dates", "future_endings")]
    to_come = to_come or any(
        len(word) >= len(end) + _MIN_STEM and word.endswith(end) for end in ends for word in text_words
    )
    if arranged:
        return False
    return None if has_been == to_come else has_been


def _has_any(text: str, said: list[str], languages: Languages, key: str) -> bool:
    words = (word for iso in languages for word in lexicon.words(iso, "dates", key))
    return any((detect.eastern(word) and word in text) or word in said for word in words)
