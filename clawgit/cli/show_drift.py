"""Shows how far a soul moved."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from clawgit.cli import show
from clawgit.cli.documents import Document
from clawgit.cli.layout import Line, Span, line, width

if TYPE_CHECKING:
    from clawgit.agents.keeping.drift import Score
    from clawgit.workspace.soul_drift import Drift, Moved

_TITLE, _TEXT = 28, 56
_HIGH = 0.5


def document(found: "Drift", scores: "Sequence[Score]") -> Document:
    """Return it as JSON has it; shares are 0 to 1, None for what was not there then."""
    return {
        "path": found.path,
        "from": found.start,
        "to": found.end,
        "since": found.since.isoformat(),
        "changes": found.changes,
        "whole": _moved(found.whole),
        "sections": [_moved(one) for one in found.sections],
        "principles": [
            {
                "text": one.text,
                "aspect": f"{one.form.name}{'+' if one.form.wanted else '-'}",
                "score": round(one.score, 4),
                "occasions": one.occasions,
                "evidence": list(one.evidence),
            }
            for one in scores
        ],
    }


def _moved(one: "Moved") -> Document:
    return {
        "section": one.section,
        "added": one.added,
        "removed": one.removed,
        "stand": None if one.stand is None else round(one.stand, 4),
        "by": dict(one.by),
    }


def lines(found: "Drift", scores: "Sequence[Score]") -> Iterator[Line]:
    """Yield a table of sections, 80 columns wide, and one of principles."""
    changes = "1 change" if found.changes == 1 else f"{found.changes:,} changes"
    since = Span(f" since {found.since:%Y-%m-%d}, {changes}", "dim")
    yield line(Span(found.path, "bold"), " from ", show.commit(found.start), since)
    yield line(Span(f"  {'section':<{_TITLE}}  {'added':>6} {'removed':>7} {'stands':>6}  by", "dim"))
    for one in found.sections:
        yield _row(one.section or "(above)", one)
    yield _row("all of it", found.whole)
    if scores:
        yield line("")
        yield line(Span(f"  {'principle':<{_TEXT}}  {'against':>7}  {'of':>4}", "dim"))
    for score in scores:
        share = Span(f"{round(100 * score.score):>5} %", "yellow" if score.score >= _HIGH else "")
        yield line(f"  {_cut(score.text, _TEXT)}  ", share, f"  {score.occasions:>5,}")


def _row(title: str, one: "Moved") -> Line:
    from clawgit.workspace.soul_drift import parts  # noqa: PLC0415 - cli is light until a command runs

    stand = "new" if one.stand is None else f"{round(100 * one.stand)} %"
    total = sum(one.by.values()) or 1
    by = ", ".join(f"{who} {round(100 * number / total)} %" for who, number in parts(one))
    return line(f"  {_cut(title, _TITLE)}  {one.added:>6,} {one.removed:>7,} {stand:>6}  ", Span(by, "dim"))


def _cut(text: str, room: int) -> str:
    """Return `text` in exactly so many columns."""
    kept = text
    while width(kept) > room:
        kept = f"{kept.removesuffix('…')[:-1]}…"
    return kept + " " * (room - width(kept))
