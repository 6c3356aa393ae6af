"""What a large workspace costs: adopting it, looking at it, capturing one change, watching it.

    python benchmarks/scale/large.py                        10,000 files, 9,000 of them notes, 3,000 commits
    python benchmarks/scale/large.py --files 1000 --commits 300 --json

Commands are processes of their own, figures medians of the same run; beside each stands what git takes for the like.
"""

import argparse
import json
import os
import random
import shutil
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

PERSON = "Ada <ada@example.org>"
PROGRAM = str(Path(sys.executable).with_name("clawgit"))
WORDS = ("rain", "van", "Ana", "tea", "deploy", "Tuesday", "server", "green", "tests", "moved", "answer", "draft")
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def stream(files: int, commits: int, seed: int = 7) -> Iterator[bytes]:
    """Yield a `git fast-import` stream: notes and journals that grow over the commits, a tenth of it code."""
    chance = random.Random(seed)
    names = [_name(number, files) for number in range(files)]
    waiting = list(reversed(names))
    texts: dict[str, str] = {}
    part = -(-files // commits)
    for number in range(commits):
        message = f"Update memory {number}"
        head = [
            f"commit refs/heads/main\nmark :{number + 1}",
            f"committer {PERSON} {1_700_000_000 + number * 600} +0000",
        ]
        yield "\n".join([*head, f"data {len(message)}", message]).encode() + b"\n"
        if number:
            yield f"from :{number}\n".encode()
        born = [waiting.pop() for _ in range(min(part, len(waiting)))]
        again = [chance.choice(list(texts)) for _ in range(2)] if number % 10 == 0 and texts else []
        for name in (*born, *again):
            texts[name] = texts.get(name, f"# {name}\n\n") + _notes(chance)
            data = texts[name].encode()
            yield f"M 100644 inline {name}\ndata {len(data)}\n".encode() + data + b"\n"
    yield b"done\n"


def _name(number: int, files: int) -> str:
    if number < 5:
        return ("SOUL.md", "MEMORY.md", "AGENTS.md", "USER.md", "IDENTITY.md")[number]
    if number >= files * 0.9:
        return f"code/{number % 20}/module_{number}.py"
    if number % 3:
        return f"memory/notes/{number % 60:02}/note-{number}.md"
    return (
        f"memory/{2000 + number // 4000}/{2000 + number // 4000}-{number % 12 + 1:02}-{number % 28 + 1:02}-{number}.md"
    )


def _notes(chance: random.Random) -> str:
    return "".join(f"- {' '.join(chance.choices(WORDS, k=12))}\n" for _ in range(chance.randint(3, 20)))


def born(root: Path, files: int, commits: int) -> None:
    """Make a workspace with such a history, packed as `git gc` leaves it, and one note that is not committed."""
    run_git(root.parent, "init", "-q", "-b", "main", str(root))
    with (root / ".git/config").open("a") as config:
        config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    subprocess.run(
        ["git", "fast-import", "--quiet", "--done"], cwd=root, input=b"".join(stream(files, commits)), check=True
    )
    run_git(root, "gc", "-q")
    run_git(root, "reset", "-q", "--hard", "main")
    (root / "memory/2026-01-20.md").write_text("# 2026-01-20\n\n- not committed yet\n")


def run_git(root: Path, *words: str) -> None:
    """Run git in a folder. Raises CalledProcessError."""
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


def run_clawgit(root: Path, *words: str) -> None:
    """Run clawgit, in a process of its own, on a workspace. Raises CalledProcessError."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([PROGRAM, "-C", str(root), *words], env=environment, check=True, capture_output=True)


def timed(act: Callable[[], object]) -> float:
    """Return how many seconds `act` takes."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def pair(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> dict[str, float]:
    """Return the medians of both in milliseconds, measured by turns, and their ratio."""
    ours(), theirs()
    took = [(timed(ours), timed(theirs)) for _ in range(rounds)]
    item, second = (statistics.median(column) * 1000 for column in zip(*took, strict=True))
    return {"ms": round(item, 1), "git_ms": round(second, 1), "ratio": round(item / second, 2)}


def start(rounds: int) -> float:
    """Return the milliseconds of `import click` alone: what a command costs before it does anything."""
    command = [sys.executable, "-c", "import click"]
    took = [timed(lambda: subprocess.run(command, check=True)) for _ in range(rounds)]
    return round(statistics.median(took) * 1000, 1)


def adopting(root: Path) -> dict[str, float]:
    """Time `adopt`, and the first `git add -A && git commit` of the same folder without a history."""
    twin = root.with_name("twin")
    shutil.copytree(root, twin, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    preview = timed(lambda: run_clawgit(root, "adopt", "--dry-run"))
    ours = timed(lambda: run_clawgit(root, "adopt"))

    def first_commit() -> None:
        run_git(twin, "init", "-q")
        run_git(twin, "add", "-A")
        run_git(twin, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "first")

    theirs = timed(first_commit)
    shutil.rmtree(twin)
    return {
        "s": round(ours, 2),
        "dry_run_s": round(preview, 2),
        "git_add_commit_s": round(theirs, 2),
        "ratio": round(ours / theirs, 2),
    }


def leaving(root: Path) -> float:
    """Time `eject`, on a copy."""
    copy = root.with_name("leaving")
    shutil.copytree(root, copy, symlinks=True)
    run_git(copy, "status")
    took = timed(lambda: run_clawgit(copy, "eject", "--yes"))
    shutil.rmtree(copy)
    return round(took, 2)


class Scribe:
    """Writes one more line into one note, each time it is called."""

    def __init__(self, root: Path) -> None:
        self.place, self.count = root / "memory/notes/07/note-7.md", 0
        self.place.parent.mkdir(parents=True, exist_ok=True)

    def __call__(self) -> None:
        """Write a line."""
        self.count += 1
        with self.place.open("a") as file:
            file.write(f"- line {self.count}\n")


def capturing(root: Path, rounds: int) -> dict[str, float]:
    """Time `capture` of one changed note, and `git add -A && git commit` of one."""
    write = Scribe(root)

    def ours() -> None:
        write()
        run_clawgit(root, "capture")

    def theirs() -> None:
        write()
        run_git(root, "add", "-A")
        run_git(root, "commit", "-qm", "Update memory")

    return pair(ours, theirs, rounds)


def watching(root: Path, seconds: float) -> dict[str, float]:
    """Return what `capture --watch` costs while nobody writes: CPU seconds a minute, and memory."""
    process = subprocess.Popen(
        [PROGRAM, "-C", str(root), "capture", "--watch"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        time.sleep(8)  # until it has begun, and looked once
        before, started = _cpu(process.pid), time.monotonic()
        time.sleep(seconds)
        spent = (_cpu(process.pid) - before) / (time.monotonic() - started) * 60
        resident = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * PAGE / 2**20
    finally:
        process.terminate()
        process.wait()
    return {"cpu_s_per_minute": round(spent, 3), "rss_mb": round(resident, 1)}


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process, with those of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def measured(files: int, commits: int, rounds: int, idle: float) -> dict[str, object]:
    """Return every figure."""
    with tempfile.TemporaryDirectory(prefix="clawgit-large-") as folder:
        root = Path(folder) / "workspace"
        born(root, files, commits)
        results: dict[str, object] = {"files": files, "commits": commits, "import_click_ms": start(rounds)}
        results["adopt"] = adopting(root)
        run_git(root, "status")
        results["status"] = pair(lambda: run_clawgit(root, "status"), lambda: run_git(root, "status"), rounds)
        results["capture"] = capturing(root, rounds)
        results["capture_of_nothing"] = pair(
            lambda: run_clawgit(root, "capture"), lambda: run_git(root, "status"), rounds
        )
        results["watch_idle"] = watching(root, idle)
        return results | {"eject_s": leaving(root)}


def main() -> None:
    """Read the command line and measure."""
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--commits", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--idle", type=float, default=60, help="seconds to watch an idle workspace for")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = measured(options.files, options.commits, options.rounds, options.idle)
    keep(results)
    if options.json:
        print(json.dumps(results))
        return
    for key, value in results.items():
        print(f"{key:>20}  {value}")


if __name__ == "__main__":
    main()
