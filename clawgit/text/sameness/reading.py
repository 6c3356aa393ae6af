"""Reads a note as a row of words."""

import re
from collections.abc import Callable
from functools import lru_cache

from clawgit.language.detect import eastern, language
from clawgit.text.sameness import calendar, clock, western
from clawgit.text.sameness.calendar import CLOSE, OPEN
from clawgit.text.sameness.note import Reading
from clawgit.text.sameness.writing import undressed

_TOKEN = re.compile(
    rf"{OPEN}[^{CLOSE}]*{CLOSE}"
    r"|https?://\S*[^\s.,;:!?)\]}'\"]"
    r"|(?<!\S)--?[A-Za-z][\w-]*|(?<!\w)[@#]\w+"
    r"|(?<![\w)])[-−]\d+(?:\.\d+)*(?!\w)"  # noqa: RUF001 - minus
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])|\d+,\d+(?!\w)"
    r"|(?:(?<!\w)[.~]{0,2}/)?\w+(?:[./_@:\\'+-]+\w+)*(?:\+\+|\#(?!\w))?(?:/(?!\S))?"
    r"|[!=<>]=|[-=]>|&&|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
    r"|[<>≤≥=≠≈~%+×^&|?$€£¥°/@,;.:–!\ue000-\ue002¬、。]"  # noqa: RUF001 - the marks are meant
)
_DATE_PREFIX = re.compile(rf"[\s(\[]*{OPEN}(D[^{CLOSE}]*){CLOSE}\s*(?:[:\])–,]|-\s)[\s:–-]*(?=\S)")  # noqa: RUF001
_DATEABLE = re.compile(
    r"\d|o'?clock|noon|midday|midnight|[ap]\.?m\b|half past|quarter|in the (?:morn|aft|even)|medi|minuit|Mitt",
    re.IGNORECASE,
)
_PAGE = 2_000
"""Letters from which on a text is taken as it stands: reading would take long and say little."""


@lru_cache(maxsize=16_384)
def read(text: str) -> Reading:
    """Return what a note says, in one way of writing; of a page, which is no note, the words as they stand."""
    if len(text) > _PAGE:
        words = tuple(text.casefold().split())
        return Reading(words, words, "")
    plain = undressed(text)
    reading: Callable[[list[str], str, str], Reading] = western.reading
    if eastern(plain):
        from clawgit.text.sameness import asian  # noqa: PLC0415 - many have no such note

        lang, plain = asian.plain(plain)
        reading = asian.reading
    else:
        lang = language(plain, western.LANGUAGES)
        plain = clock.timed(calendar.dated(plain, lang), lang) if _DATEABLE.search(plain) else plain
    day = _DATE_PREFIX.match(plain)
    raw = [
        word.strip(f"{OPEN}{CLOSE}") if word[0] == OPEN else word
        for word in _TOKEN.findall(plain, day.end() if day else 0)
    ]
    return reading(raw, lang, day[1] if day else "")
