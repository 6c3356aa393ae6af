"""The names by which the operator is called."""
# ruff: noqa: RUF001 -- words in their own scripts

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from clawgit.safety.tongue import WIDE

_LABEL = r"(?im)^[ \t]*[-*+][ \t]*\**(?:name|what to call them|call them|nickname)[ \t]*:?\**[ \t]*:?[ \t]*([^\n]*)$"
_LONGEST, _SHORTEST = 40, 2
_SERVED = (  # "I work for Dana Okafor", "is my operator"
    r"\b(?:(?:I|[Yy]ou) (?:\w+ )?(?:work for|belong to|help|serve|assist)|(?:assistant|agent) (?:of|to))\s+"
    r"([A-Z]\w+(?: [A-Z]\w+)?)|\b([A-Z]\w+),? (?:who )?is my (?:operator|owner|human)\b"
    r"|\b(?:[Aa]rbeite für|[Gg]ehöre|[Hh]elfe|[Aa]ssistent(?:in)? von|[Tt]rabajo para|[Aa]yudo a|[Tt]ravaille pour)\s+"
    r"([A-Z]\w+(?: [A-Z]\w+)?)|(?:[Рр]аботаю на|[Пп]омогаю)\s+([А-ЯЁ]\w+)"
)
_ADDRESSED = r"(?:告诉|替|只有|先给|冒充|我和)([\u4e00-\u9fff]{2})|([\u4e00-\u9fff]{1,4})さん|([가-힣]{2,3}) ?님"
_OFTEN = 3  # times that a name stands in a file whose letters do not set it off
_HONOURED = r"(?:さん|様|さま|先生|님|씨)?"
_CYRILLIC, _BENT = r"[\u0400-\u04ff]", r"[\u0400-\u04ff]{0,2}"
_LETTER = r"[0-9a-z_\u00c0-\u024f]"


def names(user: str) -> frozenset[str]:
    """Return the names that USER.md gives, whole and the first word of each; a name left blank is none."""
    given = (re.sub(r"[*_`]", "", line).strip() for line in re.findall(_LABEL, user))
    return _each(name for name in given if _SHORTEST <= len(name) <= _LONGEST and not name.startswith(("(", "[")))


def served(soul: str) -> frozenset[str]:
    """Return the names of whom an approved soul says that it works for."""
    text = re.sub(r"<[^<>\n]*>|[*_`]", "", soul)
    said = {next(filter(None, found)) for found in re.findall(_SERVED, text)}
    often = Counter(next(filter(None, found)) for found in re.findall(_ADDRESSED, text))
    return _each(said) | {name for name, times in often.most_common(1) if times >= _OFTEN}


def as_operator(text: str, operator: Iterable[str]) -> str:
    """Return case-folded `text` in which each name of `operator`, case-folded too, is "operator"."""
    for name in sorted(operator, key=len, reverse=True):
        if _stem(name) in text:
            text = re.sub(_pattern(name), "operator", text)
    return text


def _each(whole: Iterable[str]) -> frozenset[str]:
    named = frozenset(whole)
    return named | {name.split()[0].rstrip(",;") for name in named}


def _stem(name: str) -> str:
    return name[:-1] if re.search(_CYRILLIC, name) and len(name) > _SHORTEST + 1 else name


@lru_cache
def _pattern(name: str) -> str:
    """Match a name with its honorific or case; a particle may follow it without a space."""
    if re.search(f"{WIDE}|[가-힣]", name):
        return re.escape(name) + _HONOURED
    if re.search(_CYRILLIC, name):
        return rf"(?<!\w){re.escape(_stem(name))}{_BENT}(?!\w)"
    return rf"(?<!{_LETTER}){re.escape(name)}(?!{_LETTER}){_HONOURED}"
