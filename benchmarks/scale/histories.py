"""Reads long generated histories, and asks whether the log is git's own and how long it takes beside git.

    python benchmarks/scale/histories.py                        10,000 commits, SOUL.md in 8, 300 and 3,000 of them
    python benchmarks/scale/histories.py --touching 300 --json

The histories have merges, renames of SOUL.md away and back, and many other files. Every figure is a median of the same
run; ratios are ours to git's, in process, and as whole commands.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from clawgit.workspace import line_origins, records
from clawgit.workspace.workspace import Workspace, open_workspace

PERSON = "Ada <ada@example.org>"


def stream(commits: int, touching: int, seed: int = 7) -> Iterator[bytes]:
    """Yield a `git fast-import` stream: one main line, a side branch merged now and then, SOUL.md renamed twice."""
    chance = random.Random(seed)
    expected = set(chance.sample(range(1, commits), touching - 1)) | {0}
    soul = ["# Soul\n", "\n", "## Core Truths\n", "\n"]
    name, mark, side, stamp = "SOUL.md", 0, 0, 1_700_000_000
    for number in range(commits):
        mark, stamp = mark + 1, stamp + chance.randint(30, 4000)
        merging = side > 0 and number % 50 == 49
        branching = number % 50 == 40
        ref = "refs/heads/side" if branching else "refs/heads/main"
        message = (
            f"soul: step {number}\n\nClawgit-Change: {_id(number)}\nOrigin: operator\n" if number in expected else "x"
        )
        lines = [f"commit {ref}", f"mark :{mark}", f"committer {PERSON} {stamp} +0000", f"data {len(message)}", message]
        if branching:
            lines.append(f"from :{mark - 1}")
            side = mark
        elif number and number % 50 == 41:
            lines.append(f"from :{mark - 2}")
        elif number:
            lines.append(f"from :{mark - 1}")
        if merging:
            lines.append(f"merge :{side}")
            side = 0
        yield "\n".join(lines).encode() + b"\n"
        if number in expected and not branching:
            if number > 2 and chance.random() < 2 / touching:
                other = "IDENTITY.md" if name == "SOUL.md" else "SOUL.md"
                yield f"R {name} {other}\n".encode()
                name = other
            if len(soul) > 60 and chance.random() < 0.4:
                del soul[chance.randrange(4, len(soul))]
            soul.insert(chance.randrange(4, len(soul) + 1), f"- principle {number} {chance.random():.12f}\n")
            yield put("SOUL.md", "".join(soul))
        else:
            yield put(f"memory/{number % 700:03}.md", f"note {number} {chance.random()}\n")
    yield b"done\n"


def put(path: str, text: str) -> bytes:
    data = text.encode()
    return f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n"


def _id(number: int) -> str:
    return "".join("klmnopqrstuvwxyz"[(number >> shift) & 15] for shift in range(36, -4, -4))


def born(root: Path, commits: int, touching: int) -> Workspace:
    """Return a workspace with such a history, packed as `git gc` leaves it."""
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    data = b"".join(stream(commits, touching))
    subprocess.run(["git", "fast-import", "--quiet", "--done"], cwd=root, input=data, check=True)
    subprocess.run(["git", "gc", "-q"], cwd=root, check=True)
    subprocess.run(["git", "reset", "-q", "--hard", "main"], cwd=root, check=True)
    return open_workspace(root)


def measured(commits: int, touching: int, rounds: int) -> dict[str, object]:
    """Return whether the lists agree, and every ratio."""
    with tempfile.TemporaryDirectory(prefix="clawgit-history-") as folder:
        workspace = born(Path(folder), commits, touching)
        theirs = git(workspace.root, "log", "--format=%H", "--", "SOUL.md").split()
        ours = [record.commit for record in records.list_records(workspace, "SOUL.md")]
        middle = len((workspace.root / "SOUL.md").read_text().splitlines()) // 2
        return {
            "commits": commits,
            "listed": len(theirs),
            "same_list": ours == theirs,
            **_pair(
                "log",
                rounds,
                lambda: list(records.list_records(workspace, "SOUL.md")),
                workspace,
                "log",
                "--",
                "SOUL.md",
            ),
            **_pair(
                "log_20",
                rounds,
                lambda: list(records.list_records(workspace, "SOUL.md", limit=20)),
                workspace,
                *("log", "-n20", "--", "SOUL.md"),
            ),
            **_pair("blame", rounds, lambda: line_origins.lines(workspace), workspace, "blame", "-w", "-M", "SOUL.md"),
            **_pair(
                "why",
                rounds,
                lambda: line_origins.trace_line(workspace, "SOUL.md", middle),
                workspace,
                *("blame", "-w", "-M", f"-L{middle},{middle}", "SOUL.md"),
            ),
            **_commands(workspace.root, rounds),
        }


def _commands(root: Path, rounds: int) -> dict[str, object]:
    """Time whole commands: process start, and printing, included."""
    program = str(Path(sys.executable).with_name("clawgit"))
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}

    def run(*words: str) -> Callable[[], object]:
        return lambda: subprocess.run([program, *words], cwd=root, env=environment, capture_output=True, check=True)

    results: dict[str, object] = {}
    for name, words in {"log": (), "log_20": ("-n", "20")}.items():
        act = run("soul", "log", "--json", *words)
        act()
        results |= {f"command_{name}_ms": median(act, rounds)}
    return results


def _pair(name: str, rounds: int, act: Callable[[], object], workspace: Workspace, *words: str) -> dict[str, object]:
    ours = median(act, rounds)
    theirs = median(lambda: git(workspace.root, *words), rounds)
    return {f"{name}_ms": ours, f"{name}_git_ms": theirs, f"{name}_ratio": round(ours / theirs, 2)}


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout


def median(act: Callable[[], object], rounds: int) -> float:
    took = []
    for _ in range(rounds):
        started = time.perf_counter()
        act()
        took.append(time.perf_counter() - started)
    return round(statistics.median(took) * 1000, 1)


def main() -> None:
    """Read the command line and measure."""
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--touching", type=int, nargs="*", default=[8, 300, 3000])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = [measured(options.commits, touching, options.rounds) for touching in options.touching]
    keep(results)
    if options.json:
        print(json.dumps(results))
        return
    for item in results:
        print("\n" + "\n".join(f"{key:>18}  {value}" for key, value in item.items()))


if __name__ == "__main__":
    main()
