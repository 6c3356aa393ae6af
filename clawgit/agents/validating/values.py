"""Finds days, times, amounts, names."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

from msgspec import Struct

from clawgit.agents.validating.canonical import WAYS, plain
from clawgit.agents.validating.value_forms import FORMS, LANGUAGES, SPELLED
from clawgit.language import date_mentions, times
from clawgit.text.sameness.note import bag

_SKIPPED_COUNTS = frozenset(("one", "un", "ein", "uno", "once", "eins", "sept"))
_YEAR = re.compile(r"(?:19|20)\d\d")
_UNIT = re.compile(r" ?([^\W\d_]{1,14}|°C|°F)")
_NAME = re.compile(r"(?<![\w@#/.-])[A-ZÄÖÜÉÈÁÍÓÚÑ][\w'’&+#-]*(?:\.[\w-]+)*(?: [A-ZÄÖÜÉÈÁÍÓÚÑ][\w&+#-]*(?:\.[\w-]+)*)*")
_CODE = re.compile(r"(?<![\w/.-])(?:[a-z]+[a-z0-9]*(?:[_-][a-z0-9]+)+|[a-z]+[A-Z]\w+|[a-z]+\d+[a-z]*)(?![\w/])")
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
