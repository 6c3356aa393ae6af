"""Reads the signs of a remark on the agent's conduct."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from clawgit.agents.keeping import SPOKEN
from clawgit.agents.keeping.signs_asian import CHINESE, JAPANESE, KOREAN
from clawgit.agents.keeping.signs_english import ENGLISH
from clawgit.agents.keeping.signs_german import GERMAN
from clawgit.agents.keeping.signs_romance import FRENCH, SPANISH
from clawgit.agents.mining.listed import listed
from clawgit.language.detect import language
from clawgit.language.own_words import own_words

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": ENGLISH,
    "de": GERMAN,
    "es": SPANISH,
    "fr": FRENCH,
    "zh": CHINESE,
    "ja": JAPANESE,
    "ko": KOREAN,
}
"""Of each language the words of each sign, between commas.

`^` stands for the beginning of a clause, `|` for its end, `*` for any ending of a word. Chinese, Japanese and Korean
words count wherever they stand.
"""
_NAMES = tuple(ENGLISH)
_ASIAN = frozenset({"zh", "ja", "ko"})
_GROUPS: Mapping[str, frozenset[str]] = {
    "about talk": listed("talk form speak toward"),
    "addressed": listed("you bid forbid must toward"),
    "lasts": listed("lasting case again former keep rely"),
    "judged": listed("like fault annoyed asked helped able"),
    "set against": listed("contrast rather suffices forbid"),
}
"""Kinds of signs of which none suffices alone."""
_PAIRS = (
    ("about talk", "addressed"),
    ("about talk", "set against"),
    ("addressed", "lasts"),
    ("judged", "set against"),
)
"""Kinds that tell more together than each by itself."""
_CUTS = re.compile(r"[^\w\s'\-\0]+| -+ |[—–]")
_BLOTTED = re.compile(r"\0( \0)*")
_LEADS = listed(
    "please and so ok okay but just then well no yes oh ah hey also right hm hmm again pls mate y pero und bitte et"
    " mais ja nein non oui sí"
)
_MARKS = {
    "asks": re.compile(r"[?？]\s*\Z"),
    "asks within": re.compile(r"[?？]"),
    "exclaimed": re.compile(r"[!！]\s*\Z"),
    "digit": re.compile(r"\d"),
    "name": re.compile(r"(?<=[a-zà-ÿ,] )[A-ZÀ-Þ][a-zà-ÿ]+"),
}
_LENGTHS = (
    (18, "length 0-17"),
    (40, "length 18-39"),
    (90, "length 40-89"),
    (170, "length 90-169"),
    (300, "length -299"),
)
_LONG = "length 300-"
_DENSE = 2.2
"""Letters of English that say as much as one of East Asia."""


@lru_cache(maxsize=2048)
def read(text: str) -> frozenset[str]:
    """Return the signs of a message, and which kinds of them come together."""
    lang = language(text, SPOKEN)
    plain = _plain(text, asian=lang in _ASIAN)
    found = {_NAMES[one] for one in _sets(lang).Match(plain.encode("utf-8", "replace")) or ()}
    kinds = [name for name, signs in _GROUPS.items() if not found.isdisjoint(signs)]
    found |= {f"{one}, {other}" for one, other in _PAIRS if one in kinds and other in kinds}
    return frozenset((*found, *kinds, *_seen(text, plain, lang)))


def every() -> frozenset[str]:
    """Return the names of the signs that words give."""
    return frozenset(_NAMES)


def words(lang: str, name: str) -> tuple[str, ...]:
    """Return the words of a sign in a language."""
    return tuple(one for one in _WORDS[lang][name].split(",") if one.strip())


def _seen(text: str, plain: str, lang: str) -> Iterator[str]:
    yield from (name for name, mark in _MARKS.items() if mark.search(text) and (name, lang) != ("name", "de"))
    if "\0" in plain:
        yield "quoted"
    asian = lang in _ASIAN
    size = len(text) * (_DENSE if asian else 1)
    yield next((name for most, name in _LENGTHS if size < most), _LONG)
    if lang != "en":
        yield "of East Asia" if asian else "of Europe"


def _plain(text: str, *, asian: bool) -> str:
    """Return what its writer says in small letters, clauses between bars, without the words that only lead in."""
    own = own_words(text).casefold().replace("\0", " \0 ")
    clauses = [said for clause in _CUTS.split(own) if (said := clause.split())]
    if asian:
        return "|".join(("", *(_BLOTTED.sub("\0", " ".join(said)) for said in clauses), ""))
    return f"| {' | '.join(' '.join(_led(said)) for said in clauses)} |"


def _led(said: list[str]) -> list[str]:
    at = next((at for at, word in enumerate(said[:-1]) if word not in _LEADS), len(said) - 1)
    return said[at:]


@cache
def _sets(lang: str) -> Any:
    """Return all words of a language, to be looked for at once."""
    import re2  # noqa: PLC0415 - costs milliseconds that most commands need not pay

    options = re2.Options()
    options.max_mem, options.log_errors = 64 << 20, False
    found = re2.Set.SearchSet(options)
    for name in _NAMES:
        found.Add("|".join(re2.escape(_looked_for(one, asian=lang in _ASIAN)) for one in words(lang, name)))
    found.Compile()
    return found


def _looked_for(word: str, *, asian: bool) -> str:
    """Return a word as it stands in the plain text."""
    if asian:
        return word.replace("^", "|")
    bare = word.strip()
    head, bare = ("| " if bare[0] == "^" else " "), bare.removeprefix("^")
    match bare[-1]:
        case "*":
            return head + bare[:-1]
        case "'":
            return head + bare
        case "|":
            return f"{head}{bare[:-1]} |"
        case _:
            return f"{head}{bare} "
