"""Runs what takes too long for every day: the scripts of soak.toml, each bounded in time.

    make soak                       all of them
    make soak ARGS='kills races'    those whose name or command has one of these words

After each of them docs/races.md says when it ran, at which commit, and what came of it. Each has its output in the
folder that is named at the end. Exit 1 when one fails or takes too long.
"""

import argparse
import contextlib
import os
import platform
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs/races.md"
START, END = "<!-- written by make soak -->", "<!-- end of what make soak writes -->"


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    name: str
    result: str
    minutes: float
    figures: str

    @property
    def passed(self) -> bool:
        """Whether it did what it is run for."""
        return self.result == "passed"


def main() -> int:
    """Run them, print a summary, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="run those that have one of these words (default: all)"
    )
    words = parser.parse_args().words
    runs = tomllib.loads((HERE / "soak.toml").read_text("utf-8"))["run"]
    sample = [row for row in runs if not words or any(word in row["name"] + row["command"] for word in words)]
    if not sample:
        print(f"error: no run has one of these words: {' '.join(words)}\n  fix: make soak", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="clawgit-soak-"))
    results = []
    for number, row in enumerate(sample, 1):
        print(f"{number} of {len(sample)}: {row['name']}, at most {row['minutes']} minutes", flush=True)
        results.append(run(row["name"], row["command"], row["minutes"], row["figures"], folder / f"{number:02}.log"))
        print(f"  {results[-1].result} after {results[-1].minutes:.1f} minutes: {results[-1].figures}", flush=True)
        write([run["name"] for run in runs], results[-1])
    failed = [item for item in results if not item.passed]
    print(f"\n{len(results) - len(failed)} of {len(results)} passed; what they printed is in {folder}")
    for row in failed:
        print(f"{row.result}: {row.name}")
    return 1 if failed else 0


def run(name: str, command: str, minutes: float, figures: str, log: Path) -> Outcome:
    """Run one, with all that it starts killed when its time is over."""
    environ = os.environ | {"PYTHON": shlex.quote(sys.executable), "DISK": tempfile.gettempdir()}
    began = time.monotonic()
    with log.open("wb") as output:
        started = subprocess.Popen(
            ["bash", "-c", command],
            cwd=ROOT,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            result = "failed" if started.wait(minutes * 60) else "passed"
        except subprocess.TimeoutExpired:
            result = "took too long"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)
            started.wait()
    lines = log.read_text("utf-8", "replace").splitlines()
    answer = [line.strip() for line in lines if re.search(figures, line)] or lines or [""]
    return Outcome(name, result, (time.monotonic() - began) / 60, answer[-1].strip(" =")[:200])


def write(names: list[str], item: Outcome) -> None:
    """Put a run's row into docs/races.md, between its two marks, and keep the rows of the other runs."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(START)
    written, _, after = rest.partition(END)
    head = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    where = f"{datetime.now(UTC):%Y-%m-%d}, {head.stdout.strip() or 'an unknown commit'}"
    figures = item.figures.replace("|", "/")
    rows = {row.split(" | ")[0].removeprefix("| "): row for row in written.splitlines() if row.startswith("| ")}
    rows[item.name] = f"| {item.name} | {where} | {item.result} | {item.minutes:.1f} | {figures} |"
    machine = f"{os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}"
    table = [
        f"Last runs, on {machine}; what is not listed has not run yet.",
        "",
        "| run | date, commit | result | minutes | figures |",
        "|---|---|---|---|---|",
        *(rows[name] for name in names if name in rows),
    ]
    PAGE.write_text(f"{before}{START}\n" + "\n".join(table) + f"\n{END}{after}", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
