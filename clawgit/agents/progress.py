"""How far an agent has read."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from clawgit.git import repository
from clawgit.workspace import cursors
from clawgit.workspace.cursors import Cursor
from clawgit.workspace.workspace import Workspace

TRACKED = "memory-miner"
"""The agent whose cursors are in the workspace, too."""


class Progress(Struct, frozen=True):
    """The cursor of each session, how many of its messages lie before it, and the last flag that was looked at.

    Those of the memory miner are also in the workspace, but only as of the last commit; the rest is this clone's.
    """

    cursors: Mapping[str, Cursor]
    counts: Mapping[str, int]
    answered: str = ""


def _place(workspace: Workspace, agent: str) -> Path:
    return workspace.state / f"{agent}.json"


def load(workspace: Workspace, agent: str) -> Progress:
    """Return how far the agent has read; what cannot be read counts for nothing, since reading twice adds nothing."""
    tracked = cursors.parse(workspace.read(cursors.PATH) or "") if agent == TRACKED else {}
    try:
        kept = json.loads(_place(workspace, agent).read_text("utf-8"))
        if not repository.reaches(workspace.repo, workspace.head, kept["head"]):
            return Progress(tracked, {})  # what was learnt since has been reset away
        here = [Cursor(str(name), str(event), int(at)) for name, (event, at, _) in kept["sessions"].items()]
        counts = {str(name): int(count) for name, (_, _, count) in kept["sessions"].items()}
        return Progress(cursors.furthest(tracked, here), counts, str(kept["answered"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return Progress(tracked, {})


def save(workspace: Workspace, agent: str, read: Iterable[tuple[Cursor, int]], answered: str) -> None:
    """Note how far the agent has read by now: cursors with their counts, and the last flag, "" for none."""
    known = load(workspace, agent)
    more = list(read)
    furthest = cursors.furthest(known.cursors, (one for one, _ in more))
    counts = {**known.counts, **{one.session: count for one, count in more}}
    sessions = {name: [one.event, one.at, counts.get(name, 0)] for name, one in sorted(furthest.items())}
    place = _place(workspace, agent)
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.with_name(f"{place.name}.{os.getpid()}")
    kept = {"head": workspace.head, "answered": answered or known.answered, "sessions": sessions}
    fresh.write_text(json.dumps(kept), "utf-8")
    fresh.replace(place)
