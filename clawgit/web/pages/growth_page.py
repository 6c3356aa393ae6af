"""The page of how memory grows."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import accumulate
from typing import Any

from clawgit.web import chart_drawing
from clawgit.web.chart_drawing import Series
from clawgit.web.pages.soul_pages import SOUL, grown
from clawgit.web.web_site import Look, Shown

_STYLES = ("line-a", "line-b", "line-c", "line-d")
_POINTS = 400


def growth(look: Look) -> Shown:
    """Return entries by kind, the soul against its cap, corrections a week, conflicts, and what audits came to."""
    memories, history = look.slow("memory list"), look.slow("soul history", file=SOUL, all=True)
    cap, audit = look.ask("config get", "soul_max_tokens"), look.slow("audit")
    corrections, conflicts = look.ask("corrections list"), look.ask("conflicts list", all=True)
    told = [row for row in corrections.rows if row["kind"] == "correction"]
    parts = {
        "memory": memories,
        "history": history,
        "cap": cap,
        "corrections": corrections,
        "conflicts": conflicts,
        "audit": audit,
    }
    scores = [(date.fromisoformat(row["day"]), float(row["score"])) for row in audit.record.get("history", ())]
    more = {
        "entries": _entries(memories.rows),
        "counts": Counter(str(row["tag"] or "none") for row in memories.rows).most_common(),
        "undated": sum(not row["first"] for row in memories.rows),
        "soul": grown(history, cap, SOUL),
        "corrections": _weekly(told),
        "corrected": len(told),
        "conflicts": sum(row["status"] == "open" for row in conflicts.rows),
        "scores": chart_drawing.lines([Series("score", "line-a", scores)], "What audits came to"),
        "score": audit.record.get("score"),
    }
    return Shown("Growth", parts, more)


def _entries(rows: Iterable[dict[str, Any]]) -> object:
    """Return how many memories of each kind there were, day by day, as far as their first day is known."""
    first = Counter((str(row["tag"] or "none"), str(row["first"])) for row in rows if row["first"])
    kinds = [kind for kind, _ in Counter(row for row, _ in first.elements()).most_common(len(_STYLES))]
    series = []
    for kind, style in zip(kinds, _STYLES, strict=False):
        days = sorted((date.fromisoformat(when), count) for (name, when), count in first.items() if name == kind)
        sums = accumulate(count for _, count in days)
        points = [(when, float(total)) for (when, _), total in zip(days, sums, strict=True)]
        series.append(Series(kind, style, _thinned(points)))
    return chart_drawing.lines(series, "Memories by kind over time")


def _weekly(rows: Iterable[dict[str, Any]]) -> object:
    """Return how many corrections there were in each week, weeks without any included."""
    days = [date.fromisoformat(str(row["at"])[:10]) for row in rows if row["at"]]
    weeks = Counter(day - timedelta(day.weekday()) for day in days)
    if not weeks:
        return ""
    first, count = min(weeks), (max(weeks) - min(weeks)).days // 7 + 1
    points = [(first + timedelta(weeks=at), float(weeks[first + timedelta(weeks=at)])) for at in range(count)]
    return chart_drawing.bars(Series("corrections", "line-b", points), "Corrections a week")


def _thinned(points: list[tuple[date, float]]) -> list[tuple[date, float]]:
    step = max(1, len(points) // _POINTS)
    return [*points[:-1:step], *points[-1:]]
