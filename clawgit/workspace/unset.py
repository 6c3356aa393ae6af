"""Tells that a file leaves a key alone, unread."""

import os
from pathlib import Path

from clawgit.git import regular_file
from clawgit.workspace import scope


def unset(root: Path, name: str) -> bool:
    """Tell that CONFIG.md does not even name a key, so that it has its default; reading all of it takes 6 ms."""
    return not holds(root / scope.CONFIG, name)


def holds(place: Path, word: str) -> bool:
    """Tell whether a file holds a word; one that is there and cannot be read may."""
    try:
        return word.encode() in regular_file.read(place)
    except OSError:
        return os.path.lexists(place)
