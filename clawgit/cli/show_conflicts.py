"""Shows conflicts between memories, and what the detector did."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from clawgit.cli import compare, show, show_run
from clawgit.cli.documents import Document
from clawgit.cli.layout import Line, Span, line
from clawgit.cli.output import Output
from clawgit.text import diff

if TYPE_CHECKING:
    from clawgit.agents.running import Result
    from clawgit.text.conflict import Conflict, Side


def document(one: "Conflict") -> Document:
    """Return a record as JSON has it, every field; a secret in it is named instead of shown."""
    return {
        "id": one.id,
        "found": one.found,
        "a": _side_document(one.a),
        "b": _side_document(one.b),
        "why": one.why,
        "rule": one.rule,
        "winner": one.winner,
        "status": "open" if one.open else "resolved",
        "disputed": one.disputed,
        "resolved": list(one.resolved),
        "path": "CONFLICTS.md",
        "line": one.start,
    }


def _side_document(side: "Side") -> Document:
    from clawgit.safety.redaction import redacted  # noqa: PLC0415 - cli is light until a command runs

    return {
        "text": redacted(side.text),
        "path": side.path or None,
        "entry": side.id or None,
        "date": side.date or None,
        "origin": side.origin or None,
    }


def listed(one: "Conflict") -> Iterator[Line]:
    """Yield a record in three lines."""
    yield line(Span(one.id, "cyan"), "  ", _state(one), Span(f" · {one.found} · {one.why}", "dim"))
    yield from _sides(one)


def shown(one: "Conflict") -> Iterator[Line]:
    """Yield all of a record, and how it can be closed."""
    yield line(Span("conflict  ", "dim"), Span(one.id, "cyan"), "  ", _state(one), Span(f" · {one.found}", "dim"))
    for label, side in (("A", one.a), ("B", one.b)):
        yield line(Span(f"{label:<10}", "dim"), _text(side))
        if side.path:
            told = f"{side.path} · {side.id} · {side.date or 'undated'} · {side.origin}"
            yield line(" " * 10, Span(told, "dim"))
    yield line(Span("why       ", "dim"), one.why)
    yield line(Span("rule      ", "dim"), one.rule)
    for said in one.resolved:
        yield line(Span("resolved  ", "dim"), said)
    if one.open:
        yield line(Span("decide    ", "dim"), f"clawgit conflicts resolve {one.id} --keep a|b|both")


def _state(one: "Conflict") -> Span:
    if one.disputed:
        return Span("open: resolved in several ways", "yellow")
    return Span("open", "yellow") if one.open else Span(f"resolved: {one.winner}", "green")


def _sides(one: "Conflict") -> Iterator[Line]:
    for label, side in (("A", one.a), ("B", one.b)):
        yield line(f"  {label}  ", _text(side), Span(f" · {side.date or 'undated'}", "dim"))


def _text(side: "Side") -> str:
    from clawgit.safety.redaction import redacted  # noqa: PLC0415 - as above

    return redacted(side.text)


def result(out: Output, found: "Result", *, applied: bool) -> None:
    """Print what a run of the detector came to."""
    if out.as_json:
        out.document(show_run.document(found))
        return
    for words in found.notes:
        out.note(words)
    if applied:
        out.lines(show.changed(one, change.subject) for change, one in found.applied)
    else:
        out.lines(_preview(found, marks=not out.coloured))
    out.lines(_summary(found, applied=applied), indent=11)


def _preview(found: "Result", *, marks: bool) -> Iterator[Line]:
    for path, (before, after) in found.texts.items():
        yield line(Span(path, "bold"))
        yield from compare.hunks(diff.hunks(before, after), marks=marks)
        yield line("")


def _summary(found: "Result", *, applied: bool) -> Iterator[Line]:
    count = len(found.learnt)
    told = f"{count:,} contradiction{'' if count == 1 else 's'}" if count else "no contradiction"
    changed = "1 memory" if found.read == 1 else f"{found.read:,} memories"
    yield line(f"{'compared':<10} ", f"{changed} that changed: {told}")
    if found.skipped:
        reasons = ", ".join(f"{reason} {number:,}" for reason, number in found.skipped.most_common() if number)
        if reasons:
            yield line(Span(f"{'left out':<10} ", "dim"), Span(reasons, "dim"))
    if found.texts and not applied:
        yield line(Span(f"{'do it':<10} ", "dim"), f"clawgit run {found.agent} --apply")
    elif count:
        yield line(Span(f"{'see':<10} ", "dim"), "clawgit conflicts")
