"""Keeps the blank line between what a removal brings together."""

from itertools import pairwise

from clawgit.text import lines
from clawgit.text.align import align


def kept_apart(before: str, now: str, after: str) -> str:
    """Return `after`, which lacks some of the lines of `now`, with blank lines where two lines newly meet.

    A removed bullet takes a blank line along, which what came to stand beside it still needs. Lines that
    met in `before` may meet again.
    """
    rows, wanted = lines.split(now), lines.split(after)
    meeting = set(pairwise(lines.split(before)))
    there = align(rows, wanted)
    gaps = dict(_gaps(rows, there))
    kept = [
        gaps[number] + row
        if number in gaps and not lines.is_blank(row) and (wanted[number - 1], row) not in meeting
        else row
        for number, row in enumerate(wanted)
    ]
    return "".join(kept)


def _gaps(rows: list[str], there: list[int]) -> list[tuple[int, str]]:
    """Return where in the new text two lines meet that had others between them, and the first blank one of those."""
    found: list[tuple[int, str]] = []
    stay = [number for number, place in enumerate(there) if place >= 0]
    for last, following in pairwise(stay):
        blank = next((row for row in rows[last + 1 : following] if lines.is_blank(row)), None)
        if blank is not None and there[following] == there[last] + 1 and not lines.is_blank(rows[last]):
            found.append((there[following], blank))
    return found
