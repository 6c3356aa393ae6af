"""Checks in code what a reader proposes."""

from collections.abc import Collection, Sequence
from datetime import date
from functools import lru_cache

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
from clawgit.agents.protocol.batch import Batch, Turn
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
    operation = _due_on_a_day(operation, cited, isos)
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
        _values(batch, operation, ground, cited, isos),
        _merged(operation, entries, isos),
        _safe(operation),
        _standing(batch, operation, cited, entries),
        _form(batch, operation, ground, quotes),
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


def _due_on_a_day(operation: Operation, cited: Cited, isos: tuple[str, ...]) -> Operation:
    """Return an operation without a day on which it is due where only a longer time was named: `in March`."""
    day = _day(operation.due)
    spans = unbacked_values.times(tuple(map(citation.source, cited.turns)), isos, day) if day else []
    long = spans and all((one.last - one.first).days >= _WEEK for one in spans)
    return replace(operation, due="") if long else operation


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


def _values(batch: Batch, operation: Operation, ground: Ground, cited: Cited, isos: tuple[str, ...]) -> Fault | None:
    """Return what is wrong where a value stands nowhere; what only others said waits for the operator.

    Looked at are what he says in this batch, the agent beside him, what is cited, and what is held.
    """
    if operation.due and _day(operation.due) is None:
        return Fault(f"due is a day as YYYY-MM-DD, and '{operation.due}' is none")
    if operation.act == "retire":
        return None
    said = tuple(map(citation.source, cited.turns))
    right = operation.right if operation.act == "correct" else ""
    if right and not existing_statements.shortened(operation, "\n".join(one.text for one in said)):
        here = _read(said, isos)
        if lost := unbacked_values.missing(right, here) or unbacked_values.undated(right, here):
            return Fault(f"'{lost}' stands in none of the cited turns: write only what is said there")
    if not unbacked_values.missing(operation.text, _read((*said, Source(right)), isos)):
        return None
    answered = existing_statements.answered(operation, batch)[1] if right else ""
    entries = (*(one.text for one in batch.entries), *(one.text for one in ground.held.values()))
    known = (right, answered, *entries, *(one.text for one in batch.soul), *sorted(ground.speakers))
    heavy = operation.act in citation.NEVER_BY_ASSENT
    direct = frozenset[str]() if heavy else ground.direct
    beside = (Source(own_talk(one.text), one.day) for one in batch.turns if _is_own(one, direct))
    sources = (*said, *map(citation.source, filter(None, (cited.context,))), *beside, *map(Source, known))
    lost = unbacked_values.missing(operation.text, _read(sources, isos))
    if not lost:
        return None
    every = _read((*(Source(one.text, one.day) for one in batch.turns), *sources), isos)
    why = f"'{lost}' stands in none of the cited turns: write only what is said there, or name the turn it is from"
    return Fault(why, "refused" if heavy or unbacked_values.missing(operation.text, every) else "waits")


def _is_own(turn: Turn, direct: Collection[str]) -> bool:
    """Tell whether a turn is the operator's own, or the agent's where nobody else hears it."""
    return turn.may_cite if turn.by == "operator" else turn.by == "agent" and turn.session in direct


@lru_cache(maxsize=8)
def _read(sources: tuple[Source, ...], isos: tuple[str, ...]) -> Evidence:
    return Evidence(sources, isos)


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


def _form(batch: Batch, operation: Operation, ground: Ground, quotes: Sequence[Quote]) -> Fault | None:
    if operation.act in {"retire", "correct"} or (operation.act == "soul" and not operation.text):
        return None
    if fault := protocol_checked.fault(operation):
        return fault
    asked = any(identity_changes.explicit(batch, n, ground) for n in operation.turns)
    said = max((one.day for one in quotes), default="")
    if operation.due and operation.due <= said and not asked:
        return Fault("that is an errand of the day, over when the day is")
    return None
