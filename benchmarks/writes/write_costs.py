"""What one write costs, step by step, and how long commands take from a cold start.

    python benchmarks/writes/write_costs.py                     1,000 and 10,000 files, 60 writes each
    python benchmarks/writes/write_costs.py --files 1000 --json
    python benchmarks/writes/write_costs.py --rows 1000 100000  `memory add` with so many rows in the sidecar, in turn

A write is one change of three files: the memory file, the sidecar, today's journal. `git commit` of three files is
timed in the same run as its peer, and so are the libraries for the cold starts.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from msgspec.structs import replace

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from clawgit.git import worktree_files
from clawgit.text.entry import entry_id, hash_entry
from clawgit.workspace import bootstrap, entries, memory_lines
from clawgit.workspace.capture_and_enforce import capture_and_enforce
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace import Workspace

MEMORY = Path("/dev/shm")
COMMANDS = (
    ("status",),
    ("soul", "show"),
    ("soul", "log"),
    ("soul", "diff"),
    ("memory", "list"),
    ("memory", "get", "SOUL.md"),
    ("memory", "add", "a memory for the clock"),
    ("journal", "add", "a note for the clock"),
    ("soul", "edit", "--add", "A line for the clock.", "--section", "Vibe", "--why", "timing"),
    ("undo",),
)


class Clock:
    """Adds up how long each step of a write takes, fsync included."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._step, self._since = "", 0.0

    def __call__(self, step: str) -> None:
        """Note that `step` begins, and the one before it has ended."""
        now = time.perf_counter()
        if self._step:
            self.spent[self._step] += now - self._since
        self._step, self._since = re.sub(r" \S+\.\w+$", "", step), now


def grown(root: Path, count: int) -> Workspace:
    """Return a workspace with `count` committed files."""
    workspace = bootstrap.init(root).workspace
    for number in range(count):
        place = root / f"memory/{number // 500:03}/note-{number}.md"
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"# Note {number}\n\n- something that was said\n")
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", *identity, "commit", "-qm", "notes"], cwd=root, check=True)
    return workspace


def writes(workspace: Workspace, count: int) -> dict[str, object]:
    """Time `count` changes; milliseconds, medians, and the share of each step."""
    clock, took = Clock(), []
    worktree_files.observe(clock)
    for number in range(count):
        addition = memory_lines.make_addition(workspace, f"memory {number} for the clock").change
        note = memory_lines.add_note(workspace, f"note {number} for the clock")
        change = replace(addition, edits=addition.edits + note.edits)
        started = time.perf_counter()
        workspace.apply(change)
        clock("between")
        took.append(time.perf_counter() - started)
    worktree_files.stop_observing(clock)
    workspace.close()
    by_step = {step: round(spent / count * 1000, 2) for step, spent in clock.spent.items() if step != "between"}
    return {
        "median_ms": _ms(statistics.median(took)),
        "p95_ms": _ms(sorted(took)[int(count * 0.95)]),
        "steps_ms": by_step,
    }


def in_memory(files: int, count: int) -> float | None:
    """Return the median of the same writes on a memory file system: what they cost beyond the disk."""
    if not MEMORY.is_dir():
        return None
    with tempfile.TemporaryDirectory(prefix="clawgit-writes-", dir=MEMORY) as folder:
        return float(str(writes(grown(Path(folder) / "workspace", files), count)["median_ms"]))


def peer(root: Path, count: int) -> float:
    """Return the milliseconds that `git add && git commit` of three changed files takes."""
    names = ["work-1.md", "work-2.md", "work-3.md"]

    def commit(number: int) -> None:
        for name in names:
            (root / name).write_text(f"{number}\n")
        subprocess.run(["git", "add", *names], cwd=root, check=True)
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", *identity, "commit", "-qm", "work"], cwd=root, check=True)

    return _median(commit, count)


def cold(root: Path, count: int) -> dict[str, float]:
    """Return the milliseconds of CPU of each command as a process of its own, git's included, beside its libraries.

    `import click` is the floor of `--help`; `import click, pygit2` that of whatever looks into the repository.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}

    def run(command: list[str]) -> float:
        took = []
        for _ in range(count + 1):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, env=environment, capture_output=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return _ms(statistics.median(took[1:]))

    program = str(Path(sys.executable).with_name("clawgit"))
    results = {
        "python -c 'import click'": run([sys.executable, "-c", "import click"]),
        "python -c 'import click, pygit2'": run([sys.executable, "-c", "import click, pygit2"]),
        "--help": run([program, "--help"]),
    }
    for command in COMMANDS:
        results[" ".join(command[:2])] = run([program, "-C", str(root), *command])
    return results


def with_rows(root: Path, count: int) -> Path:
    """Return a workspace whose sidecar has `count` rows, 200 for each file."""
    workspace = bootstrap.init(root).workspace
    rows: dict[str, Row] = {}
    for number in range(count):
        path, words = f"memory/beds/bed-{number // 200:03}.md", f"Bed {number} holds fennel."
        row = Row(entry_id(path, words), path, hash_entry(words), "knowledge")
        rows[row.id] = row
    (root / entries.PATH).write_text(entries.render_sidecar(rows))
    capture_and_enforce(workspace)
    workspace.close()
    return root


def by_rows(counts: list[int], times: int) -> dict[str, object]:
    """Return the milliseconds of `memory add` as a process, by rows in the sidecar, and how many times the first."""
    took: dict[int, list[float]] = {count: [] for count in counts}
    program = str(Path(sys.executable).with_name("clawgit"))
    with tempfile.TemporaryDirectory(prefix="clawgit-rows-") as folder:
        roots = {count: with_rows(Path(folder) / str(count), count) for count in counts}
        for number in range(times + 1):  # one after the other, so that what else the machine does is shared
            for count, root in roots.items():
                started = time.perf_counter()
                words = [program, "-C", str(root), "memory", "add", f"memory {number} for the clock"]
                subprocess.run(words, capture_output=True, check=True, stdin=subprocess.DEVNULL)
                took[count].append(time.perf_counter() - started)
    medians = {count: statistics.median(group[1:]) for count, group in took.items()}
    first = medians[counts[0]]
    return {f"{count:,} rows": {"ms": _ms(item), "times": round(item / first, 2)} for count, item in medians.items()}


def _median(act: Callable[[int], object], count: int) -> float:
    took = []
    for number in range(count):
        started = time.perf_counter()
        act(number)
        took.append(time.perf_counter() - started)
    return _ms(statistics.median(took))


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


def measured(files: int, count: int) -> dict[str, object]:
    """Return every figure for a workspace of `files` files."""
    with tempfile.TemporaryDirectory(prefix="clawgit-writes-") as folder:
        root = Path(folder) / "workspace"
        workspace = grown(root, files)
        return {
            "files": files,
            "write": writes(workspace, count),
            "write_in_memory_ms": in_memory(files, count),
            "git_add_commit_ms": peer(root, max(5, count // 4)),
            "cold_cpu_ms": cold(root, 15),
        }


def main() -> None:
    """Read the command line and measure."""
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, nargs="*", default=[1000, 10000])
    parser.add_argument("--rows", type=int, nargs="+")
    parser.add_argument("--writes", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.rows:
        print(json.dumps(by_rows(options.rows, options.writes), indent=1))
        return
    results = [measured(files, options.writes) for files in options.files]
    keep(results)
    if options.json:
        print(json.dumps(results))
        return
    for row in results:
        print(f"\n{row['files']} files")
        for key, value in row.items():
            print(f"  {key}: {value}" if not isinstance(value, dict) else f"  {key}:")
            for name, figure in value.items() if isinstance(value, dict) else ():
                print(f"    {name}: {figure}")


if __name__ == "__main__":
    main()
