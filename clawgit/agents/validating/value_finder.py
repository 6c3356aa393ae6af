"""Finds days, times, amounts, names and units."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path

from msgspec import Struct

from clawgit.language import date_mentions, lexicon, numbers, pattern_tables, times
from clawgit.language import units as unit_table
from clawgit.language.detect import eastern
from clawgit.text.sameness.note import bag

LANGUAGES = ("en", "de", "es", "fr", "zh", "ja", "ko")
"""Those in which values are read."""
KOREAN = {word: at for at, row in enumerate(lexicon.rows("ko", "numbers", "native"), 1) for word in row}
COUNTS = {word: at for iso in LANGUAGES[:4] for word, at in numbers.table(iso).items() if 1 <= at <= 12}  # noqa: PLR2004
ANY_COUNT = "|".join(sorted(COUNTS, key=len, reverse=True))
B, E = r"(?<![^\W_])", r"(?![^\W_])"
KO = "|".join(sorted(KOREAN, key=len, reverse=True))
SPELLED = 3
"""How many of the forms go before the dates and times that `clawgit.language` finds."""
_SAID = pattern_tables.alternatives(Path(__file__).parent / "data/corrections.toml", "stated_values")
FORMS = (
    ("path", _SAID["web"]),
    *((kind, _SAID[kind]) for kind in ("path", "phone", "date", "money", "version", "percent")),
    (
        "number",
        rf"(?<![A-Za-z0-9_.,])(?:\d{{1,3}}(?:[ \u00a0\u202f]\d{{3}})+(?!\d)|\d+(?:[.,]\d+)*)(?![A-Za-z_]*\d)|{B}(?:{ANY_COUNT}){E}|[一二三四五六七八九十两兩](?=[个個人名位件次天周週年月本台杯只岁歳歲小分])|(?:{KO})(?= ?(?:명|개|번|달|살|마리|잔|권|병|대|시간))",
    ),
)


def plain(said: str) -> str:
    """Return a value without spaces and commas, in small letters."""
    return re.sub(r"[\s,]", "", said.casefold()).rstrip(".")


def _money(said: str) -> str:
    return re.sub(r"[^\d.k万萬만천千m]", "", said.casefold()).rstrip(".")


def _number(said: str) -> str:
    low = said.casefold()
    if low in COUNTS or low in KOREAN:
        return str(COUNTS.get(low, KOREAN.get(low)))
    return str(numbers.eastern(low)) if low[0].isalpha() else re.sub(r",(?=\d{3})", "", low)


def _date(said: str) -> str:
    digits = re.findall(r"\d+", said)
    if said.count(".") >= 2:  # noqa: PLR2004 - as Germans write it
        return f"{int(digits[1])}-{int(digits[0])}"
    return "/".join(digits)


WAYS = {
    "date": _date,
    "number": _number,
    "money": _money,
}


_SKIPPED_COUNTS = frozenset(("one", "un", "ein", "uno", "once", "eins", "sept"))
_YEAR = re.compile(r"(?:19|20)\d\d")
_UNIT = re.compile(r" ?([^\W\d_]{1,14}|°C|°F)")
_NAME = re.compile(r"(?<![\w@#/.-])[A-ZÄÖÜÉÈÁÍÓÚÑ][\w'’&+#-]*(?:\.[\w-]+)*(?: [A-ZÄÖÜÉÈÁÍÓÚÑ][\w&+#-]*(?:\.[\w-]+)*)*")
_CODE = re.compile(r"(?<![\w/.-])(?:[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+|[a-z]+[A-Z]\w+|[a-z]+\d+[a-z]*)(?![\w/])")
_TICKED = re.compile(r"`([^`\n]{1,60})`")


class Value(Struct, frozen=True):
    """Characters `start` to `end` of a text that name a value: of which kind, and in one way of writing."""

    kind: str
    canon: str
    start: int
    end: int
    text: str


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def values(text: str) -> tuple[Value, ...]:
    """Return the values of a text in their order, none inside of another; names are not among them."""
    found: list[Value] = []
    for one in chain(_formed(FORMS[:SPELLED], text), _timed(text), _formed(FORMS[SPELLED:], text)):
        if not any(one.start < other.end and other.start < one.end for other in found):
            found.append(one)
    return tuple(sorted(found, key=lambda one: one.start))


def _formed(forms: Iterable[tuple[str, str]], text: str) -> Iterator[Value]:
    for kind, pattern in forms:
        for match in _compiled(pattern).finditer(text):
            if value := _read(kind, match, text):
                yield value


def _timed(text: str) -> Iterator[Value]:
    """Yield days, times, months and weekdays, each in one way of writing."""
    mentions = date_mentions.find(text, LANGUAGES)
    for one in mentions:
        if one.form == "day":
            yield Value("date", f"{one.month}-{one.day}", one.start, one.end, text[one.start : one.end])
    for time in times.find(text, LANGUAGES):
        yield Value("time", f"{time.hour}:{time.minute:02}", time.start, time.end, text[time.start : time.end])
    for one in mentions:
        said = text[one.start : one.end]
        if one.form == "month" and (one.sure or said[0].isupper()):
            yield Value("month", str(one.month), one.start, one.end, said)
        elif one.form in {"weekday", "habit"} and (one.sure or said[0].isupper()):
            yield Value("weekday", str((one.weekday or 0) + 1), one.start, one.end, said)


def names(text: str, taken: Iterable[Value] = (), *, opening: bool = False) -> Iterator[Value]:
    """Yield what may be names: capitalised words, identifiers, what stands in ticks.

    The word that opens a sentence is one only with `opening`, or where it is written like no word.
    """
    spans = [(one.start, one.end) for one in taken]
    for pattern in (_TICKED, _NAME, _CODE):
        for match in pattern.finditer(text):
            start, end = match.span(1) if pattern is _TICKED else match.span()
            if any(start < b and a < end for a, b in spans):
                continue
            if pattern is _NAME:
                start = _past_opening(text, start, end, opening=opening)
            word = text[start:end]
            if start < end and word.casefold().removesuffix("'s") not in _NO_NAMES:
                end -= 2 * word.endswith("'s")
                spans.append((start, end))
                yield Value("name", text[start:end].casefold(), start, end, text[start:end])


def _past_opening(text: str, start: int, end: int, *, opening: bool) -> int:
    """Return where a name begins that seems to begin at `start`, without the word that opens the sentence."""
    head = text[:start].rstrip(" \t\"'“„«([*_")
    if opening or (head and head[-1] not in ".!?:\n。！？"):
        first = text[start:end].split(" ", maxsplit=1)[0]
        return start + len(first) + 1 if first.casefold() in _NO_NAMES and " " in text[start:end] else start
    first = text[start:end].split(" ", maxsplit=1)[0]
    strange = any(letter.isupper() or letter.isdigit() for letter in first[1:])
    return start if strange else min(start + len(first) + 1, end)


_NO_NAMES = bag(
    "i i'm i'll i've i'd it it's the a an my your our you we he she they this that there no not yes ok okay"
    " and but so or is are was nein ja ich du sie er wir ihr das der die den dem es mein dein meine deine non"
    " thanks thank cheers hey hi hello sorry wow great cool awesome nice sure yeah yep yes well oh please fyi ya hola"
    " gracias danke hallo merci bonjour oui je tu il elle nous vous le la les mon ton sí yo el ella user operator api url pm am"
)


def _read(kind: str, match: re.Match[str], text: str) -> Value | None:
    said, low = match[0], match[0].casefold()
    start, end = match.span()
    if kind == "number" and low in _SKIPPED_COUNTS:
        return None
    canon = WAYS.get(kind, plain)(said)
    if kind == "number":
        unit = _UNIT.match(text, end)
        kind = f"number {_unit(unit[1]) if unit else ''}".strip()
        if kind == "number" and _YEAR.fullmatch(said):
            kind = "year"
    return Value(kind, canon, start, end, said)


def _unit(word: str) -> str:
    low = word.casefold()
    if low in _NO_UNIT:
        return ""
    if low[0] in "了的吧啊呢にでがはをのだ로으이은는가를을에야":
        return ""
    if not low.isascii() and not low[0].isalpha():
        return low
    if "\u3040" <= low[0] <= "\ud7ff":
        return low[0]
    return low[:-1] if low.endswith("s") and len(low) > 3 else low  # noqa: PLR2004


_NO_UNIT = bag(
    "and or not but is are was in on at to from of for the a now instead any as by with then if so than und"
    " since until because while when every per this that these more"
    " oder nicht statt sondern y o no et ou pas mais au sino"
)


_KINDS = ("mass", "length", "temperature", "currency", "volume")


@cache
def _forms() -> Mapping[str, "re.Pattern[str]"]:
    """Return what finds the units of each kind."""
    known = unit_table.names(LANGUAGES)
    kinds = unit_table.kinds()
    words = {
        kind: [word for word, unit in known.items() if kinds.get(unit) == kind and unit_table.alone(word)]
        for kind in _KINDS
    }
    return {kind: _form(row) for kind, row in words.items()}


def _form(words: Iterable[str]) -> "re.Pattern[str]":
    spaced, dense = (
        "|".join(sorted((word for word in words if eastern(word) is wide), key=len, reverse=True)) or "(?!)"
        for wide in (False, True)
    )
    return re.compile(rf"(?<![^\W_])(?:{spaced})(?![^\W_])|{dense}", re.IGNORECASE)


def units(text: str, taken: Iterable[Value] = ()) -> Iterator[Value]:
    """Yield the units of a text that stand alone, or behind an amount, beside the values that are known."""
    spans = [(one.start, one.end) for one in taken]
    for kind, form in _forms().items():
        for match in form.finditer(text):
            if not any(match.start() < end and start < match.end() for start, end in spans):
                yield Value(f"unit {kind}", match[0].casefold().removesuffix("s"), *match.span(), match[0])
