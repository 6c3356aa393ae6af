"""Checks in code what a reader proposes."""

from collections.abc import Sequence
from datetime import date
from functools import partial

from msgspec.structs import replace

from clawgit.agents.protocol import check_result as protocol_checked
from clawgit.agents.protocol import (
    citation,
    conflict_operations,
    destructive,
    existing_statements,
    identity_changes,
    shown_evidence,
    unbacked_values,
)
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.batch_landing import budgeted
from clawgit.agents.protocol.check_result import Checked, Fault, Ground, Held, Quote
from clawgit.agents.protocol.citation import Cited
from clawgit.agents.protocol.operations import Answer, Operation
from clawgit.agents.protocol.unbacked_values import Evidence, Source
from clawgit.language import logic
from clawgit.language.pasted import own_talk
from clawgit.safety import hidden_text, injection, secrets
from clawgit.text.confidence import CORRECTION, INFERRED, OPERATOR

_WITHOUT_TURNS = frozenset(("merge",))
_ATTACKS = frozenset(("override", "persona", "marker", "encoded", "unseen"))
_ORDERS = _ATTACKS | {"secrecy", "exfiltration"}
_FACTS = frozenset(("add", "replace", "merge", "correct"))
"""What states something; a lesson or a line of the soul tells the agent what to do."""
_WEEK = 7
_MOSTLY = 0.8
"""Words of a claim that stand in what others said, from which on it is theirs."""
_JUDGED = frozenset(("add", "replace", "lesson"))
"""What the call of support may bear out where code cannot tell."""


def check(batch: Batch, answer: Answer, ground: Ground) -> tuple[Checked, ...]:
    """Return what the checks say of each operation of an answer, in its order.

    One that `needs_support` fits as far as code can tell: it lands when the call of support bears it out. Each is
    judged by itself; only the last step, the budget, looks at those before it.
    """
    checking = (
        (conflict_operations.check if operation.act == "conflict" else one, operation)
        for operation in answer.operations
    )
    return budgeted(tuple(checked(batch, operation, ground) for checked, operation in checking), ground)


def one(batch: Batch, operation: Operation, ground: Ground) -> Checked:
    """Return what the checks say of one operation, without the budget."""
    operation = existing_statements.anchored(existing_statements.in_full(operation), batch)
    operation = existing_statements.in_own_words(operation, batch, ground.direct)
    cited = citation.read(batch, operation, ground)
    if isinstance(cited, Fault):
        return _failed(operation, cited)
    if cited.turns:
        operation = replace(operation, turns=tuple(turn.n for turn in cited.turns))
    entries = destructive.named(operation, ground)
    if isinstance(entries, Fault):
        return _failed(operation, entries)
    if not cited.turns and operation.act not in _WITHOUT_TURNS:
        return _failed(operation, Fault("name the turn in which the operator says this"))
    claim = statement(operation, entries)
    isos = logic.languages(*(turn.text for turn in cited.turns), *(one.text for one in entries), claim)
    operation = _due_on_a_day(operation, _evidence(batch, ground, cited, entries, isos))
    quotes = citation.quotes(cited, f"{claim} {operation.wrong}".rstrip(), isos)
    if isinstance(quotes, Fault):
        return _failed(operation, quotes)
    cited = _needing_context(cited, operation, claim, entries, isos)
    alone = _without_context(cited, operation, claim, isos)
    cited = Cited(cited.turns) if alone else cited
    if cited.context:
        quotes = (*citation.context_quotes(cited.context, claim, isos), *quotes)
    found = (
        alone,
        _elsewhere(batch, operation, ground, claim, quotes, isos) if cited.context is None else None,
        _only_quoted(cited, operation, claim, isos) if cited.context is None else None,
        _assent(cited, operation),
        _values(batch, operation, ground, cited, entries, isos),
        _merged(operation, entries, isos),
        _safe(operation),
        _standing(batch, operation, cited, entries),
        _form(batch, operation, ground, entries, quotes, isos),
        identity_changes.fault(batch, operation, ground, quotes, isos),
    )
    certain = [fault for fault in found if fault and not fault.open]
    if fault := next((one for one in certain if one.state == "refused"), next(iter(certain), None)):
        return replace(_failed(operation, fault), quotes=quotes)
    fitting = _shown(_fitting(batch, operation, ground, cited, quotes), batch, ground, cited, isos)
    open_ = [fault for fault in found if fault]
    doubt = identity_changes.ONE_DAY if identity_changes.ONE_DAY in open_ else next(iter(open_), None)
    return replace(fitting, doubt=doubt, needs_support=True) if doubt else fitting


def _shown(fitting: Checked, batch: Batch, ground: Ground, cited: Cited, isos: tuple[str, ...]) -> Checked:
    """Return what fits, with what a voice is shown of it."""
    operation = fitting.operation
    seen = shown_evidence.shown(batch, operation, ground, cited, fitting.quotes, isos)
    fitting = replace(fitting, shown=seen)
    if operation.act != "correct" and shown_evidence.from_elsewhere(seen):
        fitting = replace(fitting, confidence=min(fitting.confidence, INFERRED))
    if operation.act == "correct" and not operation.entries:
        turn, said = existing_statements.answered(operation, batch)
        fitting = replace(fitting, answers=said, answered=turn.time[:10] if turn else "")
    return fitting


def _without_context(cited: Cited, operation: Operation, claim: str, isos: tuple[str, ...]) -> Fault | None:
    """Return why a context does not count; open where the operator's own turns may bear the claim out without it.

    Where they have no word of it, nobody is asked: all of it comes from somebody else.
    """
    if not cited.waits or not cited.turns or operation.act not in _JUDGED:
        return None
    said = "\n".join(citation.source(turn).text for turn in cited.turns)
    shared = logic.content(claim, isos) & logic.content(said, isos)
    return Fault(f"{cited.waits}; the operator decides", "waits", open=bool(shared))


def _elsewhere(
    batch: Batch, operation: Operation, ground: Ground, claim: str, quotes: Sequence[Quote], isos: tuple[str, ...]
) -> Fault | None:
    """Return why a memory waits that has no word of what it cites, and nearly all of what others said or was pasted.

    What the agent says in a group may be theirs.
    """
    if operation.act not in _JUDGED or operation.entries:
        return None
    stems = logic.content(claim, isos)
    if not stems or any(stems & logic.content(one.text, isos) for one in quotes):
        return None
    echoes = (one.text for one in batch.turns if one.by == "agent" and one.session not in ground.direct)
    foreign = "\n".join((*map(citation.foreign, batch.turns), *echoes))
    if len(stems & logic.content(foreign, isos)) < _MOSTLY * len(stems):
        return None
    return Fault("its words are somebody else's, and none of them the operator's: he decides", "waits")


def _only_quoted(cited: Cited, operation: Operation, claim: str, isos: tuple[str, ...]) -> Fault | None:
    """Return why a text is not the operator's where he says no word of it outside of quotation marks.

    It is judged where he says more than he quotes: the word that he does not want to hear.
    """
    if operation.act not in _JUDGED | {"soul"}:
        return None
    said = "\n".join(own_talk(turn.text) for turn in cited.turns)
    own = logic.content(said.replace("\0", " "), isos)
    if "\0" not in said or own & logic.content(claim, isos):
        return None
    quoted = logic.content("\n".join(turn.text for turn in cited.turns), isos) - own
    why = "its words stand only in quotation marks: cite what the operator says himself"
    return Fault(why, open=operation.act in _JUDGED and len(quoted) < len(own))


def statement(operation: Operation, entries: Sequence[Held]) -> str:
    """Return what an operation claims, as a sentence."""
    if operation.act == "retire":
        return "; ".join(one.text for one in entries)
    if operation.act == "correct":
        if entries:
            return "; ".join(existing_statements.mended(operation, one.text) for one in entries)
        return operation.text or operation.right
    return operation.text


def _failed(operation: Operation, fault: Fault) -> Checked:
    return Checked(operation, fault.state, fault.why)


def _fitting(batch: Batch, operation: Operation, ground: Ground, cited: Cited, quotes: tuple[Quote, ...]) -> Checked:
    before = identity_changes.line(batch, operation)
    if cited.waits:
        return Checked(operation, "waits", f"{cited.waits}; the operator decides", quotes, INFERRED)
    sure = INFERRED if cited.context else OPERATOR
    if operation.act == "correct":
        sure = CORRECTION
    same = existing_statements.known(operation.text, ground.held.values()) if operation.act == "add" else ""
    why = f"it is known already, as entry {same}" if same else ""
    return Checked(operation, "fits", why, quotes, sure, same, needs_support=bool(quotes), before=before)


def _due_on_a_day(operation: Operation, evidence: Evidence) -> Operation:
    """Return an operation without a day on which it is due where only a longer time was named: `in March`."""
    day = _day(operation.due)
    if day is None or unbacked_values.names_day(day, evidence, _WEEK) or not unbacked_values.names_day(day, evidence):
        return operation
    return replace(operation, due="")


# ---- 1 to 3: whose words, which, and what values


def _needing_context(
    cited: Cited, operation: Operation, claim: str, entries: Sequence[Held], isos: tuple[str, ...]
) -> Cited:
    """Return what is cited without a context that nothing of the claim comes from."""
    if cited.context is None:
        return cited
    if operation.act == "retire":
        return cited
    if operation.act in citation.NEVER_BY_ASSENT and cited.turns:
        return Cited(cited.turns)  # his own words bear it out, or nothing does
    sources = tuple(citation.source(turn) for turn in cited.turns) + tuple(map(_source, entries))
    said = "\n".join(one.text for one in sources)
    whole = logic.content(claim, isos) <= logic.content(said, isos)
    return Cited(cited.turns) if whole and not unbacked_values.missing(claim, Evidence(sources, isos)) else cited


def _source(held: Held) -> Source:
    return Source(held.text, _day(held.first))


def _day(said: str) -> date | None:
    try:
        return date.fromisoformat(said[:10])
    except ValueError:
        return None


def _assent(cited: Cited, operation: Operation) -> Fault | None:
    if cited.context is not None and operation.act in citation.NEVER_BY_ASSENT:
        return Fault(f"no {operation.act} from words that are not in the operator's own turn")
    return None


def _evidence(batch: Batch, ground: Ground, cited: Cited, entries: Sequence[Held], isos: tuple[str, ...]) -> Evidence:
    turns = (*cited.turns, *(citation.asked(batch, cited.context) if cited.context else ()))
    sources = (*map(citation.source, turns), *map(_source, entries))
    sessions = {turn.session for turn in cited.turns}
    known = citation.people(batch, sessions) | ground.operator_names
    return Evidence(sources, isos, known | identity_changes.labels(batch))


def _values(
    batch: Batch, operation: Operation, ground: Ground, cited: Cited, entries: Sequence[Held], isos: tuple[str, ...]
) -> Fault | None:
    evidence = _evidence(batch, ground, cited, () if operation.act == "correct" else entries, isos)
    judged, doubt = operation.act in _JUDGED, None
    if operation.act == "correct":
        said = "\n".join(citation.source(turn).text for turn in cited.turns)
        stands = existing_statements.stands(operation.right, said) or _is_day(operation.right, evidence)
        if not stands and (fault := _unbacked(operation.right, evidence, entries)):
            bare = not unbacked_values.missing(operation.right, evidence, units=False)
            if not bare and not existing_statements.shortened(operation, said):
                return fault
            doubt = replace(fault, open=True)
            evidence = replace(evidence, sources=(*evidence.sources, Source(operation.right)))
        judged = not entries
        evidence = _answering(operation, batch, cited, evidence)
    text = operation.text if operation.act != "correct" or not entries else ""
    if operation.act != "retire" and (fault := _unbacked(text, evidence, entries)):
        return _doubtful(fault, text, batch, ground, isos) if judged else fault
    days = [one.day for one in evidence.sources if one.day]
    if days and (late := unbacked_values.later(operation.text, max(days), isos)):
        return Fault(f"this has been, but '{late}' is later than the day on which it was said", open=judged)
    due = _day(operation.due)
    if operation.due and due is None:
        return Fault(f"due is a day as YYYY-MM-DD, and '{operation.due}' is none")
    if due and not unbacked_values.names_day(due, evidence):
        why = f"the day {operation.due} is named nowhere in the cited turns: write due as the day they mean"
        return Fault(why, open=judged)
    return doubt


def _doubtful(fault: Fault, text: str, batch: Batch, ground: Ground, isos: tuple[str, ...]) -> Fault:
    """Return what is wrong as a question for who judges support.

    What others said and the operator did not waits for him, also where the agent repeats it.
    """
    if protocol_checked.invented(text, batch, ground, isos):
        return fault
    beyond = partial(protocol_checked.invented, text, batch, ground, isos)
    theirs = beyond("operator", "agent") or (beyond("operator") and not beyond("operator", "other"))
    return replace(fault, state="waits") if theirs else replace(fault, open=True)


def _is_day(said: str, evidence: Evidence) -> bool:
    """Tell whether digits are the day of a month that the evidence names: `29` where it says `29th of June`."""
    bare = said.strip(" .")
    days = {one.day for found in evidence.facts for one in found.mentions if one.day}
    return bare.isdecimal() and int(bare) in days


def _answering(operation: Operation, batch: Batch, cited: Cited, evidence: Evidence) -> Evidence:
    """Return the evidence of the line of a correction: what it answers, too, but for what is wrong there."""
    turn, told = existing_statements.answered(operation, batch)
    day = (turn or cited.turns[-1]).day
    return replace(evidence, sources=(*evidence.sources, Source(told.replace(operation.wrong, " "), day)))


def _unbacked(text: str, evidence: Evidence, entries: Sequence[Held]) -> Fault | None:
    """Return what is wrong where a text has a value that no source states."""
    lost = unbacked_values.missing(text, evidence)
    where = "the cited turns" if not entries else "the cited turns and entries"
    why = f"'{lost}' stands in none of {where}: write only what is said there, or name the turn it is from"
    return Fault(why) if lost else None


def _merged(operation: Operation, entries: Sequence[Held], isos: tuple[str, ...]) -> Fault | None:
    if operation.act == "merge" and (lost := destructive.lossy(operation.text, entries, isos)):
        return Fault(f"a merged text holds all of its sources and nothing else: {lost}")
    return None


# ---- 6 to 9


def _safe(operation: Operation) -> Fault | None:
    text = "\n".join(filter(None, (operation.text, operation.right, operation.section)))
    if secrets.scan(text):
        return Fault("it holds a secret: no memory keeps one")
    if hidden_text.scan(text):
        return Fault("it holds characters that nobody sees")
    signals = injection.scan(text)
    for signal in signals:
        if signal.kind in (_ORDERS if operation.act in _FACTS else _ATTACKS):
            return Fault(f"it is worded as an order to an agent ({signal.kind})")
    return (
        Fault(f"it reads like a permission or an order ({signals[0].kind}): the operator decides", "waits")
        if signals
        else None
    )


def _standing(batch: Batch, operation: Operation, cited: Cited, entries: tuple[Held, ...]) -> Fault | None:
    if operation.act == "correct":
        said = "\n".join(citation.source(turn).text for turn in cited.turns)
        return existing_statements.correction(operation, batch, entries, said)
    if operation.act == "retire":
        return None
    return existing_statements.overruled(operation.text, batch)


def _form(
    batch: Batch,
    operation: Operation,
    ground: Ground,
    entries: Sequence[Held],
    quotes: Sequence[Quote],
    isos: tuple[str, ...],
) -> Fault | None:
    if operation.act in {"retire", "correct"} or (operation.act == "soul" and not operation.text):
        return None
    quoted = "\n".join(one.text for one in quotes if not one.context)
    kept = (one.text for one in entries) if operation.act == "replace" else ()
    if fault := protocol_checked.fault(operation, quoted, isos, kept):
        return fault
    asked = any(identity_changes.explicit(batch, n, ground) for n in operation.turns)
    said = max((one.day for one in quotes), default="")
    if operation.due and operation.due <= said and not asked:
        return Fault("that is an errand of the day, over when the day is")
    return None
