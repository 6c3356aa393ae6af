"""Reads and changes single rows of a sidecar."""

from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from clawgit.workspace import entries

_MAX_NEEDLES = 8
_GONE_CELLS = 2


class Table:
    """The rows of a sidecar, each read when it is asked for."""

    def __init__(self, text: str) -> None:
        self._text = f"\n{text}"
        self._reserved: set[str] = set()
        self._lookups = 0

    def get(self, key: str) -> entries.Row | None:
        """Return the row of an entry, None where there is none."""
        return entries.read_rows("\n".join(_lines_with(self._text, f"\n{key}\t"))).get(key)

    def __contains__(self, key: object) -> bool:
        """Return whether a row has this id, or it is reserved."""
        return key in self._reserved or key in self._ids

    def reserve(self, key: str) -> None:
        """Count an id as taken from now on."""
        self._reserved.add(key)

    def of_files(self, paths: Collection[str]) -> dict[str, entries.Row]:
        """Return the rows of the entries of some files by id."""
        if len(paths) > _MAX_NEEDLES:
            lines = (line for line in self._text.split("\n") if (line.split("\t", 2)[1:2] or [""])[0] in paths)
        else:
            lines = (line for path in paths for line in _lines_with(self._text, f"\t{path}\t"))
        return {key: row for key, row in entries.read_rows("\n".join(lines)).items() if row.file in paths}

    def with_hash(self, digest: str) -> list[entries.Row]:
        """Return the rows of the entries whose text has this hash."""
        self._lookups += 1
        is_rare = self._lookups <= _MAX_NEEDLES
        lines = _lines_with(self._text, f"\t{digest}\t") if is_rare else self._lines_by_hash.get(digest, ())
        return [row for row in entries.read_rows("\n".join(lines)).values() if row.hash == digest]

    @cached_property
    def _lines_by_hash(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for line in self._text.split("\n"):
            if len(cells := line.split("\t", 3)) > _GONE_CELLS:
                found.setdefault(cells[2], []).append(line)
        return found

    @cached_property
    def _ids(self) -> frozenset[str]:
        rows = (line.split("\t", 3) for line in self._text.split("\n"))
        return frozenset(cells[0] for cells in rows if len(cells) > _GONE_CELLS)


def _lines_with(text: str, needle: str) -> Iterator[str]:
    """Yield the lines of a text that hold `needle`, which may begin with the end of the line before."""
    at = text.find(needle)
    while at >= 0:
        end = text.find("\n", at + 1)
        end = len(text) if end < 0 else end
        yield text[text.rfind("\n", 0, at + 1) + 1 : end]
        at = text.find(needle, end)


def edited(text: str, new: Collection[entries.Row], drops: Collection[str] = (), *, forget: str | None = None) -> str:
    """Return the sidecar `text` with the rows `new` joined to those that stand, and those of `drops` taken out.

    Only their lines change where the file is sorted, as we write it.
    """
    if not text.startswith("#") or not text.endswith("\n") or len(new) + len(drops) > _MAX_NEEDLES:
        kept = {key: row for key, row in entries.parse(text).items() if key not in drops}
        return entries.with_rows(text, entries.joined(kept, new, forget=forget))
    for key in sorted({*drops, *(row.id for row in new)}):
        lines = list(_lines_with(text, f"\n{key}\t"))
        there = entries.read_rows("\n".join(lines))
        rows = entries.joined({} if key in drops else there, (row for row in new if row.id == key), forget=forget)
        if rows == there:
            continue
        for line in lines:
            text = text.replace(f"\n{line}\n", "\n", 1)
        at = _place(text, key)
        said = "".join("\t".join(entries.row_cells(row)) + "\n" for row in rows.values())
        text = text[:at] + said + text[at:]
    return text


def _place(text: str, key: str) -> int:
    """Return where the line of an id belongs in a sorted text."""
    low, high = _top(text), len(text)
    while low < high:
        start = max(text.rfind("\n", 0, (low + high) // 2) + 1, low)
        end = text.find("\n", start) + 1 or len(text)
        low, high = (end, high) if text[start:end] < key else (low, start)
    return low


def changed_lines(before: str, after: str) -> tuple[int, int, int]:
    """Return where the lines begin that differ, and where they end in `before` and in `after`."""
    old, new = len(before), len(after)
    start = _same(min(old, new), lambda low, high: before[low:high] == after[low:high])
    start = before.rfind("\n", 0, start) + 1
    most = min(old, new) - start
    tail = _same(most, lambda low, high: before[old - high : old - low] == after[new - high : new - low])
    cut = before.find("\n", old - tail) + 1
    tail = old - cut if tail and cut else 0
    return start, old - tail, new - tail


def _same(most: int, equal: Callable[[int, int], bool]) -> int:
    """Return how many characters are the same, of at most `most`; short pieces are compared without new memory."""
    low = 0
    for step in (1 << 16, 1 << 8, 1):
        while low < most and equal(low, min(low + step, most)):
            low = min(low + step, most)
    return low


def _top(text: str) -> int:
    """Return where the comments and readings at the beginning of a sidecar end."""
    end = 0
    while text[end : end + 1] in ("#", "@"):
        end = text.find("\n", end) + 1 or len(text)
    return end
