"""Which agent may write which file."""

from collections.abc import Mapping

from clawgit.errors import ClawgitError
from clawgit.workspace import scope

Kinds = frozenset[str]

WRITERS: Mapping[str, Kinds] = {
    "memory-miner": frozenset({"memory", "journal"}),
    "recall-validator": frozenset({"memory", "journal", "corrections"}),
    "conflict-detector": frozenset({"memory", "conflicts"}),
    "soul-keeper": frozenset({"soul", "rules"}),
    "memory-compactor": frozenset({"memory", "journal", "corrections", "archive"}),
}
"""What each agent of the spec owns or shares (docs/format.md, spec §12). Any other agent is the main agent."""

MAIN: Kinds = frozenset({"soul", "rules", "memory", "journal", "archive", "conflicts"})
"""What the main agent writes through us; USER.md and CONFIG.md are the operator's."""


def kind(path: str) -> str:
    """Return what `path` is here: soul, rules, memory, journal, corrections, conflicts, archive or operator."""
    if path in ("SOUL.md", "IDENTITY.md"):
        return "soul"
    if path in ("AGENTS.md", "TOOLS.md", "HEARTBEAT.md"):
        return "rules"
    if path.startswith(("Archive/", "memory/archive/")):
        return "archive"
    if scope.journal_day(path) is not None:
        return "journal"
    known = {scope.CORRECTIONS: "corrections", scope.CONFLICTS: "conflicts", scope.MEMORY: "memory"}
    return known.get(path, "memory" if path.startswith("memory/") else "operator")


def check(path: str, agent: str | None) -> None:
    """Raise ClawgitError if `agent` (None: the operator, who may write everything) does not write `path`."""
    if agent is None or path.startswith(scope.OURS):
        return
    allowed = WRITERS.get(agent, MAIN)
    if kind(path) not in allowed:
        owners = [name for name, kinds in WRITERS.items() if kind(path) in kinds]
        who = " or ".join(owners) if owners else "the operator"
        raise ClawgitError(
            f"{agent} may not write {path}: that is for {who}", fix="hand it on as a proposal to its owner"
        )
