"""What a compaction summarises, and what it leaves whole."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from clawgit.sessions.life.conversation_outline import Outline, outline_lines, plain
from clawgit.sessions.life.model_context import Item, Raw, item, parting, tokens, total, turns
from clawgit.sessions.session_messages import Event

SUMMARY_TOKENS = 2_000
"""What a summary takes at most."""


class Compaction(Struct, frozen=True):
    """What would be summarised, and what stays as it is; tokens are estimates.

    `turns` counts the turns that stay. `fits` is False where even the last turn is above `budget`.
    """

    summarised: tuple[Item, ...]
    kept: tuple[Item, ...]
    turns: int
    budget: int
    fits: bool

    @property
    def room(self) -> int:
        """Tokens that a summary may take."""
        return max(min(self.budget - total(self.kept), SUMMARY_TOKENS), 0)


def plan(context: Sequence[Item], keep: int, budget: int) -> Compaction:
    """Return what a compaction of a context would do (spec A6).

    The last `keep` turns stay byte for byte, fewer where they take more than `budget` tokens, and never less than one.
    A turn begins with what a user said; a call of a tool and its result stay on one side.
    """
    starts, parts = turns(context), parting(context)
    if len(starts) <= keep and total(context) <= budget:
        return _made(context, 0, budget, fits=True)
    cuts = [at for at in starts if not parts[at]] or [0]
    last = starts[-min(keep, len(starts))] if starts else 0
    first = next((at for at in reversed(cuts) if at <= last), 0)
    for cut in (first, *(at for at in cuts if at > first)):
        if total(context[cut:]) <= budget:
            return _made(context, cut, budget, fits=True)
    return _made(context, cuts[-1], budget, fits=total(context[cuts[-1] :]) <= budget)


def _made(context: Sequence[Item], cut: int, budget: int, *, fits: bool) -> Compaction:
    kept = tuple(context[cut:])
    return Compaction(tuple(context[:cut]), kept, len(turns(kept)), budget, fits)


def summary(done: Compaction, outline: Outline) -> str:
    """Return a summary by rules of what is summarised, as long as there is room; "" for none.

    What an earlier summary said goes before.
    """
    found, left = list[str](), done.room - tokens("\n\n") - 4
    for line in (*_earlier(done.summarised), *outline_lines(outline)):
        cost = tokens(f"{line}\n")
        if cost <= left:
            found.append(line)
            left -= cost
    return "\n".join(found)


def _earlier(items: Sequence[Item]) -> Iterator[str]:
    for one in items:
        if one.raw.get("type") in ("compaction", "branch_summary"):
            yield from filter(None, map(plain, str(one.raw.get("summary") or "").splitlines()))


def entry(done: Compaction, text: str, before: int) -> Item:
    """Return the summary as OpenClaw keeps one; `before` is what the context took, in tokens."""
    first = done.kept[0].event.id if done.kept else ""
    raw: Raw = {"type": "compaction", "summary": text, "firstKeptEntryId": first, "tokensBefore": before}
    return item(Event("", None, -1, 0.0), raw)
