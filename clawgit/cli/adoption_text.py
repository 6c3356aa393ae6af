"""Prints what a workspace hides, and what adopting it does."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from clawgit.cli.output import Line, Span, columns, counted, fixed, line, printed
from clawgit.workspace.adopt import Adopted, describe_additions

if TYPE_CHECKING:
    from clawgit.findings.adoption_report import AdoptionReport, IdentityFile
    from clawgit.findings.registry import Finding

_SEVERAL = 8
MAX_FINDINGS = 5
"""So many findings of one key are printed."""
_STYLES = {"alarm": "red", "warning": "yellow", "notice": ""}


def lines(report: "AdoptionReport") -> Iterator[Line]:
    """Yield the report for people: the gravest findings first, those of one key together."""
    began = "no history yet" if report.commits is None else counted(report.commits, "commit")
    sizes = f"{counted(report.files, 'file')}, {counted(report.journals, 'journal')}, {counted(report.lines, 'line')}"
    yield line(Span(printed(report.workspace), "bold"), f": {sizes} of memory; {began}")
    yield line("")
    yield line(Span("Identity", "bold"))
    for path, words in columns((printed(one.path), _describe_file(one)) for one in report.identity):
        yield line("  ", Span(path, "dim"), f"  {words}")
    yield line("")
    if report.findings:
        yield line(Span("Findings", "bold"))
    for _, group in groupby(_gather(report.findings), key=lambda one: one.key):
        some = list(group)
        for one in some[:MAX_FINDINGS]:
            yield line("  ", Span(printed(one.message), _STYLES[one.level]))
            if one.fix:
                yield fixed(4, one.fix)
        yield from _count_more(len(some), MAX_FINDINGS)
    yield line("" if report.findings else Span("Nothing found that needs you", "green"))
    yield from () if report.findings else (line(""),)


def _gather(findings: "Iterable[Finding]") -> "list[Finding]":
    """Return findings with those of one key next to each other, in the place of the first of them."""
    places: dict[str, int] = {}
    for number, one in enumerate(rows := list(findings)):
        places.setdefault(one.key, number)
    return sorted(rows, key=lambda one: places[one.key])


def _describe_file(one: "IdentityFile") -> str:
    size = "gone" if one.tokens is None else f"{one.tokens:,} tokens"
    if not one.commits:
        return f"{size}, never committed"
    grown = f" ({one.growth:+,})" if one.growth else ""
    since = one.first[:10] if one.commits == 1 else f"{one.first[:10]} to {one.last[:10]}"
    return f"{size}{grown}, {counted(one.commits, 'version')}, {since}"


def describe_prospect(found: Adopted) -> Iterator[Line]:
    """Yield what adopting adds, commits and leaves alone, file by file."""
    if found.managed:
        return
    known = found.prospect
    yield line(Span("What adopt does", "bold"))
    if known.captured:
        pronoun = "it is" if len(known.captured) == 1 else "they are"
        yield line(f"  commits {counted(len(known.captured), 'file')} as {pronoun} on disk")
        yield from list_some(known.captured)
    yield line("  adds")
    for path, purpose in columns(describe_additions(known)):
        yield line("    ", path, Span(f"  {purpose}", "dim"))
    if known.snapshots:
        yield line(f"  imports {counted(len(known.snapshots), 'file')} of SOUL_HISTORY/ beside the branch")
    if known.kept:
        yield line(f"  keeps {counted(len(known.kept), 'file')} of yours, for which clawgit has a template")
        yield from list_some(known.kept)
    if known.held:
        yield line(f"  does not commit {counted(len(known.held), 'file')}, and nobody's work is lost by that")
        for why in list(known.held.values())[:_SEVERAL]:
            yield line("    ", Span(why.message, "yellow"))
            yield fixed(6, why.fix)
        yield from _count_more(len(known.held))
    if known.left.files:
        others = counted(known.left.files, "other file")
        yield line(f"  leaves {others} out of git: neither memory nor Markdown in the root")
    yield from (line("  ", Span(words, "yellow")) for words in known.warnings)
    yield line("")


def list_some(names: Iterable[str]) -> Iterator[Line]:
    """Yield the first of some names, a line each, and how many more there are."""
    every = list(names)
    yield from (line("    ", name) for name in every[:_SEVERAL])
    yield from _count_more(len(every))


def _count_more(count: int, most: int = _SEVERAL) -> Iterator[Line]:
    if count > most:
        yield line("    ", Span(f"… and {count - most:,} more (--json lists all)", "dim"))
