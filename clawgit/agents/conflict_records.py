"""Changes that record conflicts."""

from msgspec.structs import replace

from clawgit.agents import operation_evidence
from clawgit.agents.contradicted_lines import DETECTOR
from clawgit.agents.detecting import conflict_findings, contradiction, past_statements
from clawgit.agents.detecting.conflict_decisions import Corrections, Dated, Decision, decide
from clawgit.agents.detecting.contradiction import Held
from clawgit.agents.running import View
from clawgit.errors import Command, already_decided, memory_changed
from clawgit.reading.checks import Decided
from clawgit.reading.turns import Batch
from clawgit.safety.redaction import redacted
from clawgit.workspace import write_guard
from clawgit.workspace.change import Change
from clawgit.workspace.commit_message import one_line

_AGAIN = Command("clawgit run conflict-detector")


def recorded(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that records a conflict, and puts the side out of force that the rules say gives way.

    The rules decide first (spec §5.4), then the operator's own words that the reader cites; else it stays open.
    Raises ClawgitError where a side is gone, reworded or out of force, or the pair was recorded or taken back before.
    """
    both = [_find_held(view, batch, name) for name in one.operation.entries]
    name = conflict_findings.pair(both[0].key, both[1].key)
    if known := past_statements.settled(view).get(name):
        raise already_decided(f"this pair is {known}", fix=Command("clawgit show {}", name))
    dated = (Dated(held, contradiction.dated(view.workspace, held)) for held in both)
    older, newer = sorted(dated, key=lambda each: (each.day, each.held.path, each.held.entry.start))
    decision = _decide(view, batch, one, older, newer)
    reason = write_guard.cleaned(one_line(one.operation.reason))
    record = conflict_findings.record(
        older, newer, (reason,) if reason else (), decision, view.workspace.now(), DETECTOR
    )
    change = conflict_findings.change(view, record, older, newer, decision, DETECTOR)
    return replace(change, id=one.name(batch))


def _decide(view: View, batch: Batch, one: Decided, older: Dated, newer: Dated) -> Decision:
    found = decide(older, newer, Corrections(view.corrections))
    if found.winner or not one.operation.holds or not one.quotes:
        return found
    winner = next(each for each in (older, newer) if each.held.row.id == one.operation.holds)
    if winner.held.row.origin == "untrusted":
        return found
    pointers = operation_evidence.find_pointers(view.workspace, batch, one)
    return Decision("the operator's words", winner, pointers[-1] if pointers else None)


def _find_held(view: View, batch: Batch, name: str) -> Held:
    shown = batch.entry(name)
    rows = (held for held in contradiction.held(view, shown.file) if held.row.id == name) if shown else iter(())
    found = next((held for held in rows if shown and redacted(one_line(held.told)) == one_line(shown.text)), None)
    if found is None:
        raise memory_changed(f"entry {name} is gone, or says something else by now", fix=_AGAIN)
    if not found.in_force:
        raise memory_changed(f"entry {name} gave way to another one meanwhile", fix=_AGAIN)
    return found
