"""Picks the words of a remark that can stand alone."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.keeping import cues, frames
from clawgit.agents.keeping.topics import LOOSE, topics
from clawgit.language.own_words import own_words
from clawgit.language.sentences import sentences

_MOST, _LEAST = 170, 4
_CLAUSE = re.compile(r"[,;] |[,，；、]| [-–—] ")
_POINT = re.compile(r"(?<=[.!?…])\s+(?=\w)")
_ASIDE = re.compile(r"\s*\([^()]*\)|（[^（）]*）")
_LEADS = re.compile(
    r"^(?:(?:please|pls|ok|okay|and|so|but|well|hm+|mm+|no|yes|again|oh|ah|see|look|hang on|hey|also|right|y|pero|und"
    r"|also|et|mais|a mí|para mí|pour moi)\b[\s,.:!–-]*)+",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"\blet me know\b|\bnever (?:say never|mind)\b|\bfeel free\b|\bdon't (?:worry|forget|give up|hesitate|you)\b"
    r"|\b(?:good luck|take care|hope)\b"
    r"|^(?:i|we|he|she|they|it|my|our|that|this|these|there)\b(?! (?:don't|do not|want|need|prefer|would|'d|should))",
    re.IGNORECASE,
)
"""What bids nothing: politeness, or a sentence with another subject."""
_WISHED = re.compile(
    r"\bi (?:don't |do not |only |just )?(?:want|need|prefer)\b|\bi'd (?:rather|like)\b", re.IGNORECASE
)


class Phrase(Struct, frozen=True):
    """A sentence of a remark: characters `start` to `end` (exclusive), and what it does."""

    start: int
    end: int
    words: str
    orders: bool
    general: bool
    asks: bool
    topics: frozenset[str]

    @property
    def weight(self) -> tuple[int, int]:
        """How well it stands alone as a principle; the longer of two."""
        firm = len(self.topics - LOOSE) > 0
        value = 4 * self.orders + 2 * bool(self.topics) + firm + self.general - 2 * self.asks
        return value, len(self.words)


def phrases(text: str) -> list[Phrase]:
    """Return the sentences of a message that are its writer's own."""
    own = own_words(text)
    spans = [span for one in sentences(own) for span in _split(own, one.start, one.end)]
    return [_phrase(text, start, end) for start, end in spans if own[start:end].replace("\0", "").strip(" .,")]


def _split(own: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of what somebody wrote in small letters throughout."""
    for point in _POINT.finditer(own, start, end):
        yield start, point.start()
        start = point.end()
    yield start, end


def _phrase(text: str, start: int, end: int) -> Phrase:
    words = _ASIDE.sub("", " ".join(text[start:end].replace("\u2019", "'").split()))
    asks = bool(frames.ASKS.search(words))
    about, general = topics(words), _general(words)
    bids = _orders(words) or (general and "request" in about)
    return Phrase(start, end, words, bids and not asks, general, asks, about)


def _orders(words: str) -> bool:
    return any(_bids(one) for one in (words, *_CLAUSE.split(words)))


def _bids(clause: str) -> bool:
    bare = _LEADS.sub("", frames.LEAD.sub("", clause)) or clause
    if _IDLE.search(bare) and not _WISHED.search(bare):
        return False
    return any(cues.ORDERS.search(one) for one in (bare, bare.rstrip(".!。！~ ")))


def _general(words: str) -> bool:
    return bool(cues.GENERAL.search(_LEADS.sub("", words)))


def worded(every: Sequence[Phrase], *, ordering: bool) -> Phrase | None:
    """Return the sentence that says most of what is wanted, with the one beside it where that belongs to it."""
    fit = [one for one in every if _LEAST <= len(one.words) <= _MOST]
    best = max(fit, key=lambda one: one.weight if ordering else (len(one.topics), len(one.words)), default=None)
    if best is None or not ordering:
        return best
    at = fit.index(best)
    for one in fit[at + 1 : at + 2]:
        if one.general and not one.asks and len(best.words) + len(one.words) < _MOST:
            return _joined(best, one)
    for one in fit[max(0, at - 1) : at]:
        if one.orders and len(one.words) + len(best.words) < _MOST:
            return _joined(one, best)
    return replace(best, words=_trimmed(best.words)) if best.orders else best


def _joined(one: Phrase, other: Phrase) -> Phrase:
    words = f"{one.words} {other.words}"
    return replace(other, start=one.start, words=words, orders=True, general=True, topics=one.topics | other.topics)


def _trimmed(words: str) -> str:
    """Return a sentence without the clauses at its end that tell why, or how the day is."""
    for cut in reversed([one.start() for one in _CLAUSE.finditer(words)]):
        head, tail = words[:cut], words[cut:]
        idle = not (topics(tail) or cues.ORDERS.search(tail.strip(" ,;，；、–—-")) or cues.GENERAL.search(tail))
        if not (idle and topics(head) and _orders(head)):
            break
        words = head
    return words
