"""The pages of memories, conversations and searches."""

from collections import Counter
from typing import Any

from clawgit.web.page_address import number
from clawgit.web.web_site import Look, Shown

PAGE = 50
_MESSAGES = 400
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
    found = look.ask("show", look.get("id"))
    one = found.record
    parts = {"entry": found}
    if one:
        parts["why"] = look.slow("why", f"{one['path']}:{one['line']}")
    row = parts["why"].rows[0] if one and parts["why"].rows else {}
    return Shown("A memory", parts, {"row": row})


def search(look: Look) -> Shown:
    """Return what is found, with the reasons, and the story of the topic; nothing of it is noted as a recall."""
    words = look.get("q")
    if not words.strip():
        return Shown("Search", {})
    options = {"as_of": look.get("as_of"), "deleted": bool(look.get("deleted")), "category": look.get("category")}
    found = look.ask(
        "memory search",
        words,
        **options,
        since=look.get("since"),
        until=look.get("until"),
        explain=True,
        top=20,
        min_score="0" if look.get("all") else None,
    )
    parts = {"search": found}
    if look.get("story"):
        parts["story"] = look.slow("memory story", words)
    return Shown("Search", parts)


def context(look: Look) -> Shown:
    """Return what an agent is given for a conversation, slot by slot."""
    text, session = look.get("text"), look.get("session")
    if not (text or session):
        return Shown("Context", {})
    options = {"session": session, "as_of": look.get("as_of"), "budget": look.get("budget")}
    return Shown("Context", {"context": look.slow("context", text or "", **options)})


def conversation(look: Look) -> Shown:
    """Return one conversation as it is kept, or the list of them."""
    wanted = look.get("id")
    if not wanted:
        return Shown("Conversations", {"sessions": look.ask("session list")}, {"messages": [], "left": 0})
    found = look.ask("show", wanted)
    messages = found.record.get("messages", [])
    more = {"messages": messages[-_MESSAGES:], "left": max(0, len(messages) - _MESSAGES)}
    return Shown("A conversation", {"session": found}, more)
