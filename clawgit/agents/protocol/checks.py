"""Checks in code what a reader proposes."""

from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from clawgit.agents.protocol import (
    check_result,
    citation,
    conflict_operations,
    destructive,
    existing_statements,
    identity_changes,
    nothing_invented,
    shown_evidence,
    whose_words,
)
from clawgit.agents.protocol.batch import Batch, Turn
from clawgit.agents.protocol.batch_landing import budgeted
from clawgit.agents.protocol.check_result import Checked, Fault, Ground, Held, Quote
from clawgit.agents.protocol.nothing_invented import Source
from clawgit.agents.protocol.operations import Answer, Operation
from clawgit.agents.protocol.whose_words import Cited
from clawgit.language import due_dates, logic
from clawgit.language.pasted import own_talk
from clawgit.safety import hidden_text, injection, secrets
from clawgit.text.confidence import CORRECTION, INFERRED, OPERATOR

_WITHOUT_TURNS = frozenset(("merge",))
_OWN_WORDS_ONLY = frozenset(("soul", "lesson", "correct", "retire"))
"""Operations that take nothing from a turn which is not the operator's."""
_ATTACKS = frozenset(("override", "persona", "marker", "encoded", "unseen"))
_ORDERS = _ATTACKS | {"secrecy", "exfiltration"}
_FACTS = frozenset(("add", "replace", "merge", "correct"))
"""What states something; a lesson or a line of the soul tells the agent what to do."""
_WEEK = 7
_WORDED = frozenset(("add", "replace", "lesson", "soul"))
"""Operations with a text of the reader's own."""


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
    operation = existing_statements.anchored(operation, batch)
    operation = existing_statements.in_own_words(operation, batch, ground.direct)
    context = None if operation.act in _OWN_WORDS_ONLY else operation.context
    cited = whose_words.read(batch, operation.turns, context, ground.direct)
    if isinstance(cited, str):
        return Checked(operation, "refused", cited)
    if cited.turns:
        operation = replace(operation, turns=tuple(turn.n for turn in cited.turns))
    entries = destructive.named(operation, ground)
    if isinstance(entries, Fault):
        return _failed(operation, entries)
    if not cited.turns and operation.act not in _WITHOUT_TURNS:
        return Checked(operation, "refused", "name the turn in which the operator says this")
    claim = statement(operation, entries)
    isos = logic.languages(*(turn.text for turn in cited.turns), *(entry.text for entry in entries), claim)
    operation = _due_on_a_day(operation, cited, isos)
    quotes = citation.quotes(cited.turns, f"{claim} {operation.wrong}".rstrip(), isos)
    if cited.turns and not quotes:
        return Checked(operation, "refused", "no cited turn has a word of this: say it nearer to what he says himself")
    cited = _needing_context(cited, claim, isos)
    if cited.context:
        quotes = (*citation.quotes((cited.context,), claim, isos, context=True), *quotes)
    faults = (
        _words(batch, operation, ground, cited, claim, isos),
        _values(batch, operation, ground, cited, entries, isos),
        _merged(operation, entries, isos),
        _safe(operation),
        _standing(batch, operation, cited, entries),
        check_result.fault(operation) if _writes_line(operation) else None,
        identity_changes.fault(batch, operation, ground, cited.turns, isos),
    )
    found = [fault for fault in faults if fault]
    if found:
        worst = next((fault for fault in found if fault.state == "refused"), found[0])
        return replace(_failed(operation, worst), quotes=quotes)
    return _shown(_fitting(batch, operation, ground, cited, quotes), batch, ground, cited, isos)


def statement(operation: Operation, entries: Sequence[Held]) -> str:
    """Return what an operation claims, as a sentence."""
    if operation.act == "retire":
        return "; ".join(entry.text for entry in entries)
    if operation.act == "correct":
        if entries:
            return "; ".join(existing_statements.mended(operation, entry.text) for entry in entries)
        return operation.text or operation.right
    return operation.text


def _writes_line(operation: Operation) -> bool:
    """Return whether an operation writes a line; one on the identity may take a line out."""
    return operation.act not in {"retire", "correct"} and (operation.act != "soul" or bool(operation.text))


def _failed(operation: Operation, fault: Fault) -> Checked:
    return Checked(operation, fault.state, fault.why)


def _fitting(batch: Batch, operation: Operation, ground: Ground, cited: Cited, quotes: tuple[Quote, ...]) -> Checked:
    before = identity_changes.line(batch, operation)
    sure = CORRECTION if operation.act == "correct" else INFERRED if cited.context else OPERATOR
    same = existing_statements.known(operation.text, ground.held.values()) if operation.act == "add" else ""
    why = f"it is known already, as entry {same}" if same else ""
    return Checked(operation, "fits", why, quotes, sure, same, needs_support=bool(quotes), before=before)


def _shown(fitting: Checked, batch: Batch, ground: Ground, cited: Cited, isos: tuple[str, ...]) -> Checked:
    """Return what fits, with what a judge is shown of it."""
    operation = fitting.operation
    seen = shown_evidence.shown(batch, operation, ground, cited, fitting.quotes, isos)
    fitting = replace(fitting, shown=seen)
    if operation.act != "correct" and shown_evidence.from_elsewhere(seen):
        fitting = replace(fitting, confidence=min(fitting.confidence, INFERRED))
    if operation.act == "correct" and not operation.entries:
        turn, said = existing_statements.answered(operation, batch)
        fitting = replace(fitting, answers=said, answered=turn.time[:10] if turn else "")
    return fitting


def _needing_context(cited: Cited, claim: str, isos: tuple[str, ...]) -> Cited:
    """Return what is cited without a context that lends the claim no word."""
    said = "\n".join(citation.own(turn.text) for turn in cited.turns)
    missing = logic.content(claim, isos) - logic.content(said, isos)
    lends = cited.context and missing & logic.content(citation.source(cited.context).text, isos)
    return cited if lends else replace(cited, context=None)


def _due_on_a_day(operation: Operation, cited: Cited, isos: tuple[str, ...]) -> Operation:
    """Return an operation without a day on which it is due where only a longer time was named: `in March`."""
    day = _day(operation.due)
    spans = due_dates.spans_around(day, ((turn.text, turn.day) for turn in cited.turns), isos) if day else []
    long = spans and all((span.last - span.first).days >= _WEEK for span in spans)
    return replace(operation, due="") if long else operation


def _day(said: str) -> date | None:
    try:
        return date.fromisoformat(said[:10])
    except ValueError:
        return None


def _words(
    batch: Batch, operation: Operation, ground: Ground, cited: Cited, claim: str, isos: tuple[str, ...]
) -> Fault | None:
    """Return why a text is not in the operator's words: it is quoted, or somebody else said it."""
    if operation.act not in _WORDED:
        return None
    if whose_words.is_quoted_only(cited, claim, isos, strict=operation.act == "soul"):
        return Fault("its words stand only in quotation marks: cite what the operator says himself")
    if not operation.entries and whose_words.is_foreign(batch, cited, claim, isos, ground.direct):
        return Fault("its words are somebody else's, and none of them the operator's: he decides", "waits")
    return None


def _values(
    batch: Batch, operation: Operation, ground: Ground, cited: Cited, entries: Sequence[Held], isos: tuple[str, ...]
) -> Fault | None:
    """Return what is wrong where a value is said nowhere; it waits where only others said it.

    Looked at are what the operator says in the batch, the agent beside him, and the entries that change or are shown.
    """
    if operation.due and _day(operation.due) is None:
        return Fault(f"due is a day as YYYY-MM-DD, and '{operation.due}' is none")
    if operation.act == "retire":
        return None
    said = tuple(map(citation.source, cited.turns))
    if operation.act == "correct" and (lost := nothing_invented.missing(operation.right, said, isos)):
        return Fault(f"'{lost}' stands in none of the cited turns: write only what is said there")
    direct = frozenset[str]() if operation.act in _OWN_WORDS_ONLY or cited.unrelated else ground.direct
    beside = (Source(own_talk(turn.text), turn.day) for turn in batch.turns if _is_beside(turn, direct))
    held = (*(entry.text for entry in entries), *(entry.text for entry in batch.entries))
    known = (operation.right, existing_statements.answered(operation, batch)[1], *held, *ground.speakers)
    sources = (*said, *beside, *map(Source, (*known, *(line.text for line in batch.soul))))
    lost = nothing_invented.missing(operation.text, said, isos) and nothing_invented.missing(
        operation.text, sources, isos
    )
    if not lost:
        return None
    every = (*(Source(turn.text, turn.day) for turn in batch.turns), *sources)
    why = f"'{lost}' stands in none of the cited turns: write only what is said there, or name the turn it is from"
    anywhere = operation.act not in _OWN_WORDS_ONLY and not nothing_invented.missing(operation.text, every, isos)
    return Fault(why, "waits" if anywhere else "refused")


def _is_beside(turn: Turn, direct: frozenset[str]) -> bool:
    """Return whether a turn is the operator's own, or the agent's where nobody else hears it."""
    return turn.may_cite if turn.by == "operator" else turn.by == "agent" and turn.session in direct


def _merged(operation: Operation, entries: Sequence[Held], isos: tuple[str, ...]) -> Fault | None:
    if operation.act == "merge" and (lost := destructive.lossy(operation.text, entries, isos)):
        return Fault(f"a merged text holds all of its sources and nothing else: {lost}")
    return None


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
