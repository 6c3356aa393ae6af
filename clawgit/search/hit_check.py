"""Holds what an index says against the text itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from clawgit.search import boilerplate, corpus, refresh
from clawgit.search.blocks import ATX, BETWEEN, DAY
from clawgit.search.store import Place, Sizes

if TYPE_CHECKING:  # what cuts texts is loaded when there is one to be cut
    from clawgit.search.chunk import Chunk

Reads = Callable[[str], bytes | None]
"""Returns what is searched of a file, None where there is none."""


def untrue(places: Iterable[Place], read: Reads, sizes: Sizes = ()) -> list[Place]:
    """Return those of the places at which their files say something else; each file is read once.

    The index is a cache that any program can write to. Most places show in their lines; the file is cut into chunks, as
    it was for the index, where these leave a doubt.
    """
    found = []
    for path, some in groupby(sorted(places, key=lambda one: one.path), key=lambda one: one.path):
        data = read(path)
        text = boilerplate.without(path, corpus.plain(data or b""))
        lines = [] if "<!--" in text or "\0" in text else text.split("\n")
        doubted = [one for one in some if not _shows(one, lines)]
        for cut in _cuts(path, text, data or b"", sizes) if doubted else ():
            doubted = [one for one in doubted if _said(one) not in cut]
            if not doubted:
                break
        found += doubted
    return found


def _cuts(path: str, text: str, data: bytes, sizes: Sizes) -> Iterator[set[object]]:
    """Yield what a search can find in a file: as it stands, and then with its secrets named only."""
    yield {_cut(path, one) for one in refresh.cut(path, text, sizes)}
    yield {_cut(path, one) for one in refresh.cut(path, corpus.text(data), sizes)}


def _cut(path: str, one: "Chunk") -> object:
    return one.start, one.end, one.text, one.trail, one.day or refresh.day_of(path)


def _said(one: Place) -> object:
    return one.start, one.end, one.text, one.trail, one.day


def _shows(one: Place, lines: Sequence[str]) -> bool:
    """Tell whether a place plainly is what its lines say, below the headings above them."""
    said = "\n".join(line.rstrip("\r \t") for line in lines[one.start - 1 : one.end]).strip()
    if said != one.text or not said:
        return False
    heads, below = _headings(lines[: one.start - 1])
    above = BETWEEN.join(heads)
    rest = one.trail.removeprefix(above)
    if not one.trail.startswith(above) or (rest and above and not rest.startswith(BETWEEN)):
        return False
    between = "\n".join(lines[below : one.end])
    if not all(part in between for part in rest.split(BETWEEN)):
        return False
    days = DAY.findall(one.trail)
    return one.day.isoformat() in days if days and one.day else not days and one.day == refresh.day_of(one.path)


def _headings(lines: Sequence[str]) -> tuple[list[str], int]:
    """Return the titles above what follows these lines, the outermost first, and how many lines end with the last."""
    found: list[str] = []
    level, last = 7, 0
    for at in range(len(lines) - 1, -1, -1):
        match = ATX.match(lines[at]) if "#" in lines[at][:4] else None
        if match and len(match[1]) < level:
            level, last = len(match[1]), last or at + 1
            found.insert(0, (match[2] or "").strip(" \t#*_:"))
        if level == 1:
            break
    return found, last
