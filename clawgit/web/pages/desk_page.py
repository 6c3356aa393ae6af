"""The page of all that waits for a decision."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from clawgit.web.command_answers import Answer, digest
from clawgit.web.web_site import Look, Shown


class Item(Struct, frozen=True):
    """One thing that waits: of which kind, by which name, since when, in one line."""

    kind: str
    name: str
    when: str
    words: str
    grade: str = ""

    @property
    def key(self) -> str:
        """What the address calls it."""
        return f"{self.kind}.{self.name}"


_SHOW = {
    "proposal": "soul review",
    "quarantine": "quarantine show",
    "correction": "corrections show",
    "conflict": "conflicts show",
}


def desk(look: Look) -> Shown:
    """Return the queue, the oldest first, and the one that is looked at with all that is needed to decide."""
    parts = {
        "trust": look.ask("trust"),
        "proposals": look.ask("soul proposals"),
        "quarantine": look.ask("quarantine list"),
        "corrections": look.ask("corrections list"),
        "candidates": look.ask("memory candidates"),
        "conflicts": look.ask("conflicts list"),
        "tainted": look.ask("taint"),
    }
    queue = sorted(_queue(parts), key=lambda one: (one.when, one.key))
    keys = [one.key for one in queue]
    chosen = next((one for one in queue if one.key == look.get("item")), queue[0] if queue else None)
    more: dict[str, Any] = {
        "queue": queue,
        "chosen": chosen,
        "gone": bool(look.get("item")) and look.get("item") not in keys,
    }
    if chosen:
        found = detail(look, chosen, parts)
        parts["item"] = found
        more["one"] = found.rows[0] if found.rows else found.record
        more["shown_hash"] = digest(found.document)
        at = keys.index(chosen.key)
        more |= {"before": keys[at - 1] if at else "", "after": keys[at + 1] if at + 1 < len(keys) else ""}
    return Shown("Desk", parts, more)


def _queue(parts: dict[str, Answer]) -> Iterator[Item]:
    trust = parts["trust"].record
    if any(trust.get(key) for key in ("files", "keys", "programs", "changes")):
        names = [one["path"] for one in trust["files"]] + [one["key"] for one in (*trust["keys"], *trust["programs"])]
        told = ", ".join(names) or str(trust["changes"][0])
        yield Item("trust", str(trust["hash"]), "", f"not as you approved it: {told}", "high")
    for row in parts["proposals"].rows:
        yield Item("proposal", row["id"], row["created"], row["subject"], row["risk"])
    for row in parts["quarantine"].rows:
        yield Item("quarantine", row["id"], row["first"], f"taken out of {row['path']}", "high")
    for row in parts["corrections"].rows:
        if row["kind"] == "candidate":
            yield Item("correction", row["id"], str(row.get("at") or ""), row["text"])
    for row in parts["candidates"].rows:
        yield Item("candidate", row["id"], row["at"], row["text"])
    for row in parts["conflicts"].rows:
        yield Item("conflict", row["id"], str(row["found"] or ""), f"{row['a']['text']} / {row['b']['text']}")


def detail(look: Look, item: Item, parts: dict[str, Answer]) -> Answer:
    """Return all that is known of one thing that waits."""
    if item.kind == "trust":
        return parts["trust"]
    if item.kind == "candidate":
        rows = [row for row in parts["candidates"].rows if row["id"] == item.name]
        return Answer(parts["candidates"].words, 0, rows)
    return look.ask(_SHOW[item.kind], item.name)
