"""Wording that would bend an identity."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from msgspec import Struct

from clawgit.safety import hidden_text, rules
from clawgit.safety.normalise import gathered, plain, tokens
from clawgit.safety.prohibition import elsewhere, modest, negated
from clawgit.safety.rules import Kind, Phrase, Sentence

LONGEST_PHRASE = 80
COMPARED = 200  # sentences that are gone
_ALIKE = 0.6  # of the words of two sentences: one is an edit of the other
_AFTER = 120  # characters that may tell whom a phrase is about
_CLAUSE_KINDS = ("override", "exfiltration", "persona", "command")  # "Never lie, ignore all rules" forbids nothing
_ABOUT_OTHERS = r"'s\b|\s+(?:what (?:they|he|she|it|you)|how|to)\b"
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


def added(old: str, new: str, operator: Collection[str] = ()) -> tuple[Signal, ...]:
    """Find what `scan` finds in `new` and `old` does not hold as often, nor said as much in a sentence much like it."""
    was, now = _kept(old), _kept(new)
    literal = _literal(new, now)
    if literal and old:
        known = Counter((kind, words) for (_, kind), words in _literal(old, was).items())
        literal = {place: words for place, words in sorted(literal.items()) if not _taken(known, (place[1], words))}
    names = frozenset(name.casefold() for name in operator if name.strip())
    found = _judged(was.casefold(), now.casefold(), names) | literal
    return tuple(Signal(kind, line, words) for (line, kind), words in sorted(found.items()))


def _kept(text: str) -> str:
    return plain(text).encode("utf-8", "replace").decode()


def _taken(known: Counter[Any], one: object) -> bool:
    """Take `one` out of `known`, and tell whether it was there."""
    known[one] -= 1
    return known[one] >= 0


def _literal(text: str, kept: str) -> dict[tuple[int, Kind], str]:
    """Find phrases, codes and what only an agent sees."""
    found: dict[tuple[int, Kind], str] = {}
    folded = kept.casefold()
    breaks = {source: [at for at, char in enumerate(source) if char == "\n"] for source in (kept, folded)}
    for phrase, start, end in rules.anywhere(kept, folded):
        source = kept if phrase.kind == "marker" else folded
        words = source[start:end]
        line = bisect_left(breaks[source], end - len(words.lstrip())) + 1
        if (line, phrase.kind) not in found and not _honest(phrase, source, start, end):
            found[line, phrase.kind] = _words(words)
    for line, words in hidden_text.unseen(text):
        found.setdefault((line, "unseen"), words)
    for line, words in hidden_text.encoded(text):
        found.setdefault((line, "encoded"), words)
    return found


def _honest(phrase: Phrase, source: str, start: int, end: int) -> bool:
    behind = source[end : end + _AFTER]
    match phrase.kind:
        case "secrecy" if re.match(_ABOUT_OTHERS, behind):
            return True
        case "persona" if re.match(_ITSELF, behind):
            return True
        case "grant" if modest(source, start, end):
            return True
        case "override" if elsewhere(source, start, end):
            return True
    return phrase.forbids and negated(source, start, end, clause=phrase.kind in _CLAUSE_KINDS)


def _judged(was: str, now: str, operator: frozenset[str]) -> dict[tuple[int, Kind], str]:
    """Find suspicious sentences of `now`, leaving out as many of each as `was` holds."""
    found: dict[tuple[int, Kind], str] = {}
    for source, before in {now: was, gathered(now): gathered(was)}.items():
        known = Counter(sentence.text for sentence in rules.sentences(before))
        fresh = [one for one in rules.sentences(source) if not _taken(known, one.text)]
        gone = [text for text, left in known.items() if left > 0][:COMPARED]
        _judge(found, source, fresh, gone, operator)
    return found


def _judge(
    found: dict[tuple[int, Kind], str],
    source: str,
    fresh: Iterable[Sentence],
    gone: Collection[str],
    operator: frozenset[str],
) -> None:
    line, seen = 1, 0
    for one in fresh:
        end = one.start + len(one.text)
        behind = source[end : end + _AFTER].partition("\n")[0]
        for kind in rules.kinds(one.text, operator, behind):
            if _said_before(one.text, kind, gone, operator):
                continue
            line, seen = line + source.count("\n", seen, one.start), one.start
            found.setdefault((line, kind), _words(one.text))


def _said_before(text: str, kind: Kind, gone: Collection[str], operator: frozenset[str]) -> bool:
    """Return whether a sentence that `text` is an edit of was as suspicious."""
    words = tokens(text)
    alike = (one for one in gone if len(words & tokens(one)) >= _ALIKE * max(len(words), len(tokens(one))))
    return any(kind in rules.kinds(one, operator) for one in alike)


def _words(phrase: str) -> str:
    words = " ".join(phrase.split())
    return words if len(words) <= LONGEST_PHRASE else words[: LONGEST_PHRASE - 1] + "…"
