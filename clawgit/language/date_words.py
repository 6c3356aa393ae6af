"""Words for times, as patterns."""

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
def words(languages: Languages) -> Words:
    """Return the words of some languages."""
    isos = languages[::-1]
    units = {word: unit for iso in isos for unit in _UNITS for word in _read_words(iso, unit)}
    keys = {"months": 1, "weekdays": 0, "every_weekday": 0}
    months, weekdays, habits = (_numbered(isos, key, start) for key, start in keys.items())
    letter_rows = [enumerate(_read_words(iso, "weekday_letters")) for iso in isos]
    sided = [iso for iso in isos if _says(iso, "side_behind")]
    periods = {phrase: period for iso in isos for phrase, period in _list_periods(iso)}
    first = {phrase.split()[0] for phrase in periods}
    return Words(
        months=months,
        weekdays=weekdays,
        habits=habits,
        letters={letter: number for rows in letter_rows for number, row in rows for letter in row},
        units=units,
        numbers={word: number for iso in isos for word, number in numbers.small(iso).items()},
        leads={word: lead for iso in isos for lead, key in _LEADS for word in _read_words(iso, key)},
        sides={word: lead for iso in sided for lead in _SIDES for word in _read_words(iso, lead)},
        periods=periods,
        vague=frozenset(word for iso in isos for word in lexicon.words(iso, "numbers", "vague")),
        other_words=frozenset(word for iso in isos for word in _read_words(iso, "other_words")),
        articles=frozenset(word for iso in isos for key in ("the", "on") for word in _read_words(iso, key)),
        telling=frozenset((*months, *weekdays, *habits, *units, *first)),
    )


def _read_words(iso: str, key: str) -> tuple[str, ...]:
    return lexicon.words(iso, "dates", key)


def _says(iso: str, key: str) -> bool:
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
    for key, offset in _DAYS.items():
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


def _list_words(languages: Languages, *path: str) -> list[str]:
    return [word for iso in languages for word in lexicon.words(iso, *path)]


@cache
def western(languages: Languages) -> "re.Pattern[str]":
    """Return a pattern for a time in text with spaces; the last group that closes names its form."""
    vocabulary = words(languages)
    ends = _spaced(_list_words(languages, "numbers", "ordinal_ends"), "")
    endings = _spaced((ending for ending in _list_words(languages, "numbers", "ordinal_ends") if ending != "."), "")
    of_pattern, article = (rf"(?:{_spaced(_list_words(languages, 'dates', key))}\s+)" for key in ("of", "the"))
    month = rf"(?:[^\W\d_]+')?{_spaced(vocabulary.months)}"
    year = rf"(?:\s*[,.])?\s*{of_pattern}?(?:1[5-9]|2[01])\d\d(?!\d|[:%])"
    number = r"(?:3[01]|[12]\d|0?[1-9])(?!\d)"
    day = rf"(?P<day_behind>(?:\.\s*|\s+){article}?{number}(?:{endings})?(?!\d|[:%/]|\.\d|\s*(?:am|pm){_END}))"
    side = rf"(?:\s+{_spaced(vocabulary.sides)})?"
    count = rf"(?:{_spaced(_list_words(languages, 'numbers', 'one'))}\s+)?(?:\d{{1,4}}|{_spaced(vocabulary.numbers)})"
    amount = rf"{count}\s*{of_pattern}?{_spaced(vocabulary.units)}"
    sides = ("ago_behind", "ahead_behind", "ago_before", "ahead_before")
    ago, ahead, past, soon = (_spaced(_phrases(languages, key)) for key in sides)
    no_nth = rf"(?!\s*{_spaced(_list_words(languages, 'dates', 'not_behind_nth'))})"
    dot = r"\.(?!\w|\s*[^\W\d_])" if "." in _list_words(languages, "numbers", "ordinal_ends") else _NEVER
    dotted = r"(?<![^\s(,;])\d\d?\.\d\d?\.(?![^\W_])" if dot != _NEVER else _NEVER
    forms = {
        "period": _spaced(vocabulary.periods),
        "shift": rf"(?:(?:(?P<past>{past})|(?P<soon>{soon}))\s+)?{amount}(?:\s+(?:(?P<ago>{ago})|(?P<ahead>{ahead})))?",
        "day": rf"(?<![.:/,-]){number}{ends}?\s*{of_pattern}?{month}(?:{year})?",
        "dotted": dotted,
        "nth": rf"{number}(?:{endings}|{dot}){no_nth}",
        "month": rf"{month}(?:{day}(?:{year})?|{year}|{side})",
        "weekday": rf"{_spaced(vocabulary.weekdays)}{side}",
        "habit": _spaced(vocabulary.habits),
        "year": r"(?:19|20)\d\d(?![-/\w]|[^\w\s]\w)",
    }
    either = "|".join(f"(?P<{name}>{form})" for name, form in forms.items())
    return re.compile(rf"(?<!\d)(?<![^\W\d_])(?:(?=\d)|{_BEGIN})(?:{either})")


@cache
def match_before(languages: Languages) -> "re.Pattern[str]":
    """Return a pattern for words at the end of a text that change the meaning of the time behind it."""
    article = _spaced(_list_words(languages, "dates", "the"))
    return re.compile(rf"{_BEGIN}({_spaced(words(languages).leads)})(?:\s+{article})?\s+\Z")


# ---- East Asia: no spaces to go by


def _either(items: Iterable[str]) -> str:
    matches = lexicon.longest_first(word for word in items if detect.eastern(word))
    return "|".join(map(re.escape, matches)) or _NEVER


def _match_any_letter(letters: Iterable[str]) -> str:
    return f"[{''.join(sorted(set(letters)))}]" if letters else _NEVER


@cache
def eastern(languages: Languages) -> tuple[tuple[str, "re.Pattern[str]"], ...]:
    """Return patterns for times in East Asian text, the most exact first."""
    vocabulary = words(languages)

    def mark(key: str) -> str:
        return _either(_phrases(languages, key))

    numerals = [letter for iso in languages for letter in (*numbers.digits(iso), *numbers.steps(iso))]
    glued = "".join(word for iso in languages if _says(iso, "glued") for word in _read_words(iso, "weekday_letters"))
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
    sources = [
        ("date", rf"(?:{year}\s?)?{month}\s?{day}{not_behind}"),
        ("of week", rf"{week}(?:{mark('of')})?\s*{weekday}"),
        ("of week", rf"{week}(?P<weekday>{_match_any_letter(glued)})(?!\d)"),
        ("month", rf"{year}\s?{month}{not_behind}"),
        ("ago", rf"{shift}(?:{mark('ago_behind')})"),
        ("ahead", rf"{shift}(?:{mark('ahead_behind')})"),
        ("period", _either(vocabulary.periods)),
        ("weekday", _either(vocabulary.weekdays)),
        ("month", rf"{month}{not_behind}"),
        ("nth", rf"(?<!\d)(?P<d>[0-3]?\d)(?:{mark('nth_mark')})(?!{mark('not_behind_nth')})"),
        ("year", rf"(?<!\d){year}"),
    ]
    return tuple((name, re.compile(source)) for name, source in sources)
