"""Which file is what: identity, memory, journal, ours."""

import re
from datetime import date, datetime

SOUL = "SOUL.md"
MEMORY = "MEMORY.md"
CONFIG = "CONFIG.md"
CORRECTIONS = "CORRECTIONS.md"
CONFLICTS = "CONFLICTS.md"
FORMAT = ".clawgit/format"
OURS = ".clawgit/"

IDENTITY = ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md")

_AGENT_SOUL = re.compile(r"agents/[^/]+/SOUL\.md")
_JOURNAL = re.compile(r"memory/(?:.*/)?(\d{4}-\d{2}-\d{2})[^/]*\.md")


def guarded(path: str) -> bool:
    """Tell whether `path` belongs to the identity: what policy, alarms and approval are about."""
    return path in IDENTITY or bool(_AGENT_SOUL.fullmatch(path))


def memory(path: str) -> bool:
    """Tell whether `path` is part of what is remembered, or says how it is kept."""
    named = path in (MEMORY, CONFIG, CORRECTIONS, CONFLICTS)
    return named or (path.startswith(("memory/", "Archive/")) and path.endswith(".md"))


def captured(path: str) -> bool:
    """Tell whether `path` is ours to commit when others wrote it: identity, memory, Markdown in the root."""
    ours = "/" not in path or path.startswith(("memory/", "Archive/")) or guarded(path)
    return ours and path.endswith(".md")


def journal(day: date) -> str:
    """Return the path of the journal of `day`."""
    return f"memory/{day.isoformat()}.md"


def journal_day(path: str) -> date | None:
    """Return the day that a journal's path names, None for another file."""
    match = _JOURNAL.fullmatch(path)
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def room(path: str) -> str:
    """Return the word that opens the subject of a commit about `path`."""
    if path == SOUL or _AGENT_SOUL.fullmatch(path):
        return "soul"
    if guarded(path):
        return path.removesuffix(".md").lower()
    if path == CONFIG:
        return "config"
    return "journal" if journal_day(path) else "memory"


def today(now: datetime) -> str:
    """Return the path of the journal that a note written at `now` belongs to."""
    return journal(now.date())
