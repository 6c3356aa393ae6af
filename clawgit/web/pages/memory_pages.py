"""The pages of memories: all of them, and one."""

from collections import Counter
from typing import Any

from clawgit.web.page_address import number
from clawgit.web.web_site import Look, Shown

PAGE = 50
_SORTS = {
    "file": lambda row: (row["path"], row["line"]),
    "surest": lambda row: (-(row["confidence"] or 0), row["path"], row["line"]),
    "newest": lambda row: (_turned(row["first"]), row["path"], row["line"]),
    "heard": lambda row: (_turned(row["last"]), row["path"], row["line"]),
    "often": lambda row: (-(row["mentions"] or 0), row["path"], row["line"]),
}
_DIGITS = str.maketrans("0123456789", "9876543210")


def memory(look: Look) -> Shown:
    """Return the memories that the address asks for, in its order, fifty at a time."""
    listed = look.slow("memory list")
    parts = {"memory": listed} if look.state else {"memory": listed, "tiers": look.ask("memory status")}
    every = listed.rows
    file, tag, status, words = (look.get(key) for key in ("file", "tag", "status", "q"))
    wanted = [row for row in every if _fits(row, file, tag, status, words)]
    order = look.get("sort", "file")
    wanted.sort(key=_SORTS.get(order, _SORTS["file"]))
    start = number(look.get("from"), 0, 10_000_000, 0)
    more = {
        "rows": wanted[start : start + PAGE],
        "found": len(wanted),
        "every": len(every),
        "start": start,
        "further": len(wanted) > start + PAGE,
        "page_size": PAGE,
        "files": sorted(Counter(str(row["path"]) for row in every).items()),
        "tags": sorted(Counter(str(row["tag"] or "none") for row in every).items()),
        "states": sorted(Counter(str(row["status"]) for row in every).items()),
        "sorts": list(_SORTS),
        "sort": order,
    }
    return Shown("Memory", parts, more)


def _turned(day: str | None) -> str:
    """Return a day so that the newest comes first."""
    return (day or "").translate(_DIGITS) or "~"


def _fits(row: dict[str, Any], file: str, tag: str, status: str, words: str) -> bool:
    return (
        (not file or file == row["path"])
        and (not tag or tag == (row["tag"] or "none"))
        and (not status or status == row["status"])
        and (not words or words.casefold() in str(row["text"]).casefold())
    )


def entry(look: Look) -> Shown:
    """Return one memory: how sure it is, what it rests on, and who found it when."""
    found = look.ask("memory show", look.get("id"))
    one = found.record
    parts = {"entry": found}
    if one:
        parts["why"] = look.slow("why", f"{one['path']}:{one['line']}")
    row = parts["why"].rows[0] if one and parts["why"].rows else {}
    return Shown("A memory", parts, {"row": row})
