"""Shows what the memory compactor did, or would do."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from clawgit.cli import show_run
from clawgit.cli.layout import Line, Span, line
from clawgit.cli.output import Output

if TYPE_CHECKING:
    from clawgit.agents.running import Result


def result(out: Output, found: "Result", *, applied: bool) -> None:
    """Print what a run came to."""
    if out.as_json:
        out.document(show_run.document(found))
        return
    for words in found.notes:
        out.note(words)
    if applied:
        show_run.done(out, found)
    else:
        out.lines(show_run.preview(found, marks=not out.coloured))
    out.lines(_summary(found, applied=applied), indent=11)


def _summary(found: "Result", *, applied: bool) -> Iterator[Line]:
    if not found.learnt:
        yield line("nothing to compact")
    elif not applied:
        for one in found.learnt:
            yield line(f"{'would be':<11}", one.text)
    if found.skipped:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in found.skipped.most_common())
        yield line(Span(f"{'left out':<11}{reasons}", "dim"))
    if found.texts and not applied:
        yield line(Span(f"{'do it':<11}", "dim"), f"clawgit run {found.agent} --apply")
