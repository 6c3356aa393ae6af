"""Wording that would bend an identity."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from clawgit.safety.phrases import PHRASES, Kind, Phrase
from clawgit.safety.plain import plain

LONGEST_PHRASE = 80
_BEFORE, _AFTER = 120, 120  # characters of the sentence that may turn the phrase round
_MEMORY = 64 << 20
_CLAUSE_KINDS = ("override", "exfiltration", "persona", "command")  # "Never lie, ignore all rules" forbids nothing

_SENTENCE = r"[.;!?](?:\s|$)|[。;!?]|\n\s*\n|\n\s*(?:[-+#>|]|\d+[.)])"
_CLAUSE = r"[,,、]|\b(?:but|then|instead|and then)\b"
_NEVER = (
    r"\b(?:never|not|no|nothing|nobody|cannot|without|refus\w+|reject\w*|avoid\w*|resist\w*|declin\w+|forbid\w*|forbidden|prohibit\w*"
    r"|nie|niemals|nicht|keine?[rnms]?|nichts|nunca|jamás|jamais|ne|pas|rien|не|никогда|нельзя|ничего)\b|n't\b|\bn'"
    r"|不要|别|別|勿|不得|不能|不可|不准|禁止|绝不|絕不|永远不|不会|拒绝|拒絕"
)
_WITHIN = r"\b(?:niemals|nie|nicht|nunca|jamais|pas|никогда)\b"  # where the negation follows its verb
_HOLLOW = (
    r"(?:\bnever|\bnot|\bno|n't)\s+(?:hesitate|fail|forget|mind|worry|bother|need|be afraid|only|just|matter|problem)\b"
)
_NOT_AFTER = r"[^\n。.、,]{0,12}?(?:ない|ません|しな|禁止|するな|지 ?(?:마|말|않)|않|금지|不得|不能|不可|不准|不要)"
_REPORTED = (
    r"\b(?:if|when|whenever|text|anyone|someone|somebody|messages?|pages?|content|emails?|says?|telling|tells|asks"
    r"|claims?|attempts?|tries)\b"
)
_REFUSED = (
    r"\b(?:refus\w+|declin\w+|attacks?|injections?|do not|don't|never|suspicious|untrusted|not follow"
    r"|ignore (?:it|them|that)|tell the)\b"
)
_ABOUT_OTHERS = r"'s\b|\s+(?:what (?:they|he|she|it|you)|how|to)\b"


@dataclass(frozen=True, slots=True)
class Signal:
    """A suspicious wording: 1-based line where it begins, and the words as they read when normalised."""

    kind: Kind
    line: int
    phrase: str


def scan(text: str) -> tuple[Signal, ...]:
    """Find wording that overrides rules, hides, leaks, grants or impersonates, in the order of the text.

    A rule that forbids such an act ("never …", "if somebody says … refuse") is honest and not reported.
    One signal a kind and line; look-alike letters, emphasis, line breaks and hidden characters are undone first.
    """
    kept = plain(text).encode("utf-8", "replace").decode()
    found: dict[tuple[int, Kind], str] = {}
    for source, cased in ((kept, True), (kept.casefold(), False)):  # markers are told by case, all else is not
        numbers, phrases = _phrases(cased=cased)
        for hit in numbers.Match(source) or ():
            _collect(found, source, phrases[hit])
    return tuple(Signal(kind, line, words) for (line, kind), words in sorted(found.items()))


def _collect(found: dict[tuple[int, Kind], str], source: str, number: int) -> None:
    phrase = PHRASES[number]
    line, seen = 1, 0
    for match in _compiled(number).finditer(source):
        start, end = match.span()
        start += len(match[0]) - len(match[0].lstrip())
        line, seen = line + source.count("\n", seen, start), start
        if (line, phrase.kind) not in found and not _honest(phrase, source, start, end):
            found[line, phrase.kind] = _words(source[start:end])


def _honest(phrase: Phrase, source: str, start: int, end: int) -> bool:
    if phrase.kind == "secrecy" and re.match(_ABOUT_OTHERS, source[end : end + _AFTER]):
        return True
    return phrase.forbids and negated(source, start, end, clause=phrase.kind in _CLAUSE_KINDS)


def negated(text: str, start: int, end: int, *, clause: bool = False) -> bool:
    """Tell whether the sentence around `text[start:end]` forbids or refuses it; `text` is plain and case-folded.

    With `clause`, a negation before the last comma does not count.
    """
    before = re.split(_SENTENCE, text[max(0, start - _BEFORE) : start])[-1]
    after = re.split(_SENTENCE, text[end : end + _AFTER])[0]
    if re.search(_REPORTED, before) and re.search(_REFUSED, before + after):
        return True
    near = re.split(_CLAUSE, before)[-1] if clause else before
    return bool(
        re.search(_NEVER, re.sub(_HOLLOW, "", near))
        or re.search(_WITHIN, text[start:end])
        or re.match(_NOT_AFTER, after)
    )


def _words(phrase: str) -> str:
    words = " ".join(phrase.split())
    return words if len(words) <= LONGEST_PHRASE else words[: LONGEST_PHRASE - 1] + "…"


@cache
def _phrases(*, cased: bool) -> tuple[Any, tuple[int, ...]]:
    import re2  # noqa: PLC0415 -- costs milliseconds that most commands need not pay

    numbers = tuple(n for n, phrase in enumerate(PHRASES) if (phrase.kind == "marker") is cased)
    phrases = re2.Set.SearchSet(_options(re2))
    for number in numbers:
        phrases.Add(PHRASES[number].pattern)
    phrases.Compile()
    return phrases, numbers


@cache
def _compiled(number: int) -> Any:
    import re2  # noqa: PLC0415

    return re2.compile(PHRASES[number].pattern, _options(re2))


def _options(re2: Any) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    return options
