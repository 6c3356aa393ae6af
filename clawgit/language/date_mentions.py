"""Finds the times that a text names."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise

from msgspec import Struct

from clawgit.language import detect, lexicon, numbers
from clawgit.language.dates import Lead, Mention, is_possible

Languages = tuple[str, ...]
_LONGEST = 20_000
"""Letters of a text in which times are looked for."""
_BEFORE = 60
"""Letters before a time in which words make something of it."""
_MAX_DAYS = 31
_MIN_STEM = 2
"""Letters that a verb has before the ending of what is to come, as in `partira`."""
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+")
_RELATIVE_DAYS = {"before_yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "after_tomorrow": 2}
_UNITS = ("day", "week", "month", "year")
_PERIODS = ("week", "weekend", "month", "year")
_SIDES: tuple[Lead, ...] = ("last", "next", "this")
_LEADS: Mapping[Lead, str] = {
    "in": "in_month",
    **{lead: lead for lead in ("on", "until", "since", "from", *_SIDES[::-1])},
}
_BOUNDS: tuple[Lead, ...] = ("since", "from", "until")
_BEGIN, _END = r"(?<![^\W\d_])(?<![^\W\d_]['’-])", r"(?![^\W\d_]|['’-][^\W\d_])"  # noqa: RUF001 - as people type it
_NEVER = "(?!)"
_Pattern = tuple[str, Lead | None, "re.Pattern[str]"]
"""A form, its lead, None if that is to be looked for, and how it is written."""
_MARKS_OF_DAY, _MARKS_OF_YEAR = frozenset(("on", *_BOUNDS)), frozenset(("in", "last", "this", *_BOUNDS))
_WORDY = "0-9A-Za-z_\u00aa-\u02b8\u0370-\u10ff"
"""Letters that go on a number: those of East Asia stand right beside a date."""


_NUMERIC: tuple[_Pattern, ...] = tuple(
    (form, "", re.compile(rf"(?<![{_WORDY}./:-]){source}"))
    for form, source in (
        (
            "day",
            rf"(?P<y>\d{{4}})(?P<sep>[-/.])(?P<m>\d\d?)(?P=sep)(?P<d>\d\d?)(?=[tT]\d\d:\d\d|(?![{_WORDY}]|[-./]\w))",
        ),
        ("month", rf"(?P<y>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?![{_WORDY}/]|[-.]\w)"),
        ("day", rf"(?P<d>\d\d?)\.[ ]?(?P<m>\d\d?)\.[ ]?(?P<y>\d{{4}})(?![{_WORDY}/]|[-.]\w)"),
        ("slashed", rf"(?P<m>\d\d?)/(?P<d>\d\d?)/(?P<y>\d{{4}})(?![{_WORDY}/]|[-.]\w)"),
    )
)


def find(text: str, languages: Languages | None = None) -> tuple[Mention, ...]:
    """Return the times that a text names, in order, none inside of another.

    `languages` are those to read it in; without them those that it may be in.
    """
    return _find_mentions(text[:_LONGEST], detect.candidates(text) if languages is None else languages)


@lru_cache(maxsize=1024)
def _find_mentions(text: str, languages: Languages) -> tuple[Mention, ...]:
    low, vocabulary, mentions = lowered(text), _load_words(languages), list[Mention]()
    for form, lead, pattern in _list_patterns(low, languages, vocabulary):
        for match in pattern.finditer(low):
            if not any(match.start() < other.end and other.start < match.end() for other in mentions):
                led = _find_lead(low, match.start(), languages) if lead is None else lead
                mentions += filter(None, [_READERS.get(form, _read_date)(_Time(form, match, vocabulary, led))])
    mentions.sort(key=lambda item: item.start)
    # A weekday beside its exact day adds nothing: only the day counts.
    pairs = [(left, other) for left, other in pairwise(mentions) if _is_same_day(low, left, other, vocabulary.articles)]
    explaining = {mention.start for pair in pairs for mention in pair if mention.form == "weekday"}
    return tuple(mention for mention in mentions if mention.start not in explaining)


def _is_same_day(low: str, first: Mention, second: Mention, articles: frozenset[str]) -> bool:
    """Return whether a weekday and an exact day stand side by side: `Friday, the 18th of December`."""
    gap = low[first.end : second.start].strip(" ,.(")
    return {first.form, second.form} == {"weekday", "day"} and (not gap or gap in articles)


def lowered(text: str) -> str:
    """Return a text in small letters and with plain apostrophes, each in its place."""
    low = text.lower()
    # A letter such as a capital I with a dot becomes two in lower case, and all offsets behind it would move.
    if len(low) != len(text):
        low = "".join(letter if len(letter.lower()) != 1 else letter.lower() for letter in text)
    return low.replace("’", "'")  # noqa: RUF001 - as people type it


def _list_patterns(low: str, languages: Languages, vocabulary: "_Words") -> Iterator[_Pattern]:
    """Yield the patterns for what a text may have, the most exact first; the Western ones take 8 ms to make."""
    has_digits = any(map(str.isdecimal, low))
    if has_digits:
        yield from _NUMERIC
    if detect.eastern(low):
        yield from _make_eastern(languages)
    words = _WORD.findall(low)
    if has_digits or not vocabulary.telling.isdisjoint((*words, *(word.rpartition("'")[2] for word in words))):
        yield from _make_western(languages)


def _find_lead(low: str, start: int, languages: Languages) -> Lead:
    """Return the effect of the words before a time."""
    match = _match_before(languages).search(low, max(0, start - _BEFORE), start)
    return _load_words(languages).leads[match[1]] if match else ""


# ---- what a match says


class _Time(Struct, frozen=True):
    """A time in a text; `lead` is the effect of the words before it."""

    form: str
    match: "re.Match[str]"
    vocabulary: "_Words"
    lead: Lead

    def read(self, group: str) -> str:
        """Return the text of a group, "" for none."""
        return self.match.groupdict().get(group) or ""

    def count(self, group: str) -> int:
        """Return the value of digits, a word, or numerals of East Asia; 0 for none."""
        text = self.read(group)
        if not text or text.isdecimal():
            return int(text or 0)
        table = self.vocabulary.months if group == "m" else self.vocabulary.numbers
        return table[text] if text in table else numbers.eastern(text)

    def look_behind(self, *stronger: Lead) -> tuple[Lead, int]:
        """Return the lead, if it is none of some that of a word behind, as in `martes pasado`; and the end."""
        side = self.vocabulary.sides.get(self.read("side"), "")
        if side and self.lead in stronger:
            return self.lead, len(self.match.string[: self.match.start("side")].rstrip())
        return side or self.lead, self.match.end()


def _read_period(time: _Time) -> Mention:
    unit, count = time.vocabulary.periods[" ".join(time.match[0].split())]
    return Mention(*time.match.span(), "period", unit=unit, count=count)


def _read_shift(time: _Time) -> Mention | None:
    """Read `two weeks ago`, `vor zwei Wochen`, `in 3 days`."""
    side = next((side for name, side in (("ago", -1), ("ahead", 1), ("past", -1), ("soon", 1)) if time.read(name)), 0)
    unit, vague = time.vocabulary.units[time.read("unit")], time.read("n") in time.vocabulary.vague
    count = side * time.count("n")
    return Mention(*time.match.span(), "shift", unit=unit, count=count, vague=vague) if count else None


def _read_weekday(time: _Time) -> Mention:
    name, start, vocabulary = time.read("weekday"), time.match.start(), time.vocabulary
    if time.form == "habit":
        return Mention(*time.match.span(), "habit", weekday=vocabulary.habits[name])
    if time.form == "weekday of week":
        unit, count = vocabulary.periods[time.read("week")]
        return Mention(*time.match.span(), "weekday of week", weekday=vocabulary.letters[name], unit=unit, count=count)
    lead, end = time.look_behind("in", *_SIDES, *_BOUNDS)
    sure = lead not in {"", "in"} or name not in vocabulary.other_words
    return Mention(start, end, "weekday", weekday=vocabulary.weekdays[name], lead=lead, sure=sure)


def _read_part(time: _Time) -> Mention | None:
    """Read a year, or the day of a month, `on the 14th`, `am 3.`: behind a word that marks it."""
    start, end, lead = *time.match.span(), time.lead
    if time.form == "year":
        return Mention(start, end, "year", time.count("y"), lead=lead) if lead in _MARKS_OF_YEAR else None
    day = time.count("d")
    return Mention(start, end, "nth", day=day, lead=lead) if 0 < day <= _MAX_DAYS and lead in _MARKS_OF_DAY else None


def _read_slashed(time: _Time) -> Mention | None:
    """Read `5/13/2026`, unless it is not told which of two numbers is the month."""
    month, day = time.count("m"), time.count("d")
    days = {pair for pair in ((month, day), (day, month)) if is_possible(*pair)}
    return Mention(*time.match.span(), "day", time.count("y"), *days.pop()) if len(days) == 1 else None


def _read_dotted(time: _Time) -> Mention | None:
    """Read `30.04.`, `am 3.5.`: a day and a month in digits, and no version that ends a sentence."""
    before = time.match.string[: time.match.start()].split(" ")[-2:][0]
    is_led = time.lead or before in time.vocabulary.weekdays or before[-1:] == "m"  # vom, zum, dem
    return _read_date(time) if is_led or time.match[0][1].isdecimal() else None


def _read_date(time: _Time) -> Mention | None:
    """Read a day or a month; of no such day, as `31 April`, the month."""
    year, month, day, name = time.count("y") or None, time.count("m"), time.count("d"), time.read("m")
    has_day = bool(time.read("d"))
    if day and is_possible(month, day):
        return Mention(*time.match.span(), "day", year, month, day, lead=time.lead)
    # Of `31 April` the month remains; of `31.04.` nothing does.
    if has_day and name not in time.vocabulary.months:
        return None
    lead, end = time.look_behind("in", "on", *_SIDES, *_BOUNDS)
    start = time.match.start()
    if has_day:
        (start, end), year, lead = time.match.span("m"), None, ""
    sure = year is not None or lead not in {"", "on"} or name not in time.vocabulary.other_words
    return Mention(start, end, "month", year, month, lead=lead, sure=sure)


_READERS: Mapping[str, Callable[[_Time], Mention | None]] = {
    "period": _read_period,
    "shift": _read_shift,
    "weekday": _read_weekday,
    "weekday of week": _read_weekday,
    "habit": _read_weekday,
    "nth": _read_part,
    "year": _read_part,
    "slashed": _read_slashed,
    "dotted": _read_dotted,
}


# ---- the words of languages


class _Words(Struct, frozen=True):
    """The words of some languages; of equal words the first counts."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    habits: Mapping[str, int]
    letters: Mapping[str, int]
    units: Mapping[str, str]
    numbers: Mapping[str, int]
    leads: Mapping[str, Lead]
    sides: Mapping[str, Lead]
    periods: Mapping[str, tuple[str, int]]
    vague: frozenset[str]
    other_words: frozenset[str]
    articles: frozenset[str]
    telling: frozenset[str]
    """What each time in words has one of, if it has no digit: a word, or the first of a phrase."""


@cache
def _load_words(languages: Languages) -> _Words:
    """Return the words of some languages."""
    # The last of equal keys wins in a dictionary: in reverse order that is the first language.
    isos = languages[::-1]
    units = {word: unit for iso in isos for unit in _UNITS for word in _read_words(iso, unit)}
    keys = {"months": 1, "weekdays": 0, "every_weekday": 0}
    months, weekdays, habits = (_numbered(isos, key, start) for key, start in keys.items())
    letter_rows = [enumerate(_read_words(iso, "weekday_letters")) for iso in isos]
    sided = [iso for iso in isos if _is_set(iso, "side_behind")]
    periods = {phrase: period for iso in isos for phrase, period in _list_periods(iso)}
    first = {phrase.split()[0] for phrase in periods}
    return _Words(
        months=months,
        weekdays=weekdays,
        habits=habits,
        letters={letter: number for rows in letter_rows for number, row in rows for letter in row},
        units=units,
        numbers={word: number for iso in isos for word, number in numbers.small(iso).items()},
        leads={word: lead for iso in isos for lead, key in _LEADS.items() for word in _read_words(iso, key)},
        sides={word: lead for iso in sided for lead in _SIDES for word in _read_words(iso, lead)},
        periods=periods,
        vague=frozenset(word for iso in isos for word in lexicon.words(iso, "numbers", "vague")),
        other_words=frozenset(word for iso in isos for word in _read_words(iso, "other_words")),
        articles=frozenset(word for iso in isos for key in ("the", "on") for word in _read_words(iso, key)),
        telling=frozenset((*months, *weekdays, *habits, *units, *first)),
    )


def _read_words(iso: str, key: str) -> tuple[str, ...]:
    return lexicon.words(iso, "dates", key)


def _is_set(iso: str, key: str) -> bool:
    return lexicon.section(iso, "dates", key) is True


def _numbered(isos: Iterable[str], key: str, start: int) -> Mapping[str, int]:
    """Return the names of months or days with their numbers; CLDR's first, then short and misspelt ones."""
    result: dict[str, int] = {}
    for iso in isos:
        for table in ("calendar", "dates"):
            result |= lexicon.number_rows(iso, table, key, start=start)
    return result


def _list_periods(iso: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield a language's words for days and weeks relative to today, with the unit and the distance."""
    for key, offset in _RELATIVE_DAYS.items():
        for phrase in lexicon.phrases(iso, "dates", "days", key):
            yield phrase, ("day", offset)
    for unit in _PERIODS:
        row = lexicon.section(iso, "dates", "periods", unit)
        for offset, part in enumerate(row.split("|") if isinstance(row, str) else (), -1):
            for phrase in lexicon.split_list(part):
                yield phrase, (unit, offset)


# ---- languages with spaces


def _spaced(phrases: Iterable[str], end: str = _END) -> str:
    """Return a pattern for some words or phrases, none of East Asia."""
    patterns = (re.sub(r"\\? ", r"\\s+", re.escape(phrase)) for phrase in phrases if not detect.eastern(phrase))
    return f"(?:{'|'.join(lexicon.longest_first(patterns)) or _NEVER}){end}"


def _phrases(languages: Languages, *keys: str) -> list[str]:
    return [phrase for iso in languages for key in keys for phrase in lexicon.phrases(iso, "dates", key)]


def _load_terms(languages: Languages, *path: str) -> list[str]:
    return [word for iso in languages for word in lexicon.words(iso, *path)]


@cache
def _make_western(languages: Languages) -> tuple[_Pattern, ...]:
    """Return patterns for times in text with spaces, the most exact first."""
    vocabulary = _load_words(languages)
    ordinal_ends = _load_terms(languages, "numbers", "ordinal_ends")
    ends, endings = _spaced(ordinal_ends, ""), _spaced((ending for ending in ordinal_ends if ending != "."), "")
    of_pattern, article = (rf"(?:{_spaced(_load_terms(languages, 'dates', key))}\s+)" for key in ("of", "the"))
    month = rf"(?:[^\W\d_]+')?(?P<m>{_spaced(vocabulary.months)})"
    year = rf"(?:\s*[,.])?\s*{of_pattern}?(?P<y>(?:1[5-9]|2[01])\d\d)(?!\d|[:%])"
    number = r"(?P<d>3[01]|[12]\d|0?[1-9])(?!\d)"
    day = rf"(?:\.\s*|\s+){article}?{number}(?:{endings})?(?!\d|[:%/]|\.\d|\s*(?:am|pm){_END})"
    side = rf"(?:\s+(?P<side>{_spaced(vocabulary.sides)}))?"
    count = (
        rf"(?:{_spaced(_load_terms(languages, 'numbers', 'one'))}\s+)?(?P<n>\d{{1,4}}|{_spaced(vocabulary.numbers)})"
    )
    amount = rf"{count}\s*{of_pattern}?(?P<unit>{_spaced(vocabulary.units)})"
    sides = ("ago_behind", "ahead_behind", "ago_before", "ahead_before")
    ago, ahead, past, soon = (_spaced(_phrases(languages, key)) for key in sides)
    no_nth = rf"(?!\s*{_spaced(_load_terms(languages, 'dates', 'not_behind_nth'))})"
    has_dots = "." in ordinal_ends
    dot = r"\.(?!\w|\s*[^\W\d_])" if has_dots else _NEVER
    sources = (
        ("period", _spaced(vocabulary.periods)),
        (
            "shift",
            rf"(?:(?:(?P<past>{past})|(?P<soon>{soon}))\s+)?{amount}(?:\s+(?:(?P<ago>{ago})|(?P<ahead>{ahead})))?",
        ),
        ("day", rf"(?<![.:/,-]){number}{ends}?\s*{of_pattern}?{month}(?:{year})?"),
        ("dotted", r"(?<![^\s(,;])(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?![^\W_])" if has_dots else _NEVER),
        ("nth", rf"{number}(?:{endings}|{dot}){no_nth}"),
        ("month", rf"{month}(?:(?:{day})?(?:{year})?|{side})"),
        ("weekday", rf"(?P<weekday>{_spaced(vocabulary.weekdays)}){side}"),
        ("habit", rf"(?P<weekday>{_spaced(vocabulary.habits)})"),
        ("year", r"(?P<y>(?:19|20)\d\d)(?![-/\w]|[^\w\s]\w)"),
    )
    begin = rf"(?<!\d)(?<![^\W\d_])(?:(?=\d)|{_BEGIN})"
    return tuple((form, None, re.compile(f"{begin}(?:{source})")) for form, source in sources)


@cache
def _match_before(languages: Languages) -> "re.Pattern[str]":
    """Return a pattern for words at the end of a text that change the meaning of the time behind it."""
    article = _spaced(_load_terms(languages, "dates", "the"))
    return re.compile(rf"{_BEGIN}({_spaced(_load_words(languages).leads)})(?:\s+{article})?\s+\Z")


# ---- East Asia: no spaces to go by


def _either(items: Iterable[str]) -> str:
    matches = lexicon.longest_first(word for word in items if detect.eastern(word))
    return "|".join(map(re.escape, matches)) or _NEVER


def _match_any_letter(letters: Iterable[str]) -> str:
    return f"[{''.join(sorted(set(letters)))}]" if letters else _NEVER


@cache
def _make_eastern(languages: Languages) -> tuple[_Pattern, ...]:
    """Return patterns for times in East Asian text, the most exact first."""
    vocabulary = _load_words(languages)

    def mark(key: str) -> str:
        return _either(_phrases(languages, key))

    numerals = [letter for iso in languages for letter in (*numbers.digits(iso), *numbers.steps(iso))]
    glued = "".join(word for iso in languages if _is_set(iso, "glued") for word in _read_words(iso, "weekday_letters"))
    numeral = _match_any_letter(numerals)
    native = _either(word for word in vocabulary.numbers if word not in numerals)
    not_behind = rf"(?!{mark('not_behind')})"
    year = rf"(?P<y>(?:1[5-9]|2[01])\d\d)\s?(?:{mark('year_mark')}){not_behind}"
    month = rf"(?<!{mark('not_before_month')})(?P<m>1[0-2]|0?[1-9]|{numeral}{{1,2}})\s?(?:{mark('month_mark')})"
    day = rf"(?P<d>[0-3]?\d|{numeral}{{1,3}})\s?(?:{mark('day_mark')})"
    week = rf"(?P<week>{_either(word for word, (unit, _) in vocabulary.periods.items() if unit == 'week')})"
    weekday = rf"(?P<weekday>{_match_any_letter(vocabulary.letters)})(?:{mark('weekday_end')}|(?![{detect.DENSE}]))"
    amount = rf"(?P<n>\d{{1,4}}|{numeral}{{1,3}}|{native})"
    shift = rf"{amount}\s*(?P<unit>{_either(vocabulary.units)})(?:{mark('of')})?\s*"
    sources: tuple[tuple[str, Lead, str], ...] = (
        ("day", "", rf"(?:{year}\s?)?{month}\s?{day}{not_behind}"),
        ("weekday of week", "", rf"{week}(?:{mark('of')})?\s*{weekday}"),
        ("weekday of week", "", rf"{week}(?P<weekday>{_match_any_letter(glued)})(?!\d)"),
        ("month", "in", rf"{year}\s?{month}{not_behind}"),
        ("shift", "", rf"{shift}(?P<ago>{mark('ago_behind')})"),
        ("shift", "", rf"{shift}(?P<ahead>{mark('ahead_behind')})"),
        ("period", "", _either(vocabulary.periods)),
        ("weekday", "", rf"(?P<weekday>{_either(vocabulary.weekdays)})"),
        ("month", "in", rf"{month}{not_behind}"),
        ("nth", "on", rf"(?<!\d)(?P<d>[0-3]?\d)(?:{mark('nth_mark')})(?!{mark('not_behind_nth')})"),
        ("year", "in", rf"(?<!\d){year}"),
    )
    return tuple((form, lead, re.compile(source)) for form, lead, source in sources)


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


def _has_any(text: str, text_words: list[str], languages: Languages, key: str) -> bool:
    words = (word for iso in languages for word in lexicon.words(iso, "dates", key))
    return any((detect.eastern(word) and word in text) or word in text_words for word in words)
