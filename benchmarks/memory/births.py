"""How long the table of entries takes: built from a history, and kept current commit by commit.

    python benchmarks/memory/births.py REPOSITORY          a clone of a workspace with a long history; HEAD, or --at REV
    python benchmarks/memory/births.py REPOSITORY --updates 200   follow so many of its last commits

The clone is copied first, and stays as it is. A build is the first opening of the table, in a process of its own: its
time, its largest memory, the size of the file. An update is the opening after one more commit, by a process that has
opened the table before, `line` the same after a commit that adds one line to MEMORY.md. Before that the table must be
the one that is built anew.
"""

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.file_roles import entry_role
from clawgit.git import repository
from clawgit.store.entry_table import EntryRow, open_entries

BUILD = "--build"


@dataclass(frozen=True)
class Figures:
    """Seconds, megabytes, milliseconds; `rows` are entries at HEAD, `probable` those that are only probably as old."""

    commits: int
    rows: int
    removed: int
    probable: int
    build_s: float
    build_mb: int
    file_mb: float
    update_ms: float
    update_p95_ms: float
    line_ms: float
    same_as_rebuilt: bool


def run_git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def move_head(folder: Path, commit: str) -> None:
    run_git(folder, "update-ref", "--no-deref", "HEAD", commit)


def add_line(folder: Path, text: str) -> None:
    """Commit one more line of MEMORY.md."""
    parent = run_git(folder, "rev-parse", "HEAD").strip()
    known_rows = run_git(folder, "ls-tree", "--name-only", parent, "MEMORY.md")
    old = run_git(folder, "show", f"{parent}:MEMORY.md") if known_rows else ""
    new = f"{old.rstrip()}\n{text}\n"
    stream = (
        "commit refs/heads/births-benchmark\ncommitter A <a@b> 1800000000 +0000\ndata 1\nx\n"
        f"from {parent}\nM 100644 inline MEMORY.md\ndata {len(new.encode())}\n{new}\n"
    )
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=folder, check=True, input=stream, text=True)
    move_head(folder, run_git(folder, "rev-parse", "refs/heads/births-benchmark").strip())


def read_table(folder: Path) -> tuple[float, list[EntryRow], list[EntryRow]]:
    repo = repository.find(folder)
    repository.head(repo)
    started = time.perf_counter()
    with open_entries(repo, entry_role) as table:
        return time.perf_counter() - started, table.find(), table.find(removed=True)


def build(folder: Path) -> None:
    """Build the table, and print its time and memory: what a process of its own does."""
    repo = repository.find(folder)
    repository.head(repo)
    started = time.perf_counter()
    with open_entries(repo, entry_role):
        taken = time.perf_counter() - started
    print(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def measure(source: Path, revision: str, updates: int) -> Figures:
    with tempfile.TemporaryDirectory(prefix="clawgit-births-") as work:
        folder = Path(work, "clone")
        run_git(source, "clone", "--quiet", "--shared", "--no-checkout", str(source), str(folder))
        tip = run_git(source, "rev-parse", "--verify", f"{revision}^{{commit}}").strip()
        commits = run_git(folder, "rev-list", "--topo-order", "--first-parent", tip).split()
        run_git(folder, "symbolic-ref", "HEAD", "refs/heads/births-benchmark")
        run_git(folder, "update-ref", "HEAD", tip)
        command = [sys.executable, __file__, str(folder), BUILD]
        seconds, megabytes = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        _, rows, removed = read_table(folder)
        state = folder / ".git/clawgit"
        size = sum(place.stat().st_size for place in (state / "cache").glob("*.db*"))
        shutil.rmtree(state)
        move_head(folder, commits[min(updates, len(commits) - 1)])
        read_table(folder)
        times = []
        for commit in reversed(commits[:updates]):
            move_head(folder, commit)
            times.append(read_table(folder)[0] * 1000)
        is_same = read_table(folder)[1:] == (rows, removed)
        lines = []
        for number in range(min(updates, 20)):
            add_line(folder, f"- Lamp number {number} is rated at 400 watts.")
            lines.append(read_table(folder)[0] * 1000)
    probable = sum(row.probable for row in rows)
    p95 = sorted(times)[int(0.95 * (len(times) - 1))]
    return Figures(
        len(commits), len(rows), len(removed), probable, round(float(seconds), 2), int(megabytes),
        round(size / 1e6, 1), round(statistics.median(times), 1), round(p95, 1),
        round(statistics.median(lines), 1), is_same,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--at", default="HEAD", metavar="REV")
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument(BUILD, action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.build:
        build(options.repository)
        return
    figures = asdict(measure(options.repository.resolve(), options.at, options.updates))
    for name, value in figures.items():
        print(f"{name:16} {value}")
    keep(figures)


if __name__ == "__main__":
    main()
