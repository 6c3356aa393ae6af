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


def score(told: Iterable[tuple[bool, bool]]) -> Score:
    """Return the score of pairs of what was taken and what should have been."""
    pairs = list(told)
    right = sum(taken and wanted for taken, wanted in pairs)
    return Score(sum(taken for taken, _ in pairs), right, sum(wanted for _, wanted in pairs), right)


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
        return sum(map(_lines, self.code)), sum(one if isinstance(one, int) else spoken(one) for one in self.data)


def forget() -> None:
    """Empty what clawgit keeps of what it read and made ready."""
    for name, module in list(sys.modules.items()):
        for one in list(vars(module).values()) if name.startswith("clawgit.") else ():
            if hasattr(one, "cache_clear"):
                one.cache_clear()


def _lines(code: str | Callable[..., Any]) -> int:
    if not isinstance(code, str):
        return len(inspect.getsource(inspect.unwrap(code)).splitlines())
    files = (CODE / code).rglob("*.py") if (CODE / code).is_dir() else CODE.glob(code)
    return sum(len(one.read_text("utf-8").splitlines()) for one in files)


def spoken(what: str) -> int:
    """Return the bytes of files, of a table with those below it, or of a key."""
    files, _, path = what.partition(" ")
    return sum(_bytes(one.read_bytes(), *path.partition(".")[::2]) for one in CODE.glob(files))


def _bytes(text: bytes, table: str, key: str) -> int:
    if not table:
        return len(text)
    parts = re.split(r"^(?=\[)", text.decode(), flags=re.MULTILINE)
    head = rf"\[{table}\]" if key else rf"\[{table}[\].]"
    own = [one for one in parts if re.match(head, one)]
    if key:
        own = [one for part in own for one in re.split(r"^(?=\w+ = |#)", part, flags=re.MULTILINE)]
        own = [one for one in own if one.startswith(f"{key} = ")]
    return sum(len(one.encode()) for one in own)


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
                found = self.measured()
            first = first or found
            apart = (found.precision - first.precision if found.taken else 0, found.recall - first.recall)
            cells = (
                f"{found.precision:.3f} of {found.taken}" if found.taken else "-",
                f"{found.recall:.3f} of {found.wanted}",
            )
            changes = (f"{one:+.3f}" if one else "" for one in apart)
            size = (f"{one:,}" for one in family.size())
            yield [self.name, name, *cells, *changes, *(("", "") if found is first else size)]


COLUMNS = ("area", "left out", "precision", "recall", "precision +-", "recall +-", "lines", "bytes of data")


def table(areas: Iterable[Area]) -> list[list[str]]:
    """Print and return the rows of areas as one table."""
    found = []
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for area in areas:
        for row in area.rows():
            print(f"| {' | '.join(row)} |", flush=True)
            found.append(row)
    return found
