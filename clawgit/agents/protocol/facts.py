"""What a text states: numbers, days, times, names, identifiers."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language import date_mentions, date_tokens, detect, lexicon, logic, numbers, sentences, times
from clawgit.language import values as units
from clawgit.language.dates import Mention, Span, days_in
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
_NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?")
_MANY = {"k": 1000.0, "K": 1000.0, "M": 1e6}
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_LEAP = 2024
_GROUPS = re.compile(r"\d+")
_NUMBERED = re.compile(r",?\s(?:the\s)?(\d{1,2})(?:st|nd|rd|th)?(?![\d:%]|[.,]\d|\s?[h\u20ac%$])")
_MONTHS_AROUND = 62
"""Days to each side in which the fourth of a month that is a Friday is looked for."""
_SEPARATED = re.compile(r"[.,' \u00a0\u202f](?=\d{3}(?!\d))")


class Amount(Struct, frozen=True):
    """A number, as all that its digits may mean (1.500), and its unit, "" for none."""

    values: frozenset[float]
    unit: str
    said: str


class Name(Struct, frozen=True):
    """A word that may be a name; `sure` where its place says so. `before` is the word before it."""

    said: str
    sure: bool
    before: str = ""


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
    """Return the facts of a text in some languages; names are found by `names`."""
    plain = straight(text)
    ticked = [one[1].strip() for one in _TICKED.finditer(plain)]
    dated = _ranged(plain, date_mentions.find(plain, isos), isos)
    clocks = tuple(
        one
        for one in times.find(plain, isos)
        if not any(one.start < other.end and other.start < one.end and other.sure for other in dated)
    )
    spans = [(one.start, one.end) for one in dated if one.sure] + [(one.start, one.end) for one in clocks]
    found = [one for one in _TOKEN.finditer(plain) if not _inside(one.span(), spans) and not _measure(one[0], isos)]
    tokens = [*ticked, *(one[0].rstrip(".,;:!?)-") for one in found)]
    rest = _blotted(plain, [*spans, *(one.span() for one in found)])
    return Facts(tuple(_amounts(rest, isos)), dated, clocks, tuple(dict.fromkeys(filter(None, tokens))), rest)


def _ranged(plain: str, found: tuple[Mention, ...], isos: tuple[str, ...]) -> tuple[Mention, ...]:
    """Return the days of a text also where one month stands for two of them: `from 6 to 17 April`."""
    until = "|".join(re.escape(word) for word, lead in date_tokens.vocabulary(isos).leads.items() if lead == "until")
    before = _before(until)
    first = []
    for one in found:
        begun = before.search(plain, 0, one.start) if one.day and one.month and one.form == "day" else None
        if begun and 1 <= int(begun[1]) <= days_in(one.year or _LEAP, one.month or 1):
            first.append(replace(one, start=begun.start(1), end=begun.end(1), day=int(begun[1]), lead=""))
    return tuple(sorted((*found, *first), key=lambda one: one.start))


@lru_cache(maxsize=32)
def _before(until: str) -> "re.Pattern[str]":
    """Return what finds the day that stands before the end of a span."""
    return re.compile(
        rf"(?<![\d.,:])(\d{{1,2}})(?:\.|st|nd|rd|th)?\s?(?:[-\u2013~]|\s(?:{until})\s(?:\w{{2,3}}\s)?)\s?\Z"
    )


def _inside(span: tuple[int, int], spans: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in spans)


def _measure(token: str, isos: tuple[str, ...]) -> bool:
    """Tell whether what looks like an identifier is a number with its unit: `5km`."""
    found = re.fullmatch(r"\d+([A-Za-z]{1,4})", token)
    return found is not None and (found[1] in units.units(isos) or found[1] in _MANY)


def _blotted(text: str, spans: list[tuple[int, int]]) -> str:
    out = list(text)
    for start, end in spans:
        out[start:end] = "\0" * (end - start)
    return "".join(out)


def _amounts(rest: str, isos: tuple[str, ...]) -> Iterator[Amount]:
    if detect.eastern(rest):
        rest = counted(rest)
    names = units.units(isos)
    for one in _NUMBER.finditer(rest):
        values = meanings(one[0])
        unit, many = _unit(rest, one, names, isos)
        yield Amount(frozenset(value * many for value in values), unit, one[0])
        if many == _MANY["k"] and not unit:
            yield Amount(frozenset(values), names.get("km", ""), one[0])  # who runs 8k runs eight kilometres
    yield from _spelled(rest, isos, names)


def counted(text: str) -> str:
    """Return a text of East Asia with its numerals in digits; letters that count nothing stay."""
    iso = detect.eastern_language(text)
    if iso == "ko":
        return numbers.counted(text, iso)
    spelled = "".join(lexicon.words(iso, "claims", "spelled"))
    counters = "".join(lexicon.words(iso, "claims", "counters"))
    return _numeral(spelled, counters).sub(lambda found: numbers.counted(found[0], iso), text)


@lru_cache(maxsize=8)
def _numeral(spelled: str, counters: str) -> "re.Pattern[str]":
    """Return what finds numerals: with a digit in them, or before what is counted."""
    return re.compile(rf"\d[\d.,]*[{spelled}][{spelled}\d]*|[{spelled}]+(?=\s?[{counters}])")


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


def _unit(rest: str, number: "re.Match[str]", known: Mapping[str, str], isos: tuple[str, ...]) -> tuple[str, float]:
    before = rest[max(0, number.start() - 2) : number.start()].strip()[-1:]
    behind = re.match(r"[\s-]?([^\W\d_]+|[%\u00b0$\u20ac\u00a3\u00a5][CF]?)", rest[number.end() : number.end() + 24])
    many = 1.0
    if behind and behind[1] in _MANY and not rest[number.end() : number.end() + 1].isspace():
        many = _MANY[behind[1]]
        behind = re.match(r"\s?([^\W\d_]+|[%$\u20ac\u00a3\u00a5])", rest[number.end() + behind.end() :][:24])
    unit = _named(behind[1], known) if behind else ""
    if behind and not unit:
        unit = _span_unit(behind[1], isos)
    if not unit and before in known and before in units.MONEY:
        unit = known[before]
    return unit, many


def _span_unit(word: str, isos: tuple[str, ...]) -> str:
    """Return the day, week, month or year that East Asian letters count."""
    known = date_tokens.vocabulary(isos).eastern_units if detect.eastern(word) else {}
    return next((known[word[:size]] for size in (3, 2, 1) if word[:size] in known), "")


def _named(word: str, known: Mapping[str, str]) -> str:
    if word in known or word.lower() in known:
        return known.get(word) or known[word.lower()]
    if detect.eastern(word):
        for size in range(min(4, len(word)), 0, -1):
            if word[:size] in known:
                return known[word[:size]]
    return ""


def _spelled(rest: str, isos: tuple[str, ...], known: Mapping[str, str]) -> Iterator[Amount]:
    """Yield numbers in words of languages with spaces, but for one: it is an article in most."""
    said = [(one[0], one.end()) for one in re.finditer(r"[^\W\d_]+|\d+(?:\.\d+)?", rest)]
    small = [f"#{word}" if word[0].isdigit() else word.casefold() for word, _ in said]  # as the tables have them
    taken = -1
    for at, word in enumerate(small):
        if at < taken:
            continue
        for iso in isos:
            worth, end = (0.0, at) if detect.eastern(word) else numbers.run(small, at, iso)
            rank = numbers.ordinal(word, iso) if end == at and word[0] != "#" else None
            if end > at and (worth > 1 or worth == 0) and not (end == at + 1 and word[0] == "#"):
                unit = _named(said[end][0], known) if end < len(said) else ""
                yield Amount(frozenset((worth,)), unit, " ".join(one for one, _ in said[at:end]))
                taken = end
                break
            if rank is not None and rank > 1:
                yield Amount(frozenset((float(rank),)), "", said[at][0])
                break


def numerals(text: str, isos: tuple[str, ...]) -> Iterator[float]:
    """Yield what runs of Chinese or Korean numerals may count, also one that drops its last step, as in 3500."""
    iso = detect.eastern_language(text)
    spelled = "".join(lexicon.words(iso, "claims", "spelled")) if iso in isos else ""
    for run in re.findall(rf"[{spelled}]{{2,}}", text) if spelled else ():
        said = numbers.counted(run, iso)
        if not said.isdecimal():
            continue
        yield float(said)
        step = numbers.steps("zh").get(run[-2]) or numbers.steps("ja").get(run[-2])
        last = numbers.digits("zh").get(run[-1])
        if step and last and step > 10:  # noqa: PLR2004 - behind ten nothing is dropped
            yield float(said) - last + last * step / 10


def rank(word: str, isos: tuple[str, ...]) -> int | None:
    """Return which place a word counts, with or without an ending: `third`, `ersten`."""
    for iso in isos:
        for end in range(len(word), max(3, len(word) - 3), -1):
            if found := numbers.ordinal(word[:end], iso):
                return found
    return None


_LISTED = re.compile(r"(?:(?<![\d.,:])\d{1,2}(?:st|nd|rd|th|\.)?(?:\s?[,/\u2013-]\s?|\s[^\W\d]{1,3}\s|\s))+\Z")
_LAST = 31


def listed_days(said: str, found: Iterable[Mention]) -> Iterator[Mention]:
    """Yield the days of `26, 27 and 28 December` that stand before the one with its month."""
    for one in found:
        if one.month and one.day and (before := _LISTED.search(said, 0, one.start)):
            yield from (replace(one, day=int(day)) for day in re.findall(r"\d+", before[0]) if 0 < int(day) <= _LAST)


def numbered_weekdays(text: str, found: Iterable[Mention], said: date) -> Iterator[tuple[Mention, Span]]:
    """Yield the days that a weekday and a number name without a month, those near the day on which it was said.

    `Friday the 4th`, `vendredi 4`, `viernes 4`.
    """
    for one in found:
        behind = _NUMBERED.match(text, one.end) if one.weekday is not None else None
        if behind is None:
            continue
        fit = (said + timedelta(step) for step in range(-_MONTHS_AROUND, _MONTHS_AROUND))
        for day in (day for day in fit if (day.weekday(), day.day) == (one.weekday, int(behind[1]))):
            yield replace(one, form="day", day=day.day, weekday=None), Span(day, day)


def words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return [one.lower() for one in _WORD.findall(straight(text))]


def groups(text: str) -> frozenset[float]:
    """Return every run of digits of a text as a number, and that of a version: `v4.2`."""
    version = re.fullmatch(r"[^\W\d]+(\d+\.\d+)", text)
    found = [*_GROUPS.findall(text), *(version.groups() if version else ())]
    return frozenset(float(one) for one in found if len(one) < 18)  # noqa: PLR2004 - as a float holds


# ---- names


def names(text: str, isos: tuple[str, ...], facts: Facts) -> Iterator[Name]:
    """Yield the words of a text that may be names: by their capitals, in East Asia by what stands around them."""
    if detect.eastern(text):
        yield from _eastern_names(text, isos)
        return
    known = date_tokens.vocabulary(isos)
    nouns = logic.words(isos[:1], "determiners")
    named = {*logic.phrases(isos, "named"), *logic.phrases(isos, "places")}
    said = list(_WORD.finditer(facts.rest))
    starts = {one.start for one in sentences.sentences(straight(text))}
    for at, one in enumerate(said):
        word = one[0]
        if (
            not word[0].isupper()
            or word in units.symbols()
            or word.lower() in known.every
            or word.lower() in known.every_weekday
        ):
            continue
        before = said[at - 1][0] if at else ""
        gap = facts.rest[said[at - 1].end() : one.start()] if at else ""
        begins = not at or one.start() in starts or ":" in gap
        second = at == 1 or (at > 0 and said[at - 1].start() in starts)
        if nouns:
            if not begins and _bare(before, gap, nouns):
                yield Name(word, _places(before, gap, named, begins=second), before)
        else:
            yield Name(word, not begins or _with_another(facts.rest, said, at), before)


def _with_another(rest: str, said: "list[re.Match[str]]", at: int) -> bool:
    """Tell whether a capital at the start of a sentence is the first of several."""
    after = said[at + 1] if at + 1 < len(said) else None
    return after is not None and after[0][0].isupper() and rest[said[at].end() : after.start()] == " "


def _bare(before: str, gap: str, nouns: frozenset[str]) -> bool:
    return before.lower() not in nouns and not gap.strip()


def _places(before: str, gap: str, named: set[str], *, begins: bool) -> bool:
    """Tell whether what stands before a noun makes it a name: another noun, which is no first word, `in`, `called`."""
    if not before or gap.strip():
        return False
    noun = before[0].isupper() and not before.isupper() and not begins
    return noun or before.lower() in named


_LATIN = "[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]"


def _eastern_names(text: str, isos: tuple[str, ...]) -> Iterator[Name]:
    for marker in logic.finder_of(logic.phrases(isos, "named")).finditer(text) if logic.phrases(isos, "named") else ():
        behind = re.match(f"[{detect.DENSE}]{{2}}", text[marker.end() :])
        if behind:
            yield Name(behind[0], sure=True)
    titles = tuple(logic.words(isos, "titled"))
    for marker in logic.finder_of(titles).finditer(text) if titles else ():
        before = re.search(f"([{detect.DENSE}{detect.HANGUL}]{{2}})\\s?$", text[: marker.start()])
        if before:
            yield Name(before[1], sure=True)
    for word in re.finditer(rf"(?<!{_LATIN}){_LATIN}(?:{_LATIN}|[.+#-])+", read(text, isos).rest):
        yield Name(word[0].rstrip(".-"), sure=len(word[0]) > 1)


def unmarked(word: str) -> str:
    """Return a word without the marks on its letters, some of which an ending brings: `Vorschlag`, `Vorschlägen`."""
    if word.isascii():
        return word
    bare = "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
    return bare if bare.isascii() else word
