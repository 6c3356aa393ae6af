"""What the memories say more than once."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from clawgit.workspace.report.files import Files
from clawgit.workspace.report.words import masked, shown

Spot = tuple[str, int]

_MOST = 20
_PLACES = 10
_SHORTEST = 12  # letters; what is shorter is said often by chance


class Repeat(Struct, frozen=True):
    """A line that stands `count` times; `places` are the first of them as PATH:LINE, all in `files` files."""

    words: str
    count: int
    files: int
    places: tuple[str, ...]


class Repeats(Struct, frozen=True):
    """How many of the lines that say something were said before, and the most repeated."""

    lines: int = 0
    of: int = 0
    most: tuple[Repeat, ...] = ()

    @property
    def share(self) -> float:
        """Their part of all lines, 0 to 1."""
        return self.lines / self.of if self.of else 0.0


def repeats(files: Files, passed_over: Collection[str] = ()) -> Repeats:
    """Return what the memory files repeat, but for those `passed_over`.

    Headings, labels, rules, times and very short lines do not count; nor do case, marks and spaces.
    """
    paths = [path for path in files.memory if path not in passed_over]
    total = Counter(said for path in paths for said in files.said[path])
    often = {said for said, count in total.items() if count > 1 and len(said) >= _SHORTEST}
    places: dict[str, list[Spot]] = {said: [] for said in often}
    for path in paths:
        if not often.isdisjoint(files.said[path]):
            for number, said in _counting(files, path, often):
                places[said].append((path, number))
    again = sorted((spots for spots in places.values() if len(spots) > 1), key=lambda spots: -len(spots))
    most = tuple(_repeat(files, spots) for spots in again[:_MOST])
    return Repeats(sum(len(spots) - 1 for spots in again), total.total() - total[""], most)


def _counting(files: Files, path: str, often: Collection[str]) -> Iterator[tuple[int, str]]:
    rows = files.texts[path].split("\n")
    for number, (row, said) in enumerate(zip(rows, files.said[path], strict=True), 1):
        if said in often and not row.startswith("#") and not row.rstrip("*_ \t\r").endswith(":"):
            yield number, said


def _repeat(files: Files, places: Sequence[Spot]) -> Repeat:
    path, number = places[0]
    row = masked(files.texts[path]).split("\n")[number - 1]
    named = tuple(f"{path}:{number}" for path, number in places[:_PLACES])
    return Repeat(shown(row), len(places), len({path for path, _ in places}), named)
