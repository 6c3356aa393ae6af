"""Shows where lines came from."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.cli.layout import Line, Span, columns, line
from clawgit.cli.show import commit, moment, record

if TYPE_CHECKING:
    from clawgit.workspace.origins import Line as Origin
    from clawgit.workspace.origins import Said
    from clawgit.workspace.records import Record

CUT_OFF = "this clone is shallow: a line may be older than its oldest commit; git fetch --unshallow brings the rest"
_NOWHERE = "not committed yet"
_SHORT = 16


def blame(found: Iterable["Origin"]) -> Iterator[Line]:
    """Yield each line with the commit, change, day and person that it came with."""
    rows = list(found)
    heads = columns((_head(one.record), "") for one in rows)
    digits = len(str(rows[-1].line)) if rows else 1
    for (head, _), one in zip(heads, rows, strict=True):
        style = "dim" if one.record else "yellow"
        yield line(Span(head, style), Span(f" {one.line:>{digits}} ", "cyan"), one.text)


def _head(found: "Record | None") -> str:
    if found is None:
        return _NOWHERE
    name = found.agent or found.author
    short = name if len(name) <= _SHORT else name[: _SHORT - 1] + "…"
    return f"{found.commit[:10]} {found.change or '-':<10} {found.date:%Y-%m-%d} {short}"


def reason(path: str, found: "Origin", said: Iterable["Said"], back: str | None) -> Iterator[Line]:
    """Yield a line, what it came with, and the words that its evidence points at."""
    yield line(Span(f"{path}:{found.line}", "cyan"), f"  {found.text}")
    yield line("")
    if found.record is None:
        yield line(Span(_NOWHERE, "yellow"), ": it stands on disk only, and git knows nothing of it")
        return
    *rows, _ = (row for row in record(found.record) if not _is_evidence(row))
    yield from rows
    for one in said:
        yield line("")
        yield from evidence(one)
    if back:
        yield line("")
        yield line(Span("take it back: ", "dim"), back)


def _is_evidence(row: Line) -> bool:
    return len(row) > 1 and row[1].text.startswith("evidence: ")


def evidence(one: "Said") -> Iterator[Line]:
    """Yield the words that a pointer leads to, marked among the lines around them."""
    yield line(Span("evidence: ", "dim"), one.cited.pointer)
    if one.text is None:
        yield line("  ", Span(f"not available: {one.missing}", "yellow"))
        return
    when = f", {moment(datetime.fromisoformat(one.date))}" if one.date else ""
    place = (f"  as the {one.who} said it",) if one.who else ("  as it stood at ", commit(one.commit or ""))
    yield line(*place, when)
    digits = len(str(one.first + one.text.count("\n")))
    for number, text in enumerate(one.text.split("\n"), one.first):
        meant = one.start <= number <= one.end
        yield line(Span(f"  {'>' if meant else ' '} {number:>{digits}}  ", "cyan"), Span(text, "" if meant else "dim"))
