"""The pages of who the agent is, and since when."""

from collections.abc import Sequence
from typing import Any, TypeVar

from clawgit.web.command_answers import Answer
from clawgit.web.page_address import number
from clawgit.web.web_site import Look, Shown
from clawgit.workspace import file_roles

PAGE = 30
_MAX_POINTS = 24
SOUL = "SOUL.md"
FILES = tuple(sorted(file_roles.IDENTITY, key=lambda name: name != SOUL))
T = TypeVar("T")


def soul(look: Look) -> Shown:
    """Return the versions of an identity file, the one that is looked at word by word, and how it grew."""
    path, start = look.get("file", SOUL), number(look.get("from"), 0, 1_000_000, 0)
    log = look.slow("soul log", file=path, n=start + PAGE + 1)
    history = look.slow("log", file=path, versions=True, n=1_000_000)
    cap = look.ask("config", "soul_max_tokens")
    rows = log.rows[start : start + PAGE]
    chosen = _chosen(look, rows, history)
    parts = {"log": log, "history": history, "cap": cap}
    if chosen:
        parts["diff"] = look.slow("soul diff", of=chosen, file=path)
    if (as_of := look.get("as_of")) and path == SOUL:
        parts["then"] = look.ask("soul show", as_of=as_of)
    record = next((row for row in log.rows if row["commit"] == chosen), None)
    more = {
        "path": path,
        "files": FILES,
        "rows": rows,
        "chosen": chosen,
        "record": record,
        "start": start,
        "further": len(log.rows) > start + PAGE,
        "growth": grown(history, cap, path),
        "versions": len(history.rows),
        "at": _place(history, chosen),
    }
    return Shown("Soul", parts, more)


def _chosen(look: Look, rows: list[Any], history: Answer) -> str:
    """Return the version that the address names: by its commit, or by its place among all, the oldest 1."""
    if at := number(look.get("at"), 0, 1_000_000, 0):
        versions = history.rows[::-1]
        return str(versions[min(at, len(versions)) - 1]["commit"]) if versions else ""
    return look.get("v") or (str(rows[0]["commit"]) if rows else "")


def _place(history: Answer, chosen: str) -> int:
    commits = [str(row["commit"]) for row in history.rows[::-1]]
    return commits.index(chosen) + 1 if chosen in commits else len(commits)


def grown(history: Answer, cap: Answer, path: str) -> dict[str, Any]:
    """Return how long an identity file was on some days, and the length that CONFIG.md allows, None for no limit."""
    days = {row["date"][:10]: row["tokens"] for row in history.rows[::-1] if row["tokens"] is not None}
    return {"days": sampled(sorted(days.items())), "cap": cap.record.get("value") if path == SOUL else None}


def sampled(points: Sequence[T]) -> list[T]:
    """Return at most 24 of these points, evenly chosen, the first and the last among them."""
    last = len(points) - 1
    count = min(last, _MAX_POINTS - 1)
    return [points[last * at // count] for at in range(count + 1)] if count > 0 else list(points)


def blame(look: Look) -> Shown:
    """Return each line of an identity file with what it came with."""
    path = look.get("file", SOUL)
    return Shown("Blame", {"blame": look.slow("soul blame", file=path)}, {"path": path, "files": FILES})


def why(look: Look) -> Shown:
    """Return one line, the commit it came with, its evidence, and the conversation around that."""
    place = look.get("line")
    found = look.slow("why", place)
    row = found.rows[0] if found.rows else {}
    parts = {"why": found}
    if row.get("commit"):
        parts["diff"] = look.slow("soul diff", of=str(row["commit"]), file=str(row["path"]))
    return Shown("Why", parts, {"row": row, "place": place})
