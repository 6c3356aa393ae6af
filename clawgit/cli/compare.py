"""Shows what changed, word by word."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from clawgit.cli.layout import Line, Span, columns, line
from clawgit.cli.show import commit, moment

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.text import diff
    from clawgit.workspace.soul import Difference

_STYLES = {"+": "green", "-": "red", " ": "dim"}
_MARKS = {"+": ("{+", "+}"), "-": ("[-", "-]"), " ": ("", "")}


def title(path: str, ends: "Iterable[tuple[str, datetime]]") -> Line:
    """Return the line that says what is compared: two commits with their dates, or one with the time before it."""
    *start, end = [(commit(name), f" ({moment(when)})") for name, when in ends]
    before = start[0] if start else ("nothing",)
    return line(Span(path, "bold"), " from ", *before, " to ", *end)


def hunks(found: "Iterable[diff.Hunk]", *, marks: bool) -> Iterator[Line]:
    """Yield every change under the section it stands in; `marks` stand in for colours."""
    for hunk in found:
        yield line("")
        yield line(Span(f"@@ {_where(hunk)} @@", "cyan"))
        for row in hunk.lines:
            yield _row(row, marks=marks)


def stat(found: "Difference") -> Iterator[Line]:
    """Yield how many lines came and went in each place, and in all."""
    counts = [tuple(sum(row.op == op for row in hunk.lines) for op in "+-") for hunk in found.hunks]
    names = [*map(_where, found.hunks), "in all"]
    for (name, _), (come, gone) in zip(columns((n, "") for n in names), [*counts, _total(counts)], strict=True):
        yield line(f"  {name}  ", Span(f"+{come}", "green"), " ", Span(f"-{gone}", "red"))


def _total(counts: list[tuple[int, ...]]) -> tuple[int, int]:
    return sum(count[0] for count in counts), sum(count[1] for count in counts)


def _where(hunk: "diff.Hunk") -> str:
    first = next((at for at, row in enumerate(hunk.lines) if row.op != " "), 0)
    return f"{hunk.section or 'above the first heading'} · line {hunk.new_start + first}"


def _row(row: "diff.Line", *, marks: bool) -> Line:
    style = _STYLES[row.op]
    if not row.words:
        return line(Span(f"{row.op} {row.text}".rstrip(" ") if not row.text else f"{row.op} {row.text}", style))
    return line(Span(f"{row.op} ", style), *(_word(word, marks=marks) for word in row.words))


def _word(word: "diff.Word", *, marks: bool) -> Span:
    opened, closed = _MARKS[word.op] if marks else ("", "")
    return Span(f"{opened}{word.text}{closed}", "" if word.op == " " else _STYLES[word.op])
