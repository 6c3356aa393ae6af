"""Changes every weight and limit of reading and ranking, one by one: each change must turn a test red.

    python tests/mutants.py [PART ...] [--seconds 600]     PART is a piece of a path, as language/dates

A weight or limit is a number in a constant of a module. It is doubled and one is added, and its sign is turned; strings
and names are left alone. The change is made in a copy of the package, and the tests of that module run on it until one
fails. What no test sees is named, exit code 1. With the time over, what was not tried is said.
"""

import argparse
import ast
import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = {
    "language/date_words.py": ["tests/language/test_dates.py"],
    "language/date_mentions.py": ["tests/language/test_limits.py", "tests/language/test_dates.py"],
    "language/dates.py": ["tests/language/test_limits.py", "tests/language/test_dates.py"],
    "language/detect.py": ["tests/language/test_limits.py", "tests/language/test_detect.py"],
    "language/numbers.py": ["tests/language/test_numbers.py"],
    "language/sentences.py": ["tests/language/test_limits.py", "tests/language/test_sentences.py"],
    "language/lexicon.py": ["tests/language/test_limits.py"],
    "language/values.py": ["tests/language/test_values.py"],
    "search/question.py": ["tests/search/test_when.py"],
    "search/question_words.py": ["tests/search/test_words.py", "tests/search/test_slips.py"],
    "search/rank.py": ["tests/search/test_weights.py", "tests/search/test_ranking.py"],
    "search/embedding.py": ["tests/search/test_weights.py"],
    **{
        f"context/{name}.py": ["tests/context/test_limits.py", *more]
        for name, more in (
            ("external", []),
            ("known_corrections", []),
            ("pack", ["tests/context/test_token_budget.py"]),
            ("prompt_pieces", ["tests/context/test_prompt_pieces.py"]),
            ("relevant_memory", ["tests/context/test_due.py", "tests/context/test_assemble.py"]),
        )
    },
    "context/assemble.py": ["tests/context/test_limits.py", "tests/context/test_assemble.py"],
}
EQUAL = {
    ("language/dates.py", "_LEAP"): "more years around hold the same leap days",
    ("language/date_mentions.py", "_LONGEST"): "a bound on time",
    ("language/date_mentions.py", "_BEFORE"): "no language puts more letters there",
    ("language/detect.py", "_MOST"): "a bound on time",
    ("language/lexicon.py", "_HEAD"): "a bound on time",
    ("language/sentences.py", "_CONTEXT"): "longer than any abbreviation",
    ("context/relevant_memory.py", "_MOST_DAYS"): "a bound on time",
    ("context/external.py", "_SECONDS"): "a bound on time",
    ("search/question.py", "_MOST"): "a bound on time",
    ("search/question_words.py", "_MOST"): "a bound on time",
    ("search/rank.py", "_COMPARED"): "a bound on time",
    ("context/pack.py", "_ROUNDS"): "what still fits after two is little",
    ("search/embedding.py", "SAMPLE"): "a bound on time",
    ("search/embedding.py", "_BATCH"): "how many texts the model is given at a time",
}
"""What nobody could tell apart, and why."""
SIGNLESS = {
    ("context/assemble.py", "_UNASKED"): "what others leave goes there anyway",
    ("context/pack.py", "_LEAST"): "where a slot is full it is tried once more",
    ("language/numbers.py", "_MYRIADS"): "the base of an even power",
}
"""Whose sign nobody could tell, and why."""
SECONDS = 300
"""How long the tests of one change may take; a change that hangs is caught."""


@dataclass(frozen=True)
class Change:
    """One number of a module changed: how it is told, and the module's source with it."""

    name: str
    told: str
    source: str


def numbers(source: str) -> Iterator[tuple[str, ast.Constant]]:
    """Yield the numbers in constants, with the constant's name."""
    for node in ast.parse(source).body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            for inner in ast.walk(node.value):
                if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
                    yield ast.unparse(target), inner


def changes(number: ast.Constant, *, signed: bool) -> list[float]:
    assert isinstance(number.value, (int, float))
    return [number.value * 2 + 1, *([-number.value] if number.value and signed else [])]


def changed(source: str, number: ast.Constant, value: float) -> str:
    lines = source.splitlines(keepends=True)
    line = lines[number.lineno - 1].encode()
    new = f"({value!r})".encode()
    lines[number.lineno - 1] = (line[: number.col_offset] + new + line[number.end_col_offset :]).decode()
    return "".join(lines)


def failing_test(copy: Path, tests: list[str], seconds: float = SECONDS) -> str:
    """Return the first test that fails on the copy, "" where none does."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "--timeout",
        "120",
        *tests,
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONSAFEPATH": "1",
        "CLAWGIT_TEST_COMMAND": str(copy / "bin/clawgit"),
    }
    try:
        run = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            timeout=seconds,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return "a test that hangs"
    if run.returncode in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    return next((line for line in run.stdout.decode().splitlines() if line.startswith(("FAILED", "ERROR"))), "all")


def copied(folder: Path) -> Path:
    """Copy the package, compiled, so that a change costs one module to compile."""
    shutil.copytree(ROOT / "clawgit", folder / "clawgit", ignore=shutil.ignore_patterns("__pycache__"))
    for beside in ("templates", "hooks"):
        shutil.copytree(ROOT / beside, folder / beside)
    compileall.compile_dir(folder / "clawgit", quiet=1)
    command = folder / "bin/clawgit"
    command.parent.mkdir()
    start = "import sys; from clawgit.cli.main import main; sys.exit(main())"
    command.write_text(f"#!/bin/sh\nPYTHONPATH='{folder}' exec '{sys.executable}' -P -c '{start}' \"$@\"\n")
    command.chmod(0o755)
    return folder


def place_of(copy: Path, name: str) -> Path:
    """Return a module of the copy, without what was compiled of it: a changed one may have the same size and second."""
    place = copy / "clawgit" / name
    Path(cache_from_source(place)).unlink(missing_ok=True)
    return place


def planned(names: list[str]) -> Iterator[Change]:
    for name in names:
        source = (ROOT / "clawgit" / name).read_text("utf-8")
        for constant, number in numbers(source):
            if (name, constant) not in EQUAL:
                for value in changes(number, signed=(name, constant) not in SIGNLESS):
                    told = f"clawgit/{name}:{number.lineno} {constant}: {number.value} -> {value}"
                    yield Change(name, told, changed(source, number, value))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--seconds", type=float, default=600)
    given = parser.parse_args()
    until = time.monotonic() + given.seconds
    names = [name for name in TESTS if not given.parts or any(part in name for part in given.parts)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(os.cpu_count() or 1):
            copies.put(copied(Path(folder, str(number))))

        def fails(name: str, source: str = "") -> bool | None:
            """Tell whether a test fails, with another source for the module if one is given; None when time is over."""
            if source and time.monotonic() > until:
                return None
            copy = copies.get()
            place = place_of(copy, name)
            before = place.read_text("utf-8")
            place.write_text(source or before, "utf-8")
            try:
                return bool(failing_test(copy, TESTS[name]))
            finally:
                place.write_text(before, "utf-8")
                copies.put(copy)

        for name, red in zip(names, pool.map(fails, names), strict=True):
            if red:
                print(f"the tests of clawgit/{name} are red as it stands: {' '.join(TESTS[name])}")
                return 1
        plan = list(planned(names))
        results: list[bool | None] = []
        for change, red in zip(plan, pool.map(lambda one: fails(one.name, one.source), plan), strict=True):
            results.append(red)
            if red is False:
                print("not seen:", change.told, flush=True)
    tried, seen = len(plan) - results.count(None), results.count(True)
    rest = f", {results.count(None)} not tried: --seconds" if None in results else ""
    print(f"{seen} of {tried} changes were caught{rest}")
    return 1 if seen < tried else 0


if __name__ == "__main__":
    sys.exit(main())
