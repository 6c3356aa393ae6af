"""Reads times of day in one way."""

import re

from clawgit.text.sameness.calendar import atom
from clawgit.text.sameness.note import bag

_HOURS = {
    name: at
    for at, row in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
    for name in row.split()
}
_WORD = "|".join(list(_HOURS)[1:])
_PAST = rf"\b(half past|quarter past|quarter to)\s+(\d\d?|{_WORD})\b"
_TIME = (
    rf"(?<![\w.:/$€£+])(?P<h1>\d\d?|{_WORD})(?:[:.](?P<m1>[0-5]\d))?\s?(?P<half>[ap]\.?m\b\.?"
    r"|in the (?:morning|afternoon|evening)\b|at night\b)"
    r"|(?<![\w.:/$€£+])(?P<h2>[01]?\d|2[0-4])[:](?P<m2>[0-5]\d)(?::(?P<s2>[0-5]\d))?(?!\w|:\d|\.\d)"
    r"(?P<de2>\s(?:Uhr|h|hrs|hs)\b)?(?P<es2>\s?(?:de|por) la (?:mañana|tarde|noche)\b)?"
    r"|(?<![\w.:/])(?P<h3>[01]?\d|2[0-4])(?:[.:](?P<m3>[0-5]\d))?\s?Uhr\b(?:\s(?P<day3>morgens|vormittags"
    r"|nachmittags|abends))?"
    r"|(?<=\blas )(?P<h4>\d\d?)(?:[:.](?P<m4>\d\d))?(?:\s?h\b|\s?horas\b)?(?:\s?(?:de|por) la"
    r" (?P<day4>mañana|tarde|noche)\b)?"
    r"|(?<=\bà )(?P<h5>\d\d?)\s?h(?:eures?)?\s?(?P<m5>\d\d)?(?:\s(?P<day5>du matin|de l'après-midi|du soir)\b)?(?!\w)"
    rf"|(?<![\w.:/])(?P<h6>\d\d?|{_WORD})\s?o'?clock\b(?:\s(?P<day6>[ap]\.?m\b\.?"
    r"|in the (?:morning|afternoon|evening)|at night))?"
    r"|\b(?P<noon>noon|midday|mediodía)\b|\b(?P<midnight>midnight|medianoche|minuit|Mitternacht)\b"
)
_ASIAN = (
    r"(?P<half>凌晨|清晨|早上|早晨|上午|中午|正午|下午|傍晚|晚上|夜里|半夜|深夜|午前|午後|朝|夜|오전|오후|새벽|아침|저녁|밤)?"
    r"(?:の|에)?\s?(?:(?P<h>[01]?\d|2[0-4])\s?(?:点钟|点整|点|時|时|시)(?!間|间|간|期|代|候|刻|スタ)"
    r"\s?(?:(?P<m>[0-5]?\d)\s?[分분]?(?!\d|钟|間|간)|(?P<thirty>半|반)|(?P<quarter>一刻|1刻))?|(?<![\dT:])(?P<h2>[01]?\d|2[0-4]):(?P<m2>[0-5]\d)(?!\d))"
)
_LATER = bag("下午 傍晚 晚上 午後 夜 오후 저녁 밤 夜里 深夜 半夜")
_MIDDAY = frozenset(("中午", "正午"))
_DAYLIGHT = bag("中午 正午 下午 午後 오후")
_NOON = 12


def timed(text: str) -> str:
    """Return a text in which each time of day is an atom: `T14:00`."""
    return re.sub(_TIME, _time, re.sub(_PAST, _past, text, flags=re.IGNORECASE), flags=re.IGNORECASE)


def timed_asian(text: str) -> str:
    """Return the same for times in Chinese, Japanese, Korean."""
    return re.sub(_ASIAN, _asian, text)


def _past(found: re.Match[str]) -> str:
    hour = _hour(found[2])
    minute = {"half past": 30, "quarter past": 15, "quarter to": 45}[found[1].lower()]
    hour -= minute == 45  # noqa: PLR2004 - a quarter to the hour
    return f"{hour % 24}:{minute:02}"


def _hour(word: str) -> int:
    return int(word) if word.isdigit() else _HOURS[word.lower()]


def _time(found: re.Match[str]) -> str:
    said = {name: part for name, part in found.groupdict().items() if part}
    if "noon" in said or "midnight" in said:
        return atom("T12:00" if "noon" in said else "T00:00")
    hour = _hour(next(part for name, part in said.items() if name[0] == "h" and name != "half"))
    minute = next((part for name, part in said.items() if name[0] == "m"), "00")
    half = said.get("half") or said.get("es2") or next((said[name] for name in said if name.startswith("day")), "")
    hour = _of_day(hour, half.lower())
    if not 0 <= hour <= 24 or int(minute) > 59:  # noqa: PLR2004
        return found[0]
    return atom(f"T{hour % 24:02}:{minute}" + (f":{said['s2']}" if said.get("s2", "00") != "00" else ""))


def _of_day(hour: int, half: str) -> int:
    if hour > _NOON or not half:
        return hour
    if half.startswith("a") and "night" not in half:
        return hour % _NOON
    if any(word in half for word in ("morning", "morgens", "vormittags", "mañana", "matin")):
        return hour % _NOON
    if "night" in half and hour < 6:  # noqa: PLR2004 - two at night
        return hour
    return hour % _NOON + _NOON


def _asian(found: re.Match[str]) -> str:
    hour = int(found["h"] or found["h2"])
    minute = int(found["m"] or found["m2"] or (30 if found["thirty"] else 15 if found["quarter"] else 0))
    half = found["half"] or ""
    late = half in _LATER and not (half in {"深夜", "半夜", "夜里", "밤", "夜"} and hour < 6)  # noqa: PLR2004
    if (late and hour < _NOON) or (half in _MIDDAY and hour < 3):  # noqa: PLR2004 - one at noon
        hour += _NOON
    elif hour == _NOON and half and half not in _DAYLIGHT:
        hour = 0
    return atom(f"T{hour % 24:02}:{minute:02}")
