"""Which commands the help shows, and under which headings."""

from collections.abc import Iterable, Mapping

EVERYDAY: Mapping[str, tuple[str, ...]] = {
    "Start": ("adopt", "init", "connect"),
    "Look": ("status", "inbox", "log", "why", "search", "soul", "memory"),
    "Take back": ("undo", "restore", "correct"),
}
"""What `clawgit --help` shows."""

EVERY: Mapping[str, tuple[str, ...]] = {
    "Start": ("adopt", "init", "eject"),
    "Look": ("status", "log", "why", "search", "digest", "ui"),
    "Take back": ("undo", "restore", "taint", "purge"),
    "Inbox": ("inbox", "show", "accept", "reject"),
    "Identity": ("soul", "trust", "changelog"),
    "Memory": (
        *("memory", "journal", "correct", "corrections", "conflicts", "forget"),
        *("facts", "audit", "context", "eval"),
    ),
    "Agents and schedule": ("run", "schedule", "model", "triage", "session", "fleet"),
    "Connect": ("connect", "disconnect", "mcp", "sync", "merge-driver", "server", "hooks", "hook"),
    "Upkeep": ("doctor", "capture", "config", "state", "completion", "help"),
}
"""What `clawgit help --all` shows. A word that no command has yet is passed over."""

OTHERS = "More"
ALL = "clawgit.help.all"
"""Under this key the context of a call notes that every command is wanted."""


def arranged(names: Iterable[str], *, everything: bool) -> list[tuple[str, list[str]]]:
    """Return the headings in order, each with those of `names` that stand below it.

    With `everything` each name is there: one that no heading lists comes last, under a heading of its own.
    """
    left = dict.fromkeys(names)
    wanted = EVERY if everything else EVERYDAY
    found = [(title, [name for name in words if name in left]) for title, words in wanted.items()]
    listed = {name for words in wanted.values() for name in words}
    if everything:
        found.append((OTHERS, [name for name in left if name not in listed]))
    return [(title, words) for title, words in found if words]


def hidden(names: Iterable[str]) -> int:
    """Return how many of `names` the short help does not show."""
    shown = {name for words in EVERYDAY.values() for name in words}
    return sum(name not in shown for name in names)
