"""Detects the language of a text."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache

from clawgit.language import lexicon

DENSE = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts that put no spaces between words, Chinese and Japanese."""
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"

_KANA = "\u3041-\u30fa\u30fd-\u30ff"
_CYRILLIC = "\u0400-\u052f"
_PORTUGUESE = "\u00e3\u00f5"
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")  # noqa: RUF001 - as people type it
_TABLE_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]*)*")
# Many languages share the names of units and of what classes of facts are about.
_TABLES = ("search", "turn", "conduct", "logic", "numbers", "dates", "calendar")
_WORTH = 3
"""Latin letters that carry as much as one of a dense script."""
_MIN_ENGLISH_SHARE, _MIN_ENGLISH_WORDS = 0.6, 4
"""Of a text in plain ASCII that is English without a look at other languages, which need not be loaded then."""
_MAX_LETTERS = 400
"""Letters of a text that are read: a paragraph tells."""


def detect(text: str) -> str:
    """Return the ISO code of the language of a text, "" if unknown."""
    return next(iter(_rank_languages(text)), "")


def candidates(text: str) -> tuple[str, ...]:
    """Return the possible languages of a text, the likeliest first; English is always one.

    A sentence may have a word of another language, or be too short: then each near one is included.
    """
    isos = _rank_languages(text)
    return tuple(dict.fromkeys((*isos, *(("ja",) if "zh" in isos else ()), "en")))


@lru_cache(maxsize=4096)
def _rank_languages(text: str) -> tuple[str, ...]:
    """Return the languages with evidence in a text: East Asia's by its letters, others by small words.

    A word of several languages counts for each a little; languages with less than half of the most are left out.
    """
    text = text[:_MAX_LETTERS]
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]  # noqa: RUF001
    english = sum(word in table_words("en") for word in words) if text.isascii() else 0
    if english >= _MIN_ENGLISH_SHARE * len(words) and len(words) >= _MIN_ENGLISH_WORDS:
        return ("en",)
    scores: Counter[str] = Counter()
    for word in words:
        head, mark, tail = word.partition("'")
        # `l'heure` counts by its article and its noun, `don't` as a whole.
        for part in {word, head + mark, tail}:
            isos = _languages_of_words().get(part, ())
            scores.update(dict.fromkeys(isos, 1 / max(1, len(isos))))
    if not text.isascii() and _letters(_PORTUGUESE).search(text):
        scores["pt"] += 1
    top_score = max(scores.values(), default=0)
    near_top = (iso for iso in scores if 2 * scores[iso] >= top_score)
    likely = sorted(near_top, key=lambda iso: (-scores[iso], iso != "en"))
    eastern = eastern_language(text)
    dense = len(_letters(DENSE + HANGUL).findall(text)) if eastern else 0
    is_eastern = eastern and dense * _WORTH >= sum(map(str.isalpha, text)) - dense
    languages = [eastern, *likely] if is_eastern else [*likely, eastern]
    if not text.isascii() and _letters(_CYRILLIC).search(text):
        languages.append("ru")
    return tuple(dict.fromkeys(filter(None, languages)))


@cache
def _letters(ranges: str) -> "re.Pattern[str]":
    """Return a pattern for letters; compiled on first use, for wide ranges cost milliseconds."""
    return re.compile(f"[{ranges}]")


def eastern(text: str) -> bool:
    """Return whether a text has letters of Chinese, Japanese or Korean."""
    return not text.isascii() and bool(_letters(DENSE + HANGUL).search(text))


def eastern_language(text: str) -> str:
    """Return the language of East Asia with letters in a text, "" for none."""
    if not eastern(text):
        return ""
    hangul, dense = len(_letters(HANGUL).findall(text)), len(_letters(DENSE).findall(text))
    if hangul > dense:
        return "ko"
    is_japanese = _letters(_KANA).search(text) or not set(lexicon.words("ja", "detect", "letters")).isdisjoint(text)
    return "ja" if is_japanese else "zh" if dense else ""


@cache
def table_words(iso: str, tables: tuple[str, ...] = _TABLES) -> frozenset[str]:
    """Return the words of a language's tables; those of East Asia, which its letters tell, are left out."""
    texts = (text for table in tables for text in lexicon.texts(iso, table))
    return frozenset(word for text in texts for word in _TABLE_WORD.findall(text) if not eastern(word))


def _list_short_names(iso: str) -> frozenset[str]:
    """Return the names of months and weekdays that are other words, but for whole ones such as `May`."""
    return frozenset(lexicon.words(iso, "dates", "other_words")) - table_words(iso, ("calendar", "numbers"))


@cache
def _languages_of_words() -> Mapping[str, tuple[str, ...]]:
    isos_by_word = defaultdict[str, tuple[str, ...]](tuple)
    for iso in lexicon.languages():
        # Short names of months and weekdays are other words of other languages: `segunda`, `marco`, `dez`.
        for word in table_words(iso) - _list_short_names(iso):
            isos_by_word[word] += (iso,)
    return isos_by_word
