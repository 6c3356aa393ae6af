"""Dates that a text names, and due dates.

A text becomes a row of tokens: one for each word of the calendar in its languages, with the parts that the word may
play, and one for each number. The forms of a time are patterns over such a row, the same for all languages.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise, product

from msgspec.structs import replace

from clawgit.language import dates, lexicon, numbers, own_words
from clawgit.language.dates import Form, Lead, Mention, is_possible

Languages = tuple[str, ...]
_MAX_LETTERS = 20_000
"""Letters of a text in which times are looked for."""
_MAX_DAYS, _MAX_MONTHS, _YEAR_DIGITS = 31, 12, 4
_BEFORE = 40
"""Letters before a time in which words make something of it."""
_MIN_STEM = 2
"""Letters that a verb has before the ending of what is to come, as in `partira`."""
_YEAR_FORM = re.compile(r"(?:1[5-9]|2[01])\d\d")
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+")
_LEADS: Mapping[str, Lead] = {
    "on": "on",
    "until": "until",
    "since": "since",
    "from": "from",
    "last": "last",
    "next": "next",
    "this": "this",
    "in_month": "in",
}
_SIDES = {"ago": -1, "ahead": 1, "past": -1, "soon": 1}
_BOUNDS = ("since", "from", "until")
_PERIODS = ("week", "weekend", "month", "year")
_DAYS = {"before_yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "after_tomorrow": 2}
_NAMES = (
    ("M", "calendar", "months", 1),
    ("M", "dates", "months", 1),
    ("W", "calendar", "weekdays", 0),
    ("W", "dates", "weekdays", 0),
    ("H", "dates", "every_weekday", 0),
)
_WORDS = (
    *((f"U:{unit}", "dates", unit) for unit in ("day", "week", "month", "year")),
    *((f"lead:{lead}", "dates", key) for key, lead in _LEADS.items()),
    *((key, "dates", key) for key in ("of", "the", "other_words")),
    *((key, "numbers", key) for key in ("vague", "one")),
)
_MARKS = ("year_mark", "month_mark", "day_mark", "nth_mark", "weekday_end", "not_behind", "not_behind_nth")
_PHRASES = ("ago_before", "ago_behind", "ahead_before", "ahead_behind", *_MARKS)
_WORDY = "0-9A-Za-z_\u00aa-\u02b8\u0370-\u10ff"
"""Letters that go on a number: those of East Asia stand right beside a date."""
_NUMERIC: tuple[tuple[str, "re.Pattern[str]"], ...] = tuple(
    (form, re.compile(rf"(?<![{_WORDY}./:-]){source}"))
    for form, source in (
        (
            "day",
            rf"(?P<y>\d{{4}})(?P<sep>[-/.])(?P<m>\d\d?)(?P=sep)(?P<d>\d\d?)(?=[tT]\d\d:\d\d|(?![{_WORDY}]|[-./]\w))",
        ),
        ("month", rf"(?P<y>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?![{_WORDY}/]|[-.]\w)"),
        ("day", rf"(?P<d>\d\d?)\.[ ]?(?P<m>\d\d?)\.[ ]?(?P<y>\d{{4}})(?![{_WORDY}/]|[-.]\w)"),
        ("dotted", rf"(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?![{_WORDY}])"),
        ("slashed", rf"(?P<m>\d\d?)/(?P<d>\d\d?)/(?P<y>\d{{4}})(?![{_WORDY}/]|[-.]\w)"),
    )
)


def _token(part: str, group: str = "") -> str:
    """Return the source of a token with a part; the value of the part is a group."""
    value = f":(?P<{group}>[^ >]+)" if group else ""
    return f"<(?:[^<>]* )?{part}{value}(?: [^<>]*)?>"


_OF_WORD, _THE_WORD = f"(?:{_token('of')} ?)?", f"(?:{_token('the')} )?"
_SIDE = f"(?: {_token('side', 'side')})?"
_YEAR = rf"(?:[,.]? ?{_OF_WORD}{_token('Y', 'y')}(?! ?{_token('not_behind')}))?"
_END_OF_DAY = f"(?! ?{_token('not_behind')})"
_EASTERN_YEAR = f"{_token('Y', 'y')} ?{_token('year_mark')}{_END_OF_DAY} ?"
_EASTERN_MONTH = f"{_token('m', 'n')} ?{_token('month_mark')}"
_WEEKDAY_LETTER = f"(?:{_token('L', 'l')}{_token('weekday_end')}|{_token('G', 'g')}|{_token('W', 'w')})"
_BEFORE_SHIFT = f"(?:(?P<past>{_token('ago_before')})|(?P<soon>{_token('ahead_before')})) "
_BEHIND_SHIFT = f" ?{_OF_WORD}(?:(?P<ago>{_token('ago_behind')})|(?P<ahead>{_token('ahead_behind')}))"
_COUNT = f"(?:{_token('one')} )?{_token('N', 'count')} ?{_OF_WORD}{_token('U', 'unit')}"
_NTH = rf"{_token('D', 'd')}(?:{_token('end')}|\.(?! ?[<~])|{_token('nth_mark')})"
_SOURCES: tuple[tuple[Form, str], ...] = (
    ("day", rf"{_token('D', 'd')}(?:{_token('end')})?\.? ?{_OF_WORD}{_token('M', 'm')}{_YEAR}"),
    ("day", rf"{_token('M', 'm')}\.? ?{_THE_WORD}{_token('D', 'd')}(?:{_token('end')}|{_token('day_mark')})?{_YEAR}"),
    ("day", f"(?:{_EASTERN_YEAR})?{_EASTERN_MONTH} ?{_token('D', 'd')} ?{_token('day_mark')}{_END_OF_DAY}"),
    ("weekday of week", f"{_token('P:week', 'week')} ?{_OF_WORD}{_WEEKDAY_LETTER}"),
    ("month", f"{_EASTERN_YEAR}{_EASTERN_MONTH}{_END_OF_DAY}"),
    ("shift", f"(?:{_BEFORE_SHIFT})?{_COUNT}(?:{_BEHIND_SHIFT})?"),
    ("period", _token("P", "period")),
    ("weekday", f"{_token('W', 'w')}{_SIDE}"),
    ("habit", _token("H", "w")),
    ("month", rf"{_token('M', 'm')}(?:{_YEAR}{_SIDE})"),
    ("month", f"{_EASTERN_MONTH}{_END_OF_DAY}"),
    ("nth", f"{_NTH}(?! ?{_token('not_behind_nth')})"),
    ("year", rf"{_token('Y', 'y')}(?:{_token('year_mark')}{_END_OF_DAY})?"),
)
_ROWS = tuple((form, re.compile(source)) for form, source in _SOURCES)


def find_dates(text: str, languages: Languages | None = None) -> tuple[Mention, ...]:
    """Return the times that a text names, in order, none inside of another.

    `languages` are those to read it in; without them those that it may be in.
    """
    return _find_mentions(text[:_MAX_LETTERS], lexicon.candidates(text) if languages is None else languages)


@lru_cache(maxsize=1024)
def _find_mentions(text: str, languages: Languages) -> tuple[Mention, ...]:
    low, mentions = lower_text(text), list[Mention]()
    parts, _ = _load_scanner(languages)
    for form, pattern in _NUMERIC if any(map(str.isdecimal, low)) else ():
        # Elsewhere `15.4.` is a version, or a price, at the end of a sentence.
        for match in pattern.finditer(low) if form != "dotted" or _has_dotted_ordinals(languages) else ():
            _add(mentions, _read_numeric(form, match, _find_lead(low, match.start(), parts)))
    row, offsets = _write_row(low, languages)
    for row_form, pattern in _ROWS if "<" in row else ():
        for match in pattern.finditer(row):
            lead = _find_lead(low, offsets[match.start()], parts)
            _add(mentions, _read_row(row_form, match, lead, offsets))
    mentions.sort(key=lambda item: item.start)
    articles = {word for iso in languages for key in ("the", "on") for word in lexicon.words(iso, "dates", key)}
    # A weekday beside its exact day adds nothing: only the day counts.
    explaining = {
        mention.start
        for pair in pairwise(mentions)
        if {mention.form for mention in pair} == {"weekday", "day"}
        and low[pair[0].end : pair[1].start].strip(" ,.(") in {"", *articles}
        for mention in pair
        if mention.form == "weekday"
    }
    return tuple(mention for mention in mentions if mention.start not in explaining)


def _add(mentions: list[Mention], mention: Mention | None) -> None:
    if mention and not any(mention.start < other.end and other.start < mention.end for other in mentions):
        mentions.append(mention)


def _find_lead(low: str, start: int, parts_of_words: Mapping[str, tuple[str, ...]]) -> Lead:
    """Return the effect of the word before a time, or before its article."""
    if low[start - 1 : start] != " ":
        return ""
    *_, before, last = ("", "", *low[max(0, start - _BEFORE) : start].split())
    last_parts, parts = parts_of_words.get(last, ()), parts_of_words.get(before, ())
    leads = [part for part in (*(parts if "the" in last_parts else ()), *last_parts) if part.startswith("lead:")]
    lead = leads[0].removeprefix("lead:") if leads else ""
    return next((name for name in _LEADS.values() if name == lead), "")


def lower_text(text: str) -> str:
    """Return a text in small letters and with plain apostrophes, each in its place."""
    # A letter such as a capital I with a dot becomes two in lower case, and all offsets behind it would move.
    low = (
        text.lower()
        if len(text.lower()) == len(text)
        else "".join(letter if len(letter.lower()) != 1 else letter.lower() for letter in text)
    )
    return low.replace("\u2019", "'")


# ---- the row of a text


def _write_row(low: str, languages: Languages) -> tuple[str, list[int]]:
    """Return the tokens of a text in a row, with the offset in the text of each place in the row.

    Between tokens stand the marks and one blank of the text; `~` stands for other words.
    """
    parts_of_words, scanner = _load_scanner(languages)
    is_dotted = _has_dotted_ordinals(languages)
    row, offsets, last = list[str](), list[int](), 0
    for match in (*scanner.finditer(low), None):
        start = match.start() if match else len(low)
        for gap in re.finditer(r"\s+|\w+|[^\w\s]", low[last:start]):
            letter = " " if gap[0].isspace() else "~" if re.match(r"[\w<>]", gap[0]) else gap[0]
            row.append("," if letter == "." and not is_dotted else letter)
            offsets.append(last + gap.start())
        if match:
            token = f"<{' '.join(_list_parts(match, low, parts_of_words))}>"
            row.append(token)
            offsets += [start] * len(token)
            last = match.end()
    return "".join(row), [*offsets, len(low)]


def _has_dotted_ordinals(languages: Languages) -> bool:
    return any("." in lexicon.words(iso, "numbers", "ordinal_ends") for iso in languages)


def _list_parts(match: "re.Match[str]", low: str, parts_of_words: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the parts that a word or a number may play."""
    word = match[0]
    yield from parts_of_words.get(word, ())
    if match["digits"]:
        value, suffix = int(word), low[match.end() : match.end() + 4]
        yield f"N:{value}"
        if re.match(r"[:%]|[./,-]\d", suffix):
            return
        if len(word) < _YEAR_DIGITS and 0 < value <= _MAX_DAYS and not re.match(r"\s*(?:am|pm)\b", suffix):
            yield f"D:{value}"
        yield from (f"m:{value}",) if 0 < value <= _MAX_MONTHS else ()
        yield from (f"Y:{value}",) if _YEAR_FORM.fullmatch(word) else ()
    elif match["numeral"]:
        value = numbers.eastern(word)
        yield from (f"N:{value}", f"D:{value}", f"m:{value}") if value else ()


@cache
def _load_scanner(languages: Languages) -> tuple[Mapping[str, tuple[str, ...]], "re.Pattern[str]"]:
    """Return the parts of each word in some languages, and what finds words and numbers in a text.

    Of one kind of part, as of the months, a word has the first language's.
    """
    parts = defaultdict[str, dict[str, str]](dict)
    for iso in languages:
        is_likely = iso in (languages[0], "en")
        others = frozenset(() if is_likely else lexicon.words(iso, "dates", "other_words"))
        # `segunda` is no Monday in a text that is more likely Spanish.
        for word, part in ((word, part) for word, part in _list_words(iso) if part[0] != "W" or word not in others):
            parts[word].setdefault(part.partition(":")[0], part)
    # Numerals of Korean are letters of all kinds of words; its dates are written in digits.
    isos = [iso for iso in languages if iso != "ko"]
    numerals = "".join(sorted({letter for iso in isos for letter in (*numbers.digits(iso), *numbers.steps(iso))}))
    numeral = f"[{numerals}]+" if numerals else "(?!)"
    eastern = [re.escape(word) for word in lexicon.longest_first(parts) if lexicon.eastern(word)]
    long, short = ("|".join(word for word in eastern if (len(word) > 1) == flag) or "(?!)" for flag in (True, False))
    ends = [re.escape(end) for iso in languages for end in _list_ordinal_ends(iso)]
    end = f"(?:{'|'.join(ends) or '(?!)'})(?![^\\W_])"
    words = (re.escape(word) for word in lexicon.longest_first(parts) if not lexicon.eastern(word))
    spaced = "|".join(re.sub(r"\\? ", r"\\s+", word) for word in words) or "(?!)"
    source = (
        rf"(?P<digits>(?<![{_WORDY}])(?<![.:/-])(?<!\d,)\d{{1,4}}(?=(?:{end})|[^{_WORDY}]|$))|(?<=\d)(?:{end})"
        rf"|(?<![^\W\d_])(?<![^\W\d_]-)(?<!\d)(?:{spaced})(?!\w|['-][^\W\d_])"
        rf"|{long}|(?P<numeral>{numeral})|{short}"
    )
    return {word: tuple(kinds.values()) for word, kinds in parts.items()}, re.compile(source)


def _list_ordinal_ends(iso: str) -> list[str]:
    """Return what stands right behind the digits of an ordinal; a point does more than that."""
    return [end for end in lexicon.words(iso, "numbers", "ordinal_ends") if end != "."]


def _list_words(iso: str) -> Iterator[tuple[str, str]]:
    """Yield the words and phrases of a language's calendar, each with a part that it plays."""
    for kind, table, key, start in _NAMES:
        yield from ((word, f"{kind}:{n}") for word, n in lexicon.number_rows(iso, table, key, start=start).items())
    for part, table, key in _WORDS:
        yield from ((word, part) for word in lexicon.words(iso, table, key))
    yield from ((phrase, key) for key in _PHRASES for phrase in lexicon.phrases(iso, "dates", key))
    yield from ((word, f"N:{number}") for word, number in numbers.small(iso).items())
    yield from ((end, "end") for end in _list_ordinal_ends(iso))
    has_side = lexicon.section(iso, "dates", "side_behind") is True
    for side in ("last", "next", "this") if has_side else ():
        yield from ((word, f"side:{side}") for word in lexicon.words(iso, "dates", side))
    kind = "G" if lexicon.section(iso, "dates", "glued") is True else "L"
    for number, letters in enumerate(lexicon.words(iso, "dates", "weekday_letters")):
        yield from ((letter, f"{kind}:{number}") for letter in letters)
    for key, offset in _DAYS.items():
        yield from ((phrase, f"P:day:{offset}") for phrase in lexicon.phrases(iso, "dates", "days", key))
    for unit in _PERIODS:
        yield from ((phrase, f"P:{unit}:{offset}") for phrase, offset in _list_periods(iso, unit, has_side=has_side))


def _list_periods(iso: str, unit: str, *, has_side: bool) -> Iterator[tuple[str, int]]:
    """Yield the phrases for the last, this and the next week, or another unit, each with its distance."""
    names = lexicon.phrases(iso, "dates", unit) if unit == "weekend" else lexicon.words(iso, "dates", unit)[:1]
    row = str(lexicon.section(iso, "dates", "periods", unit) or "")
    for offset, phrases in enumerate(row.split("|"), -1):
        yield from ((phrase, offset) for phrase in lexicon.split_list(phrases))
    for offset, side in enumerate(("last", "this", "next"), -1):
        for name, word in product(names, lexicon.words(iso, "dates", side)):
            yield f"{word} {name}", offset
            yield from ((f"{name} {word}", offset),) if has_side else ()


# ---- what a match says


def _read_numeric(form: str, match: "re.Match[str]", lead: Lead) -> Mention | None:
    """Read a date in digits, unless it is not told which of two numbers is the month, or there is no such day."""
    groups = match.groupdict()
    year, month, day = int(groups.get("y") or 0) or None, int(groups["m"]), int(groups.get("d") or 0)
    if form == "month":
        return Mention(*match.span(), "month", year, month)
    is_led = lead or match.string[: match.start()].endswith("m ")  # vom, zum, dem
    if form == "dotted" and len(groups["d"]) == 1 and not is_led:
        return None
    days = {(month, day), (day, month)} if form == "slashed" else {(month, day)}
    possible = {pair for pair in days if is_possible(*pair)}
    return Mention(*match.span(), "day", year, *possible.pop(), lead=lead) if len(possible) == 1 else None


def _read_row(form: Form, match: "re.Match[str]", lead: Lead, offsets: list[int]) -> Mention | None:
    """Read a match in a row; `lead` is the effect of the words before it."""
    groups = match.groupdict()
    start, end = offsets[match.start()], offsets[match.end()]
    side = groups.get("side") or ""
    if side and lead in ("last", "next", "this", *_BOUNDS):
        side, end = "", offsets[match.start("side") - 1]
    marks = {part for token in re.findall("<([^>]*)>", match[0]) for part in token.split()}
    lead = "in" if "year_mark" in marks or groups.get("n") else "on" if "nth_mark" in marks else lead
    lead = next((name for name in _LEADS.values() if name == side), lead)
    numbers_of_groups = (int(groups.get(key) or 0) or None for key in ("y", "d", "m", "n"))
    year, day, month, eastern_month = numbers_of_groups
    month = month or eastern_month
    mention = Mention(start, end, form, lead=lead)
    is_wanted = True
    match form:
        case "period":
            unit, count = groups["period"].split(":")
            mention = replace(mention, unit=unit, count=int(count), lead="")
        case "shift":
            count = next((side for name, side in _SIDES.items() if groups[name]), 0) * int(groups["count"])
            mention = replace(mention, unit=groups["unit"], count=count, vague="vague" in marks, lead="")
            is_wanted = count != 0
        case "weekday of week":
            weekday = int(groups["l"] or groups["g"] or groups["w"])
            mention = replace(mention, weekday=weekday, unit="week", count=int(groups["week"]), lead="")
        case "weekday" | "habit":
            is_sure = "other_words" not in marks or lead not in ("", "in") or form == "habit"
            mention = replace(mention, weekday=int(groups["w"]), sure=is_sure)
        case "year":
            mention, is_wanted = replace(mention, year=year), lead in ("in", "last", "this", *_BOUNDS)
        case "nth":
            mention, is_wanted = replace(mention, day=day), lead in ("on", *_BOUNDS)
        case "month":
            is_sure = "other_words" not in marks or bool(year) or lead not in ("", "on")
            mention = replace(mention, year=year, month=month, sure=is_sure)
        case _:
            mention = replace(mention, year=year, month=month, day=day)
            is_wanted = is_possible(month or 0, day or 0)
    return mention if is_wanted else None


# ---- tense


def is_about_past(text: str, languages: Languages | None = None) -> bool | None:
    """Return True for the past, False for the future or an arrangement, None if unknown or mixed."""
    languages = lexicon.candidates(text) if languages is None else languages
    text_words = _WORD.findall(lower_text(text))

    def has_any(key: str) -> bool:
        words = (word for iso in languages for word in lexicon.words(iso, "dates", key))
        return any((lexicon.eastern(word) and word in text) or word in text_words for word in words)

    if has_any("arranged"):
        return False
    ends = [end for iso in languages for end in lexicon.words(iso, "dates", "future_endings")]
    has_ending = any(len(word) >= len(end) + _MIN_STEM and word.endswith(end) for end in ends for word in text_words)
    has_been, is_coming = has_any("past"), has_any("future") or has_ending
    return None if has_been == is_coming else has_been


_LONGEST = 600
"""Letters of a text in which days are looked for: a plan is a sentence."""


@lru_cache(maxsize=4096)
def days(text: str, anchor: date | None) -> tuple[date, ...]:
    """Return the future days in a text relative to its own day `anchor`, in order.

    Only exact days count, and recurring events have none. The day itself counts if the text has `today`, or is about
    the future. If the day of the text is unknown, days with a year count.
    """
    text = text[:_LONGEST]
    isos = lexicon.candidates(text)
    if own_words.table_finder(isos, "dates", "recurring").search(text):  # as birthdays do
        return ()
    past = is_about_past(text, isos)
    result: set[date] = set()
    for mention in find_dates(text, isos):
        # `Since` and `from` begin a period, and a possible other word such as `may` needs a word before it.
        if mention.vague or mention.lead in {"since", "from"} or not (mention.sure or mention.lead):
            continue
        if anchor is None and not mention.year:
            continue
        span = dates.resolve_days(mention, anchor or date.min, past=past, ahead=dates.STATEMENT)
        is_exact = span and span.first == span.last
        is_open = past is False or (past is None and mention.form == "period")  # `today`, not its date
        if span and is_exact and (anchor is None or span.first > anchor or (span.first == anchor and is_open)):
            result.add(span.first)
    return tuple(sorted(result))
