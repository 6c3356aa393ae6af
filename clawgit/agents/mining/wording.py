"""Quotes a message."""

from clawgit.agents.mining.finding import LONGEST_QUOTE


def quote(message: str, start: int, end: int) -> str:
    """Return what stands there letter for letter, the longest line of it and as much as a quote may hold."""
    return max(message[start:end].splitlines(), key=len)[:LONGEST_QUOTE].strip()
