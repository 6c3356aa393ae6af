"""Writes a day, a time, an amount in one way."""

import re

from clawgit.agents.validating.calendar_words import COUNTS, MONTHS, WEEKDAYS
from clawgit.agents.validating.value_forms import ANY_COUNT, ANY_MONTH, HAN, KO, KOREAN, B, E


def _weekday(said: str) -> str:
    low = said.casefold()
    return str(_row(WEEKDAYS, low.removesuffix("s").removesuffix("'")) or _row(WEEKDAYS, low))


def _month(said: str) -> str:
    digits = re.match(r"\d+", said)
    return digits[0].lstrip("0") if digits else str(_row(MONTHS, said.casefold()))


def _row(rows: tuple[str, ...], word: str) -> int:
    return next((at for at, row in enumerate(rows, 1) if re.fullmatch(row, word)), 0)


def plain(said: str) -> str:
    """Return a value without spaces and commas, in small letters."""
    return re.sub(r"[\s,]", "", said.casefold()).rstrip(".")


def _money(said: str) -> str:
    return re.sub(r"[^\d.k万萬만천千m]", "", said.casefold()).rstrip(".")


def _number(said: str) -> str:
    low = said.casefold()
    if low in HAN:
        return str(HAN[low])
    if low in KOREAN:
        return str(KOREAN[low])
    return str(_row(COUNTS, low)) if low[0].isalpha() else re.sub(r",(?=\d{3})", "", low)


def _hour(said: str) -> int:
    low = said.casefold()
    if low.isdigit():
        return int(low)
    if low in KOREAN:
        return KOREAN[low]
    if low and low[0] in HAN:
        ten = low.find("十")
        return HAN[low] if len(low) == 1 else 10 + HAN.get(low[-1], 0) if ten == 0 else 20 + HAN.get(low[-1], 0)
    return _row(COUNTS, low)


def _time(said: str) -> str:
    low = said.casefold().replace(".m", "m")
    if low in ("noon", "midday", "midnight"):
        return "0:00" if low == "midnight" else "12:00"
    hour = re.search(rf"\d{{1,2}}|{ANY_COUNT}|[〇一二三四五六七八九十两兩]{{1,3}}|{KO}", low)
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
    month = re.search(rf"{B}(?:{ANY_MONTH}){E}", low)
    digits = re.findall(r"\d+", low)
    if month:
        return f"{_row(MONTHS, month[0])}-{int(digits[0])}"
    if len(digits) == 3 and len(digits[0]) == 4:  # noqa: PLR2004 - a year
        return f"{int(digits[1])}-{int(digits[2])}"
    if re.search("[月월]", low):
        return f"{int(digits[-2])}-{int(digits[-1])}"
    if low.count(".") >= 2:  # noqa: PLR2004 - as Germans write it
        return f"{int(digits[1])}-{int(digits[0])}"
    return "/".join(digits)


WAYS = {
    "time": _time,
    "date": _date,
    "number": _number,
    "money": _money,
    "weekday": _weekday,
    "month": _month,
}
