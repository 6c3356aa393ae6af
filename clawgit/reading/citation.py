"""Cuts the sentences that a claim goes back to."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from msgspec import Struct

from clawgit.language.own_words import straight, unquoted
from clawgit.language.pasted import own_talk
from clawgit.language.sentences import Sentence, sentences
from clawgit.language.values import content_words
from clawgit.reading.turns import Batch, Turn

_MAX_WHOLE_LETTERS = 600
"""Letters of a turn that is cited whole where no word of it is the claim's."""
_MAX_QUOTED_WORDS, _MAX_QUOTED_LETTERS = 5, 40
"""Size of what stands in quotation marks up to which it is a name."""
_BLOTTED = re.compile("\0+")
_DIGITS = re.compile(r"\d+")


class Source(Struct, frozen=True):
    """A text that may support a claim, and its day."""

    text: str
    day: date | None = None


def place(turn: Turn) -> tuple[str, int]:
    """Return the order of a turn in its conversation."""
    return turn.time, turn.n


def list_answered(batch: Batch, turn: Turn) -> tuple[Turn, ...]:
    """Return the turns that a turn answers: all since the operator's turn before, the newest first, and that turn.

    None if a tool answered in between, or that turn has pasted text.
    """
    earlier = (item for item in batch.turns if item.session == turn.session and place(item) < place(turn))
    since: list[Turn] = []
    for item in sorted(earlier, key=place, reverse=True):
        since.append(item)
        if item.by == "operator":
            return tuple(since) if is_all_own(item) else ()
        if item.by == "tool":
            return ()
    return tuple(since) if any(item.by == "other" for item in since) else ()


def source(turn: Turn) -> Source:
    """Return the part of a turn that may support a claim: the operator's own talk, with names in quotation marks."""
    return Source(own(turn.text) if turn.by == "operator" else turn.text, turn.day)


@lru_cache(maxsize=1024)
def own(text: str) -> str:
    """Return a message without quoted or pasted parts; each character stays in place."""

    def replacement(run: "re.Match[str]") -> str:
        quotation = text[run.start() : run.end()]
        if "\n" in quotation or quotation.lstrip().startswith(">"):
            return " " * len(quotation)
        brief = len(quotation.split()) <= _MAX_QUOTED_WORDS and len(quotation) <= _MAX_QUOTED_LETTERS
        return quotation if brief else " " * len(quotation)

    return _BLOTTED.sub(replacement, own_talk(text))


def is_all_own(turn: Turn) -> bool:
    """Return whether all of an operator's turn is his own; names in quotation marks are, a paste is not."""
    talk = own_talk(turn.text)
    ticked = any(turn.text[run.start()] == "`" for run in _BLOTTED.finditer(talk))
    unchanged = straight(own(turn.text)) == straight(turn.text)
    return turn.may_cite and talk == unquoted(turn.text) and not ticked and unchanged


def foreign(turn: Turn) -> str:
    """Return the part of a turn that is somebody else's: a tool, another person, a quotation, a paste."""
    if turn.by != "operator" or not turn.may_cite:
        return "" if turn.by == "agent" else turn.text
    pairs = zip(turn.text, own_talk(turn.text), strict=False)
    return "".join(letter if blotted == "\0" else "\n" for letter, blotted in pairs)


def quotes(turns: Sequence[Turn], claim: str) -> tuple[str, ...]:
    """Return the sentences of the operator's turns with words of a claim, letter for letter.

    A turn without such a sentence is quoted whole if it is short and all of it is own talk; () for none.
    """
    quotations = {turn.n: list(_quote(turn, claim)) for turn in turns}
    is_said = any(quotations.values())
    for turn in turns:
        is_plain = len(turn.text) <= _MAX_WHOLE_LETTERS and (is_said or is_all_own(turn))
        quotations[turn.n] = quotations[turn.n] or (list(_quote(turn)) or [turn.text.strip()] if is_plain else [])
    return tuple(text for turn in turns for text in quotations[turn.n])


def _quote(turn: Turn, claim: str = "") -> Iterator[str]:
    """Yield the sentences of a turn that have most words of a claim, without one all; neighbours are one quote."""
    own_sentences = list(sentences(own_talk(turn.text)))
    numbers = _choose_sentences(own_sentences, source(turn).text, claim)
    plain = (number for number, sentence in enumerate(own_sentences) if "\0" not in sentence.own)
    spans: list[tuple[int, int]] = []
    for number in sorted(numbers) if claim else plain:
        start, end = own_sentences[number].start, own_sentences[number].end
        if spans and not turn.text[spans[-1][1] : start].strip():
            start = spans.pop()[0]
        spans.append((start, end))
    return (turn.text[start:end] for start, end in spans)


def _choose_sentences(own_sentences: Sequence[Sentence], text: str, claim: str) -> set[int]:
    """Return the places of the sentences that together have most words and numbers of a claim, the fewest of them."""
    wanted = find_traits(claim)
    traits = [find_traits(text[sentence.start : sentence.end]) for sentence in own_sentences]
    numbers: set[int] = set()
    while wanted:
        best = max(range(len(traits)), key=lambda number: (len(traits[number] & wanted), -number), default=-1)
        if best < 0 or not traits[best] & wanted:
            break
        numbers.add(best)
        wanted = wanted - traits[best]
    return numbers


def find_traits(text: str) -> frozenset[str]:
    """Return the content words and numbers of a text."""
    return content_words(text) | frozenset(_DIGITS.findall(text))
