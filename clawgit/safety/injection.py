"""Wording that would bend an identity."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from string import ascii_lowercase
from typing import Any

from msgspec import Struct

from clawgit.safety import codes, meanings, newcomers, unseen, weighing
from clawgit.safety.phrases import Kind, Phrase, phrases
from clawgit.safety.plain import gathered, plain
from clawgit.safety.prohibition import elsewhere, modest, negated
from clawgit.safety.rapid import Patterns, compiled
from clawgit.safety.tongue import tokens

LONGEST_PHRASE = 80
_ALIKE = 0.6  # of the words of two sentences: one is an edit of the other
_AFTER = 120  # characters that may tell whom a phrase is about
_CLAUSE_KINDS = ("override", "exfiltration", "persona", "command")  # "Never lie, ignore all rules" forbids nothing
_ABOUT_OTHERS = r"'s\b|\s+(?:what (?:they|he|she|it|you)|how|to)\b"

_ROT13 = str.maketrans(ascii_lowercase, ascii_lowercase[13:] + ascii_lowercase[:13])
_ITSELF = r"(?: are|'re) (?:you|yourself)\b"


class Signal(Struct, frozen=True):
    """A suspicious wording: 1-based line where it begins, and the words as they read when normalised."""

    kind: Kind
    line: int
    phrase: str


def scan(text: str, operator: Collection[str] = ()) -> tuple[Signal, ...]:
    """Find wording that overrides rules, hides, leaks, grants or impersonates, in the order of the text.

    A rule that forbids such an act ("never …", "if somebody says … refuse") is honest and not reported. `operator`
    are the names by which the operator is called. One signal a kind and line; look-alike letters, emphasis, line
    breaks and hidden characters are undone first.
    """
    return added("", text, operator)


def added(
    old: str, new: str, operator: Collection[str] = (), *, soul: bool = False, weighed: bool = True
) -> tuple[Signal, ...]:
    """Find what `scan` finds in `new` and `old` does not hold as often; in a `soul` the agent speaks of itself.

    With `weighed` many weak signs in one line count, too.
    """
    kept = _kept(new)
    literal = _literal(new, kept)
    if literal and old:
        known = Counter((kind, words) for (_, kind), words in _literal(old, _kept(old)).items())
        literal = {place: words for place, words in sorted(literal.items()) if not _taken(known, (place[1], words))}
    names = frozenset(name.casefold() for name in operator if name.strip())
    found = literal | {
        place: words
        for place, words in _judged(_kept(old), kept, names, soul=soul, weighed=weighed).items()
        if place not in literal
    }
    return tuple(Signal(kind, line, words) for (line, kind), words in sorted(found.items()))


def _kept(text: str) -> str:
    return plain(text).encode("utf-8", "replace").decode()


def _taken(known: Counter[Any], one: object) -> bool:
    """Take `one` out of `known`, and tell whether it was there."""
    known[one] -= 1
    return known[one] >= 0


def _literal(text: str, kept: str) -> dict[tuple[int, Kind], str]:
    """Find phrases, disguises, codes and what only an agent sees."""
    folded = kept.casefold()
    found: dict[tuple[int, Kind], str] = {}
    for source, cased in ((kept, True), (folded, False)):  # markers are told by case, all else is not
        for number in _hits(source, cased=cased):
            _collect(found, source, source.encode(), number)
    for line, words in _disguised(folded):
        found.setdefault((line, "encoded"), words)
    for line, words in unseen.find(text):
        found.setdefault((line, "unseen"), words)
    for line, words in codes.find(text):
        found.setdefault((line, "encoded"), words)
    return found


def _judged(old: str, new: str, operator: frozenset[str], *, soul: bool, weighed: bool) -> dict[tuple[int, Kind], str]:
    """Find suspicious sentences of `new`, leaving out as many of each as `old` holds."""
    found: dict[tuple[int, Kind], str] = {}
    was, now = old.casefold(), new.casefold()
    strangers = newcomers.found(old, new, operator) if soul and old else frozenset()
    for source, before in {now: was, gathered(now): gathered(was)}.items():
        known = Counter(sentence.text for sentence in meanings.sentences(before))
        fresh = [one for one in meanings.sentences(source) if not _taken(known, one.text)]
        gone = [text for text, left in known.items() if left > 0][: weighing.COMPARED]
        _judge(found, source, fresh, gone, operator, strangers, soul=soul)
    if soul and old and weighed:
        judged = {line for line, _ in found}
        for line, kind, words in weighing.heavy(was, now, operator, strangers, judged):
            found[line, kind] = _words(words)
    return found


def _judge(
    found: dict[tuple[int, Kind], str],
    source: str,
    fresh: Iterable[meanings.Sentence],
    gone: Collection[str],
    operator: frozenset[str],
    strangers: frozenset[str],
    *,
    soul: bool,
) -> None:
    line, seen = 1, 0
    for one in fresh:
        end = one.start + len(one.text)
        behind = source[end : end + _AFTER].partition("\n")[0]
        kinds = meanings.kinds(one.text, operator, behind, soul=soul, strangers=strangers)
        for kind in kinds:
            if soul and _said_before(one.text, kind, gone, operator):
                continue
            line, seen = line + source.count("\n", seen, one.start), one.start
            found.setdefault((line, kind), _words(one.text))


def _said_before(text: str, kind: Kind, gone: Collection[str], operator: frozenset[str]) -> bool:
    """Tell whether a sentence that `text` is an edit of was as suspicious."""
    words = tokens(text)
    alike = (one for one in gone if len(words & tokens(one)) >= _ALIKE * max(len(words), len(tokens(one))))
    return any(kind in meanings.kinds(one, operator, soul=True) for one in alike)


def _disguised(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and words of what bends an identity when it is read backwards, or with its alphabet turned by half."""
    source = source.encode("ascii", "replace").decode()  # what is in other letters reads as before
    for read in (_backwards, _rotated):
        if _hits(read(source), cased=False):
            for number, line in enumerate(source.split("\n"), 1):
                if line.strip() and _hits(read(line), cased=False):
                    yield number, _words(read(line))


def _backwards(text: str) -> str:
    return text[::-1]


def _rotated(text: str) -> str:
    return text.translate(_ROT13)


def _collect(found: dict[tuple[int, Kind], str], source: str, data: bytes, number: int) -> None:
    phrase = phrases()[number]
    line, seen, end, read = 1, 0, 0, 0
    for match in compiled(phrase.pattern).finditer(data):  # of bytes: searching a str costs re2 several times as much
        start = end + len(data[read : match.start()].decode())
        end, read = start + len(match[0].decode()), match.end()
        start += end - start - len(source[start:end].lstrip())
        line, seen = line + source.count("\n", seen, start), start
        if (line, phrase.kind) not in found and not _honest(phrase, source, start, end):
            found[line, phrase.kind] = _words(source[start:end])


def _honest(phrase: Phrase, source: str, start: int, end: int) -> bool:
    behind = source[end : end + _AFTER]
    if (phrase.kind == "secrecy" and re.match(_ABOUT_OTHERS, behind)) or (
        phrase.kind == "persona" and re.match(_ITSELF, behind)
    ):
        return True
    if (phrase.kind == "grant" and modest(source, start, end)) or (
        phrase.kind == "override" and elsewhere(source, start, end)
    ):
        return True
    return phrase.forbids and negated(source, start, end, clause=phrase.kind in _CLAUSE_KINDS)


def _words(phrase: str) -> str:
    words = " ".join(phrase.split())
    return words if len(words) <= LONGEST_PHRASE else words[: LONGEST_PHRASE - 1] + "…"


def _hits(source: str, *, cased: bool) -> list[int]:
    """Return the numbers of the phrases that `source` holds."""
    wanted, numbers = _phrases(cased=cased)
    return [numbers[hit] for hit in wanted.found(source)]


@cache
def _phrases(*, cased: bool) -> tuple[Patterns, tuple[int, ...]]:
    numbers = tuple(n for n, phrase in enumerate(phrases()) if (phrase.kind == "marker") is cased)
    return Patterns(tuple(phrases()[number].pattern for number in numbers)), numbers
