"""Says which batches wait, and which voice is not believed."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from clawgit.workspace import batch_files


class Waits(Struct, frozen=True):
    """What waits for an agent: `kind` is out, unanswered, answered or poor; `n` batches, the oldest made at `since`."""

    kind: str
    agent: str
    n: int
    since: str
    message: str
    fix: str


def waiting(state: Path, now: datetime, voice: str = "") -> Iterator[Waits]:
    """Yield what waits for an answer, or to land, by agent; and where most of what `voice` says is refused."""
    by_agent: dict[str, list[Mapping[str, Any]]] = {}
    for _, one in batch_files.every(state):
        batch = one.get("batch")
        if isinstance(batch, dict) and isinstance(one.get("made"), str):
            by_agent.setdefault(str(batch.get("agent")), []).append(one)
    for agent, found in by_agent.items():
        out = [one for one in found if one.get("decided") is None and _is_out(one, now)]
        answered = [one for one in found if one.get("decided") is not None]
        rest = [one for one in found if one.get("decided") is None and one not in out]
        run = f"clawgit run {agent} --apply"
        if out:
            words = f"handed out, and {'none is' if len(out) > 1 else 'not'} answered yet"
            yield _waits("out", agent, out, words, f"clawgit run {agent} --answer FILE --apply")
        if rest:
            yield _waits("unanswered", agent, rest, "left without an answer of use", run)
        if answered:
            yield _waits("answered", agent, answered, "answered, and not landed yet", run)
    for agent in sorted({str(one.get("agent")) for one in batch_files.notes(state)} if voice else ()):
        if batch_files.fails(state, agent, voice):
            words = (
                f"{agent}: {voice} is not good enough: most of what it said of the last three batches was refused, so"
                " what it proposes waits, and what you ask for is kept in your own words"
            )
            yield Waits("poor", agent, 0, "", words, "clawgit model test")


def _is_out(one: Mapping[str, Any], now: datetime) -> bool:
    try:
        return batch_files.is_out(bool(one.get("out")), str(one["made"]), now)
    except (ValueError, TypeError):
        return False


def _waits(kind: str, agent: str, some: Sequence[Mapping[str, Any]], words: str, fix: str) -> Waits:
    since = min(str(one["made"]) for one in some)
    many = f"{len(some)} batches" if len(some) > 1 else "a batch"
    return Waits(kind, agent, len(some), since, f"{agent}: {many} {words} (since {since[:16].replace('T', ' ')})", fix)
