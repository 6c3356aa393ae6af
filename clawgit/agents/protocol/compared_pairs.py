"""Remembers which memories a reader has compared."""

import os
from collections.abc import Iterable
from pathlib import Path

FILE = "compared.txt"
_MOST = 100_000
"""Names that are kept, the newest ones."""


def load(state: Path) -> frozenset[str]:
    """Return the names of pairs that a reader was asked about, and of entries whose pairs all were."""
    try:
        return frozenset((state / FILE).read_text("utf-8", "replace").split())
    except OSError:
        return frozenset()


def add(state: Path, names: Iterable[str]) -> None:
    """Remember names. Raises OSError."""
    known = load(state)
    fresh = [one for one in dict.fromkeys(names) if one not in known]
    if not fresh:
        return
    state.mkdir(parents=True, exist_ok=True)
    if len(known) + len(fresh) > _MOST:
        _shorten(state)
    handle = os.open(state / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "ab") as file:
        file.write("".join(f"{one}\n" for one in fresh).encode())


def _shorten(state: Path) -> None:
    kept = (state / FILE).read_text("utf-8", "replace").split()[-_MOST // 2 :]
    fresh = state / f".{FILE}.{os.getpid()}"
    fresh.write_text("".join(f"{one}\n" for one in kept), "utf-8")
    fresh.chmod(0o600)
    fresh.replace(state / FILE)
