"""Has a voice find what a memory file says twice."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from clawgit.agents.compacting.hygiene import Held, Twins, listed_alike, older
from clawgit.agents.protocol import destructive, line_claims
from clawgit.agents.protocol.backing import Source
from clawgit.agents.protocol.checked import Fault, Ground
from clawgit.agents.protocol.checked import Held as Known
from clawgit.agents.protocol.line_claims import LineClaim, Say
from clawgit.agents.protocol.operations import Operation
from clawgit.language import logic
from clawgit.llm import loose
from clawgit.llm.model import ModelError
from clawgit.text.sameness.known import Known as Index
from clawgit.workspace.message import one_line

Guarded = Callable[[], Mapping[str, Known]]
"""Returns the memories as the checks see them, by id."""
ANSWER = 2_000
"""Tokens of an answer, at the most."""
_NEAR, _PAIRS = 4, 60
RULES = """\
You read pairs of memories that resemble each other: a number, then the two. Name the pairs of which one line is not
needed, because the other says all of it: the same numbers, names, days, conditions and the same "not". Two that only
speak of one thing are no such pair. Answer with one JSON object and nothing else:
{"operations": [{"act": "merge", "pair": 3, "stays": 1}]}
"stays" is 1 for the first line, 2 for the second. An empty list is a good answer."""


def twins(some: Sequence[Held], guarded: Guarded, say: Say) -> tuple[list[Twins], str]:
    """Return pairs of which one goes, and a sentence where the voice failed.

    What goes is neither asked for, nor a correction, nor a boundary; nothing of it is lost in what stays; the second
    call bears it out; and no more goes than one run may take away (agents.md, check 5).
    """
    pairs = list(_near(some))[:_PAIRS]
    if not pairs:
        return [], ""
    rows = (f"{n} 1: {one_line(a.entry.text)} 2: {one_line(b.entry.text)}" for n, (a, b) in enumerate(pairs, 1))
    known = guarded()
    ground = Ground(held=known, total=len(known))
    try:
        chosen = list(_parsed(say(RULES, "\n".join(rows), ANSWER), pairs))
        fit = [one for one in chosen if not _fault(one, ground)]
        claims = [LineClaim(one.goes.entry.text, (Source(one.stays.entry.text, older(one.stays)),)) for one in fit]
        doubted = line_claims.unsupported(claims, say, "duplicates")
    except ModelError as exc:
        return [], f"the voice gave no answer on what is said twice: {exc.message}"
    return _apart([one for at, one in enumerate(fit) if at not in doubted])[: destructive.limit(len(known))], ""


def _near(some: Sequence[Held]) -> Iterator[tuple[Held, Held]]:
    """Yield entries of one list that resemble each other, the nearest of each first."""
    flat = [one for one in some if one.entry.depth == 1]
    index: Index[int] = Index()
    for at, one in enumerate(flat):
        for other in index.near(one.entry.text, _NEAR):
            if listed_alike(one.entry, flat[other].entry):
                yield flat[other], one
        index.add(at, one.entry.text)


def _parsed(said: str, pairs: Sequence[tuple[Held, Held]]) -> Iterator[Twins]:
    values: list[Any] = [one for one in loose.values(said) if isinstance(one, dict)]
    some: list[Any] = next((one["operations"] for one in values if isinstance(one.get("operations"), list)), [])
    for one in some[:_PAIRS]:
        if not isinstance(one, dict) or one.get("act") != "merge" or one.get("stays") not in (1, 2):
            continue
        number = one.get("pair")
        if isinstance(number, int) and 1 <= number <= len(pairs):
            first, second = pairs[number - 1]
            yield Twins(first, second) if one["stays"] == 1 else Twins(second, first)


def _fault(one: Twins, ground: Ground) -> str:
    """Return why an entry may not go, "" where it may."""
    known = ground.held.get(one.goes.id)
    if known is None:
        return f"there is no entry {one.goes.id}"
    found = destructive.named(Operation("retire", entries=(one.goes.id,)), ground)
    if isinstance(found, Fault):
        return found.why
    text = one.stays.entry.text
    return destructive.lost(text, [known], logic.languages(text, known.text))


def _apart(some: Sequence[Twins]) -> list[Twins]:
    """Return pairs none of which touches an entry of one before."""
    taken: set[int] = set()
    found = []
    for one in some:
        mine = {one.stays.entry.start, one.goes.entry.start}
        if not mine & taken:
            taken |= mine
            found.append(one)
    return found
