"""Figures of the project that may only fall, and error paths that may not vanish unnoticed.

    python tests/ratchets/test_ratchets.py    writes down what fell, and the error paths that are new

A figure may rise only with a row in docs/decisions/ratchets.md. `error_paths.txt` lists every error key, finding and
`except` clause that there ever was; one that is gone has a row in docs/decisions/removed.md.
"""

import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.promises import mutants
from tests.ratchets.measures import FIGURES, ROOT, list_error_keys, list_handlers

HELD = ROOT / "tests/ratchets/ratchets.toml"
PATHS = ROOT / "tests/ratchets/error_paths.txt"
RAISED = ROOT / "docs/decisions/ratchets.md"
REMOVED = ROOT / "docs/decisions/removed.md"
SLACK = 0.01
"""A figure that fell by more than that is written down, so that it cannot rise again."""
FIX = "python tests/ratchets/test_ratchets.py"


def test_no_figure_rises() -> None:
    """All of them in one test: they read the code once."""
    wrong = []
    for name, limit in read_held()["figures"].items():
        now = FIGURES[name]()
        if now > limit:
            wrong.append(f"{name} rose from {limit:,} to {now:,}")
        elif now < limit * (1 - SLACK) - 1:
            wrong.append(f"{name} fell from {limit:,} to {now:,}; hold it: {FIX}")
    assert wrong == []


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_that_was_raised_has_its_reason(name: str) -> None:
    limit, lowest = (read_held()[table][name] for table in ("figures", "lowest"))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in RAISED.read_text("utf-8").splitlines()]
    reasons = [float(row[2].replace(",", "")) for row in rows if len(row) == COLUMNS and row[0] == name]
    is_explained = limit <= max((lowest, *reasons[-1:]))
    assert is_explained, f"{name} was raised from {lowest:,} to {limit:,} without a row in {RAISED.name}"


COLUMNS = 5
"""Figure, from, to, feature, target."""


def test_the_mutation_beside_a_promise_changes_what_is_there():
    assert list(mutants.promised())


def test_an_error_path_that_is_gone_is_named() -> None:
    before, removed, now = Counter(PATHS.read_text("utf-8").splitlines()), list_removed(), list_error_paths()
    missing = list((before - removed - now).elements())
    assert missing == [], f"name them in {REMOVED.name}, with the promise that covers them or why they cannot happen"
    assert list(now - (before - removed)) == [], f"new: {FIX}"


def list_removed() -> Counter[str]:
    """Return the error paths that the first column of removed.md names, once for each row."""
    rows = (line.split("|") for line in REMOVED.read_text("utf-8").splitlines() if line.startswith("| `"))
    return Counter(path for row in rows for path in re.findall(r"`([^`]+)`", row[1]))


def list_error_paths() -> Counter[str]:
    return Counter(f"key {key}" for key in list_error_keys()) + list_handlers()


def read_held() -> dict[str, dict[str, int]]:
    return tomllib.loads(HELD.read_text("utf-8"))


def write() -> None:
    """Lower the figures that fell, and add error paths that are new; nothing is raised or removed."""
    old_figures = read_held() if HELD.exists() else {}
    now = {name: measure() for name, measure in FIGURES.items()}
    figures = {name: min(value, old_figures.get("figures", {}).get(name, value)) for name, value in now.items()}
    lowest = {name: min(value, old_figures.get("lowest", {}).get(name, value)) for name, value in figures.items()}
    tables = {"figures": figures, "lowest": lowest}
    rows = (
        f"[{title}]\n" + "".join(f"{name} = {value}\n" for name, value in table.items())
        for title, table in tables.items()
    )
    HELD.write_text("# Figures that may only fall; see test_ratchets.py.\n\n" + "\n".join(rows), "utf-8")
    before, removed = Counter(PATHS.read_text("utf-8").splitlines() if PATHS.exists() else ()), list_removed()
    paths = (list_error_paths() | (before - removed)) + removed
    PATHS.write_text("".join(f"{path}\n" for path in sorted(paths.elements())), "utf-8")


if __name__ == "__main__":
    write()
