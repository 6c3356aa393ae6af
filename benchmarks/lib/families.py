"""Families of rules: what each is worth, and its size.

An `Area` leaves out one `Family` after the other. A row tells precision and recall without it, and what it takes.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

CODE = Path(__file__).parents[2] / "clawgit"
NEVER = re.compile("(?!)")
"""A pattern that finds nothing."""


@dataclass
class Score:
    """What was taken, how much of it rightly, what should have been, and how much of that was."""

    taken: int = 0
    right: int = 0
    wanted: int = 0
    found: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / self.taken if self.taken else 1.0

    @property
    def recall(self) -> float:
        return self.found / max(self.wanted, 1)

    def __str__(self) -> str:
        precision = f"{self.precision:.2f}" if self.taken else "-"
        return f"{precision} / {self.recall:.2f} ({self.taken})"


def score(answer: Iterable[tuple[bool, bool]]) -> Score:
    """Return the score of pairs of what was taken and what should have been."""
    pairs = list(answer)
    right = sum(taken and expected for taken, expected in pairs)
    return Score(sum(taken for taken, _ in pairs), right, sum(expected for _, expected in pairs), right)


@dataclass(frozen=True)
class Family:
    """Rules that one could delete as a whole, what takes their place, and where they stand.

    `code` names files and folders of clawgit, or is functions. `data` names files, `FILE table` or `FILE table.key`, or
    is a number of bytes.
    """

    without: Sequence[tuple[Any, str, Any]] = ()
    code: Sequence[str | Callable[..., Any]] = ()
    data: Sequence[str | int] = ()

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """Do without these rules."""
        with ExitStack() as stack:
            for swap in self.without:
                stack.enter_context(patch.object(*swap))
            forget()
            yield
        forget()

    def size(self) -> tuple[int, int]:
        """Return its lines of code and its bytes of data."""
        return sum(map(_lines, self.code)), sum(item if isinstance(item, int) else spoken(item) for item in self.data)


def forget() -> None:
    """Empty what clawgit keeps of what it read and made ready."""
    for name, module in list(sys.modules.items()):
        for item in list(vars(module).values()) if name.startswith("clawgit.") else ():
            if hasattr(item, "cache_clear"):
                item.cache_clear()


def _lines(code: str | Callable[..., Any]) -> int:
    if not isinstance(code, str):
        return len(inspect.getsource(inspect.unwrap(code)).splitlines())
    files = (CODE / code).rglob("*.py") if (CODE / code).is_dir() else CODE.glob(code)
    return sum(len(item.read_text("utf-8").splitlines()) for item in files)


def spoken(what: str) -> int:
    """Return the bytes of files, of a table with those below it, or of a key."""
    files, _, path = what.partition(" ")
    return sum(_bytes(item.read_bytes(), *path.partition(".")[::2]) for item in CODE.glob(files))


def _bytes(text: bytes, table: str, key: str) -> int:
    if not table:
        return len(text)
    parts = re.split(r"^(?=\[)", text.decode(), flags=re.MULTILINE)
    head = rf"\[{table}\]" if key else rf"\[{table}[\].]"
    own = [item for item in parts if re.match(head, item)]
    if key:
        own = [item for part in own for item in re.split(r"^(?=\w+ = |#)", part, flags=re.MULTILINE)]
        own = [item for item in own if item.startswith(f"{key} = ")]
    return sum(len(item.encode()) for item in own)


@dataclass(frozen=True)
class Area:
    """Families of rules with what they are measured by."""

    name: str
    families: Mapping[str, Family]
    measured: Callable[[], Score]

    def rows(self) -> Iterator[list[str]]:
        """Yield the cells of a row for each family that is left out; in the first one nothing is."""
        first = None
        for name, family in {"nothing": Family(), **self.families}.items():
            with family.left_out():
                results = self.measured()
            first = first or results
            difference = (results.precision - first.precision if results.taken else 0, results.recall - first.recall)
            cells = (
                f"{results.precision:.3f} of {results.taken}" if results.taken else "-",
                f"{results.recall:.3f} of {results.wanted}",
            )
            changes = (f"{item:+.3f}" if item else "" for item in difference)
            size = (f"{item:,}" for item in family.size())
            yield [self.name, name, *cells, *changes, *(("", "") if results is first else size)]


COLUMNS = ("area", "left out", "precision", "recall", "precision +-", "recall +-", "lines", "bytes of data")


def table(areas: Iterable[Area]) -> list[list[str]]:
    """Print and return the rows of areas as one table."""
    results = []
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for area in areas:
        for row in area.rows():
            print(f"| {' | '.join(row)} |", flush=True)
            results.append(row)
    return results
