"""Finds which version a writer started from."""

from collections import Counter
from collections.abc import Iterable

from clawgit.text.merge import merge


def united(committed: str, disk: str, older: Iterable[str]) -> str:
    """Return a journal's text on disk with the committed lines that its writer never saw.

    A journal only grows, so one that lacks lines was written from an `older` version (newest first), or from an empty
    file: `git stash` and `git reset` take lines away beside whoever appends. Lines that somebody deleted stay deleted:
    a writer who takes lines out of the newest version started from that one.
    """
    if not _lacks(disk, committed):
        return disk
    base = started_from(disk, (committed, *older, ""))
    if base == committed:
        return disk
    merged = merge(base, committed, disk)
    return disk if merged.text is None else merged.text


def started_from(disk: str, versions: Iterable[str]) -> str:
    """Return the version with the smallest difference from `disk`, counted in lines; the first of equals."""
    return min(versions, key=lambda version: _distance(version, disk))


def _distance(before: str, after: str) -> int:
    old, new = _lines(before), _lines(after)
    return (old - new).total() + (new - old).total()


def _lacks(text: str, lines: str) -> bool:
    return bool(_lines(lines) - _lines(text))


def _lines(text: str) -> Counter[str]:
    return Counter(line for line in text.split("\n") if line.strip())
