"""Decides whose words a claim rests on."""

from collections.abc import Iterable

from msgspec import Struct

from clawgit.language.pasted import own_talk
from clawgit.language.values import content_words
from clawgit.reading.citation import answered_by, foreign, own, place
from clawgit.reading.turns import Batch, Turn

_FOREIGN_SHARE = 0.5
"""Share of a claim's words that others say and the operator does not, beyond which the claim is theirs."""


class Cited(Struct, frozen=True):
    """Cited turns of the operator's, and the earlier one that explains them, None without.

    `unrelated` if a context was named that does not count.
    """

    turns: tuple[Turn, ...]
    context: Turn | None = None
    unrelated: bool = False


def read(batch: Batch, numbers: Iterable[int], context: int | None, direct: frozenset[str]) -> Cited | str:
    """Return the cited turns that are the operator's own talk, or why none of them is.

    A context counts in the same session if the operator said it, or if the agent did in one of the `direct` sessions
    and he answers to it: neither a tool, nor somebody else, nor pasted text came between.
    """
    wanted = dict.fromkeys(numbers)
    wrong = {number: why for number in wanted if (why := _objection(batch, number))}
    turns = tuple(turn for number in wanted if number not in wrong and (turn := batch.turn(number)))
    if wrong and not turns:
        return next(iter(wrong.values()))
    before = batch.turn(context) if context else None
    if before is None or before in turns:
        return Cited(turns)
    counts = any(_explains(batch, before, turn, direct) for turn in turns)
    return Cited(turns, before) if counts else Cited(turns, unrelated=True)


def _objection(batch: Batch, number: int) -> str:
    """Return why a turn is no evidence, "" where it is."""
    turn = batch.turn(number)
    if turn is None:
        return f"there is no turn {number}"
    if turn.by != "operator" or not turn.may_cite:
        return f"turn {number} is no evidence: only the operator's own words are"
    if not _speaks(turn):
        return f"turn {number} holds only pasted or quoted text"
    return ""


def _speaks(turn: Turn) -> bool:
    return any(map(str.isalnum, own_talk(turn.text)))


def _explains(batch: Batch, context: Turn, turn: Turn, direct: frozenset[str]) -> bool:
    if context.session != turn.session or place(context) > place(turn):
        return False
    if context.by == "operator":
        return context.may_cite and _speaks(context)
    answered = answered_by(batch, turn)
    alone = all(one.by != "other" for one in answered) and answered[-1:] and answered[-1].by == "operator"
    return context.by == "agent" and turn.session in direct and context in answered and bool(alone)


def is_foreign(batch: Batch, cited: Cited, claim: str, direct: frozenset[str], known: str = "") -> bool:
    """Return whether more than half of a claim's words are somebody else's, and neither the operator's nor `known`.

    Somebody else is a tool, a group, a quotation, a paste, and the agent outside of `direct` sessions. A claim on a
    context that does not count is theirs if most of its words are not the operator's.
    """
    own_text = "\n".join(own(turn.text) for turn in (*cited.turns, *filter(None, (cited.context,))))
    words = content_words(claim)
    missing = words - content_words(f"{own_text}\n{known}")
    if len(missing) <= _FOREIGN_SHARE * len(words):
        return False
    echoes = (turn.text for turn in batch.turns if turn.by == "agent" and turn.session not in direct)
    theirs = (content_words(text) for text in (*map(foreign, batch.turns), *echoes) if text)
    return cited.unrelated or any(len(missing & other) > _FOREIGN_SHARE * len(words) for other in theirs)


def is_quoted_only(cited: Cited, claim: str, *, strict: bool = False) -> bool:
    """Return whether the operator says no word of a claim outside of quotation marks, and quotes more than he says.

    If `strict`, whether he quotes a word of it, however little.
    """
    talk = "\n".join(own_talk(turn.text) for turn in cited.turns)
    spoken = content_words(talk.replace("\0", " "))
    if "\0" not in talk or spoken & content_words(claim):
        return False
    quoted = content_words("\n".join(turn.text for turn in cited.turns)) - spoken
    return bool(quoted & content_words(claim)) if strict else len(quoted) >= len(spoken)
