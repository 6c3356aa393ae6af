"""Runs benchmarks by name, and keeps what each measured as JSON, by commit.

    make bench                                          lists them
    make bench ARGS=search/retrieval                    runs one
    make bench ARGS="writes/kills --kills 200"          with arguments of its own
    make bench ARGS=search                              runs the folder, one after the other

What was measured lies in benchmarks/results/COMMIT/FOLDER/NAME.json, which git ignores: `figures` as the script gave
them, or the lines that it `printed`; with the arguments, the day, the machine and the seconds. A commit ends in
"-dirty" where files differed from it. Exit 1 when one of them failed.
"""

import ast
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.lib.results import VARIABLE  # noqa: E402 - found by the line above

FOLDERS = ("memory", "search", "safety", "writes", "scale", "sync", "fleet")


def main(arguments: Sequence[str]) -> int:
    """Run what is named, or list what there is; return the exit code."""
    names = list(named(*arguments[:1]))
    if not arguments:
        for name in names:
            print(f"{name:28} {shows(name)}")
        return 0
    if not names:
        print(f"error: there is no benchmark {arguments[0]}\n  fix: make bench", file=sys.stderr)
        return 2
    codes = [run(name, arguments[1:]) for name in names]
    return int(any(codes))


def named(expected: str = "") -> Iterator[str]:
    """Yield the benchmarks in order: all, those of a folder, or one."""
    for folder in FOLDERS:
        for place in sorted((ROOT / "benchmarks" / folder).glob("*.py")):
            name = f"{folder}/{place.stem}"
            if expected in ("", folder, name) and "__main__" in place.read_text("utf-8"):
                yield name


def shows(name: str) -> str:
    """Return the first line of what a benchmark says of itself."""
    text = (ROOT / "benchmarks" / f"{name}.py").read_text("utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


def run(name: str, arguments: Sequence[str]) -> int:
    """Run one, print what it prints, keep what it measured; return its exit code."""
    print(f"== {name}", flush=True)
    began, printed = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="clawgit-bench-") as folder:
        figures = Path(folder) / "figures.json"
        command = [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), *arguments]
        environ = os.environ | {VARIABLE: str(figures), "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout or ():
                print(line, end="", flush=True)
                printed.append(line.rstrip("\n"))
        results = {"figures": json.loads(figures.read_text("utf-8"))} if figures.exists() else {"printed": printed}
    document = {
        "name": name,
        "arguments": list(arguments),
        "commit": commit(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}",
        "seconds": round(time.monotonic() - began, 1),
        "exit": process.returncode,
        **results,
    }
    place = ROOT / "benchmarks/results" / commit() / f"{name}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"-- {place.relative_to(ROOT)}", flush=True)
    return process.returncode


def commit() -> str:
    """Return what is measured."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return text or "unknown"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
