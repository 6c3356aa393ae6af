"""Text as a reader takes it, and its words.

One width, nothing invisible; who the operator is, is called so.
"""
# ruff: noqa: RUF001 -- letters that look alike, and words in their own scripts

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

from clawgit.safety.script_patterns import WIDE

_TYPED = (*((quote, "'") for quote in "\u2018\u2019\u201b\u02bc"), ("`", ""), ("*", ""), ("~~", ""), ("_", " "))
# Cyrillic and Greek letters that look like Latin ones (Unicode's confusables), for words that mix scripts.
_LIKE = dict(zip("авсԁеһіјԛкӏморѕтухѵԝαεικνορτυχ", "abcdehijqklmopstyxvwaeikvoptux", strict=True))
_ALIKE = str.maketrans(_LIKE | {other.upper(): latin.upper() for other, latin in _LIKE.items()})

_DIGITS = str.maketrans("013457@$", "oieastas")
_LEET = (  # a digit before a letter, or two for `ll`; what ends in a number is a name
    r"(?<![\w/.:@#\-])(?:[A-Za-z]*[013457@$]+[A-Za-z][A-Za-z013457@$]*|[A-Za-z]{1,3}11)(?![\w/@]|\.\w)"
)
_HYPHENED = r"(?<![\w/.\-])[A-Za-z']+(?:-[A-Za-z']+){3,}(?![\w/.\-])"  # do-not-tell-anybody
_SPACED = r"(?<![^\s])(?:[^\W\d_][ .\-_]){3,}[^\W\d_](?:[ ]{2,}[^\W\d_](?:[ .\-_][^\W\d_])*)*(?!\w)"
_GREEK_OR_CYRILLIC = "[\u0370-\u052f]"
_HYPHENS = 3
_APART = r"[ .\-_][^\W\d_][ .\-_][^\W\d_][ .\-_]"
_BULLET = r"[ \t]*[-+*] (?=\S)"
_SHORT = 8  # words of an item that may be a piece of a sentence


def plain(text: str) -> str:
    """Return `text` in NFKC without emphasis or invisible characters, look-alikes undone; lines stay lines."""
    lines = (line if line.isascii() else unicodedata.normalize("NFKC", line) for line in text.split("\n"))
    joined = "\n".join(re.sub(r"[\v\f\x1c-\x1e\x85\u2028\u2029]", " ", line) for line in lines)
    visible = _invisible().sub("", joined)
    for written, meant in _TYPED:
        visible = visible.replace(written, meant)
    return "\n".join(_written(line) for line in visible.split("\n"))


def _written(line: str) -> str:
    """Return `line` as it reads; each disguise is looked for where something hints at it."""
    if not line.isascii() and re.search(_GREEK_OR_CYRILLIC, line):
        line = _letters().sub(_latin, line)
    if re.search(r"[013457@$][A-Za-z013457@$]", line):
        line = re.sub(_LEET, _lettered, line)
    if line.count("-") >= _HYPHENS:
        line = re.sub(_HYPHENED, _opened, line)
    return re.sub(_SPACED, _closed, line) if re.search(_APART, line) else line


def gathered(text: str) -> str:
    """Return `text` with neighbouring short items of a list joined to one sentence, each character where it was."""
    lines = text.split("\n")
    short = [bool(re.match(_BULLET, line)) and len(line.split()) <= _SHORT for line in lines]
    for at in range(1, len(lines)):
        if short[at] and short[at - 1]:
            lines[at] = re.sub(r"[-+*]", " ", lines[at], count=1)
    return "\n".join(lines)


def _lettered(word: re.Match[str]) -> str:
    """Undo digits that stand for letters, where letters prevail."""
    if word[0].isalpha() or sum(not c.isalpha() for c in word[0]) > len(word[0]) / 2:
        return word[0]
    return word[0].replace("11", "ll").translate(_DIGITS)


def _opened(word: re.Match[str]) -> str:
    return re.sub(r"[-.]", " ", word[0])


def _closed(run: re.Match[str]) -> str:
    return re.sub(r"(?<=\w)[ .\-_](?=\w(?!\w))", "", run[0])


def _latin(word: re.Match[str]) -> str:
    letters = word[0]
    if letters.isascii():
        return letters
    mixed = any(c.isascii() for c in letters) and any("\u0370" <= c <= "\u052f" for c in letters)
    return letters.translate(_ALIKE) if mixed else letters


@cache
def _invisible() -> re.Pattern[str]:
    return re.compile(
        "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
    )


@cache
def _letters() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+")


REMEMBERED = 4096  # sentences
_STEM = 5  # letters that a word keeps when it is bent
_BARE = (  # words that carry nothing, and those that only stress
    "the a an of to and or your you it is are in on at for that this with any period always never ever not do"
    " der die das ein eine und oder zu du dein ist im in el la los las un una de y o tu en le les des du et ou ton ta"
    " e um uma os as punkt punto point ponto и или в на с по точка"
)


def key(text: str) -> str:
    """Return the bare words of plain text."""
    return " ".join(re.sub(r"[\W_]+", " ", text).split())


@lru_cache(maxsize=REMEMBERED)
def tokens(text: str) -> frozenset[str]:
    """Return the beginnings of the words of `text`, pairs of letters where a script has no spaces."""
    found: set[str] = set()
    for word in key(text).split():
        if re.search(WIDE, word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif word not in _small(_BARE):
            found.add(word[:_STEM])
    return frozenset(found)


@cache
def _small(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LABEL = r"(?im)^[ \t]*[-*+][ \t]*\**(?:name|what to call them|call them|nickname)[ \t]*:?\**[ \t]*:?[ \t]*([^\n]*)$"
_LONGEST_NAME, _SHORTEST_NAME = 40, 2
_NAME = r"([A-Z]\w+(?: [A-Z]\w+)?)"
_SERVES = r"(?:(?:I|[Yy]ou) (?:\w+ )?(?:work for|belong to|help|serve|assist)|(?:assistant|agent) (?:of|to))"
_SERVES_ELSEWHERE = (
    r"(?:[Aa]rbeite für|[Gg]ehöre|[Hh]elfe|[Aa]ssistent(?:in)? von|[Tt]rabajo para|[Aa]yudo a|[Tt]ravaille pour)"
)
_OWNER = r"([A-Z]\w+),? (?:who )?is my (?:operator|owner|human)"
_RUSSIAN = r"(?:[Рр]аботаю на|[Пп]омогаю)\s+([А-ЯЁ]\w+)"
_SERVED = rf"\b{_SERVES}\s+{_NAME}|\b{_OWNER}\b|\b{_SERVES_ELSEWHERE}\s+{_NAME}|{_RUSSIAN}"
"""As in "I work for Dana Okafor", "is my operator"."""
_ADDRESSED = r"(?:告诉|替|只有|先给|冒充|我和)([\u4e00-\u9fff]{2})|([\u4e00-\u9fff]{1,4})さん|([가-힣]{2,3}) ?님"
_OFTEN = 3  # times that a name stands in a file whose letters do not set it off
_HONOURED = r"(?:さん|様|さま|先生|님|씨)?"
_CYRILLIC, _BENT = r"[\u0400-\u04ff]", r"[\u0400-\u04ff]{0,2}"
_LETTER = r"[0-9a-z_\u00c0-\u024f]"


def operator_names(user: str) -> frozenset[str]:
    """Return the names that USER.md gives, whole and the first word of each; a name left blank is none."""
    given = (re.sub(r"[*_`]", "", line).strip() for line in re.findall(_LABEL, user))
    return _each(
        name for name in given if _SHORTEST_NAME <= len(name) <= _LONGEST_NAME and not name.startswith(("(", "["))
    )


def served_names(soul: str) -> frozenset[str]:
    """Return the names of whom an approved soul says that it works for."""
    text = re.sub(r"<[^<>\n]*>|[*_`]", "", soul)
    said = {next(filter(None, found)) for found in re.findall(_SERVED, text)}
    often = Counter(next(filter(None, found)) for found in re.findall(_ADDRESSED, text))
    return _each(said) | {name for name, times in often.most_common(1) if times >= _OFTEN}


def as_operator(text: str, operator: Iterable[str]) -> str:
    """Return case-folded `text` in which each name of `operator`, case-folded too, is "operator"."""
    for name in sorted(operator, key=len, reverse=True):
        if _stem(name) in text:
            text = re.sub(_called(name), "operator", text)
    return text


def _each(whole: Iterable[str]) -> frozenset[str]:
    named = frozenset(whole)
    return named | {name.split()[0].rstrip(",;") for name in named}


def _stem(name: str) -> str:
    return name[:-1] if re.search(_CYRILLIC, name) and len(name) > _SHORTEST_NAME + 1 else name


@lru_cache
def _called(name: str) -> str:
    """Match a name with its honorific or case; a particle may follow it without a space."""
    if re.search(f"{WIDE}|[가-힣]", name):
        return re.escape(name) + _HONOURED
    if re.search(_CYRILLIC, name):
        return rf"(?<!\w){re.escape(_stem(name))}{_BENT}(?!\w)"
    return rf"(?<!{_LETTER}){re.escape(name)}(?!{_LETTER}){_HONOURED}"
