"""Finds which version a writer started from."""

from collections import Counter
from collections.abc import Iterable

from clawgit.text.merge import merge

ALIKE = 75.0
"""From this share of equal letters on (per cent), a line that came is a line that went, edited."""
_MOST_PAIRS = 20_000


def united(committed: str, disk: str, older: Iterable[str]) -> str:
    """Return a journal's text on disk with the committed lines that its writer never saw.

    A journal only grows, so one that lacks lines was written from an `older` version (newest first), or from an empty
    file: `git stash` and `git reset` take lines away beside whoever appends. Lines that somebody deleted or edited
    stay as they are now: whoever did that started from the newest version.
    """
    if not _lacks(disk, committed):
        return disk
    base = started_from(disk, (committed, *older, ""))
    if base == committed or (not base and _edited(committed, disk)):
        return disk
    merged = merge(base, committed, disk)
    return disk if merged.text is None else merged.text


def _edited(before: str, after: str) -> bool:
    """Tell whether somebody edited the text: some of it stands, and half of what went is much like what came.

    Of a journal that was emptied nothing stands, and what is appended to it then may well be like what it held.
    """
    from rapidfuzz.fuzz import ratio  # noqa: PLC0415 - hardly ever needed

    gone, come = list(_lines(before) - _lines(after)), list(_lines(after) - _lines(before))
    stands = bool(_lines(before) & _lines(after)) or len(gone) == len(come) == 1
    if not stands or 2 * len(come) < len(gone) or len(gone) * len(come) > _MOST_PAIRS:
        return False
    paired = 0
    for old in gone:
        near = next((new for new in come if ratio(old, new, score_cutoff=ALIKE)), None)
        if near is not None:
            come.remove(near)
            paired += 1
    return 2 * paired >= len(gone)


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
