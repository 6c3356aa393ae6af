"""Hides what words say, on a screen that others see."""

import re
from typing import Any

_FILE = re.compile(r"[A-Z]+\.md|memory/\d{4}-\d\d-\d\d\.md")
_FILES = frozenset(("path", "file", "files"))
_LETTER = re.compile(r"[^\W_]")
_KEPT = frozenset(
    (
        *("id", "commit", "change", "from", "to", "head", "date", "at", "when", "first", "last", "created", "expires"),
        *("since", "until", "found", "started", "ended", "next", "slot", "op", "risk", "origin", "status", "kind"),
        *("level", "day", "timezone", "job", "result", "tier", "mode", "state", "hash", "diff_hash", "category", "act"),
        *("branch", "policy", "winner", "rule", "entry", "undo", "undoes", "group", "conflict", "provider", "model"),
        *("part", "name", "search_tier", "embedder", "verdict", "tag"),
    )
)
"""Fields that say nothing of a life: names of commits, days, kinds, states."""


def hidden(value: Any, key: str = "") -> Any:
    """Return a document with each letter and digit of its words as x; what is unknown is hidden, too."""
    if isinstance(value, str):
        known = key in _KEPT or (key in _FILES and _FILE.fullmatch(value))
        return value if known else _LETTER.sub("x", value)
    if isinstance(value, dict):
        return {name: hidden(one, name) for name, one in value.items()}
    return [hidden(one, key) for one in value] if isinstance(value, list) else value
