"""The page of how memory grows."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from clawgit.web.pages.soul_pages import SOUL, grown, sampled
from clawgit.web.web_site import Look, Shown

_MAX_KINDS, _MAX_WEEKS = 4, 52


def growth(look: Look) -> Shown:
    """Return entries by kind, the soul against its cap, corrections a week, conflicts, and what audits came to."""
    memories, history = look.slow("memory list"), look.slow("log", file=SOUL, versions=True, n=1_000_000)
    cap, audit = look.ask("config", "soul_max_tokens"), look.slow("audit")
    corrections, conflicts = look.ask("corrections"), look.ask("inbox", kind="conflict")
    told = [row for row in corrections.rows if row["kind"] == "correction"]
    parts = {
        "memory": memories,
        "history": history,
        "cap": cap,
        "corrections": corrections,
        "conflicts": conflicts,
        "audit": audit,
    }
    more = {
        "entries": _entries(memories.rows),
        "counts": Counter(str(row["tag"] or "none") for row in memories.rows).most_common(),
        "undated": sum(not row["first"] for row in memories.rows),
        "soul": grown(history, cap, SOUL),
        "corrections": _weekly(told),
        "corrected": len(told),
        "conflicts": len(conflicts.rows),
        "scores": sampled([(row["day"], row["score"]) for row in audit.record.get("history", ())]),
        "score": audit.record.get("score"),
    }
    return Shown("Growth", parts, more)


def _entries(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the commonest kinds, and how many of each there were on some days, as far as first days are known."""
    dated = [(str(row["tag"] or "none"), str(row["first"])) for row in rows if row["first"]]
    kinds = [kind for kind, _ in Counter(kind for kind, _ in dated).most_common(_MAX_KINDS)]
    firsts = [sorted(day for name, day in dated if name == kind) for kind in kinds]
    days = sampled(sorted({day for _, day in dated}))
    return {"kinds": kinds, "days": [(day, [bisect_right(one, day) for one in firsts]) for day in days]}


def _weekly(rows: Iterable[dict[str, Any]]) -> list[tuple[str, int]]:
    """Return how many corrections there were in each of the 52 weeks up to the last correction."""
    days = [date.fromisoformat(str(row["at"])[:10]) for row in rows if row["at"]]
    weeks = Counter(day - timedelta(day.weekday()) for day in days)
    count = min((max(weeks) - min(weeks)).days // 7 + 1, _MAX_WEEKS) if weeks else 0
    return [
        (week.isoformat(), weeks[week]) for week in (max(weeks) - timedelta(weeks=at) for at in reversed(range(count)))
    ]
