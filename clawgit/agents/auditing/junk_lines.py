"""Tells why a line is no memory."""

from functools import partial
from pathlib import Path

from clawgit.language import pattern_tables

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/junk_lines.toml", "lines")
_REASONS = {
    "empty": "says nothing",
    "machine": "machine text",
    "broken": "a fragment",
    "talk": "talk, and no statement",
    "question": "a question",
}


def reason(text: str) -> str:
    """Return why a line is no memory, "" where it may be one: a fragment, machine text, talk or a question."""
    return next((why for name, why in _REASONS.items() if _pattern(name).search(text)), "")
