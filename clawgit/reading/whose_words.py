"""Finds the operator's own talk in cited turns."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from clawgit.language.own_words import own_talk, straighten_quotes
from clawgit.language.sentences import sentences
from clawgit.language.values import content_words
from clawgit.reading.operations import Batch, Turn

MAX_WHOLE_LETTERS = 600
"""Letters of a turn that is cited or shown whole."""
_MAX_NAME_WORDS, _MAX_NAME_LETTERS = 5, 40
"""Size of what stands in quotation marks up to which it is a name."""
_FOREIGN_SHARE = 0.5
"""Share of a claim's words that others say and the operator does not, beyond which the claim is theirs."""
_BLOTTED = re.compile("\0+")
_DIGITS = re.compile(r"\d+")


def find_place(turn: Turn) -> tuple[str, int]:
    """Return the order of a turn in its conversation."""
    return turn.time, turn.n


@lru_cache(maxsize=1024)
def read_own(text: str) -> str:
    """Return a message without quoted or pasted parts, but with names in quotation marks; all stays in place."""

    def restore(run: "re.Match[str]") -> str:
        quotation = text[run.start() : run.end()]
        is_block = "\n" in quotation or quotation.lstrip().startswith(">")
        is_name = len(quotation.split()) <= _MAX_NAME_WORDS and len(quotation) <= _MAX_NAME_LETTERS
        return quotation if is_name and not is_block else " " * len(quotation)

    return _BLOTTED.sub(restore, own_talk(text))


def find_objection(batch: Batch, number: int) -> str:
    """Return why a turn is no evidence, "" where it is."""
    turn = batch.turn(number)
    if turn is None:
        return f"there is no turn {number}"
    if turn.by != "operator" or not turn.may_cite:
        return f"turn {number} is no evidence: only the operator's own words are"
    talk = own_talk(turn.text)
    speaks = any(map(str.isalnum, talk)) or (talk.strip() and "\0" not in talk)
    return "" if speaks else f"turn {number} holds only pasted or quoted text"


def is_all_own(turn: Turn) -> bool:
    """Return whether all of a turn is the operator's own; names in quotation marks are, a paste is not."""
    return turn.may_cite and straighten_quotes(read_own(turn.text)) == straighten_quotes(turn.text)


def list_answered(batch: Batch, turn: Turn, direct: frozenset[str]) -> tuple[Turn, ...]:
    """Return the turns of the agent's that a turn answers: all since the operator's turn before, the newest first.

    None in a session with others, if a tool spoke in between, or if that turn has text that is not his own.
    """
    if turn.session not in direct:
        return ()
    earlier = [item for item in batch.turns if item.session == turn.session and find_place(item) < find_place(turn)]
    answered_turns: list[Turn] = []
    for item in sorted(earlier, key=find_place, reverse=True):
        if item.by == "operator":
            return tuple(answered_turns) if is_all_own(item) else ()
        if item.by != "agent":
            return ()
        answered_turns.append(item)
    return ()


def is_foreign(batch: Batch, cited_turns: Sequence[Turn], claim: str, own_text: str) -> bool:
    """Return whether more than half of a claim's words are somebody else's, and not in `own_text`.

    Somebody else is whoever speaks in a turn that is not `cited`, and in a quotation or a paste.
    """
    words = content_words(claim)
    missing = words - content_words(own_text)
    if len(missing) <= _FOREIGN_SHARE * len(words):
        return False
    texts = [turn.text for turn in batch.turns if not turn.may_cite and turn not in cited_turns]
    for turn in (turn for turn in batch.turns if turn.may_cite):
        pairs = zip(turn.text, own_talk(turn.text), strict=False)
        texts.append("".join(letter if blotted == "\0" else "\n" for letter, blotted in pairs))
    return any(len(missing & content_words(text)) > _FOREIGN_SHARE * len(words) for text in texts)


def quote_sentences(turns: Sequence[Turn], claim: str) -> tuple[str, ...]:
    """Return the sentences of the operator's turns with words of a claim, letter for letter, () for none.

    A short turn without such a sentence is quoted whole if another one has some, or if all of it is his own.
    """
    quotes = {turn.n: tuple(_quote_turn(turn, claim)) for turn in turns}
    is_shared = any(quotes.values())
    for turn in turns:
        if not quotes[turn.n] and len(turn.text) <= MAX_WHOLE_LETTERS and (is_shared or is_all_own(turn)):
            quotes[turn.n] = (turn.text.strip(),)
    return tuple(quote for turn in turns for quote in quotes[turn.n])


def _quote_turn(turn: Turn, claim: str) -> Iterator[str]:
    """Yield the fewest sentences of a turn that together have most words and numbers of a claim."""
    text, missing = read_own(turn.text), _find_traits(claim)
    spans = [(item.start, item.end) for item in sentences(own_talk(turn.text))]
    chosen_spans: set[tuple[int, int]] = set()
    while spans and missing:
        traits = {span: _find_traits(text[slice(*span)]) & missing for span in spans}
        # The sentence with most of the missing words comes next, the earlier one on a tie.
        best = max(spans, key=lambda span: (len(traits[span]), -span[0]))
        if not traits[best]:
            break
        chosen_spans.add(best)
        missing = missing - traits[best]
    yield from (turn.text[slice(*span)] for span in sorted(chosen_spans))


def _find_traits(text: str) -> frozenset[str]:
    return content_words(text) | frozenset(_DIGITS.findall(text))
