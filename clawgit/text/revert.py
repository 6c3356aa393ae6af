"""Takes one change back and keeps later ones."""

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct, field

from clawgit.text import document
from clawgit.text.edit import kept_apart
from clawgit.text.line_alignment import align
from clawgit.text.merge import Merged, merge


class _Plan(Struct):
    """What to do to the lines that stand now, by index."""

    drop: set[int] = field(default_factory=set)
    insert: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))


class _Texts(Struct, frozen=True):
    """The lines of three texts without their ends, and where those of `after` stand now."""

    before: list[str]
    after: list[str]
    now: list[str]
    here: list[int]
    free: dict[str, list[int]]


def revert(before: str, after: str, now: str) -> Merged:
    """Undo the change from `before` to `after` in `now`: by merge, else line by line, else with its conflicts.

    With nothing left to undo the text is `now`; with nothing changed since, it is `before`.
    """
    woven = merge(after, now, before)
    text = invert(before, after, now) if woven.conflicts else woven.text
    return woven if text is None else Merged(kept_apart(before, now, text))


def invert(before: str, after: str, now: str) -> str | None:
    """Drop exactly the lines a change added that still stand, put back what it removed at its place.

    None where an added line is gone, changed or stands several times, or the place is gone.
    """
    texts = _texts(*([document.content(row) for row in document.split(text)] for text in (before, after, now)))
    plan = _Plan()
    if not all(_undo(texts, plan, (low, high), (start, stop)) for low, high, start, stop in _changes(texts)):
        return None
    if not plan.drop and not plan.insert:
        return now
    return _applied(now, plan, final=document.ends_with_newline(now))


def _texts(before: list[str], after: list[str], now: list[str]) -> _Texts:
    here = align(after, now)
    taken = set(here)
    free: defaultdict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(now):
        if at not in taken:
            free[row].append(at)
    return _Texts(before, after, now, here, free)


def _changes(texts: _Texts) -> Iterator[tuple[int, int, int, int]]:
    low = start = 0
    for at, there in enumerate([*align(texts.before, texts.after), len(texts.after)]):
        if there < 0:
            continue
        if at > low or there > start:
            yield low, at, start, there
        low, start = at + 1, there + 1


def _undo(texts: _Texts, plan: _Plan, old: tuple[int, int], new: tuple[int, int]) -> bool:
    dropped: list[int] = []
    for at in range(*new):
        places = [texts.here[at]] if texts.here[at] >= 0 else texts.free.get(texts.after[at], [])
        if document.is_blank(texts.after[at]) and texts.here[at] < 0:
            continue
        if len(places) != 1:
            return False
        dropped += places
    back = [row for row in texts.before[slice(*old)] if document.is_blank(row) or row not in texts.free]
    if any(not document.is_blank(row) for row in back) or (back and dropped):
        place = min(dropped) if dropped else _anchor(texts, new)
        if place is None:
            place = _nearby(texts, new)
            back += [""] if place is not None and _is_heading(texts.now[place : place + 1]) else []
        if place is None:
            return False
        plan.insert[place] += back
    plan.drop.update(dropped)
    return True


def _anchor(texts: _Texts, new: tuple[int, int]) -> int | None:
    """Return the line now before which a removed block stood, by its neighbours."""
    start, stop = new
    if start and texts.here[start - 1] >= 0:
        return texts.here[start - 1] + 1
    if stop < len(texts.after) and texts.here[stop] >= 0:
        return texts.here[stop]
    if not start:
        return 0
    return len(texts.now) if stop == len(texts.after) else None


def _nearby(texts: _Texts, new: tuple[int, int]) -> int | None:
    """Return a place in the section that a removed block stood in, by the lines of it that still stand."""
    start, stop = new
    for at in range(start - 1, -1, -1):
        row, place = texts.after[at], texts.here[at] + 1
        if place and not document.is_blank(row):
            while _is_heading([row]) and place < len(texts.now) and document.is_blank(texts.now[place]):
                place += 1
            return place
        if _is_heading([row]):
            break
    for at in range(stop, len(texts.after)):
        if _is_heading(texts.after[at : at + 1]):
            break
        if texts.here[at] >= 0 and not document.is_blank(texts.after[at]):
            return texts.here[at]
    return None


def _is_heading(rows: list[str]) -> bool:
    return rows[:1] != [] and rows[0].startswith("#")


def _applied(now: str, plan: _Plan, *, final: bool) -> str:
    ending = document.eol(now)
    rows: list[str] = []
    for at, row in enumerate([*document.split(now), ""]):
        rows += [line + document.fill(line, ending) for line in plan.insert.get(at, [])]
        rows += [row] if row and at not in plan.drop else []
    return document.closed(rows, ending, final=final)
