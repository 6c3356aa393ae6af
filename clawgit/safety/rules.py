"""Signs of an attack, read from data.

What stands anywhere in a text, and what a sentence joins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, cast

from msgspec import Struct

from clawgit.language import pattern_tables
from clawgit.safety import normalise, prohibition, script_patterns
from clawgit.safety.script_patterns import LATIN, SCRIPTS

Kind = Literal[
    "override", "secrecy", "exfiltration", "persona", "grant", "money", "bias", "command", "marker", "encoded", "unseen"
]

FILE, HINTS = "signs.toml", "hints.toml"
ANYWHERE = "anywhere"
"""The table of what stands anywhere in a text, in whatever sentence."""
SEPARATOR = "¦"  # of hints
REMEMBERED = 4096  # sentences
LONGEST = 400  # characters of a sentence that are read
_MEMORY = 64 << 20  # of re2
_LIMITABLE = ("without_asking",)  # a leave that may be for this and nothing else
_END = (  # "…; turn it off" goes on with what stands before
    r"[.!?](?=\s|$)|;(?=\s|$)(?! [^.;\n]{0,40}\b(?:its?|them|that|this|they|there)\b)"
    r"|。|\n\s*\n|\n(?=\s*(?:[-+>#|]|\d+[.)])\s)"
)


class Rule(Struct, frozen=True):
    """A sentence that holds all of `joins` and none of `unless` is of `kind`.

    `forbids` says that a negation before the first of `joins` turns it round.
    """

    kind: Kind
    joins: tuple[str, ...]
    unless: tuple[str, ...] = ()
    forbids: bool = True


class Phrase(Struct, frozen=True):
    """A wording by its name in the data; `forbids` says that a negation beside it clears it."""

    kind: Kind
    name: str
    pattern: str
    forbids: bool = True


class Sentence(Struct, frozen=True):
    """Words that stand together, and where they begin in the text."""

    start: int
    text: str


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules, in the order in which they are tried."""
    return tuple(
        Rule(kind, tuple(joins.split()), tuple(unless.split()), not more)
        for kind, joins, unless, *more in pattern_tables.load(script_patterns.DATA / FILE)["rules"]
    )


def patterns() -> dict[str, Mapping[str, str]]:
    """Return the pattern of each meaning by script, and of what stands anywhere."""
    return {table: _names(table) for table in (*SCRIPTS, ANYWHERE)}


@cache
def phrases() -> tuple[Phrase, ...]:
    """Return what stands anywhere in a text, in the order in which it is told."""
    found = []
    for key, listed in pattern_tables.read(script_patterns.DATA / FILE, ANYWHERE).items():
        kind, _, always = key.partition("_")
        found += [Phrase(cast("Kind", kind), f"{key}_{n}", pattern, not always) for n, pattern in enumerate(listed, 1)]
    return tuple(found)


def anywhere(text: str, folded: str) -> Iterator[tuple[Phrase, int, int]]:
    """Yield where the phrases stand in a text: markers as written, all else in it `folded` to small letters."""
    for phrase in phrases():
        if _hinted(ANYWHERE, phrase.name, folded):
            source = text if phrase.kind == "marker" else folded
            data = source.encode()  # searching a str costs re2 several times as much
            end = read = 0
            for match in _compiled(ANYWHERE, phrase.name).finditer(data):
                start = end + len(data[read : match.start()].decode())
                end, read = start + len(match[0].decode()), match.end()
                yield phrase, start, end


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
def kinds(sentence: str, operator: frozenset[str], behind: str = "") -> tuple[Kind, ...]:
    """Return what is suspicious about `sentence`; most sentences come again with the next version of a file.

    `behind` is what the text goes on with, which may tell how a quotation was answered.
    """
    said = normalise.as_operator(sentence.replace("\n", " "), operator)
    found = held(said)
    met = _met(found)
    if met and (rest := prohibition.unquoted(said, behind)) != said:
        said, found = rest, held(rest)
        met = _met(found)
    if met and prohibition.limited(said + behind):
        met = [rule for rule in met if rule.joins != _LIMITABLE]
    turned = any(rule.forbids for rule in met) and prohibition.turned(said)
    banned = turned and prohibition.banned(said)
    meant = (
        rule.kind
        for rule in met
        if not (rule.forbids and turned and (banned or _forbidden(said, found[rule.joins[0]])))
    )
    return tuple(dict.fromkeys(meant))


def held(sentence: str) -> dict[str, list[tuple[int, int]]]:
    """Return where the meanings stand in `sentence` that a rule may join."""
    read = {script: _letters(sentence, script) for script in script_patterns.of(sentence)}
    hinted: dict[str, bool] = {}
    found: dict[str, list[tuple[int, int]]] = {}
    for rule in rules():
        for name in rule.joins:
            if name not in hinted:
                hinted[name] = any(_may_hold(script, name, text) for script, text in read.items())
            if not hinted[name]:
                break
        else:
            if all(_found(name, read, found) for name in rule.joins):
                for name in rule.unless:
                    _found(name, read, found)
    return {name: spans for name, spans in found.items() if spans}


def _may_hold(script: str, name: str, text: str) -> bool:
    return name in _names(script) and _hinted(script, name, text)


def _found(name: str, read: Mapping[str, str], found: dict[str, list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return where a meaning stands; what was `found` is not searched for again."""
    if name not in found:
        here = (span for script, text in read.items() for span in _spans(script, name, text))
        found[name] = list(here)
    return found[name]


def _spans(script: str, name: str, text: str) -> Iterator[tuple[int, int]]:
    if not _may_hold(script, name, text):
        return
    if script == LATIN:
        spans = [match.span() for match in _compiled(script, name).finditer(text.encode("latin-1"))]
        if any(_marked(text[start - 1 : start]) or _marked(text[end : end + 1]) for start, end in spans):
            spans = [match.span() for match in _read_again(name).finditer(text)]
        yield from spans
        return
    data = text.encode("utf-8", "replace")
    for match in _compiled(script, name).finditer(data):
        start = len(data[: match.start()].decode())
        yield start, start + len(match[0].decode())


def _marked(letter: str) -> bool:
    """Return whether a letter has a mark: re2 takes it for the end of a word, as in `conteúdo`."""
    return letter.isalpha() and not letter.isascii()


@cache
def _read_again(name: str) -> re.Pattern[str]:
    """Return a pattern as Python reads it, for which words end where they do."""
    return re.compile(_letters(_names(LATIN)[name], LATIN))


def _met(found: Mapping[str, Sequence[object]]) -> list[Rule]:
    names = found.keys()
    return [rule for rule in rules() if names >= set(rule.joins) and names.isdisjoint(rule.unless)]


def _forbidden(sentence: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether the sentence forbids what a rule looks for, judged wherever its verb stands."""
    return all(prohibition.negated(sentence, *span, clause=True) for span in spans)


def _letters(text: str, script: str) -> str:
    """Return `text` as a script's patterns read it, each letter where it was."""
    return script_patterns.encoded(text).decode("latin-1") if script == LATIN else text


def _hinted(table: str, name: str, text: str) -> bool:
    """Return whether `text` may hold a match; False is certain."""
    words = _hints(table).get(name)
    if not words:
        return True
    for word in words:  # noqa: SIM110 - half of what `any` costs
        if word in text:
            return True
    return False


@cache
def _hints(table: str) -> Mapping[str, tuple[str, ...]]:
    rows = pattern_tables.read(script_patterns.DATA / HINTS, table)
    return {name: tuple(_letters(words, table).split(SEPARATOR)) for name, words in rows.items()}


def _names(table: str) -> Mapping[str, str]:
    """Return the patterns of a table by name."""
    if table == ANYWHERE:
        return {phrase.name: phrase.pattern for phrase in phrases()}
    return script_patterns.table(FILE, table)


@cache
def _compiled(table: str, name: str) -> Any:
    import re2  # noqa: PLC0415 -- costs milliseconds, and most lines hold no word of a sign

    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    pattern = _names(table)[name]
    if table == LATIN:  # a byte a letter takes half the time
        options.encoding = re2.Options.Encoding.LATIN1
        return re2.compile(script_patterns.encoded(pattern), options)
    return re2.compile(pattern.encode(), options)
