"""The ids that commits have since history was rewritten."""

from collections.abc import Mapping

from clawgit.store.database import StateStore

NAME = "purged-ids"
_SHORTEST = 7


def keep(store: StateStore, moved: Mapping[str, str]) -> None:
    """Keep which id became which, after those that were kept before."""
    known = {old: moved.get(new, new) for old, new in _known(store).items()} | dict(moved)
    store.save_document(NAME, known)


def current(store: StateStore, name: str) -> str:
    """Return the id that a commit has now, the name itself where it has none other."""
    if len(name) < _SHORTEST:
        return name
    return next((new for old, new in _known(store).items() if old.startswith(name)), name)


def renamed(store: StateStore) -> Mapping[str, str]:
    """Return which id became which."""
    return _known(store)


def _known(store: StateStore) -> dict[str, str]:
    return store.read_document(NAME, dict[str, str]) or {}
