"""Finds days, times, amounts, names."""
# ruff: noqa: E501, ISC004, RUF001 -- a pattern is read whole, in its own script

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from clawgit.text.sameness.note import bag

_WEEKDAYS = (
    "monday|mon|montag|lunes|lundi|星期一|周一|週一|礼拜一|月曜日?|월요일",
    "tuesday|tues|tue|dienstag|martes|mardi|星期二|周二|週二|礼拜二|火曜日?|화요일",
    "wednesday|wed|mittwoch|miércoles|mercredi|星期三|周三|週三|礼拜三|水曜日?|수요일",
    "thursday|thurs|thur|thu|donnerstag|jueves|jeudi|星期四|周四|週四|礼拜四|木曜日?|목요일",
    "friday|fri|freitag|viernes|vendredi|星期五|周五|週五|礼拜五|金曜日?|금요일",
    "saturday|sat|samstag|sonnabend|sábado|samedi|星期六|周六|週六|礼拜六|土曜日?|토요일",
    "sunday|sun|sonntag|domingo|dimanche|星期日|星期天|周日|周天|週日|礼拜天|日曜日?|일요일",
)
_MONTHS = (
    "january|jan|januar|enero|janvier",
    "february|feb|februar|febrero|février",
    "march|mar|märz|marzo|mars",
    "april|apr|abril|avril",
    "may|mai|mayo",
    "june|jun|juni|junio|juin",
    "july|jul|juli|julio|juillet",
    "august|aug|agosto|août",
    "september|sept|sep|septiembre|septembre",
    "october|oct|oktober|okt|octubre|octobre",
    "november|nov|noviembre|novembre",
    "december|dec|dezember|dez|diciembre|décembre",
)
_COUNTS = (
    "one|ein|eins|uno|un",
    "two|zwei|dos|deux",
    "three|drei|tres|trois",
    "four|vier|cuatro|quatre",
    "five|fünf|cinco|cinq",
    "six|sechs|seis",
    "seven|sieben|siete|sept",
    "eight|acht|ocho|huit",
    "nine|neun|nueve|neuf",
    "ten|zehn|diez|dix",
    "eleven|elf|onze",
    "twelve|zwölf|doce|douze",
)
_HAN = {letter: at for at, letter in enumerate("〇一二三四五六七八九十")} | {"两": 2, "兩": 2, "零": 0}
_KOREAN = {
    word: at
    for at, row in enumerate(
        ["한|하나", "두|둘", "세|셋", "네|넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두"], 1
    )
    for word in row.split("|")
}

_ANY_MONTH = "|".join(sorted("|".join(_MONTHS).split("|"), key=len, reverse=True))
_ANY_COUNT = "|".join("|".join(_COUNTS).split("|"))
_DAYS = [day for row in _WEEKDAYS for day in row.split("|")]
_LATIN_DAYS = "|".join(sorted((day for day in _DAYS if day[0] < "\u0250"), key=len, reverse=True))
_ASIAN_DAYS = "|".join(day for day in _DAYS if day[0] >= "\u0250")
_B, _E = r"(?<![^\W_])", r"(?![^\W_])"
_KO = "|".join(sorted(_KOREAN, key=len, reverse=True))
_H = rf"(?:\d{{1,2}}|[〇一二三四五六七八九十两兩]{{1,3}}|(?:{_KO}))"
_HALF = "早上|上午|中午|下午|晚上|午前|午後|朝|夜|오전|오후|아침|저녁|밤"

_FORMS = (
    ("path", r"https?://[^\s,;)\"'`]+[^\s.,;:!?)\"'`]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    (
        "path",
        r"(?<![\w./~-])(?:~|\.{1,2})?/?(?:[\w.-]+/)+[\w.-]*\w|(?<![\w./~-])[~.]?/[\w-][\w./-]*\w"
        r"|(?<![\w./-])[\w-]+\.(?:py|md|txt|json|ya?ml|toml|sh|js|ts|tsx|go|rs|csv|xlsx?|pdf|docx?|log|cfg|conf|env|db|sql|html|css|png|jpe?g|zip|java|rb|ini)(?![A-Za-z0-9_])"
        r"|(?<![\w./-])\.[a-z]\w+(?![\w/])",
    ),
    (
        "date",
        rf"{_B}\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}{_E}|{_B}\d{{1,2}}(?:st|nd|rd|th|\.|er)?(?: of| de)? (?:{_ANY_MONTH}){_E}(?:,? (?:de )?\d{{4}}{_E})?"
        rf"|{_B}(?:{_ANY_MONTH})\.? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?![\d:%]| ?[ap]\.?m|[.,]\d)(?:,? \d{{4}}{_E})?|{_B}\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?{_E}"
        rf"|{_B}\d{{1,2}}\.\d{{1,2}}\.\d{{2,4}}{_E}|(?<=\b(?:am|em|um|im) )\d{{1,2}}\.\d{{1,2}}\.|(?:\d{{4}}[年년] ?)?\d{{1,2}}[月월] ?\d{{1,2}}[日号號일]|(?<!\d)\d{{1,2}}[号號](?![线線楼樓])"
        rf"|{_B}(?:the|am|le|el) \d{{1,2}}(?:st|nd|rd|th|\.|er){_E}(?! (?:floor|time|year|week|version|place))|{_B}\d{{1,2}}(?:st|nd|rd|th){_E}(?! (?:floor|time|year|week|version|place|street|avenue))",
    ),
    (
        "time",
        rf"{_B}\d{{1,2}}(?:[:.][0-5]\d)? ?[ap]\.?m\b\.?|{_B}(?:[01]?\d|2[0-4]):[0-5]\d(?: ?uhr)?{_E}|{_B}\d{{1,2}}(?:[.:][0-5]\d)? uhr{_E}(?: \d\d{_E})?"
        rf"|{_B}(?:\d{{1,2}}|{_ANY_COUNT}) o'?clock{_E}|{_B}half past (?:\d{{1,2}}|{_ANY_COUNT}){_E}|{_B}halb (?:\d{{1,2}}|{_ANY_COUNT}){_E}"
        rf"|{_B}\d{{1,2}} ?h(?:eures?)?(?: ?[0-5]\d)?{_E}|{_B}(?:noon|midnight|midday){_E}|(?<=\blas )(?:\d{{1,2}}|{_ANY_COUNT}){_E}"
        rf"|(?:(?:{_HALF}) ?)?{_H} ?(?:点钟|点整|点|點|時|时|시)(?!間|间|간|期|代|候)(?: ?(?:半|반|[0-5]?\d ?[分분]))?|(?:{_HALF}) ?\d{{1,2}}:\d\d",
    ),
    ("month", rf"{_B}(?:{_ANY_MONTH}){_E}|(?<!\d)\d{{1,2}}[月월](?!間)"),
    ("weekday", rf"{_B}(?:{_LATIN_DAYS})(?:'?s)?{_E}|{_ASIAN_DAYS}"),
    (
        "money",
        r"[$€£¥₩] ?\d(?:[\d.,]*\d)?(?:k|m|bn)?\b|(?<![\d.,])\d(?:[\d.,]*\d)?(?:k|m)? ?(?:€|\$|£|₩|(?:dollars?|euros?|eur|usd|pounds?|bucks|gbp|chf|francs?|yen|won)\b)|(?<![\d.,])\d(?:[\d.,]*\d)?[万萬만千천]? ?(?:元|块|塊|円|원|美元)",
    ),
    ("version", rf"{_B}v\d+(?:\.\d+)*{_E}|(?<![A-Za-z0-9_.,$€£])\d+\.\d+\.\d+(?:-[A-Za-z0-9.]+)?(?![A-Za-z0-9_])"),
    ("percent", r"\d+(?:[.,]\d+)? ?(?:%|percent\b|prozent\b|パーセント|퍼센트)"),
    (
        "number",
        rf"(?<![A-Za-z0-9_.,])\d+(?:[.,]\d+)*(?![A-Za-z_]*\d)|{_B}(?:{_ANY_COUNT}){_E}|[一二三四五六七八九十两兩](?=[个個人名位件次天周週年月本台杯只岁歳歲小分])|(?:{_KO})(?= ?(?:명|개|번|달|살|마리|잔|권|병|대|시간))",
    ),
)
_SKIPPED_COUNTS = frozenset(("one", "un", "ein", "uno", "once", "eins", "sept"))
_OTHERWISE = {
    "weekday": frozenset(("sun", "sat", "mon", "wed", "mar", "fri")),
    "month": frozenset(("may", "march", "mar", "mars", "mai", "jan", "sep", "dec")),
}
_UNIT = re.compile(r" ?([^\W\d_]{1,14}|°C|°F)")
_NAME = re.compile(r"(?<![\w@#/.-])[A-ZÄÖÜÉÈÁÍÓÚÑ][\w'’&+#-]*(?:\.[\w-]+)*(?: [A-ZÄÖÜÉÈÁÍÓÚÑ][\w&+#-]*(?:\.[\w-]+)*)*")
_CODE = re.compile(r"(?<![\w/.-])(?:[a-z]+[a-z0-9]*(?:[_-][a-z0-9]+)+|[a-z]+[A-Z]\w+|[a-z]+\d+[a-z]*)(?![\w/])")
_TICKED = re.compile(r"`([^`\n]{1,60})`")


@dataclass(frozen=True, slots=True)
class Value:
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
    for kind, pattern in _FORMS:
        for match in _compiled(pattern).finditer(text):
            if any(match.start() < one.end and one.start < match.end() for one in found):
                continue
            if value := _read(kind, match, text):
                found.append(value)
    return tuple(sorted(found, key=lambda one: one.start))


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
    " oui je tu il elle nous vous le la les mon ton sí yo el ella user operator api url pm am"
)


def _read(kind: str, match: re.Match[str], text: str) -> Value | None:
    said, low = match[0], match[0].casefold()
    start, end = match.span()
    if not _means(kind, said, low):
        return None
    canon = _WAYS.get(kind, _plain)(said)
    if kind == "number":
        unit = _UNIT.match(text, end)
        kind = f"number {_unit(unit[1]) if unit else ''}".strip()
    return Value(kind, canon, start, end, said)


def _means(kind: str, said: str, low: str) -> bool:
    """Tell whether a word that is also another one stands here for a value: `Mar`, `may`, `one`."""
    if kind == "number":
        return low not in _SKIPPED_COUNTS
    return said[0].isupper() or low not in _OTHERWISE.get(kind, ())


def _weekday(said: str) -> str:
    low = said.casefold()
    return str(_row(_WEEKDAYS, low.removesuffix("s").removesuffix("'")) or _row(_WEEKDAYS, low))


def _month(said: str) -> str:
    digits = re.match(r"\d+", said)
    return digits[0].lstrip("0") if digits else str(_row(_MONTHS, said.casefold()))


def _unit(word: str) -> str:
    low = word.casefold()
    if low in _NO_UNIT:
        return ""
    if not low.isascii() and not low[0].isalpha():
        return low
    if "\u3040" <= low[0] <= "\ud7ff":
        return low[0]
    return low[:-1] if low.endswith("s") and len(low) > 3 else low  # noqa: PLR2004


_NO_UNIT = bag(
    "and or not but is are was in on at to from of for the a now instead any as by with then if so than und"
    " oder nicht statt sondern y o no et ou pas mais au sino"
)


def _row(rows: tuple[str, ...], word: str) -> int:
    return next((at for at, row in enumerate(rows, 1) if re.fullmatch(row, word)), 0)


def _plain(said: str) -> str:
    return re.sub(r"[\s,]", "", said.casefold()).rstrip(".")


def _money(said: str) -> str:
    return re.sub(r"[^\d.k万萬만천千m]", "", said.casefold()).rstrip(".")


def _number(said: str) -> str:
    low = said.casefold()
    if low in _HAN:
        return str(_HAN[low])
    if low in _KOREAN:
        return str(_KOREAN[low])
    return str(_row(_COUNTS, low)) if low[0].isalpha() else re.sub(r",(?=\d{3})", "", low)


def _hour(said: str) -> int:
    low = said.casefold()
    if low.isdigit():
        return int(low)
    if low in _KOREAN:
        return _KOREAN[low]
    if low and low[0] in _HAN:
        ten = low.find("十")
        return _HAN[low] if len(low) == 1 else 10 + _HAN.get(low[-1], 0) if ten == 0 else 20 + _HAN.get(low[-1], 0)
    return _row(_COUNTS, low)


def _time(said: str) -> str:
    low = said.casefold().replace(".m", "m")
    if low in ("noon", "midday", "midnight"):
        return "0:00" if low == "midnight" else "12:00"
    hour = re.search(rf"\d{{1,2}}|{_ANY_COUNT}|[〇一二三四五六七八九十两兩]{{1,3}}|{_KO}", low)
    minute = re.search(r"[:.](\d\d)|(\d{1,2}) ?[分분]|(?:uhr|h|heures?) ?(\d\d)", low)
    at = _hour(hour[0]) if hour else 0
    past = (
        int(next(part for part in minute.groups() if part))
        if minute
        else 30
        if re.search(r"半|반|half past|halb", low)
        else 0
    )
    at -= low.startswith("halb")
    late = bool(re.search(r"pm|下午|晚上|午後|夜|오후|저녁|밤", low))
    return f"{at % 12 + 12 * late if late or 'am' in low else at % 24}:{past:02}"


def _date(said: str) -> str:
    low = said.casefold()
    month = re.search(rf"{_B}(?:{_ANY_MONTH}){_E}", low)
    digits = re.findall(r"\d+", low)
    if month:
        return f"{_row(_MONTHS, month[0])}-{int(digits[0])}"
    if len(digits) == 3 and len(digits[0]) == 4:  # noqa: PLR2004 - a year
        return f"{int(digits[1])}-{int(digits[2])}"
    if re.search("[月월]", low):
        return f"{int(digits[-2])}-{int(digits[-1])}"
    if low.count(".") >= 2:  # noqa: PLR2004 - as Germans write it
        return f"{int(digits[1])}-{int(digits[0])}"
    return "/".join(digits)


_WAYS = {
    "time": _time,
    "date": _date,
    "number": _number,
    "money": _money,
    "weekday": _weekday,
    "month": _month,
}
