"""The page of the inbox."""

from typing import Any

from clawgit.web.command_answers import digest
from clawgit.web.web_site import Look, Shown


def inbox(look: Look) -> Shown:
    """Return the items, and the chosen one with all that is needed to decide."""
    parts = {"inbox": look.ask("inbox"), "trust": look.ask("trust"), "tainted": look.ask("taint")}
    items = parts["inbox"].rows
    ids = [item["id"] for item in items]
    wanted = look.get("item")
    chosen = wanted if wanted in ids else next(iter(ids), "")
    more: dict[str, Any] = {"items": items, "chosen": chosen, "gone": bool(wanted) and wanted not in ids}
    if chosen:
        parts["item"] = look.ask("show", chosen)
        place = ids.index(chosen)
        more |= {
            "item": parts["item"].record,
            "shown_hash": digest(parts["item"].document),
            "before": ids[place - 1] if place else "",
            "after": ids[place + 1] if place + 1 < len(ids) else "",
        }
    return Shown("Inbox", parts, more)
