"""Reads dates in one way."""

import re

_NAMES = {
    name: at + 1
    for at, row in enumerate(
        (
            "january jan januar enero janvier janv",
            "february feb februar febrero février févr febuary febraury",
            "march mar märz marzo mars",
            "april apr abril avril",
            "may mai mayo",
            "june jun juni junio juin",
            "july jul juli julio juillet",
            "august aug agosto août",
            "september sep sept septiembre septembre",
            "october oct oktober okt octubre octobre",
            "november nov noviembre novembre",
            "december dec dezember dez diciembre décembre",
        )
    )
    for name in row.split()
}
_WEEKDAYS = {
    name: at + 1
    for at, row in enumerate(
        (
            "monday mondays montag montags lunes lundi",
            "tuesday tuesdays dienstag dienstags martes mardi",
            "wednesday wednesdays mittwoch mittwochs miércoles mercredi wensday wendesday wedensday",
            "thursday thursdays donnerstag donnerstags jueves jeudi thrusday",
            "friday fridays freitag freitags viernes vendredi",
            "saturday saturdays samstag samstags sonnabend sábado sábados samedi",
            "sunday sundays sonntag sonntags domingo domingos dimanche",
        )
    )
    for name in row.split()
}
_SHORT = {
    name: at + 1
    for at, row in enumerate(("Mon", "Tue Tues", "Wed", "Thu Thur Thurs", "Fri", "Sat", "Sun"))
    for name in row.split()
}
_PLAIN_MONTHS = frozenset(_NAMES) - {"may", "march", "mar", "mai", "mars", "jan", "dec", "sep"}
_MONTH = "|".join(sorted(_NAMES, key=len, reverse=True))
_EDGE = r"(?<![\w./:-])"
_END = r"(?![\w/]|[-.]\w)"
_WRITTEN = (
    rf"{_EDGE}(?P<y1>\d{{4}})[-/.](?P<m1>\d\d?)[-/.](?P<d1>\d\d?)(?=T\d\d:\d\d|(?!\w|[-./]\w))"
    rf"|{_EDGE}(?P<y2>(?:19|20)\d\d)-(?P<m2>0[1-9]|1[0-2]){_END}"
    rf"|{_EDGE}(?P<d3>\d\d?)\.[ ]?(?P<m3>\d\d?)\.[ ]?(?P<y3>\d{{4}}){_END}"
    rf"|{_EDGE}(?P<s1>\d\d?)/(?P<s2>\d\d?)/(?P<y4>\d{{4}}){_END}"
    rf"|{_EDGE}(?P<d5>\d\d?)(?:st|nd|rd|th|\.|er)?(?:\s+of|\s+de)?\s+(?P<m5>{_MONTH})\b\.?"
    rf"(?:,?(?:\s+de|\s+of)?\s+(?P<y5>\d{{4}}))?{_END}"
    rf"|\b(?P<m6>{_MONTH})\b\.?\s+(?:the\s+)?(?P<d6>\d\d?)(?:st|nd|rd|th)?(?!\d|[.:,]\d|\s?[ap]\.?m)"
    rf"(?:,?\s+(?P<y6>\d{{4}}))?{_END}"
    rf"|\b(?P<m7>{_MONTH})\b\.?,?(?:\s+of|\s+de)?\s+(?P<y7>(?:19|20)\d\d){_END}"
)
_ASIAN = (
    r"(?:(?P<y>\d{4}|今)[年년]\s?)?(?P<m>1[0-2]|0?[1-9])[月월](?!間)\s?(?P<d>[0-3]?\d)[日号號일](?!間|间)"
    r"|(?P<y2>\d{4})[年년]\s?(?P<m2>1[0-2]|0?[1-9])[月월](?P<e2>份)?"
    r"|(?<![\d个個箇ヶカか])(?P<m3>1[0-2]|0?[1-9])[月월](?P<e3>份)?(?!間)"
    r"|(?<!\d)(?P<d4>[0-3]?\d)[号號](?![线線楼楼室门機机])|(?P<y5>\d{4})[年년](?!間|间|동안)"
)
_ASIAN_DAYS = r"(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])|(?P<ja>[月火水木金土日])曜日?|(?P<ko>[월화수목금토일])요일"
_DAYS = {
    letter: at + 1 for row in ("一二三四五六日", "月火水木金土日", "월화수목금토일") for at, letter in enumerate(row)
}
OPEN, CLOSE = "\ue010", "\ue011"


def atom(text: str) -> str:
    """Return what later steps take as one word."""
    return f" {OPEN}{text}{CLOSE} "


def dated(text: str) -> str:
    """Return a text in which each written date is an atom: `D2026-03-03`, `D-03-03`, `M2026-03`."""
    return re.sub(_WRITTEN, _date, text, flags=re.IGNORECASE)


def dated_asian(text: str) -> str:
    """Return the same for dates in Chinese, Japanese, Korean."""
    return re.sub(_ASIAN, _asian, text)


def weekdays_asian(text: str) -> str:
    """Return the same for weekdays; before numerals are read, for they are numbers in Chinese."""
    return re.sub(_ASIAN_DAYS, lambda day: atom(f"W{_weekday(day)}"), text)


def month(word: str, *, sure: bool) -> str | None:
    """Return a month that stands alone as `M03`; `sure` where only a month can be meant."""
    low = word.casefold()
    if low in _PLAIN_MONTHS or (sure and low in _NAMES):
        return f"M-{_NAMES[low]:02}" if len(low) > 3 or not word.islower() else None  # noqa: PLR2004 - jan, oct
    return None


def weekday(word: str) -> str | None:
    """Return a weekday as `W1`, Monday, to `W7`."""
    found = _WEEKDAYS.get(word.casefold()) or _SHORT.get(word)
    return f"W{found}" if found else None


def _weekday(found: re.Match[str]) -> int:
    day = found[found.lastgroup or 0]
    return 7 if day == "天" else _DAYS[day]


def _date(found: re.Match[str]) -> str:
    said = {name[0] + name[1:]: part for name, part in found.groupdict().items() if part}
    if "s1" in said:
        return _slashed(found, int(said["s1"]), int(said["s2"]), said["y4"])
    year = next((part for name, part in said.items() if name[0] == "y"), "")
    named = next(part for name, part in said.items() if name[0] == "m")
    day = next((part for name, part in said.items() if name[0] == "d"), "")
    number = int(named) if named.isdigit() else _NAMES[named.casefold()]
    if not 1 <= number <= 12 or (day and not 1 <= int(day) <= 31):  # noqa: PLR2004
        return found[0]
    if named.islower() and named in {"may", "march", "mar"} and not day:
        return found[0]
    return atom(f"D{year}-{number:02}-{int(day):02}" if day else f"M{year}-{number:02}")


def _slashed(found: re.Match[str], one: int, two: int, year: str) -> str:
    """Read 13/5/2026 and 5/13/2026; what may be either stays as it stands."""
    if one > 12 >= two >= 1 and one <= 31:  # noqa: PLR2004
        return atom(f"D{year}-{two:02}-{one:02}")
    if (two > 12 >= one >= 1 and two <= 31) or one == two <= 12:  # noqa: PLR2004
        return atom(f"D{year}-{one:02}-{two:02}")
    return atom(f"D{found[0]}")


def _asian(found: re.Match[str]) -> str:
    said = found.groupdict()
    if said["d"]:
        year = said["y"] or ""
        return atom(f"D{year if year != '今' else ''}-{int(said['m']):02}-{int(said['d']):02}")
    if said["m2"]:
        return atom(f"M{said['y2']}-{int(said['m2']):02}")
    if said["m3"]:
        return atom(f"M-{int(said['m3']):02}")
    return atom(f"D--{int(said['d4']):02}") if said["d4"] else atom(f"Y{said['y5']}")
