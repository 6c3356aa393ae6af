"""Changes that record a conflict that a reader found."""

from msgspec.structs import replace

from clawgit.agents.detecting import finding, past, sides
from clawgit.agents.detecting.settling import Corrections, Dated, Decision, decide
from clawgit.agents.detecting.sides import Held
from clawgit.agents.protocol import comparison, decided
from clawgit.agents.protocol.batch import Batch, Known
from clawgit.agents.protocol.decided import Decided
from clawgit.agents.view import View
from clawgit.errors import ClawgitError
from clawgit.workspace import guard
from clawgit.workspace.change import Change
from clawgit.workspace.message import one_line

_AGAIN = "clawgit run conflict-detector"


def recorded(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that records a conflict, and puts the side out of force that the rules say gives way.

    The rules decide first (spec §5.4), then the operator's own words that the reader cites; else it stays open.
    Raises ClawgitError where a side is gone, reworded or out of force, or the pair was recorded or taken back before.
    """
    shown = {each.id: each for each in batch.entries}
    both = [_held(view, shown[name]) for name in one.operation.entries]
    name = finding.pair(both[0].key, both[1].key)
    if known := past.settled(view).get(name):
        raise ClawgitError(f"this pair is {known}", fix=f"clawgit conflicts show {name}")
    dated = (Dated(each, sides.dated(view.workspace, each)) for each in both)
    older, newer = sorted(dated, key=lambda each: (each.day, each.held.path, each.held.entry.start))
    decision = _decision(view, batch, one, older, newer)
    differs = one.operation.differs if older.held == both[0] else one.operation.differs[::-1]
    why = (guard.cleaned(" / ".join(map(one_line, differs))),)
    record = finding.record(older, newer, why, decision, view.workspace.now(), comparison.NAME)
    change = finding.change(view, record, older, newer, decision, comparison.NAME)
    return replace(change, id=one.name(batch))


def _decision(view: View, batch: Batch, one: Decided, older: Dated, newer: Dated) -> Decision:
    found = decide(older, newer, Corrections(view.corrections))
    if found.winner or not one.operation.holds or not one.quotes:
        return found
    winner = next(each for each in (older, newer) if each.held.row.id == one.operation.holds)
    if winner.held.row.origin == "untrusted":
        return found
    evidence = decided.pointers(view.workspace, batch, one)
    return Decision("the operator's words", winner, evidence[-1] if evidence else None)


def _held(view: View, wanted: Known) -> Held:
    there = (one for one in sides.held(view, wanted.file) if one.row.id == wanted.id)
    found = next((one for one in there if comparison.shown(one) == wanted.text), None)
    if found is None:
        raise ClawgitError(f"entry {wanted.id} is gone, or says something else by now", fix=_AGAIN)
    if not found.in_force:
        raise ClawgitError(f"entry {wanted.id} gave way to another one meanwhile", fix=_AGAIN)
    return found
