"""Reads typed values: days, times, amounts, addresses, names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from clawgit.language import date_mentions, lexicon, numbers

WESTERN = ("en", "de", "es", "fr")
EASTERN = ("zh", "ja", "ko")
LANGUAGES = (*WESTERN, *EASTERN)
"""Those in which values are read."""
MONEY = frozenset("$€£¥")
OPEN, CLOSE = "\ue010", "\ue011"
_FORMS = lexicon.alternatives(Path(__file__).parent / "data/values.toml", "forms")
_ADDRESSES = ("web", "path", "phone")
_SAME_WORD = frozenset(("one", "un", "ein", "uno", "once", "eins", "sept"))
"""Number words that are other words more often."""
_SMALLEST, _LARGEST = 1, 99
_CALENDAR_UNITS = ("day", "week", "month", "year")
_NOON, _HOURS, _HALF = 12, 24, 30
_LITTLE = "一"
"""Before the mark of an hour it says `a little` as well."""
_SIGN = r"(?:(?<![\w)])[-\u2212])?"
_DIGIT = re.compile(r"\d")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_DIGITS = re.compile(
    rf"(?<![A-Za-z0-9_.,])[$€£¥₩]? ?(?P<n>{_SIGN}"
    r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d|[^\W\d_]\b)|\d+(?:[.,]\d+)*))"
    r"(?P<k>k\b|[万萬만])?(?![A-Za-z_]*\d)"
)
_GROUPS = re.compile(r"(?<=\d)[ .,\u00a0\u202f](?=\d{3}(?!\d))")
_UNIT = re.compile(r"[ \u00a0\u202f-]?([^\W\d_]{1,14}|°C|°F|[%€$£₩])")
_YEAR = re.compile(r"(?:19|20)\d\d")
_KINDS_OF_DATE = {"day": "date", "month": "month", "weekday": "weekday", "habit": "weekday"}
_PARTICLES = "了的吧啊呢にでがはをのだ로으이은는가를을에야"
_NAME = re.compile(r"(?<![\w@#/.-])[A-ZÄÖÜÉÈÁÍÓÚÑ][\w'&+#-]*(?:\.[\w-]+)*(?: [A-ZÄÖÜÉÈÁÍÓÚÑ][\w&+#-]*(?:\.[\w-]+)*)*")
_CODE = re.compile(r"(?<![\w/.-])(?:[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+|[a-z]+[A-Z]\w+|[a-z]+\d+[a-z]*)(?![\w/])")
_TICKED = re.compile(r"`([^`\n]{1,60})`")
_GLOSS = re.compile(r" \(\d{4}-\d\d-\d\d[^()]{0,16}\)")
_WORD = re.compile(r"(?=[^\W_]*[^\W\d_])[^\W_]{2,}|\d+")
_DENSE = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
_COMPOUND = re.compile(r"\w@\w|\d \d")
"""Of an address or a number in groups: a longer one is another."""
_LIGHT = re.compile(
    "[的了是在我你他她它们們说說不对對没有也就都和与跟吗呢吧啊这那個个要把被从到改成现在應该应其实忘记"
    "はがをにでのともへやかねよだですます言っいてしるたなんこれそれあの私僕]"
)
_KOREAN_ENDS = re.compile(r"(?:은|는|이|가|을|를|에|의|로|으로|와|과|도|에서|이야|야|예요|이에요|입니다|요)$")


class Value(Struct, frozen=True):
    """Characters `start` to `end` of a text that name a value: of which kind, and in one way of writing.

    The kind of an amount has its unit behind it: `number kg`; the unit is no part of the span.
    """

    kind: str
    canon: str
    start: int
    end: int
    text: str

    def overlaps(self, others: Iterable["Value"]) -> bool:
        """Return whether one of some values has characters of this one."""
        return any(self.start < other.end and other.start < self.end for other in others)


@cache
def _load_bag(key: str) -> frozenset[str]:
    return frozenset(str(lexicon.read_shared_file("values")["words"][key]).split())


@cache
def _list_empty_words() -> frozenset[str]:
    """Return the words that no text is about."""
    return _load_bag("small").union(*map(lexicon.small_words, lexicon.languages()))


# ---- values of a text


@lru_cache(maxsize=4096)
def find_values(text: str, languages: tuple[str, ...] = LANGUAGES) -> tuple[Value, ...]:
    """Return the values of a text in their order, none inside of another; names are not among them.

    Days are read in `languages`.
    """
    values: list[Value] = []
    addresses, version = (partial(_read_forms, kinds) for kinds in (_ADDRESSES, ("version",)))
    # Addresses come first: the digits in them are no days or amounts.
    for reader in (addresses, partial(_dates, languages=languages), _times, version, _amounts, _find_counts):
        for value in reader(text):
            values += [] if value.overlaps(values) else [value]
    return tuple(sorted(values, key=lambda item: item.start))


@cache
def _form(kind: str) -> "re.Pattern[str]":
    return re.compile(_FORMS[kind], re.IGNORECASE)


def _read_forms(kinds: Iterable[str], text: str) -> Iterator[Value]:
    for kind in kinds:
        for match in _form(kind).finditer(text):
            plain = re.sub(r"[\s,]", "", match[0].casefold()).rstrip(".")
            yield Value("path" if kind == "web" else kind, plain, *match.span(), match[0])


def _dates(text: str, languages: tuple[str, ...]) -> Iterator[Value]:
    """Yield days, months and weekdays; then days by their number alone."""
    for mention in date_mentions.find_dates(text, languages):
        mention_text = text[mention.start : mention.end]
        month = f"{mention.year or ''}-{mention.month or ''}"
        canon = {"day": f"{month}-{mention.day}", "month": month}.get(mention.form, str((mention.weekday or 0) + 1))
        if mention.form in _KINDS_OF_DATE and (mention.form == "day" or mention.sure or mention_text[0].isupper()):
            yield Value(_KINDS_OF_DATE[mention.form], canon, mention.start, mention.end, mention_text)
    for match in _form("date").finditer(text):
        digits = re.findall(r"\d+", match[0])
        dotted = match[0].count(".") > 1  # as in German
        canon = f"-{int(digits[1])}-{int(digits[0])}" if dotted else "--" + "/".join(digits)
        yield Value("date", canon, *match.span(), match[0])


def _times(text: str) -> Iterator[Value]:
    """Yield times of day in digits, or in the numerals of East Asia before the mark of an hour."""
    for match in _form("time").finditer(text):
        parts = {name[:-1]: part for name, part in match.groupdict().items() if part}
        is_bare = parts.keys() == {"h"} or (parts.keys() == {"l", "mark"} and parts["l"] == _LITTLE)
        hour = numbers.eastern(parts["l"]) if "l" in parts else _read_hour(parts.get("h") or parts["w"])
        hour -= "before" in parts  # halb zehn
        if is_bare or hour > _HOURS:
            continue
        if hour <= _NOON and ("late" in parts or "early" in parts):
            hour = hour % _NOON + _NOON * ("late" in parts)
        minute = _HALF if "half" in parts or "before" in parts else int(parts.get("m", 0))
        yield Value("time", f"{hour % _HOURS}:{minute:02}", match.start(), match.end(), match[0])


def _read_hour(word: str) -> int:
    return (
        int(word)
        if word.isdecimal()
        else next(number for iso in WESTERN if (number := numbers.table(iso).get(word.lower())))
    )


def _amounts(text: str) -> Iterator[Value]:
    for match in _DIGITS.finditer(text):
        canon = _GROUPS.sub("", match["n"]).replace(",", ".").replace("\u2212", "-")
        unit = _unit(text, match.end()) or (symbols().get(match[0][0], "") if match[0][0] in MONEY else "")
        if match["k"]:
            canon = f"{float(canon) * (1000 if match['k'] == 'k' else 10_000):.15g}"
        kind = "year" if not unit and _YEAR.fullmatch(match["n"]) else f"number {unit}".strip()
        yield Value(kind, canon, match.start("n"), match.end("n"), match["n"])


@cache
def _counting() -> "tuple[Mapping[str, int], re.Pattern[str]]":
    """Return number words, and their pattern; numerals of East Asia before the counted thing."""
    western_words = {word: n for iso in WESTERN for word, n in numbers.table(iso).items() if _SMALLEST <= n <= _LARGEST}
    korean = lexicon.number_rows("ko", "numbers", "native", start=1)
    spaced, native = ("|".join(lexicon.longest_first(row)) for row in (western_words.keys() - _SAME_WORD, korean))
    han = "[一二三四五六七八九十两兩百千]+(?=[个個人名位件次天周週年月本台杯只岁歳歲小分元块円万])"
    sources = (rf"(?<![^\W_])(?:{spaced})(?![^\W_])", han, rf"(?:{native})(?=\s?(?:{_FORMS['korean_counters']}))")
    return {**western_words, **korean}, re.compile("|".join(sources), re.IGNORECASE)


def _find_counts(text: str) -> Iterator[Value]:
    word_values, form = _counting()
    for match in form.finditer(text):
        low = match[0].casefold()
        count = word_values[low] if low in word_values else numbers.eastern(low)
        yield Value(f"number {_unit(text, match.end())}".strip(), str(count), *match.span(), match[0])


def _unit(text: str, end: int) -> str:
    """Return the unit, or the counted thing, behind an amount; "" for none."""
    match = _UNIT.match(text, end)
    if not match or match[1].casefold() in _load_bag("no_units") or match[1][0] in _PARTICLES:
        return ""
    word = match[1]
    if unit := units().get(word) or units().get(word.casefold()):
        return unit
    low = word.casefold()
    return low[0] if lexicon.eastern(low) else lexicon.stem(low, LANGUAGES).removesuffix("s")


# ---- names


def names(text: str) -> tuple[Value, ...]:
    """Return possible names: capitalised words, identifiers, text in ticks."""
    values: list[Value] = []
    for pattern in (_TICKED, _NAME, _CODE):
        for match in pattern.finditer(text):
            start, end = match.span(1) if pattern is _TICKED else match.span()
            first, _, tail = text[start:end].partition(" ")
            # The first word of a sentence has a capital even if it is part of no name.
            start += len(first) + 1 if pattern is _NAME and tail and first.casefold() in _load_bag("no_names") else 0
            end -= 2 * text[start:end].endswith("'s")
            value = Value("name", text[start:end].casefold(), start, end, text[start:end])
            if start < end and value.canon not in _load_bag("no_names") and not value.overlaps(values):
                values.append(value)
    return tuple(sorted(values, key=lambda item: item.start))


# ---- comparison


def is_alike(value: Value, other: Value) -> bool:
    """Return whether two values are of one kind; an amount without a unit is of the kind of any other, and a year's."""
    kinds = {value.kind, other.kind}
    numeric = "number" in kinds and all(kind.startswith("number") for kind in kinds)
    return len(kinds) == 1 or numeric or kinds == {"number", "year"}


def equal(value: Value, other: Value) -> bool:
    """Return whether two values of one kind are the same; of a date the parts in both count."""
    if value.kind == other.kind and value.kind in ("date", "month"):
        pairs = zip(value.canon.split("-"), other.canon.split("-"), strict=False)
        return all(mine == theirs or not (mine and theirs) for mine, theirs in pairs)
    return value.canon == other.canon


def read_value(text: str) -> Value | None:
    """Return the value, or name, that `text` is as a whole; None for other words."""
    for value in find_values(text):
        unit_match = _UNIT.match(text, value.end) if value.kind.startswith("number ") else None
        rest = text[: value.start] + " " + text[unit_match.end() if unit_match else value.end :]
        if not (content_words(rest) or _DIGIT.search(rest)):
            return value
    values = names(text)
    return values[0] if len(values) == 1 and values[0].text == text else None


def find_value_places(text: str, phrase: str) -> list[tuple[int, int]]:
    """Return the places of `phrase` in a text, letter for letter or, for a day or an amount, in other writing."""
    edge = (r"(?<![^\W_])", r"(?![^\W_])") if phrase and not _DENSE.search(phrase) else ("", "")
    edge = (r"(?<![^\W_])(?<!\w[.@+-])", r"(?![.@-]?[^\W_])(?! \d)") if _COMPOUND.search(phrase) else edge
    spans = [match.span() for match in re.finditer(f"{edge[0]}{re.escape(phrase)}{edge[1]}", text, re.IGNORECASE)]
    parts = _PARTS.findall(phrase) if not spans and _DIGIT.search(phrase) else []
    if len(parts) > 1 and any(len(part) > 2 or part.isalpha() for part in parts):  # noqa: PLR2004 - no `1.2`
        # `KX21LVB` is `KX21 LVB`, `72, rue` is `72 rue`; two numbers stay apart
        pattern = "".join(
            re.escape(part) + (r"[\s.,/-]{1,2}" if part.isdecimal() and after.isdecimal() else r"[\s.,/-]{0,2}")
            for part, after in pairwise((*parts, ""))
        ).removesuffix(r"[\s.,/-]{0,2}")
        spans = [match.span() for match in re.finditer(f"{edge[0]}{pattern}{edge[1]}", text, re.IGNORECASE)]
    value = None if spans or not phrase else read_value(phrase)
    if value is None or value.kind == "name":
        return spans
    return [(item.start, item.end) for item in find_values(text) if is_alike(item, value) and equal(item, value)]


def gloss_end(text: str, end: int) -> int:
    """Return the end of a value that ends at `end`, behind a date in brackets that only explains the day."""
    gloss = _GLOSS.match(text, end)
    return gloss.end() if gloss else end


def remove_glosses(text: str) -> str:
    """Return a text without the dates in brackets that only explain a day."""
    return _GLOSS.sub("", text)


# ---- subjects


def content_words(text: str, phrases: Iterable[str] = ()) -> frozenset[str]:
    """Return the content of a text: stems of its words, pairs of letters in scripts without spaces."""
    for phrase in phrases:
        text = re.sub(re.escape(phrase), " ", text, flags=re.IGNORECASE) if phrase else text
    return _content_words(text)


@lru_cache(maxsize=4096)
def _content_words(text: str) -> frozenset[str]:
    low = text.casefold()
    spaced = _WORD.findall(_DENSE.sub(" ", low))
    stems = {lexicon.stem(word, LANGUAGES) for word in spaced if not (word in _list_empty_words() or word.isdigit())}
    for run in _DENSE.findall(low):
        # Korean has spaces between words, and particles at their ends; elsewhere pairs of letters serve as words.
        if "\uac00" <= run[0] <= "\ud7a3":
            stems |= {bare for bare in (_KOREAN_ENDS.sub("", run),) if len(bare) > 1}
        else:
            stems |= {piece[index : index + 2] for piece in _LIGHT.split(run) for index in range(len(piece) - 1)}
    return frozenset(stems)


# ---- units


@cache
def symbols() -> Mapping[str, str]:
    """Return the unit of each symbol; the case of letters counts: a megabit is no megabyte."""
    return {word: unit for unit, row in lexicon.read_shared_file("units")["symbols"].items() for word in row.split()}


@cache
def units() -> Mapping[str, str]:
    """Return the unit of each symbol, and of each word of our languages."""
    rows = [row for iso in LANGUAGES for row in lexicon.section(iso, "units").items()]
    rows += [(unit, lexicon.section(iso, "dates", unit)) for iso in WESTERN for unit in _CALENDAR_UNITS]
    return {word: unit for unit, row in rows for word in row.split()} | dict(symbols())


# ---- values as words


def mark_values(text: str) -> str:
    """Return a text in which values are words that are taken as one: `D2026-03-03`, `M-03`, `W1`, `T14:00`, `#5`."""
    parts, offset = [], 0
    for value in find_values(text):
        if word := _as_word(value):
            parts += [text[offset : value.start], f" {OPEN}{word}{CLOSE} "]
            offset = value.end
    return "".join((*parts, text[offset:]))


def _as_word(value: Value) -> str:
    if value.kind in ("date", "month"):
        year, *rest = value.canon.split("-")
        return "-".join((f"{value.kind[0].upper()}{year}", *(part.zfill(2) if part else "" for part in rest)))
    mark = {"weekday": "W", "time": "T", "year": "#", "number": "#"}.get(value.kind.split()[0], "")
    return f"{mark}{value.canon}" if mark else ""


@cache
def unit_words() -> Mapping[str, str]:
    """Return the units behind numbers, as `u:km`."""
    return {word: f"u:{unit}" for word, unit in units().items()}


def is_unit(word: str) -> bool:
    """Return whether a word is a unit in one way of writing."""
    return word.startswith("u:") and len(word) > len("u:")
