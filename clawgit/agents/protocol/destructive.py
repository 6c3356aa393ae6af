"""Operations that take memories away."""

from collections.abc import Sequence
from datetime import date

from clawgit.agents.protocol import backing
from clawgit.agents.protocol.backing import Evidence, Source
from clawgit.agents.protocol.checked import Fault, Ground, Held
from clawgit.agents.protocol.operations import Operation
from clawgit.language import logic

ACTS = frozenset(("retire", "replace", "merge"))
_LEAST, _SHARE = 5, 0.05
_PAIR = 2


def limit(total: int) -> int:
    """Return how many entries one run may take away: 5, or 5 % of all where that is more."""
    return max(_LEAST, int(total * _SHARE))


def taken(operation: Operation) -> int:
    """Return how many entries an operation takes away."""
    return len(set(operation.entries)) if operation.act in ACTS else 0


def named(operation: Operation, ground: Ground) -> tuple[Held, ...] | Fault:
    """Return the entries that an operation names, if it may touch them."""
    if operation.act not in ACTS | {"correct"}:
        return ()
    found = []
    for one in dict.fromkeys(operation.entries):
        held = ground.held.get(one)
        if held is None:
            return Fault(f"there is no entry {one}")
        found.append(held)
    if operation.act in ACTS:
        if not found:
            return Fault(f"name the entries to {operation.act}")
        if operation.act == "merge" and len(found) < _PAIR:
            return Fault("a merge needs two entries")
        for held in found:
            if why := kept(held):
                return Fault(f"entry {held.id} {why}: it is not for a reader to {operation.act}")
    return tuple(found)


def kept(held: Held) -> str:
    """Return why an entry stays as it is, "" where it need not."""
    if held.explicit:
        return "is what the operator asked for in so many words"
    if held.corrected:
        return "is a correction of the operator's"
    return "states a boundary" if held.boundary else ""


def lossy(text: str, sources: Sequence[Held], isos: tuple[str, ...]) -> str:
    """Return what a merged text has lost of its sources, or says that none of them does; "" for nothing."""
    if gone := lost(text, sources, isos):
        return gone
    if logic.denials(text, isos) and not any(logic.denials(one.text, isos) for one in sources):
        return "it denies what no source denies"
    known = frozenset(stem for one in sources for stem in logic.content(one.text, isos))
    fresh = sorted(logic.content(text, isos) - known)
    return f"'{fresh[0]}' stands in no source" if fresh else ""


def lost(text: str, sources: Sequence[Held], isos: tuple[str, ...], day: date | None = None) -> str:
    """Return which number, name, denial or condition of its sources a text of a day has lost, "" for none."""
    merged = Evidence((Source(text, day),), isos)
    for held in sources:
        if gone := backing.missing(held.text, merged):
            return f"'{gone}' of entry {held.id} is lost"
        if bool(logic.denials(held.text, isos)) and not logic.denials(text, isos):
            return f"what entry {held.id} denies is lost"
        cases = [one for one in logic.parts(held.text, isos) if one.conditional]
        for case in cases:
            if not logic.content(case.text, isos) <= logic.content(text, isos):
                return f"the condition '{case.text}' of entry {held.id} is lost"
    return ""
