"""Whose sentences a claim goes back to, cut by code."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from clawgit.agents.protocol import facts
from clawgit.agents.protocol.batch import Batch, Turn
from clawgit.agents.protocol.check_result import Fault, Ground, Quote
from clawgit.agents.protocol.operations import Operation
from clawgit.agents.protocol.unbacked_values import Source
from clawgit.language import detect, logic
from clawgit.language.own_words import straight, unquoted
from clawgit.language.pasted import own_talk
from clawgit.language.sentences import Sentence, sentences

_WHOLE = 600
"""Letters of a turn that is cited whole where no word of it is the claim's."""
_BRIEF, _BRIEF_EASTERN = 4, 12
"""Words, or letters of East Asia, of a sentence that may take back the one before it: `Just kidding.`"""
_QUOTED, _QUOTED_LETTERS = 5, 40
"""Words and letters of what stands in quotes, up to which it is taken for a name."""
_TITLE_LETTERS = 80
_RUN = re.compile("\0+")
_WORD = re.compile(r"\w\S*")
NEVER_BY_ASSENT = frozenset(("soul", "lesson", "correct", "retire"))


class Cited(Struct, frozen=True):
    """The turns of the operator that an operation names, and the one that its words may come from.

    `assent` where the operator agrees to what the agent said, `waits` says why words of `context` must wait.
    """

    turns: tuple[Turn, ...]
    context: Turn | None = None
    waits: str = ""


def read(batch: Batch, operation: Operation, ground: Ground) -> Cited | Fault:
    """Return the turns that an operation names, as far as they exist and are the operator's own talk; one must be."""
    wanted = tuple(dict.fromkeys(operation.turns))
    wrong = {n: why for n in wanted if (why := _no_evidence(batch, n))}
    found = tuple(turn for n in wanted if n not in wrong and (turn := batch.turn(n)))
    if wrong and not found:
        return Fault(next(iter(wrong.values())))
    return Cited(found) if operation.context is None else _with_context(batch, operation, ground, found)


def _no_evidence(batch: Batch, n: int) -> str:
    """Return why a turn bears nothing out, "" where it may."""
    turn = batch.turn(n)
    if turn is None:
        return f"there is no turn {n} in this batch"
    if turn.by != "operator" or not turn.may_cite:
        return f"turn {n} is no evidence: only what the operator says himself is"
    if not any(map(str.isalnum, own_talk(turn.text))):
        return f"turn {n} holds only pasted or quoted text: cite what the operator says himself"
    return ""


def _with_context(batch: Batch, operation: Operation, ground: Ground, turns: tuple[Turn, ...]) -> Cited | Fault:
    context = batch.turn(operation.context or 0)
    if context is None:
        return Fault(f"there is no turn {operation.context} in this batch to be the context")
    if not turns:
        return Fault("name the operator's turn that answers to the context")
    if context in turns:
        return Cited(turns)
    after = [one for one in turns if one.session == context.session and place(one) > place(context)]
    if not after:
        return Cited(turns, context, "its words come from another conversation, or from what was said later")
    if context.by == "operator" and context.may_cite and any(map(str.isalnum, own_talk(context.text))):
        return Cited(turns, context)
    why = [_no_assent(batch, ground, context, one) for one in after]
    return Cited(turns, context, "" if "" in why else why[-1])


def place(turn: Turn) -> tuple[str, int]:
    """Return what orders the turns of a conversation."""
    return turn.time, turn.n


def _no_assent(batch: Batch, ground: Ground, context: Turn, last: Turn) -> str:
    """Return why the operator's turn is no assent to the agent's: "" where nobody else spoke since his previous one."""
    if context.by != "agent":
        return f"its words come from turn {context.n}, which is neither the operator's nor the agent's"
    if last.session not in ground.direct:
        return "the agent's words count only in a direct chat"
    talk = sorted((one for one in batch.turns if one.session == last.session and place(one) < place(last)), key=place)
    since = []
    for one in reversed(talk):
        if one.by == "operator":
            if own_talk(one.text) != straight(one.text) or not one.may_cite:
                return f"turn {one.n}, which the agent answered, holds pasted or quoted text"
            break
        since.append(one)
    else:
        return "what the operator said before that is not in the batch"
    if any(one.by != "agent" for one in since):
        return "a tool or somebody else spoke since the operator's previous turn"
    return "" if context in since else f"the agent's turn {context.n} is not what the operator answers to"


def answered_by(batch: Batch, turn: Turn) -> tuple[Turn, ...]:
    """Return what a turn of the operator answers: all since his turn before, the newest first, and that turn last.

    Nothing where a tool or a paste had a part in it.
    """
    here = (one for one in batch.turns if one.session == turn.session and place(one) < place(turn))
    since: list[Turn] = []
    for one in sorted(here, key=place, reverse=True):
        since.append(one)
        if one.by == "operator":
            return tuple(since) if one.may_cite and all_own(one) else ()
        if one.by == "tool":
            return ()
    return tuple(since) if any(one.by == "other" for one in since) else ()


def asked(batch: Batch, context: Turn) -> tuple[Turn, ...]:
    """Return the turn that words come from, and of an agent's turn the operator's that it answers."""
    before = [
        one
        for one in batch.turns
        if one.session == context.session and place(one) < place(context) and one.by == "operator" and one.may_cite
    ]
    return (context, max(before, key=place)) if context.by == "agent" and before else (context,)


def source(turn: Turn) -> Source:
    """Return what of a turn may bear a claim out: its own talk, with names and values that stand in quotes."""
    if turn.by == "operator":
        return Source(_own(turn.text), turn.day)
    return Source(turn.text, turn.day)


def foreign(turn: Turn) -> str:
    """Return what of a turn somebody else said: what is quoted or pasted, all that a tool or a stranger says."""
    if turn.by != "operator":
        return turn.text if turn.by in {"tool", "other"} else ""
    own = own_talk(turn.text)
    return (
        turn.text
        if not turn.may_cite
        else "".join(letter if kept == "\0" else "\n" for letter, kept in zip(turn.text, own, strict=False))
    )


@lru_cache(maxsize=1024)
def _own(text: str) -> str:
    own = own_talk(text)

    def kept(run: "re.Match[str]") -> str:
        said = text[run.start() : run.end()]
        brief = len(said.split()) <= _QUOTED and len(said) <= _QUOTED_LETTERS
        return said if brief or _titled(said) else " " * len(said)

    return _RUN.sub(kept, own)


def _titled(said: str) -> bool:
    """Tell whether what stands in quotes is written as a title is: "Harry Potter and the Philosopher's Stone"."""
    large = [one[0].isupper() for one in _WORD.findall(said)]
    mixed = len(said) <= _TITLE_LETTERS and not said.isupper()
    return mixed and 2 * sum(large) > len(large) and large[0] and large[-1]


def all_own(turn: Turn) -> bool:
    """Tell whether all of an operator's turn is his own, as names and titles in quotation marks are; no paste is."""
    own = own_talk(turn.text)
    plain = own == unquoted(turn.text) and not any(turn.text[one.start()] == "`" for one in _RUN.finditer(own))
    return plain and straight(source(turn).text) == straight(turn.text)


def quotes(cited: Cited, claim: str, isos: tuple[str, ...]) -> tuple[Quote, ...] | Fault:
    """Return the sentences of the cited turns that a claim goes back to, and those that belong to them."""
    found: list[Quote] = []
    bare: list[Turn] = []
    for turn in cited.turns:
        if cut := tuple(_cut(turn, claim, isos)):
            found += cut
        else:
            bare.append(turn)
    for turn in sorted(bare, key=lambda one: own_talk(one.text) != straight(one.text)):
        own = own_talk(turn.text)
        said = list(sentences(own))
        untouched = [number for number, one in enumerate(said) if "\0" not in one.own]
        if len(own) <= _WHOLE and (all_own(turn) or (found and untouched)):
            found += _runs(turn, said, untouched)
        elif not found:
            return Fault(
                f"no sentence of turn {turn.n} has a word of this: say it nearer to what the operator himself says"
            )
    return tuple(sorted(found, key=lambda one: (one.turn, one.start)))


def context_quotes(context: Turn, claim: str, isos: tuple[str, ...]) -> tuple[Quote, ...]:
    """Return the sentences of the turn that words come from."""
    own = own_talk(context.text) if context.by == "operator" else straight(context.text)
    said = list(sentences(own))
    chosen = _chosen([one.own for one in said], claim, isos) or set(range(len(said)))
    return tuple(_runs(context, said, sorted(_around(said, chosen, isos)), context=True))


def _cut(turn: Turn, claim: str, isos: tuple[str, ...]) -> Iterator[Quote]:
    said = list(sentences(own_talk(turn.text)))
    own = _own(turn.text)
    chosen = _chosen([own[one.start : one.end] for one in said], claim, isos)
    yield from _runs(turn, said, sorted(_around(said, chosen, isos)))


def _chosen(said: Sequence[str], claim: str, isos: tuple[str, ...]) -> set[int]:
    """Return the numbers of the sentences that together have most words and values of a claim, the fewest of them."""
    wanted = _traits(claim, isos)
    traits = [_traits(one, isos) & wanted for one in said]
    chosen: set[int] = set()
    while wanted:
        best = max(range(len(said)), key=lambda at: (len(traits[at] & wanted), -at), default=-1)
        if best < 0 or not traits[best] & wanted:
            break
        chosen.add(best)
        wanted = wanted - traits[best]
    return chosen


def _traits(text: str, isos: tuple[str, ...]) -> frozenset[str]:
    found = facts.read(text, isos)
    values = {f"#{value}" for one in found.amounts for value in one.values}
    days = {f"w{one.weekday}" for one in found.mentions if one.weekday is not None}
    return logic.content(text, isos) | values | days | {f"t{one.hour % 12}:{one.minute}" for one in found.clocks}


def _around(said: Sequence[Sentence], chosen: Iterable[int], isos: tuple[str, ...]) -> set[int]:
    """Return the numbers of the sentences with those that they, or which on them, depend."""
    found = set(chosen)
    for number in sorted(found):
        at = number
        while at > 0 and (logic.leans(said[at].own, isos) or logic.dangles(said[at].own, isos)):
            at -= 1
            found.add(at)
        at = number + 1
        while at < len(said) and (logic.leans(said[at].own, isos) or _brief(said[at].own)):
            found.add(at)
            at += 1
    return found


def _brief(said: str) -> bool:
    if detect.eastern(said):
        return len(said) <= _BRIEF_EASTERN
    return len(said.split()) <= _BRIEF


def _runs(turn: Turn, said: Sequence[Sentence], numbers: Iterable[int], *, context: bool = False) -> list[Quote]:
    """Return quotes of sentences, neighbours in one; each stands in the turn letter for letter."""
    found: list[Quote] = []
    last = -2
    for number in numbers:
        one = said[number]
        start, end = one.start, one.end
        if number == last + 1 and found and not turn.text[found[-1].end : start].strip():
            start = found.pop().start
        day = turn.day
        found.append(
            Quote(
                turn.n,
                start,
                end,
                turn.text[start:end],
                day.isoformat() if day else "",
                turn.session,
                turn.event,
                context,
                turn.by,
            )
        )
        last = number
    return found
