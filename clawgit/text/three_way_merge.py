"""Three-way merge by entry, then by line."""

from itertools import pairwise

from msgspec import Struct

from clawgit.text import document
from clawgit.text.line_alignment import Piece, pieces, trimmed
from clawgit.text.unit import Unit, is_listed, raw, units
from clawgit.text.weave import Clash, weave


class Conflict(Struct, frozen=True):
    """One stretch on which the sides disagree."""

    base: str
    ours: str
    theirs: str


class Merge(Struct, frozen=True):
    """A merged text, or None and the conflicts that prevent it."""

    text: str | None
    conflicts: tuple[Conflict, ...] = ()


def merge(base: str | None, ours: str, theirs: str) -> Merge:
    """Merge two texts that grew from `base` (None: born on both sides).

    What only one side changed is taken; inserts of both at one place are both kept, equal ones once. A line
    changed to two different things, or changed here and deleted there, is a conflict. The answer does not
    depend on which side is which, and merging it again with a side changes nothing: where repeated lines
    make that impossible, the stretch is a conflict.
    """
    root = base or ""
    if theirs in {ours, root}:
        return Merge(ours)
    if ours == root:
        return Merge(theirs)
    one, two = sorted((ours, theirs))
    text, conflicts = _merged(root, one, two)
    if text is not None and not (_stable(root, text, one) and _stable(root, text, two)):
        text, conflicts = None, _differences(root, one, two)
    swap = (one, two) != (ours, theirs)
    return Merge(text, tuple(Conflict(c.base, c.theirs, c.ours) if swap else c for c in conflicts))


def _stable(base: str, text: str, side: str) -> bool:
    if side == text:
        return True
    if text == base:
        return False
    one, two = sorted((text, side))
    return _merged(base, one, two)[0] == text


def _merged(base: str, ours: str, theirs: str) -> tuple[str | None, list[Conflict]]:
    ending = _ending(base, ours, theirs)
    if ending:
        base, ours, theirs = (document.convert(text, ending) for text in (base, ours, theirs))
    rows: list[str] = []
    conflicts: list[Conflict] = []
    for piece in pieces(*(document.split(text) for text in (base, ours, theirs))):
        rows += piece.agreed
        woven, clashes = _woven(piece, ending or document.eol(base), top=not rows)
        rows += woven
        conflicts += clashes
    if conflicts:
        return None, conflicts
    final = _decided(*(document.ends_with_newline(text) for text in (base, ours, theirs)))
    return document.closed(rows, ending or document.eol(base), final=final), []


def _woven(piece: Piece, ending: str, *, top: bool) -> tuple[list[str], list[Conflict]]:
    _, base, ours, theirs = piece
    if theirs in (base, ours):
        return ours, []
    if base == ours:
        return theirs, []
    woven, clashes = weave(*(units(rows, ending, top=top) for rows in (base, ours, theirs)))
    return document.split(raw(_spaced(woven, ending))), [_conflict(clash) for clash in clashes]


def _ending(base: str, ours: str, theirs: str) -> str:
    """Return the line ending that all texts take because a side was converted to it; "" for none."""
    was, here, there = (document.uniform(text) for text in (base, ours, theirs))
    if here and there:
        return _decided_text(was, here, there)
    lone, other = (here, there) if here else (there, here)
    if not lone or was in {lone, ""} or (other is None and was == ""):
        return ""
    return lone


def _decided_text(base: str | None, ours: str, theirs: str) -> str:
    if ours == base:
        return theirs
    return ours if theirs == base else max(ours, theirs)


def _decided(base: bool, ours: bool, theirs: bool) -> bool:  # noqa: FBT001 - three alike
    return ours if ours == theirs else not base


def _spaced(woven: list[Unit], ending: str) -> list[Unit]:
    """Set a blank line before what was a file's first line and now follows other text."""
    out = woven[:1]
    for before, unit in pairwise(woven):
        tight = unit.first and not unit.blank and not (is_listed(before.key) and is_listed(unit.key))
        out.append(unit._replace(blank=(ending,)) if tight else unit)
    return out


def _conflict(clash: Clash) -> Conflict:
    return Conflict(raw(clash.base), raw(clash.ours), raw(clash.theirs))


def _differences(base: str, ours: str, theirs: str) -> list[Conflict]:
    """Return the stretches that both sides changed."""
    found = pieces(*(document.split(text) for text in (base, ours, theirs)))
    both = [p for p in found if p.base not in (p.ours, p.theirs) and p.ours != p.theirs] or found
    return [Conflict(*("".join(rows) for rows in trimmed(*piece[1:]))) for piece in both]
