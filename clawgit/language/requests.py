"""Words that ask to remember, or tell a decision."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Any, Literal

import re2
from msgspec import Struct

from clawgit.language import detect, lexicon

Kind = Literal["asks", "labels", "decisions", "lessons", "decided", "keeps"]
KINDS: tuple[Kind, ...] = ("asks", "labels", "decisions", "lessons", "decided", "keeps")
"""The keys of a language's table `remember`.

`asks` begins a clause, as `remember that`, and `decided`, as `we agreed`; `labels`, `decisions` and `lessons` stand
before a colon; `keeps` ends a clause, as `keep that`. A verb of `recalls` or `notes` at the beginning of a clause,
behind words of `lead`, `wishes` and `fill`, asks, too, where a colon follows, `that`, or, as `don't forget I am …`, one
of `persons`; at the end of its clause it keeps what was said before. For ` _ ` words of `fill` may stand, for ` … `
any: `jot _ down`. With a word of `wishes` one of `notes` may be a question. Where words have no spaces between them,
each of `stems` with some of `endings` keeps.
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
_GAP = rf"\s[^.!?;:\n]{{1,{_UP_TO_COLON}}}\s"
_ADDRESS = r"(?:(?P<address>[^\W\d_]{3,}),\s*)?"
_EASTERN_ADDRESS = "(?:[\u4e00-\u9fff]{2,3}(?=\u4f60))?"
"""Who is asked: one word, or in Chinese the letters before `you`."""
_LEADS = " \t\n,:;?!\u2014\u2013-\uff0c\uff1a\u3001\u3002\uff01\uff1f"
_FILLED = 4
_LEADING = 6
"""Words that may lead to a request, one after the other: an attack repeats them by the thousand."""
_THAT = "that|que|de que|dass|da\u00df|dat|che"
_CALLED = r"(?P<called>(?:[^\W\d_]{3,}\s+){0,2})"
_BEFORE = re.compile(r"(\w+)\s+\Z")
_MARKS = re.compile(r"[.,;:!?()\u2026\u2013\u2014]")
_TOLD = (("logic", "negations"), ("claims", "negations"), ("dates", "past"))
_GAPS = re.compile(r" [_\u2026] ")
_MEMORY = 32 << 20  # of re2
_VERB_LAST = frozenset({"dass", "da\u00df", "dat"})


class Request(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a sentence that ask to keep something, in which way.

    `lead` is where the words that only lead to them begin: `and please`. `wish` tells that a question may ask so.
    """

    start: int
    end: int
    kind: Kind
    lead: int
    wish: bool = False


def find(own: str) -> Request | None:
    """Return the first words of a sentence that ask to keep something, whatever its language; None for none."""
    found = [
        Request(match.start("words"), match.end("words"), kind, match.start())
        for kind in KINDS
        for pattern in _patterns(kind)
        if (match := _first(pattern, own))
    ]
    found += [
        Request(match.start("words"), match.end(), "keeps" if "end" in _matched(match) else "asks", match.start(), wish)
        for key in ("recalls", "notes")
        for pattern in _patterns(key)
        if (match := _first(pattern, own))
        for wish in (key == "notes" and "wish" in _matched(match),)
    ]
    return min(
        found, key=lambda one: (one.start, (one.kind == "keeps") == _leads(own, one.end), -one.end), default=None
    )


def _matched(match: "re.Match[str]") -> set[str]:
    """Return the groups of a match that have a place in the text."""
    return {name for name in match.groupdict() if match.start(name) >= 0}


def _first(pattern: "_Pattern", own: str) -> "re.Match[str] | None":
    """Return the first match that nothing denies, and in which who is asked may be a name: no small word, no many."""
    for match in pattern.finditer(own):
        words = match.groupdict()
        name, called = words.get("address") or "", (words.get("called") or "").split()
        small = {name.casefold(), *(one.casefold() for one in called[:1])} & _small()
        before = own[: match.start("words")]
        if not (small or name.endswith(("s", "S")) or _told(before, called) or _supposed(before)):
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


def _supposed(before: str) -> bool:
    """Tell whether words before a verb, in its clause, make it no statement: `if we decided`."""
    clause = _MARKS.split(before)[-1].casefold()
    return any((word in clause) if detect.eastern(word) else re.search(rf"\b{word}\b", clause) for word in _doubts())


@cache
def _doubts() -> frozenset[str]:
    found = (lexicon.words(iso, "logic", key) for iso in lexicon.scripts() for key in ("conditions", "negations"))
    return frozenset(word for words in (*found, _listed("supposed")) for word in words)


def _leads(own: str, end: int) -> bool:
    return own[end:].lstrip()[:1] in {":", "\uff1a"}


def withdrawn(own: str) -> bool:
    """Tell whether words take back what was asked for before them."""
    return any(True for pattern in _patterns("withdrawn") for _ in pattern.finditer(own))


class _Pattern:
    """Finds the phrases of a key, with what may stand around them.

    One that holds no piece of a phrase has none of them: most sentences are looked through for those pieces alone, and
    the long pattern is compiled when the first has one.
    """

    def __init__(self, source: str, phrases: Iterable[str]) -> None:
        self._source, self._phrases = source, sorted(phrases)

    def finditer(self, own: str) -> Iterator["re.Match[str]"]:
        """Return the matches, from left to right."""
        if self._pieces.search(own.encode("utf-8", "surrogatepass")) is None:
            return iter(())
        return self._whole.finditer(own)

    @cached_property
    def _whole(self) -> "re.Pattern[str]":
        return re.compile(self._source, re.IGNORECASE)

    @cached_property
    def _pieces(self) -> Any:
        options = re2.Options()
        options.max_mem, options.case_sensitive = _MEMORY, False
        pieces = {max(_GAPS.split(phrase), key=len) for phrase in self._phrases}
        return re2.compile(_either(pieces).encode(), options)


@cache
def _patterns(key: str) -> tuple[_Pattern, ...]:
    """Return what finds the phrases of a key in every language: those with spaces between words, and the others."""
    said, leads = _listed(key), _listed("lead")
    found = []
    for eastern in (False, True):
        some = [one for one in said if detect.eastern(one) == eastern]
        if some:
            lead = [one for one in leads if detect.eastern(one) == eastern]
            source = _source(key, _either(some), _either(lead) or "(?!)", eastern=eastern)
            found.append(_Pattern(source, [*some, *(_listed("stems") if key == "keeps" else ())]))
    return tuple(found)


def _source(key: str, some: str, lead: str, *, eastern: bool) -> str:
    edge, clause = ("", _EASTERN_CLAUSE) if eastern else (r"\b", _CLAUSE)
    called = (_EASTERN_ADDRESS if eastern else _ADDRESS) if key == "asks" else ""
    leads = rf"(?:(?:{lead}){edge}[\s,:\uff0c\u3001.!]*){{0,{_LEADING}}}"
    led = rf"{clause}{leads}{called}{leads if called else ''}"
    if key in ("recalls", "notes"):
        return _verbs(key, some, lead, led, eastern=eastern)
    words = rf"(?P<words>{some})"
    behind = "" if eastern else r"(?!\w)"
    ends = _EASTERN_ENDS if eastern else _ENDS
    stems = rf"|(?:{_either(_listed('stems'))})(?:{_either(_listed('endings'))}){{1,{_LEADING}}}"
    return {
        "withdrawn": rf"{clause}(?:(?:{lead}){edge}[\s,]*){{0,{_LEADING}}}{words}{edge}",
        "keeps": rf"(?P<words>{some}{stems}){ends}" if eastern else rf"\b(?P<words>(?:{some}){_kept()})",
        "decided": rf"(?:{led}|{edge}){words}{behind}",
        "ahead": rf"{edge}{words}{edge}",
        **dict.fromkeys(("labels", "decisions", "lessons"), rf"{led}(?P<words>(?:{some}){_COLON})"),
    }.get(key, rf"{led}{words}{behind}")


def _verbs(key: str, some: str, lead: str, led: str, *, eastern: bool) -> str:
    """Return the source of what finds verbs that ask by what stands behind them."""
    colon = rf"[^.!?:;\n\u3002\uff1a\uff1b]{{0,{_UP_TO_COLON}}}{_COLON}(?=\s*\S)"
    if eastern:
        return rf"{led}(?P<words>(?:{some}){colon})"
    fill, is_that = (_either(_listed(one)) for one in ("fill", "is_that"))
    aside, end = _aside(), rf"(?P<end>{_kept()})"
    if key == "recalls":  # `Remember, you are never alone.`
        end = rf"(?!,){end}"
    that = rf"{aside}(?:,?\s+(?:{_THAT})\b(?!{aside}{_ENDS})|\s+(?={_persons()}))"
    told = rf"[^.!?:;,\n]{{0,{_UP_TO_COLON}}},?\s(?:{is_that})\b"
    wish = rf"(?P<wish>{_either(_listed('wishes'))})"
    wished = rf"{_CLAUSE}(?:(?:{wish}|{lead}|{fill})\b[\s,:.!]*){{0,{_LEADING}}}"
    led = rf"(?:{wished}|{led}{_CALLED}(?=(?:{some})\b{colon}))"
    return rf"{led}(?P<words>(?:{some})\b(?:{colon}|{that}|{told}|{end}))"


def _aside() -> str:
    """Return the source of what may stand behind a verb that asks: `please`, `for later`."""
    return rf"(?:\s+(?:{_either(_listed('fill') | _listed('lead'))})\b){{0,{_FILLED}}}"


def _kept() -> str:
    """Return the source of the end of a clause that asks, before a reason too: `jot that down please because …`."""
    causes = (one for one in _listed("causes") if not detect.eastern(one))
    return rf"{_aside()}(?:{_ENDS}|(?=\s+(?:{_either(causes)})\b))"


def _persons() -> str:
    """Return the source of a word for who talks, or who is talked to."""
    said = (one for iso in lexicon.scripts() for one in lexicon.phrases(iso, "claims", "persons"))
    return rf"(?:{_either(one for one in said if not detect.eastern(one))})\b"


def _listed(key: str) -> set[str]:
    return {one for iso in lexicon.scripts() for one in lexicon.phrases(iso, _TABLE, key)}


def _either(words: Iterable[str]) -> str:
    return "|".join(_typed(one) for one in sorted(words, key=lambda one: (-len(one), one))) or "(?!)"


def _typed(phrase: str) -> str:
    """Return the source of a phrase as people type it: accents, hyphens and apostrophes may be missing."""
    if " _ " not in phrase and " \u2026 " not in phrase:
        return _letters(phrase)
    return _slot().join(_GAP.join(map(_letters, one.split(" \u2026 "))) for one in phrase.split(" _ "))


@cache
def _slot() -> str:
    return rf"\s+(?:(?:{_either(_listed('fill'))})\s+){{0,{_FILLED}}}"


def _letters(phrase: str) -> str:
    return "".join(
        "[-\\s]" if one == "-" else "'?" if one == "'" else f"[{one}{bare}]" if bare != one else re.escape(one)
        for one in phrase
        for bare in (unicodedata.normalize("NFD", one)[0] if one.isalpha() and not detect.eastern(one) else one,)
    )


def announces(own: str) -> bool:
    """Tell whether a sentence says that what is to be kept comes behind it: `keep one thing in mind`."""
    return any(True for pattern in _patterns("ahead") for _ in pattern.finditer(own))


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
