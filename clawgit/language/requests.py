"""Words that ask to remember, or tell a decision."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Literal

from msgspec import Struct

from clawgit.language import detect, lexicon

Kind = Literal["asks", "labels", "decisions", "lessons", "decided", "settled", "keeps"]
KINDS: tuple[Kind, ...] = ("asks", "labels", "decisions", "lessons", "decided", "settled", "keeps")
"""The keys of a language's table `remember`.

`asks` begins a clause, as `remember that`, and `decided`, as `we agreed`; `labels`, `decisions` and `lessons` stand
before a colon; `keeps` ends a clause, as `keep that`, and `settled`, where a language has its verbs there. A verb of
`recalls` at the beginning of a clause asks, too, where a colon follows, or `that`; one of `records`, which may order
any work, only with nothing but words of `recorded`, and for what or whom, up to the colon: `put this away for me: …`.
"""
_TABLE = "remember"
_CLAUSE = r"(?:^|(?<=[.,;!?()\u2026\u2013\u2014\uff0c\u3002\uff1b\uff01\uff1f\u3001])\s*|(?<=\s)[-\u2013]\s+)"
_EASTERN_CLAUSE = rf"(?:{_CLAUSE}|(?<=[\s\uff1a:]))"
_ENDS = r"(?=\s*(?:[.,;:!?()\u2026\u2013\u2014\uff0c\u3002\uff1b\uff1a\uff01\uff1f\u3001\n]|$))"
_EASTERN_ENDS = rf"(?:{_ENDS}|(?=\s))"
_COLON = r"\s*[:\uff1a]"
FEWEST = 3
"""Words that are a sentence without the request before it."""
_WORD = re.compile(r"\w+")
_UP_TO_COLON = 90
"""Letters between a verb that asks and the colon behind it."""
_ADDRESS = r"(?:(?P<address>[^\W\d_]{3,}),\s*)?"
_EASTERN_ADDRESS = "(?:[\u4e00-\u9fff]{2,3}(?=\u4f60))?"
"""Who is asked: one word, or in Chinese the letters before `you`."""
_LEADS = " \t\n,:;\u2014\u2013-\uff0c\uff1a\u3001"
_LEADING = 6
"""Words that may lead to a request, one after the other: an attack repeats them by the thousand."""
_THAT = "that|que|de que|dass|da\u00df|dat|che"
_CALLED = r"(?P<called>(?:[^\W\d_]{3,}\s+){0,2})"
_BEFORE = re.compile(r"(\w+)\s+\Z")
_TOLD = (("logic", "negations"), ("claims", "negations"), ("dates", "past"))
_VERB_LAST = frozenset({"dass", "da\u00df", "dat"})


class Request(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a sentence that ask to keep something, in which way.

    `lead` is where the words that only lead to them begin: `and please`.
    """

    start: int
    end: int
    kind: Kind
    lead: int


def find(own: str) -> Request | None:
    """Return the first words of a sentence that ask to keep something, whatever its language; None for none."""
    found = [
        Request(match.start(name), match.end(name), kind, match.start())
        for kind in KINDS
        for name, pattern in _patterns(kind)
        if (match := _first(pattern, own))
    ]
    found += [
        Request(match.start(match.lastgroup or 0), match.end(), "asks", match.start())
        for key in ("recalls", "records")
        for _, pattern in _patterns(key)
        if (match := _first(pattern, own))
    ]
    return min(
        found, key=lambda one: (one.start, (one.kind == "keeps") == _leads(own, one.end), -one.end), default=None
    )


def _first(pattern: "re.Pattern[str]", own: str) -> "re.Match[str] | None":
    """Return the first match that nothing denies, and in which who is asked may be a name: no small word, no many."""
    for match in pattern.finditer(own):
        words = match.groupdict()
        name, called = words.get("address") or "", (words.get("called") or "").split()
        small = {name.casefold(), *(one.casefold() for one in called[:1])} & _small()
        if not (small or name.endswith(("s", "S")) or _told(own[: match.start(match.lastgroup or 0)], called)):
            return match
    return None


@cache
def _small() -> frozenset[str]:
    return frozenset(word for iso in lexicon.scripts() for word in lexicon.words(iso, "search", "small"))


@cache
def _not_asked() -> frozenset[str]:
    return frozenset(word for iso in lexicon.scripts() for one in _TOLD for word in lexicon.words(iso, *one))


def _told(before: str, called: Iterable[str]) -> bool:
    """Tell whether a verb asks for nothing: the word before it denies it, or somebody else said it."""
    last = _BEFORE.search(before)
    return not _not_asked().isdisjoint(one.casefold() for one in (*called, *(last.groups() if last else ())))


def _leads(own: str, end: int) -> bool:
    return own[end:].lstrip()[:1] in {":", "\uff1a"}


def withdrawn(own: str) -> bool:
    """Tell whether words take back what was asked for before them."""
    return any(pattern.search(own) for _, pattern in _patterns("withdrawn"))


@cache
def _patterns(key: str) -> tuple[tuple[str, "re.Pattern[str]"], ...]:
    """Return what finds the phrases of a key in every language: those with spaces between words, and the others."""
    said, leads = _listed(key), _listed("lead")
    found = []
    for eastern in (False, True):
        some = [one for one in said if detect.eastern(one) == eastern]
        if some:
            lead = [one for one in leads if detect.eastern(one) == eastern]
            source = _source(key, _either(some), _either(lead) or "(?!)", eastern=eastern)
            found.append(("words", re.compile(source, re.IGNORECASE)))
    return tuple(found)


def _source(key: str, some: str, lead: str, *, eastern: bool) -> str:
    edge, clause = ("", _EASTERN_CLAUSE) if eastern else (r"\b", _CLAUSE)
    called = (_EASTERN_ADDRESS if eastern else _ADDRESS) if key == "asks" else ""
    leads = rf"(?:(?:{lead}){edge}[\s,:\uff0c\u3001.!]*){{0,{_LEADING}}}"
    led = rf"{clause}{leads}{called}{leads if called else ''}"
    if key == "withdrawn":
        return rf"{clause}(?:(?:{lead}){edge}[\s,]*){{0,{_LEADING}}}(?P<words>{some}){edge}"
    if key in ("recalls", "records"):
        return _verbs(key, some, lead, led, eastern=eastern)
    if key in ("keeps", "settled"):
        return rf"{edge}(?P<words>{some}){_EASTERN_ENDS if eastern else _ENDS}"
    if key in ("labels", "decisions", "lessons"):
        return rf"{led}(?P<words>(?:{some}){_COLON})"
    return rf"{led}(?P<words>{some})(?!\w)" if not eastern else rf"{led}(?P<words>{some})"


def _verbs(key: str, some: str, lead: str, led: str, *, eastern: bool) -> str:
    """Return the source of what finds verbs that ask by what stands behind them."""
    colon = rf"[^.!?:;\n\u3002\uff1a\uff1b]{{0,{_UP_TO_COLON}}}{_COLON}(?=\s*\S)"
    if key == "records":
        return rf"{led}{_CALLED}(?P<words>(?:{some})\b{_recorded()}{_COLON}(?=\s*\S))"
    if eastern:
        return rf"{led}(?P<words>(?:{some}){colon})"
    that = rf"(?:\s+(?:{lead})){{0,2}}\s+(?:{_THAT})\b"
    return rf"{led}(?:{_CALLED}(?P<words>(?:{some})\b{colon})|(?P<clause>(?:{some})\b{that}))"


def _recorded() -> str:
    """Return the source of what may stand between a verb that records and the colon: what, where, and for whom."""
    what, for_whom = (_either(_listed(one)) for one in ("recorded", "recorded_for"))
    aim = rf"(?:,|\s+(?:{for_whom})\b)[^.!?:;\n]{{0,{_UP_TO_COLON}}}"
    return rf"(?:(?:\s+(?:{what})\b){{1,{_LEADING}}}(?:{aim})?|{aim})"


def _listed(key: str) -> set[str]:
    return {one for iso in lexicon.scripts() for one in lexicon.phrases(iso, _TABLE, key)}


@cache
def asking(iso: str) -> str:
    """Return the source of a pattern for what begins a sentence that asks to remember; "" for a language without."""
    lead = _either(lexicon.phrases(iso, _TABLE, "lead"))
    asks = _either(lexicon.phrases(iso, _TABLE, "asks"))
    labels = _either(lexicon.phrases(iso, _TABLE, "labels"))
    if not asks:
        return ""
    return rf"^(?:(?:{lead})\b[, ]*){{0,{_LEADING}}}(?:{asks})\b|\b(?:{labels}):"


def _either(words: Iterable[str]) -> str:
    return "|".join(_typed(one) for one in sorted(words, key=lambda one: (-len(one), one)))


def _typed(phrase: str) -> str:
    """Return the source of a phrase as people type it: accents, hyphens and apostrophes may be missing."""
    return "".join(
        "[-\\s]" if one == "-" else "'?" if one == "'" else f"[{one}{bare}]" if bare != one else re.escape(one)
        for one in phrase
        for bare in (unicodedata.normalize("NFD", one)[0] if one.isalpha() and not detect.eastern(one) else one,)
    )


def thing(own: str, request: Request) -> int:
    """Return where in a sentence that begins with a request the thing itself begins; 0-based, in characters.

    What asks by a word that puts the verb last stays: without it the rest would be no sentence.
    """
    rest = own[request.end :]
    cut = request.end + len(rest) - len(rest.lstrip(_LEADS))
    begins = _WORD.match(own, cut)
    if begins and begins[0].casefold() in _VERB_LAST:
        return request.start
    label = request.kind == "labels" and request.lead < request.start  # "Please note: …"
    asked = (request.kind in ("asks", "keeps") or label) and weight(own[cut:]) >= FEWEST
    return cut if asked else request.start


def weight(own: str) -> int:
    """Return how many words a text has; where no spaces part them, three letters are two."""
    words = _WORD.findall(own)
    if not detect.eastern(own):
        return len(words)
    return sum(1 if word.isascii() else -(-2 * len(word) // 3) for word in words)
