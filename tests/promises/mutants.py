"""Breaks clawgit in small ways, one at a time: each must turn a promise red.

    python tests/promises/mutants.py                  the mutation beside each promise
    python tests/promises/mutants.py --writes 48      so many mutants of the write path, chosen by --seed

A promise names its mutation as MUTATION: a module, a piece of its text, and what takes its place. Mutants of the write
path turn a condition around, drop a call (but for the named points of a write, which only tests observe), or exchange a
comparison. Each runs in a copy of the package, on the promises about writes, kills and git first, then on the others,
until one fails.
"""

import argparse
import ast
import compileall
import importlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
PROMISES = "tests/promises"
WRITE_PATH = ("git/transaction.py", "git/landing.py", "git/redo_log.py", "git/recovery.py", "git/references.py")
FIRST = tuple(
    f"{PROMISES}/test_{name}.py"
    for name in (
        "a_write_is_one_commit",
        "what_git_takes_back",
        "beside_git_and_an_editor",
        "a_kill_loses_nothing",
        "undo",
        "restore",
    )
)
OTHERS = tuple(
    f"{PROMISES}/{place.name}"
    for place in sorted((ROOT / PROMISES).glob("test_*.py"))
    if f"{PROMISES}/{place.name}" not in FIRST
    and place.stem
    not in ("test_a_strangers_words", "test_too_much_for_a_process", "test_two_machines", "test_two_worlds")
)
"""What also enters the write path; vectors, long lines, sync and pairs of worlds take minutes."""
HANGS_SECONDS = 1800
TEST_SECONDS = 300
"""How long the tests of one change may take; a change that hangs is caught."""
EXCHANGED = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
}


def find_failing_test(copy: Path, tests: list[str], seconds: float = TEST_SECONDS) -> str:
    options = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--timeout", "120")
    command = [sys.executable, "-m", "pytest", *options, *tests]
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


def copy_package(folder: Path) -> Path:
    """Copy the package, compiled, so that a change costs one module to compile."""
    shutil.copytree(ROOT / "clawgit", folder / "clawgit", ignore=shutil.ignore_patterns("__pycache__"))
    for folder_name in ("templates", "hooks"):
        shutil.copytree(ROOT / folder_name, folder / folder_name)
    compileall.compile_dir(folder / "clawgit", quiet=1)
    command = folder / "bin/clawgit"
    command.parent.mkdir()
    start = "import sys; from clawgit.cli.main import main; sys.exit(main())"
    command.write_text(f"#!/bin/sh\nPYTHONPATH='{folder}' exec '{sys.executable}' -P -c '{start}' \"$@\"\n")
    command.chmod(0o755)
    return folder


def find_module(copy: Path, name: str) -> Path:
    """Return a module of the copy, without its compiled form: a changed one may have the same size and second."""
    place = copy / "clawgit" / name
    Path(cache_from_source(place)).unlink(missing_ok=True)
    return place


class Mutant(NamedTuple):
    """A module with one thing changed, and the tests that are to see it."""

    label: str
    module: str
    source: str
    tests: Sequence[str]


def promised() -> Iterator[Mutant]:
    for place in sorted((ROOT / PROMISES).glob("test_*.py")):
        promise = importlib.import_module(f"tests.promises.{place.stem}")
        if not hasattr(promise, "MUTATION"):
            continue
        module, old, new = promise.MUTATION
        source = (ROOT / "clawgit" / module).read_text("utf-8")
        assert source.count(old) == 1, f"{place.name}: {module} has the text {source.count(old)} times"
        yield Mutant(f"{place.stem}: {module}", module, source.replace(old, new), [f"{PROMISES}/{place.name}"])


def pick_write_path_mutants(number: int, seed: int) -> list[Mutant]:
    """Return so many mutants of the write path."""
    mutants_found = [mutant for module in WRITE_PATH for mutant in _mutants(module)]
    return random.Random(seed).sample(mutants_found, min(number, len(mutants_found)))


def _mutants(module: str) -> Iterator[Mutant]:
    source = (ROOT / "clawgit" / module).read_text("utf-8")
    tree = ast.parse(source)
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    for function in functions:
        for node in ast.walk(function):
            for old, new in _exchanges(node):
                label = f"{module}:{old.lineno} {ast.unparse(old)[:60]!r} -> {new[:60]!r}"
                yield Mutant(label, module, _replace_node(source, old, new), [*FIRST, *OTHERS])


def _exchanges(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    match node:
        case ast.If(test=test) | ast.While(test=test):
            yield test, f"(not ({ast.unparse(test)}))"
        case ast.Expr(value=ast.Call(func=function)) if ast.unparse(function) != "reached":
            yield node, "pass"
        case ast.Raise(exc=ast.expr()):
            yield node, "pass"
        case ast.Compare(ops=[operator]) if type(operator) in EXCHANGED:
            other = ast.Compare(node.left, [EXCHANGED[type(operator)]()], node.comparators)
            yield node, f"({ast.unparse(other)})"


def _replace_node(source: str, node: ast.expr | ast.stmt, new: str) -> str:
    rows = source.encode().split(b"\n")
    assert node.end_lineno is not None
    before = b"\n".join([*rows[: node.lineno - 1], rows[node.lineno - 1][: node.col_offset]])
    after = b"\n".join([rows[node.end_lineno - 1][node.end_col_offset :], *rows[node.end_lineno :]])
    return (before + new.encode() + after).decode()


def main() -> int:
    """Try the mutants, name those that no promise sees, and return how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writes", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="N", help="leave out so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    mutants = pick_write_path_mutants(options.writes, options.seed) if options.writes else list(promised())
    mutants = mutants[options.first :]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.jobs):
            copies.put(copy_package(Path(folder, str(number))))

        def fails(mutant: Mutant) -> str:
            copy = copies.get()
            place = find_module(copy, mutant.module)
            before = place.read_text("utf-8")
            place.write_text(mutant.source, "utf-8")
            try:
                return find_failing_test(copy, [*mutant.tests], seconds=HANGS_SECONDS)
            finally:
                place.write_text(before, "utf-8")
                copies.put(copy)

        started = {pool.submit(fails, mutant): mutant for mutant in mutants}
        results = []
        for future in as_completed(started):
            results.append(bool(test := future.result()))
            print("caught:  " if test else "NOT SEEN:", started[future].label, test[:150], flush=True)
    print(f"{sum(results)} of {len(results)} mutants were caught")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
