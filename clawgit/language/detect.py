"""Tells the language of a text."""

import re
from collections.abc import Container, Iterable, Mapping
from functools import cache, lru_cache

from clawgit.language import lexicon

DENSE = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts that put no spaces between words, Chinese and Japanese."""
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"

_RANGES = {"Cyrillic": "\u0400-\u052f", "Arabic": "\u0600-\u06ff", "Kana": "\u3041-\u30fa\u30fd-\u30ff"}
_OTHER_SCRIPTS = ("Cyrillic", "Arabic")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")  # noqa: RUF001 - as people type it
_WORTH = 3
"""Latin letters that carry as much as one of a dense script."""
_ALREADY = 0.6
"""The share of English words in plain ASCII from which on no other language is looked at."""
_FEWEST = 4
_WORD_WEIGHT, _LETTER_WEIGHT, _ENDING_WEIGHT = 1.0, 0.8, 0.15
_LEAST = 0.5
"""What must speak for a language: the ending of one word does not."""
_MOST = 400
"""Letters of a text that are read: a paragraph tells."""


def language(text: str, among: Container[str]) -> str:
    """Return the ISO code of the language that a text is in, "en" where that is none of `among`."""
    found = detect(text)
    return found if found in among else "en"


@lru_cache(maxsize=4096)
def detect(text: str) -> str:
    """Return the ISO code of the language that a text is in, "" where nothing tells.

    The script tells the languages of East Asia; others are told by their small words, the names of months and days,
    letters that few languages have, and how words end.
    """
    text = text[:_MOST]
    eastern = "" if text.isascii() else eastern_language(text)
    if eastern and _share(text) >= 1:
        return eastern
    for script in () if text.isascii() else _OTHER_SCRIPTS:
        if len(_letters_of(_RANGES[script]).findall(text)) * 2 > sum(map(str.isalpha, text)):
            return _best(scores(text, script)) or min(lexicon.written_in(script), default="")
    found = _words(text)
    if _english(text, found):
        return "en"
    return _best(scores(text, "Latin")) or eastern


@cache
def _letters_of(ranges: str) -> "re.Pattern[str]":
    """Return what finds letters; compiled when first wanted, for wide ranges cost milliseconds."""
    return re.compile(f"[{ranges}]")


def eastern(text: str) -> bool:
    """Return whether a text has letters of Chinese, Japanese or Korean."""
    return not text.isascii() and bool(_letters_of(DENSE + HANGUL).search(text))


def candidates(text: str) -> tuple[str, ...]:
    """Return the languages in which something of a text may be said, the likeliest first; English is always one.

    A sentence may hold a word of another language, or be too short to tell: then each that comes near is named.
    """
    return tuple(dict.fromkeys((*near(text), "en")))


def near(text: str) -> tuple[str, ...]:
    """Return the languages that something in a text speaks for, the likeliest first."""
    text = text[:_MOST]
    found: list[str] = []
    if not text.isascii() and _letters_of(DENSE + HANGUL).search(text):
        found += [eastern_language(text)]
        if found == ["zh"]:
            found += ["ja"]
    words = _words(text)
    if words and not _english(text, words):
        speaks = scores(text, "Latin")
        most = max(speaks.values(), default=0)
        likely = (iso for iso in speaks if speaks[iso] * 2 >= most > 0)
        found += sorted(likely, key=lambda iso: (-speaks[iso], iso != "en"))
    for script in () if text.isascii() else _OTHER_SCRIPTS:
        if _letters_of(_RANGES[script]).search(text):
            found += lexicon.written_in(script)
    return tuple(dict.fromkeys(found))


def scores(text: str, script: str) -> Mapping[str, float]:
    """Return how much speaks for each language of a script; what speaks for several is shared among them."""
    names = lexicon.written_in(script)
    cues = _cues(names)
    low = text.lower()
    found: dict[str, float] = {}
    for word in _words(text):
        for one in _parts(word):
            for iso, weight in cues.words.get(one, ()):
                found[iso] = found.get(iso, 0) + weight
        if word not in cues.words:
            for size in (2, 3, 4):
                for iso, weight in cues.endings.get(word[-size:], ()) if len(word) > size else ():
                    found[iso] = found.get(iso, 0) + weight * size
    if not text.isascii():
        for letter in set(low):
            for iso, weight in cues.letters.get(letter, ()):
                found[iso] = found.get(iso, 0) + weight
    return found


def _share(text: str) -> float:
    """Return how much the dense scripts outweigh the others."""
    dense = len(_letters_of(DENSE + HANGUL).findall(text))
    return dense * _WORTH / max(1, sum(map(str.isalpha, text)) - dense)


def _parts(word: str) -> tuple[str, ...]:
    """Return a word, and what an apostrophe cuts it into: `c'est`, `c'`, `est`."""
    head, mark, tail = word.partition("'")
    return (word, head + mark, tail) if mark else (word,)


def eastern_language(text: str) -> str:
    """Return the language of East Asia whose letters a text has, "" for none."""
    hangul, dense = len(_letters_of(HANGUL).findall(text)), len(_letters_of(DENSE).findall(text))
    if hangul > dense:
        return "ko"
    japanese = _letters_of(_RANGES["Kana"]).search(text) or not _letters("ja").isdisjoint(text)
    return "ja" if japanese else "zh" if dense else ""


def _words(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]  # noqa: RUF001


def _best(found: Mapping[str, float]) -> str:
    """Return what has most speaking for it; English where as much speaks for it."""
    best = max(found, key=lambda iso: (round(found[iso], 6), iso == "en"), default="")
    return best if found.get(best, 0) >= _LEAST else ""


def _english(text: str, words: list[str]) -> bool:
    """Return whether a text is plainly English, without a look at other languages: they need not be loaded."""
    known = _known("en") | _names("en")
    return text.isascii() and len(words) >= _FEWEST and sum(word in known for word in words) >= _ALREADY * len(words)


@cache
def _letters(iso: str) -> frozenset[str]:
    return frozenset(lexicon.words(iso, "detect", "letters"))


@cache
def _known(iso: str) -> frozenset[str]:
    return frozenset(lexicon.words(iso, "detect", "words"))


class _Cues:
    """What speaks for which languages, and how much."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.words = _shared({iso: _known(iso) | _names(iso) for iso in names}, _WORD_WEIGHT)
        self.letters = _shared({iso: _letters(iso) for iso in names}, _LETTER_WEIGHT)
        self.endings = _shared(
            {iso: frozenset(lexicon.words(iso, "detect", "endings")) for iso in names}, _ENDING_WEIGHT
        )


_cues = cache(_Cues)


@cache
def _names(iso: str) -> frozenset[str]:
    """Return the names of months and days, each word of them."""
    rows = (*lexicon.rows(iso, "calendar", "months"), *lexicon.rows(iso, "calendar", "weekdays"))
    return frozenset(part for row in rows for name in row for part in (name, *name.split("-")))


def _shared(cues: Mapping[str, Iterable[str]], weight: float) -> Mapping[str, list[tuple[str, float]]]:
    by_cue: dict[str, list[str]] = {}
    for iso, row in cues.items():
        for cue in row:
            by_cue.setdefault(cue, []).append(iso)
    return {cue: [(iso, weight / len(isos)) for iso in isos] for cue, isos in by_cue.items()}
