"""What languages call times, as patterns."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from clawgit.language import detect, lexicon, numbers
from clawgit.language.dates import Lead

Languages = tuple[str, ...]
_DAYS = {"before_yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "after_tomorrow": 2}
_UNITS = ("day", "week", "month", "year")
_PERIODS = ("week", "weekend", "month", "year")
_LEADS: tuple[tuple[Lead, str], ...] = (
    ("in", "in_month"),
    ("on", "on"),
    ("until", "until"),
    ("since", "since"),
    ("from", "from"),
    ("this", "this"),
    ("next", "next"),
    ("last", "last"),
)
_SIDES: tuple[Lead, ...] = ("last", "next", "this")
BOUNDS = frozenset({"since", "from", "until"})
_BEGIN, _END = r"(?<![^\W\d_])(?<![^\W\d_]['’-])", r"(?![^\W\d_]|['’-][^\W\d_])"  # noqa: RUF001 - as people type it
_NEVER = "(?!)"


class Words(Struct, frozen=True):
    """The words of some languages; where two use one word, the first of them counts."""

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
def words(languages: Languages) -> Words:
    """Return the words of some languages."""
    isos = languages[::-1]
    units = {word: unit for iso in isos for unit in _UNITS for word in _of(iso, unit)}
    keys = {"months": 1, "weekdays": 0, "every_weekday": 0}
    months, weekdays, habits = (_numbered(isos, key, start) for key, start in keys.items())
    periods = {said: meant for iso in isos for said, meant in _list_periods(iso)}
    first = {phrase.split()[0] for phrase in periods}
    return Words(
        months=months,
        weekdays=weekdays,
        habits=habits,
        letters={one: at for iso in isos for at, row in enumerate(_of(iso, "weekday_letters")) for one in row},
        units=units,
        numbers={word: at for iso in isos for word, at in numbers.small(iso).items()},
        leads={word: lead for iso in isos for lead, key in _LEADS for word in _of(iso, key)},
        sides={word: lead for iso in isos if _says(iso, "side_behind") for lead in _SIDES for word in _of(iso, lead)},
        periods=periods,
        vague=frozenset(word for iso in isos for word in lexicon.words(iso, "numbers", "vague")),
        other_words=frozenset(word for iso in isos for word in _of(iso, "other_words")),
        articles=frozenset(word for iso in isos for key in ("the", "on") for word in _of(iso, key)),
        telling=frozenset((*months, *weekdays, *habits, *units, *first)),
    )


def _of(iso: str, key: str) -> tuple[str, ...]:
    return lexicon.words(iso, "dates", key)


def _says(iso: str, key: str) -> bool:
    return lexicon.section(iso, "dates", key) is True


def _numbered(isos: Iterable[str], key: str, start: int) -> Mapping[str, int]:
    """Return the names of months or days with their numbers; CLDR's first, then short and misspelt ones."""
    found: dict[str, int] = {}
    for iso in isos:
        for path in (("calendar", key), ("dates", key)):
            for at, row in enumerate(lexicon.rows(iso, *path), start):
                found |= dict.fromkeys(row, at)
    return found


def _list_periods(iso: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield what a language calls days and weeks seen from today, with the unit and how many away."""
    for key, away in _DAYS.items():
        for said in lexicon.phrases(iso, "dates", "days", key):
            yield said, ("day", away)
    for unit in _PERIODS:
        row = lexicon.section(iso, "dates", "periods", unit)
        for away, part in enumerate(row.split("|") if isinstance(row, str) else (), -1):
            for said in lexicon.listed(part):
                yield said, (unit, away)


# ---- languages with spaces


def _spaced(some: Iterable[str], end: str = _END) -> str:
    """Return what finds one of some words or phrases, none of East Asia."""
    found = (re.sub(r"\\? ", r"\\s+", re.escape(one)) for one in some if not detect.eastern(one))
    return f"(?:{'|'.join(lexicon.longest_first(found)) or _NEVER}){end}"


def _phrases(languages: Languages, *keys: str) -> list[str]:
    return [phrase for iso in languages for key in keys for phrase in lexicon.phrases(iso, "dates", key)]


def _listed(languages: Languages, *path: str) -> list[str]:
    return [word for iso in languages for word in lexicon.words(iso, *path)]


@cache
def western(languages: Languages) -> "re.Pattern[str]":
    """Return what finds a time in text with spaces; the last group that closes names its form."""
    known = words(languages)
    ends = _spaced(_listed(languages, "numbers", "ordinal_ends"), "")
    marked = _spaced((one for one in _listed(languages, "numbers", "ordinal_ends") if one != "."), "")
    of, the = (rf"(?:{_spaced(_listed(languages, 'dates', key))}\s+)" for key in ("of", "the"))
    month = rf"(?:[^\W\d_]+')?{_spaced(known.months)}"
    year = rf"(?:\s*[,.])?\s*{of}?(?:1[5-9]|2[01])\d\d(?!\d|[:%])"
    number = r"(?:3[01]|[12]\d|0?[1-9])(?!\d)"
    day = rf"(?P<day_behind>(?:\.\s*|\s+){the}?{number}(?:{marked})?(?!\d|[:%/]|\.\d|\s*(?:am|pm){_END}))"
    side = rf"(?:\s+{_spaced(known.sides)})?"
    count = rf"(?:{_spaced(_listed(languages, 'numbers', 'one'))}\s+)?(?:\d{{1,4}}|{_spaced(known.numbers)})"
    amount = rf"{count}\s*{of}?{_spaced(known.units)}"
    ago, ahead, past, soon = (
        _spaced(_phrases(languages, key)) for key in ("ago_behind", "ahead_behind", "ago_before", "ahead_before")
    )
    no_nth = rf"(?!\s*{_spaced(_listed(languages, 'dates', 'not_behind_nth'))})"
    dot = r"\.(?!\w|\s*[^\W\d_])" if "." in _listed(languages, "numbers", "ordinal_ends") else _NEVER
    dotted = r"(?<![^\s(,;])\d\d?\.\d\d?\.(?![^\W_])" if dot != _NEVER else _NEVER
    forms = {
        "period": _spaced(known.periods),
        "shift": rf"(?:(?:(?P<past>{past})|(?P<soon>{soon}))\s+)?{amount}(?:\s+(?:(?P<ago>{ago})|(?P<ahead>{ahead})))?",
        "day": rf"(?<![.:/,-]){number}{ends}?\s*{of}?{month}(?:{year})?",
        "dotted": dotted,
        "nth": rf"{number}(?:{marked}|{dot}){no_nth}",
        "month": rf"{month}(?:{day}(?:{year})?|{year}|{side})",
        "weekday": rf"{_spaced(known.weekdays)}{side}",
        "habit": _spaced(known.habits),
        "year": r"(?:19|20)\d\d(?![-/\w]|[^\w\s]\w)",
    }
    either = "|".join(f"(?P<{name}>{form})" for name, form in forms.items())
    return re.compile(rf"(?<!\d)(?<![^\W\d_])(?:(?=\d)|{_BEGIN})(?:{either})")


@cache
def before(languages: Languages) -> "re.Pattern[str]":
    """Return what finds, at the end of a text, the words that make something of the time behind it."""
    the = _spaced(_listed(languages, "dates", "the"))
    return re.compile(rf"{_BEGIN}({_spaced(words(languages).leads)})(?:\s+{the})?\s+\Z")


# ---- East Asia: no spaces to go by


def _either(some: Iterable[str]) -> str:
    found = lexicon.longest_first(one for one in some if detect.eastern(one))
    return "|".join(map(re.escape, found)) or _NEVER


def _one_of(letters: Iterable[str]) -> str:
    return f"[{''.join(sorted(set(letters)))}]" if letters else _NEVER


@cache
def eastern(languages: Languages) -> tuple[tuple[str, "re.Pattern[str]"], ...]:
    """Return what finds times in East Asian text, the most exact first."""
    known = words(languages)

    def mark(key: str) -> str:
        return _either(_phrases(languages, key))

    numerals = [letter for iso in languages for letter in (*numbers.digits(iso), *numbers.steps(iso))]
    glued = [one for iso in languages if _says(iso, "glued") for one in "".join(_of(iso, "weekday_letters"))]
    numeral = _one_of(numerals)
    native = _either(word for word in known.numbers if word not in numerals)
    not_behind = rf"(?!{mark('not_behind')})"
    year = rf"(?P<y>(?:1[5-9]|2[01])\d\d)\s?(?:{mark('year_mark')}){not_behind}"
    month = rf"(?<!{mark('not_before_month')})(?P<m>1[0-2]|0?[1-9]|{numeral}{{1,2}})\s?(?:{mark('month_mark')})"
    day = rf"(?P<d>[0-3]?\d|{numeral}{{1,3}})\s?(?:{mark('day_mark')})"
    week = rf"(?P<week>{_either(word for word, (unit, _) in known.periods.items() if unit == 'week')})"
    weekday = rf"(?P<weekday>{_one_of(known.letters)})(?:{mark('weekday_end')}|(?![{detect.DENSE}]))"
    amount = rf"(?P<n>\d{{1,4}}|{numeral}{{1,3}}|{native})"
    away = rf"{amount}\s*(?P<unit>{_either(known.units)})(?:{mark('of')})?\s*"
    sources = [
        ("date", rf"(?:{year}\s?)?{month}\s?{day}{not_behind}"),
        ("of week", rf"{week}(?:{mark('of')})?\s*{weekday}"),
        ("of week", rf"{week}(?P<weekday>{_one_of(glued)})(?!\d)"),
        ("month", rf"{year}\s?{month}{not_behind}"),
        ("ago", rf"{away}(?:{mark('ago_behind')})"),
        ("ahead", rf"{away}(?:{mark('ahead_behind')})"),
        ("period", _either(known.periods)),
        ("weekday", _either(known.weekdays)),
        ("month", rf"{month}{not_behind}"),
        ("nth", rf"(?<!\d)(?P<d>[0-3]?\d)(?:{mark('nth_mark')})(?!{mark('not_behind_nth')})"),
        ("year", rf"(?<!\d){year}"),
    ]
    return tuple((name, re.compile(source)) for name, source in sources)
