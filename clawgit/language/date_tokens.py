"""Cuts a text into words, numbers and marks."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeVar

from msgspec import Struct

from clawgit.language import detect, lexicon, numbers
from clawgit.language.dates import Lead

_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’-][^\W\d_]+)*|[^\s]")  # noqa: RUF001 - as people type it


class Token(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a text: letters, digits, or one mark."""

    text: str
    start: int
    end: int

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands."""
        return self.start, self.end


def tokens(text: str) -> list[Token]:
    """Return the words, runs of digits and marks of a text, in order; a typographic apostrophe is a plain one."""
    return [Token(one[0].replace("’", "'"), one.start(), one.end()) for one in _TOKEN.finditer(text)]  # noqa: RUF001


Phrase = tuple[str, ...]
Meaning = TypeVar("Meaning")
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
_HALVES = frozenset(("am", "pm"))
_MARKS = (
    *("year_mark", "month_mark", "day_mark", "nth_mark", "weekday_end", "of", "ago_behind", "ahead_behind"),
    *("not_before_month", "not_behind", "not_behind_nth"),
)


class Vocabulary:
    """The words of some languages; where two use one word, the first of them counts."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        isos = tuple(reversed(languages))
        self.months = _numbered(isos, "months", 1)
        self.weekdays = _numbered(isos, "weekdays", 0)
        self.every_weekday = _numbered(isos, "every_weekday", 0)
        self.letters = {one: at for iso in isos for at, row in enumerate(_letters(iso)) for one in row}
        self.glued = [
            one for iso in isos if lexicon.section(iso, "dates", "glued") is True for one in "".join(_letters(iso))
        ]
        self.units, self.eastern_units = _apart(
            {word: unit for iso in isos for unit in _UNITS for word in _of(iso, unit)}
        )
        self.numbers: Mapping[str, int] = {word: at for iso in isos for word, at in numbers.small(iso).items()}
        self.vague = _set(isos, "numbers", "vague")
        self.one = _set(isos, "numbers", "one")
        self.of, self.the = _set(isos, "dates", "of"), _set(isos, "dates", "the")
        self.other_words = _set(isos, "dates", "other_words")
        self.ordinal_ends = _set(isos, "numbers", "ordinal_ends")
        self.not_behind_nth = _set(isos, "dates", "not_behind_nth")
        self.leads = {word: lead for iso in isos for lead, key in _LEADS for word in _of(iso, key)}
        self.sides = {word: lead for iso in isos for lead in _SIDES for word in _of(iso, lead)}
        self.next = _set(isos, "dates", "next")
        self.side_behind = any(lexicon.section(iso, "dates", "side_behind") is True for iso in isos)
        self.seasons = {
            one: at for iso in isos for at, row in enumerate(lexicon.rows(iso, "dates", "seasons")) for one in row
        }
        self.ago_behind, self.ago_before = _phrases(isos, "ago_behind"), _phrases(isos, "ago_before")
        self.ahead_behind, self.ahead_before = _phrases(isos, "ahead_behind"), _phrases(isos, "ahead_before")
        self.halves = _HALVES
        periods = {said: meant for iso in isos for said, meant in _periods(iso)}
        spaced, self.eastern_periods = _apart(periods)
        self.periods = _by_first(spaced)
        ends = (str(lexicon.section(iso, "dates", "periods", "end") or "").split("|") for iso in isos)
        self.end = tuple(_cut(one) for row in ends for one in row if one)
        self.begins_end = frozenset(one[0] for one in self.end)
        self.end_units = {
            **{word: unit for word, unit in self.units.items() if unit in {"month", "year"}},
            **{word: "quarter" for iso in isos for word in lexicon.words(iso, "dates", "periods", "quarter")},
        }
        self.every = frozenset((*self.months, *self.weekdays))
        self._touching = frozenset(
            (*self.every, *self.every_weekday, *self.units, *self.periods, *self.seasons, *self.begins_end)
        )

    def touches(self, word: str) -> bool:
        """Return whether a time could begin, or have its middle, at a word."""
        return word in self._touching or word.isdecimal() or "'" in word


vocabulary = cache(Vocabulary)


def _of(iso: str, key: str) -> tuple[str, ...]:
    return lexicon.words(iso, "dates", key)


def _set(isos: Iterable[str], *path: str) -> frozenset[str]:
    return frozenset(word for iso in isos for word in lexicon.words(iso, *path))


def _numbered(isos: Iterable[str], key: str, start: int) -> Mapping[str, int]:
    """Return the names of months or days with their numbers; CLDR's first, then short and misspelt ones."""
    found: dict[str, int] = {}
    for iso in isos:
        for path in (("calendar", key), ("dates", key)):
            for at, row in enumerate(lexicon.rows(iso, *path), start):
                found |= dict.fromkeys(row, at)
    return found


def _letters(iso: str) -> tuple[str, ...]:
    return _of(iso, "weekday_letters")


def _phrases(isos: Iterable[str], key: str) -> tuple[Phrase, ...]:
    return tuple(_cut(phrase) for iso in isos for phrase in lexicon.phrases(iso, "dates", key))


def _cut(phrase: str) -> Phrase:
    return tuple(token.text for token in tokens(phrase))


def _periods(iso: str) -> Iterable[tuple[str, tuple[str, int]]]:
    """Yield what a language calls days and weeks seen from today, with the unit and how many away."""
    for key, away in _DAYS.items():
        for said in lexicon.phrases(iso, "dates", "days", key):
            yield said, ("day", away)
    for unit in _PERIODS:
        row = lexicon.section(iso, "dates", "periods", unit)
        for away, part in enumerate(row.split("|") if isinstance(row, str) else (), -1):
            for said in lexicon.listed(part):
                yield said, (unit, away)


def _apart(words: Mapping[str, Meaning]) -> tuple[dict[str, Meaning], dict[str, Meaning]]:
    """Return the words of languages with spaces, and those of East Asia."""
    dense = {word: meant for word, meant in words.items() if detect.eastern(word)}
    return {word: meant for word, meant in words.items() if word not in dense}, dense


def _by_first(periods: Mapping[str, tuple[str, int]]) -> Mapping[str, list[tuple[Phrase, tuple[str, int]]]]:
    found: dict[str, list[tuple[Phrase, tuple[str, int]]]] = {}
    for said, meant in sorted(periods.items(), key=lambda row: -len(row[0])):
        phrase = _cut(said)
        found.setdefault(phrase[0], []).append((phrase, meant))
    return found


# ---- East Asia: patterns, made of the same words


def count(said: str) -> int:
    """Return what digits, Chinese numerals or Korean ones count."""
    return int(said) if said.isdecimal() else numbers.eastern(said)


@cache
def eastern(languages: tuple[str, ...]) -> tuple[tuple[str, "re.Pattern[str]"], ...]:
    """Return what finds times in East Asian text, the most exact first."""
    known = vocabulary(languages)
    every = {key: _marks(languages, key) for key in _MARKS}
    numerals = [letter for iso in languages for letter in (*numbers.digits(iso), *numbers.steps(iso))]
    numeral = _one_of(numerals)
    native = _either(word for word in known.numbers if detect.eastern(word) and word not in numerals)
    year = rf"(?P<y>(?:1[5-9]|2[01])\d\d)\s?(?:{every['year_mark']})(?!{every['not_behind']})"
    month = rf"(?<!{every['not_before_month']})(?P<m>1[0-2]|0?[1-9]|{numeral}{{1,2}})\s?(?:{every['month_mark']})"
    day = rf"(?P<d>[0-3]?\d|{numeral}{{1,3}})\s?(?:{every['day_mark']})"
    week = rf"(?P<week>{_either(word for word, (unit, _) in known.eastern_periods.items() if unit == 'week')})"
    weekday = rf"(?P<weekday>{_one_of(known.letters)})(?:{every['weekday_end']}|(?![{detect.DENSE}]))"
    amount = rf"(?P<n>\d{{1,4}}|{numeral}{{1,3}}|{native})"
    away = rf"{amount}\s*(?P<unit>{_either(known.eastern_units)})(?:{every['of']})?\s*"
    sources = [
        ("date", rf"(?:{year}\s?)?{month}\s?{day}(?!{every['not_behind']})"),
        ("of week", rf"{week}(?:{every['of']})?\s*{weekday}"),
        ("of week", rf"{week}(?P<weekday>{_one_of(known.glued)})(?!\d)"),
        ("month", rf"{year}\s?{month}(?!{every['not_behind']})"),
        ("ago", rf"{away}(?:{every['ago_behind']})"),
        ("ahead", rf"{away}(?:{every['ahead_behind']})"),
        ("period", _either(known.eastern_periods)),
        ("weekday", _either(word for word in known.weekdays if detect.eastern(word))),
        ("month", rf"{month}(?!{every['not_behind']})"),
        ("nth", rf"(?<!\d)(?P<d>[0-3]?\d)(?:{every['nth_mark']})(?!{every['not_behind_nth']})"),
        ("year", rf"(?<!\d){year}"),
    ]
    return tuple((name, re.compile(source)) for name, source in sources)


def _marks(languages: Iterable[str], key: str) -> str:
    return _either(
        phrase for iso in languages for phrase in lexicon.phrases(iso, "dates", key) if detect.eastern(phrase)
    )


def _one_of(letters: Iterable[str]) -> str:
    return f"[{''.join(sorted(set(letters)))}]" if letters else "(?!)"


def _either(words: Iterable[str]) -> str:
    found = sorted(set(words), key=lambda one: (-len(one), one))
    return "|".join(map(re.escape, found)) or "(?!)"
