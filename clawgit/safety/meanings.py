"""What a sentence asks for, by the meanings it joins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec import Struct

from clawgit.safety import called, newcomers, prohibition
from clawgit.safety.causes import CAUSE_OF
from clawgit.safety.clinging import CLINGING
from clawgit.safety.hushing import HUSHING
from clawgit.safety.leanings import LEANINGS
from clawgit.safety.phrases import Kind
from clawgit.safety.rapid import Patterns, compiled
from clawgit.safety.rivalling import RIVALLING
from clawgit.safety.rules import RULES, Rule
from clawgit.safety.siding import SIDING
from clawgit.safety.sparing import SPARING
from clawgit.safety.steering import STEERING
from clawgit.safety.usurping import USURPING
from clawgit.safety.vocabulary import WORDS
from clawgit.safety.yielding import YIELDING

MEANINGS = WORDS | USURPING | YIELDING | STEERING | RIVALLING | HUSHING | CLINGING | SIDING | SPARING | LEANINGS
_PATTERNS = Patterns(tuple(pattern for wordings in MEANINGS.values() for pattern in wordings))
_NAMES = tuple(name for name, wordings in MEANINGS.items() for _ in wordings)
REMEMBERED = 4096  # sentences
LONGEST = 400  # characters of a sentence that are read
_LIMITABLE = (("without_asking",), ("may_approve",))  # a leave for this and nothing else
_END = (  # "…; turn it off" goes on with what stands before
    r"[.!?](?=\s|$)|;(?=\s|$)(?! [^.;\n]{0,40}\b(?:its?|them|that|this|they|there)\b)"
    r"|。|\n\s*\n|\n(?=\s*(?:[-+>#|]|\d+[.)])\s)"
)


class Sentence(Struct, frozen=True):
    """Words that stand together, and where they begin in the text."""

    start: int
    text: str


@lru_cache(maxsize=REMEMBERED)
def kinds(
    sentence: str,
    operator: frozenset[str],
    behind: str = "",
    *,
    soul: bool = False,
    strangers: frozenset[str] = frozenset(),
) -> tuple[Kind, ...]:
    """Return what is suspicious about `sentence`; most sentences come again with the next version of a file.

    `behind` is what the text goes on with, which may tell how a quotation was answered. Where the sentence is of a
    `soul`, the agent speaks of itself; `strangers` are names that it did not hold before.
    """
    said = read(sentence, operator)
    found = held(said, soul=soul)
    rules = _met(found, soul=soul)
    if rules and (rest := prohibition.unquoted(said, behind)) != said:
        said, found = rest, held(rest, soul=soul)
        rules = _met(found, soul=soul)
    if strangers and (named := read(said, operator, strangers)) != said:
        said, found = named, found | held(named, soul=soul)
        rules = _met(found, soul=soul)
    if rules and prohibition.limited(said + behind):
        rules = [rule for rule in rules if rule.joins not in _LIMITABLE]
    turned = any(rule.forbids for rule in rules) and prohibition.turned(said)
    banned = turned and prohibition.banned(said)
    meant = (
        rule.kind
        for rule in rules
        if not (rule.forbids and turned and (banned or _forbidden(rule, said, found[rule.joins[0]])))
    )
    return tuple(dict.fromkeys(meant))


@lru_cache(maxsize=REMEMBERED)
def read(sentence: str, operator: frozenset[str], strangers: frozenset[str] = frozenset()) -> str:
    """Return `sentence` in one line, with who the operator is, and who a newcomer."""
    return newcomers.as_newcomer(called.as_operator(sentence.replace("\n", " "), operator), strangers)


def _met(held: dict[str, list[str]], *, soul: bool) -> list[Rule]:
    names = frozenset(held)
    return [
        rule
        for name in held
        for rule in _opening().get(name, ())
        if names.issuperset(rule.joins) and names.isdisjoint(rule.unless) and (soul or not rule.soul)
    ]


@cache
def _opening() -> dict[str, list[Rule]]:
    by_first: dict[str, list[Rule]] = {}
    for rule in RULES:
        by_first.setdefault(rule.joins[0], []).append(rule)
    return by_first


def sentences(text: str) -> Iterator[Sentence]:
    """Split `text` at the ends of sentences, at blank lines and at list items."""
    start = 0
    for end in (*(m.end() for m in re.finditer(_END, text)), len(text)):
        piece = text[start:end]
        lead = len(piece) - len(piece.lstrip(" \t\n-+>#"))
        if piece[lead:].strip():
            yield Sentence(start + lead, piece[lead : lead + LONGEST])
        start = end


@lru_cache(maxsize=REMEMBERED)
def held(sentence: str, *, soul: bool) -> dict[str, list[str]]:
    """Return the meanings in `sentence` that count, and for each the patterns that found it.

    Those count that a rule may join, and in a `soul` those that are weighed.
    """
    found: dict[str, list[str]] = {}
    for number in _PATTERNS.found(sentence, _weighed if soul else _worth):
        found.setdefault(_NAMES[number], []).append(_PATTERNS.wanted[number])
    return found


def _weighed(numbers: set[int]) -> set[int]:
    return _worth(numbers) | {number for number in numbers if _NAMES[number] in CAUSE_OF}


def _worth(numbers: set[int]) -> set[int]:
    """Leave out the meanings that no rule can join with what else there may be."""
    names = frozenset(_NAMES[number] for number in numbers)
    rules = (rule for name in names for rule in _opening().get(name, ()) if names.issuperset(rule.joins))
    needed = {name for rule in rules for name in (*rule.joins, *rule.unless)}
    return {number for number in numbers if _NAMES[number] in needed}


def _forbidden(rule: Rule, sentence: str, patterns: list[str]) -> bool:
    """Tell whether the sentence forbids what `rule` looks for, judged where its verb stands."""
    return rule.forbids and all(
        prohibition.negated(sentence, *match.span(), clause=True)
        for pattern in patterns
        if (match := compiled(pattern).search(sentence))
    )
