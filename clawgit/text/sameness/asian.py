"""Reads notes in Chinese, Japanese, Korean."""

import re
from functools import cache

from clawgit.language import numbers
from clawgit.language.detect import eastern, eastern_language
from clawgit.text.sameness import calendar, chinese, clock, hanzi, japanese, korean
from clawgit.text.sameness.measured import ATTACHED, is_unit, measured, table
from clawgit.text.sameness.note import Reading, temporal
from clawgit.text.sameness.synonyms import SAME

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
_KANA = "\u3041-\u309f\u30a1-\u30fa\u30fd-\u30ff"
_LETTER = re.compile(f"[{_HAN}{_KANA}ー](?:ー)?")
_KOREAN_EDGE = re.compile(r"(?<=[가-힣])(?=[A-Za-z0-9\ue010])|(?<=[A-Za-z0-9\ue011%$€])(?=[가-힣])")
_DIGITS = frozenset("0123456789-")
_DIGIT_EDGE = re.compile(f"(?<=\\d) +(?=[{_HAN}{_KANA}])|(?<=[{_HAN}{_KANA}]) +(?=\\d)")
_EVERY = re.compile("(?:每|毎)(?:个|個)?([天日周週月年])(?P<day>(?=\\s*\ue010W))?")
_OFTEN = {"天": "daily", "日": "daily", "周": "weekly", "週": "weekly", "月": "monthly", "年": "yearly"}
_MARKS = frozenset(",;.:–!、。\"'")  # noqa: RUF001 - the marks are meant


@cache
def _unit() -> "re.Pattern[str]":
    words = sorted((word for word in table() if eastern(word)), key=lambda word: (-len(word), word))
    return re.compile(rf"(?<=\d)\s?({'|'.join(words)})")


def plain(text: str) -> tuple[str, str]:
    """Return the language of a text, and the text in one way of writing, with spaces between its words or letters."""
    lang = eastern_language(text)
    if lang == "zh":
        text = hanzi.simplified(text)
    text = _EVERY.sub(_often, calendar.weekdays_asian(_DIGIT_EDGE.sub("", text), lang))
    text = numbers.counted(text, lang)
    text = calendar.dated(text, lang)
    text = clock.timed(text, lang)
    text = _unit().sub(lambda found: calendar.atom(table()[found[1]]), text)
    if lang == "ko":
        return lang, _KOREAN_EDGE.sub(" ", text)
    text = chinese.plain(text) if lang == "zh" else japanese.plain(text)
    return lang, _LETTER.sub(r" \g<0> ", text)


def reading(raw: list[str], lang: str, day: str) -> Reading:
    """Return the reading of words as they stand in a text that `plain` has made."""
    marked: list[str] = []
    for word in raw:
        if word in _MARKS:
            marked.append(",")
        elif lang == "ko":
            marked += _korean(word)
        elif word in table() and marked and marked[-1][0] == "#":
            marked.append(table()[word])
        else:
            marked += _one(word)
    marked = _placed(marked, lang)
    if marked[:1] == ["我"] or marked[:2] == ["私", "が"]:
        marked = marked[1 if marked[0] == "我" else 2 :] or marked
    if lang == "ko" and marked[:1] == ["§user"]:
        marked = [word for word in marked[1:2] if word != "·topic"] + marked[2:] or marked
    words = tuple(word for word in marked if word != ",")
    return Reading(tuple(marked), words, lang, day, frozenset(one.casefold() for one in raw if one.isascii()))


def _placed(words: list[str], lang: str) -> list[str]:
    """Return words without the particles that only say that a time is one."""
    behind, ahead = {"ja": ("にが", ""), "ko": (("에", "·topic"), ""), "zh": ("", "在")}[lang]
    words = _denied(words) if lang == "ko" else words
    return [
        word
        for at, word in enumerate(words)
        if not (word in behind and at and temporal(words[at - 1]))
        and not (word == ahead and at + 1 < len(words) and temporal(words[at + 1]))
    ]


def _often(found: re.Match[str]) -> str:
    return "每" if found["day"] is not None else calendar.atom(_OFTEN[found[1]])


def _one(word: str) -> list[str]:
    """Return a word of letters, a number or an atom as what it is."""
    if (word[0] in "DTMWY" and word[1:2] in _DIGITS) or is_unit(word):
        return [word]
    if word.replace(".", "", 1).isdigit():
        return [f"#{word}"]
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", word):
        return [f"#{word.replace(',', '')}"]
    if (found := ATTACHED.fullmatch(word)) and (split := measured(found[1], found[2])):
        return [f"#{split[0].lstrip('#')}", *split[1:]]
    low = hanzi.simplified(word.casefold())
    return [SAME.get(low, low)]


def _denied(words: list[str]) -> list[str]:
    """Return `하지 않` as `안 하`."""
    out: list[str] = []
    for word in words:
        if word == "않" and out and out[-1].endswith("지") and len(out[-1]) > 1:
            out[-1:] = ["안", out[-1][:-1]]
        else:
            out.append(word)
    return out


def _korean(word: str) -> list[str]:
    if not "가" <= word[-1] <= "힣":
        return _one(word)
    if word in {"은", "는", "이", "가", "을", "를"}:
        return ["·object" if word in {"을", "를"} else "·topic"]
    if word in {"주세요", "주십시오", "주시기"}:
        return []
    if word in {"입니다", "이에요", "예요", "이다", "임", "에", "부터는"}:
        return [] if word != "에" else ["에"]
    stem, particle = korean.word(word)
    return [part for part in (stem, f"·{particle}" if particle else "") if part]
