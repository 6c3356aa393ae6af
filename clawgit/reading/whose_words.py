"""Finds who spoke the words behind a claim."""

import re

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language import lexicon, logic, sentences, standing_rules, values
from clawgit.language.own_words import straight
from clawgit.language.pasted import own_talk
from clawgit.language.values import content_words
from clawgit.reading import explicit_requests
from clawgit.reading.citation import find_traits, foreign, is_all_own, list_answered, own, place
from clawgit.reading.operations import Operation
from clawgit.reading.turns import CUT, Batch, Turn
from clawgit.safety import hidden_text, secrets

_FOREIGN_SHARE = 0.5
"""Share of a claim's words that others say and the operator does not, beyond which the claim is theirs."""
_MAX_ANSWERED_LETTERS = 300
_RISKY = re.compile(r"\d(?:[ \u00a0-]?\d){5,}|@|://|[a-z]\.[a-z]{2,}")
"""A number with more digits than a day, a year or an hour; what may be an address."""
_ADDRESSES = frozenset(("path", "phone"))
_OWN_WORDS_ONLY = frozenset(("soul", "lesson", "retire"))
"""Operations that take no word from anybody else's turn."""


class Cited(Struct, frozen=True):
    """Cited turns of the operator's, in order, and what explains them.

    `answered` are turns of others right before them: what they say counts as far as he affirms it. `context` is an
    earlier turn of the agent's that tells what he means, None without. `unrelated` if one was named that does not
    count.
    """

    turns: tuple[Turn, ...]
    answered: tuple[Turn, ...] = ()
    context: Turn | None = None
    unrelated: bool = False

    @property
    def beside(self) -> tuple[Turn, ...]:
        """The turns of others that it takes words from."""
        return (*self.answered, *filter(None, (self.context,)))


def read(batch: Batch, operation: Operation, direct: frozenset[str], groups: frozenset[str]) -> Cited | str:
    """Return the cited turns that are the operator's own talk, or why none of them is, and what they answer.

    A turn of somebody else's, cited or named as context, counts if the operator answers it with a cited turn: the
    agent's in one of the `direct` sessions where neither a tool, nor somebody else, nor pasted text came between,
    and, in one of the `groups`, anybody's of which `_may_affirm` holds. An earlier turn of his own that is named as
    context is cited with the others; a correction finds what it answers by itself.
    """
    wanted = dict.fromkeys(operation.turns)
    wrong = {number: why for number in wanted if (why := _find_objection(batch, number))}
    turns = [turn for number in wanted if number not in wrong and (turn := batch.turn(number))]
    if wrong and not turns:
        return next(iter(wrong.values()))
    if operation.act in _OWN_WORDS_ONLY:
        return Cited(tuple(turns))
    context = batch.turn(operation.context) if operation.context else None
    if context and operation.act != "correct" and not _find_objection(batch, context.n):
        turns += [] if context in turns else [context]
    named = [turn for n in (*wrong, operation.context) if n and (turn := batch.turn(n)) and turn.by != "operator"]
    answered = tuple(
        turn for turn in dict.fromkeys(named) if any(_answers(batch, turn, reply, direct, groups) for reply in turns)
    )
    cited = Cited(tuple(sorted(turns, key=place)), tuple(sorted(answered, key=place)))
    if operation.act == "correct" or context is None or context in (*turns, *answered):
        return cited
    counts = any(_explains(batch, context, turn, direct) for turn in turns)
    return replace(cited, context=context if counts else None, unrelated=not counts)


def _find_objection(batch: Batch, number: int) -> str:
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
    talk = own_talk(turn.text)
    return any(map(str.isalnum, talk)) or (bool(talk.strip()) and "\0" not in talk)


def _explains(batch: Batch, context: Turn, turn: Turn, direct: frozenset[str]) -> bool:
    """Return whether a turn answers an earlier one of the agent's, in a session without others."""
    if context.by != "agent" or context.session != turn.session or turn.session not in direct:
        return False
    answer_turns = list_answered(batch, turn)
    alone = all(item.by != "other" for item in answer_turns) and answer_turns[-1:] and answer_turns[-1].by == "operator"
    return context in answer_turns and bool(alone)


def _answers(batch: Batch, turn: Turn, reply: Turn, direct: frozenset[str], groups: frozenset[str]) -> bool:
    """Return whether a turn of somebody else's stands right before a reply of the operator's that may affirm it."""
    earlier = (one for one in batch.turns if one.session == reply.session and place(one) < place(reply))
    if not reply.session or max(earlier, key=place, default=None) != turn:
        return False
    return _explains(batch, turn, reply, direct) or (reply.session in groups and _may_affirm(batch, turn, reply))


def _may_affirm(batch: Batch, turn: Turn, reply: Turn) -> bool:
    """Return whether a reply in a group may affirm the turn before it.

    The turn is short and all its speaker's own talk, and holds no secret, link, amount of money, long number, word of
    standing orders or request to keep something. The reply is no question, and does not begin with a denial unless
    the turn denies something as well. If others spoke since the operator did, it has a word or number of this turn
    alone.
    """
    text, since = turn.text, [one for one in list_answered(batch, reply) if one.by != "operator"]
    is_plain = len(text) <= _MAX_ANSWERED_LETTERS and CUT not in text and straight(own(text)) == straight(text)
    is_question = reply.text.rstrip("\"' )")[-1:] in ("?", "\uff1f")
    is_denial = logic.denials(next(iter(sentences.texts(reply.text)), "")) and not logic.denials(text)
    if not since or not is_plain or not is_all_own(reply) or is_question or is_denial:
        return False
    is_risky = _RISKY.search(text) or any(map(_is_risky, values.find(text, lexicon.languages())))
    if is_risky or secrets.scan(text) or hidden_text.scan(text):
        return False
    if standing_rules.has_standing_words(text) or explicit_requests.extract(text):
        return False
    others = frozenset[str]().union(*(find_traits(one.text) for one in since if one != turn))
    return len(since) == 1 or bool(find_traits(reply.text) & (find_traits(text) - others))


def _is_risky(value: values.Value) -> bool:
    return value.kind.partition(" ")[2] in values.MONEY or value.kind in _ADDRESSES


def is_foreign(batch: Batch, citations: Cited, claim: str, direct: frozenset[str], known: str = "") -> bool:
    """Return whether more than half of a claim's words are somebody else's, and neither the operator's nor `known`.

    Somebody else is a tool, a group, a quotation, a paste, and the agent outside of `direct` sessions. A claim on a
    context that does not count is theirs if most of its words are not the operator's.
    """
    own_text = "\n".join(own(turn.text) for turn in (*citations.turns, *citations.beside))
    words = content_words(claim)
    missing = words - content_words(f"{own_text}\n{known}")
    if len(missing) <= _FOREIGN_SHARE * len(words):
        return False
    echoes = (turn.text for turn in batch.turns if turn.by == "agent" and turn.session not in direct)
    theirs = (content_words(text) for text in (*map(foreign, batch.turns), *echoes) if text)
    return citations.unrelated or any(len(missing & other) > _FOREIGN_SHARE * len(words) for other in theirs)


def is_quoted_only(citations: Cited, claim: str, *, strict: bool = False) -> bool:
    """Return whether all words of a claim are in the operator's quotation marks, and he quotes more than he says.

    If `strict`, whether he quotes a word of it, however little.
    """
    talk = "\n".join(own_talk(turn.text) for turn in citations.turns)
    talk_words = content_words(talk.replace("\0", " "))
    if "\0" not in talk or talk_words & content_words(claim):
        return False
    quote_words = content_words("\n".join(turn.text for turn in citations.turns)) - talk_words
    return bool(quote_words & content_words(claim)) if strict else len(quote_words) >= len(talk_words)
