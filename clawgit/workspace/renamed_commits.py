"""The ids that commits have since history was rewritten."""

from collections.abc import Mapping
from pathlib import Path

from clawgit.git import regular_file

NAME = "purged-ids"
"""The file, beside the repository."""
_SHORTEST = 7


def keep(state: Path, moved: Mapping[str, str]) -> None:
    """Keep which id became which, after those that were kept before."""
    known = {old: moved.get(new, new) for old, new in _known(state).items()} | dict(moved)
    regular_file.replace_state(state / NAME, "".join(f"{old} {new}\n" for old, new in known.items()).encode())


def current(state: Path, name: str) -> str:
    """Return the id that a commit has now, the name itself where it has none other."""
    if len(name) < _SHORTEST:
        return name
    return next((new for old, new in _known(state).items() if old.startswith(name)), name)


def renamed(state: Path) -> Mapping[str, str]:
    """Return which id became which."""
    return _known(state)


def _known(state: Path) -> dict[str, str]:
    words = regular_file.read_words(state / NAME)
    return dict(zip(words[::2], words[1::2], strict=False))
