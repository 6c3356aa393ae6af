"""Turns answers of a search into lines and JSON."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from clawgit.cli.layout import Line, Span, line
from clawgit.search import marks

if TYPE_CHECKING:
    from clawgit.cli.output import Output
    from clawgit.search.answer import Answer

_LINES = 4


def tell(out: "Output", answer: "Answer", asked: str, *, verbose: bool, gone: bool) -> None:
    """Print an answer for people; `gone` tells that lines which are gone were looked through."""
    for row in rows(answer, verbose=verbose):
        out.lines([row], indent=4)
    for word, meant in answer.repaired.items():
        out.note(f"{word} stands nowhere; searched for {' and '.join(meant)}")
    for said in answer.notes:
        out.warn(said)
    if answer.degraded:
        out.warn(answer.degraded)
    if not answer.results:
        out.note(f"nothing found{asked}; {_hint(answer, gone=gone)}")


def _hint(answer: "Answer", *, gone: bool) -> str:
    if answer.asof:
        return "clawgit search without --as-of looks at what is known now"
    if gone:
        return "other words may find more; clawgit search without --deleted looks at what stands"
    return "other words, --min-score 0 or --deleted may find more; clawgit memory status tells what is searched"


def rows(answer: "Answer", *, verbose: bool) -> Iterator[Line]:
    """Yield what was found: where, when, how sure, then the words, those that were looked for in bold."""
    for one in answer.results:
        day = f"  {one.day}" if one.day else ""
        gone = f"  {one.commit[:10]}" if one.gone and one.commit else ""
        state = "" if one.commit else "  not committed"
        yield line(Span(one.citation, "cyan"), Span(f"{day}  {one.score:.2f}{gone}{state}", "dim"))
        if verbose and one.heading:
            yield line("  ", Span(one.heading, "dim"))
        yield from _said(one.text if verbose else one.snippet, answer.stems, whole=verbose)
        yield from _made_of(one.explain)
        yield line("")


def _said(text: str, stems: Iterable[str], *, whole: bool) -> Iterator[Line]:
    lines = [row for row in text.split("\n") if row.strip()]
    shown = lines if whole else lines[:_LINES]
    for row in shown:
        parts = marks.marked(row.strip(), frozenset(stems))
        yield line("  ", *(Span(part, "bold" if good else "") for part, good in parts))
    if len(shown) < len(lines):
        yield line("  ", Span(f"… {len(lines) - len(shown)} more lines", "dim"))


def _made_of(explain: Mapping[str, object]) -> Iterator[Line]:
    told = [f"{name} {value}" for name, value in explain.items() if value not in ("", [])]
    if told:
        yield line("  ", Span(" · ".join(told), "dim"))
