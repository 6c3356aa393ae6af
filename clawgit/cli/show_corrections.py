"""Shows corrections, and what could be one."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import to_builtins

from clawgit.cli.layout import Line, Span, line

if TYPE_CHECKING:
    from clawgit.agents.candidates import Waiting
    from clawgit.agents.recall_validator import Looked
    from clawgit.workspace.applied import Applied
    from clawgit.workspace.correction_records import Standing

_LABEL = 20


def came(looked: "Looked", applied: "Applied | None") -> Iterator[Line]:
    """Yield the line of what came of a message."""
    if looked.correction and applied and applied.commit:
        was = f"was {looked.correction.said}, now " if looked.correction.said else "now "
        undo = Span(f" (undo: clawgit undo {applied.change})", "dim")
        yield line(f"{'noted':<12} ", was, Span(looked.correction.true, "bold"), undo)
    elif looked.waiting:
        more = Span(f"; clawgit corrections confirm {looked.waiting.id}", "dim")
        yield line(f"{'candidate':<12} ", Span(looked.waiting.id, "cyan"), f": {looked.waiting.reason}", more)


def outcome(looked: "Looked", applied: "Applied | None") -> dict[str, object]:
    """Return the same as JSON has it."""
    done = looked.correction if applied and applied.commit else None
    correction = None
    if done and applied:
        correction = {
            "id": applied.change,
            "said": done.said,
            "true": done.true,
            "entry": done.entry.id if done.entry else None,
            "statement": done.statement or None,
            "commit": applied.commit,
            "change": applied.change,
            "files": list(applied.files),
            "undo": f"clawgit undo {applied.change}",
        }
    return {"correction": correction, "candidate": waiting(looked.waiting) if looked.waiting else None}


def waiting(one: "Waiting") -> dict[str, object]:
    """Return a candidate as JSON has it."""
    return {"kind": "candidate", **to_builtins(one), "choices": list(one.choices)}


def record(found: "Standing") -> dict[str, object]:
    """Return a record as JSON has it, with every field of the file."""
    one = found.record
    said, true = one.values
    return {
        "kind": "correction",
        "id": one.id or None,
        "at": one.at or None,
        "said": said,
        "true": true,
        "about": one.about or None,
        "re_embedded": one.embedded,
        "path": found.path,
        "line": one.line,
        "archived": found.archived,
        "fields": dict(one.fields),
    }


def listed(records: "Iterable[Standing]", open_: "Iterable[Waiting]") -> Iterator[Line]:
    """Yield a line for each record, and for each candidate."""
    for found in records:
        one = found.record
        said, true = one.values
        state = "" if one.embedded else " · not re-embedded yet"
        state += f" · {found.path}" if found.archived else ""
        yield line(
            Span(one.id or "-" * 10, "cyan"), f" {one.at} ", f"{said} → ", Span(true, "bold"), Span(state, "dim")
        )
    for waits in open_:
        yield line(
            Span(waits.id, "cyan"),
            " candidate ",
            f"“{' '.join(waits.text.split())[:60]}”",
            Span(f" · {waits.reason}", "dim"),
        )


def one_record(found: "Standing") -> Iterator[Line]:
    """Yield the lines of a record."""
    yield line(f"{'id':<{_LABEL}} ", Span(found.record.id, "cyan"))
    yield line(f"{'at':<{_LABEL}} ", found.record.at)
    yield line(f"{'stands in':<{_LABEL}} ", f"{found.path}#L{found.record.line}")
    for label, value in found.record.fields.items():
        yield line(f"{label:<{_LABEL}} ", value)


def one_waiting(found: "Waiting") -> Iterator[Line]:
    """Yield the lines of a candidate."""
    values = {**to_builtins(found), "choices": ", ".join(found.choices)}
    for label, value in values.items():
        if value:
            yield line(f"{label:<{_LABEL}} ", " ".join(str(value).split()))
    yield line(Span(f"clawgit corrections confirm {found.id} --said V --true V --about ID", "dim"))
