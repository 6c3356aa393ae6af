"""Tells whether words of the agent count behind a paste."""

from collections.abc import Sequence

from clawgit.agents.protocol import citation, unbacked_values
from clawgit.agents.protocol.batch import CUT, Batch, Turn
from clawgit.agents.protocol.check_result import Ground, Held
from clawgit.agents.protocol.citation import Cited
from clawgit.agents.protocol.unbacked_values import Evidence, Source
from clawgit.language import detect, logic
from clawgit.safety import injection

_FEWEST = 2
"""Words of a claim that the operator himself says, at the least; and half of all."""


def settled(
    batch: Batch, ground: Ground, cited: Cited, claim: str, entries: Sequence[Held], isos: tuple[str, ...]
) -> Cited:
    """Return what is cited, without a reason to wait where the words of the context do no harm."""
    harmless = cited.waits and are_harmless(batch, ground, cited, claim, entries, isos)
    return Cited(cited.turns, cited.context) if harmless else cited


def are_harmless(
    batch: Batch, ground: Ground, cited: Cited, claim: str, entries: Sequence[Held], isos: tuple[str, ...]
) -> bool:
    """Tell whether a claim may have words of the agent's turn that it names as its context, though it waits for now.

    All that weighs is the operator's own: every number, date and name of it stands in what he says in this talk, and
    most of its words in the turns that it cites. What is left are words of the agent's in a direct chat, and none of
    them stands in what was pasted there; where a tool or somebody else spoke, or a paste was cut, nobody can tell.
    """
    context = cited.context
    if context is None or context.by != "agent" or context.session not in ground.direct:
        return False
    talk = sorted((one for one in batch.turns if one.session == context.session), key=citation.place)
    last = max((talk.index(one) for one in cited.turns if one in talk), default=-1)
    at = talk.index(context)
    first = max((n for n in range(at) if talk[n].by == "operator"), default=-1)
    if first < 0 or last < at or any(map(_unknown, talk[first : last + 1])):
        return False
    sources = tuple(citation.source(one) for one in talk[: last + 1] if one.by == "operator" and one.may_cite)
    known = citation.people(batch, {context.session}) | ground.operator_names
    held = tuple(Source(one.text) for one in entries)
    if unbacked_values.missing(claim, Evidence((*sources, *held), isos, known)):
        return False
    return _mostly_own(cited.turns, held, claim, isos) and _apart(talk[: last + 1], cited.turns, held, claim, isos)


def _unknown(turn: Turn) -> bool:
    return turn.by in {"tool", "other"} or (turn.by == "operator" and CUT in turn.text)


def _own(turns: Sequence[Turn], held: Sequence[Source], isos: tuple[str, ...]) -> frozenset[str]:
    return logic.content("\n".join(one.text for one in (*map(citation.source, turns), *held)), isos)


def _mostly_own(turns: Sequence[Turn], held: Sequence[Source], claim: str, isos: tuple[str, ...]) -> bool:
    words = logic.content(claim, isos)
    mine = len(words & _own(turns, held, isos))
    return mine >= _FEWEST and 2 * mine >= len(words)


def _apart(
    talk: Sequence[Turn], turns: Sequence[Turn], held: Sequence[Source], claim: str, isos: tuple[str, ...]
) -> bool:
    """Tell whether what others say there has none of the words that are not the operator's own, and is no order."""
    foreign = "\n".join(map(citation.foreign, talk)).strip()
    if not foreign:
        return True
    lent = logic.content(claim, isos) - _own(turns, held, isos)
    readable = detect.detect(foreign) in isos  # words of another language cannot be held against these
    return readable and not lent & logic.content(foreign, isos) and not injection.scan(foreign)
