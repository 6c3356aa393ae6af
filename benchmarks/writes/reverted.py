"""Counts what agents who commit, rebase and stash beside us take back of ours, also with a git that is slow.

    python benchmarks/writes/reverted.py                              2,000 changes in all, about ten minutes
    python benchmarks/writes/reverted.py add stash --writes 40 --slow index.lock --json

An agent who is told by git that something stands in the way tries again, as agents do. `--slow` has his git sleep
whenever it opens or renames a lock of that name (a C compiler is needed): then git has read its index, or HEAD, long
before it writes. Afterwards every line of ours is looked for, and whose commit brought it. Exit 1 when a line is
missing, stands there twice, or is said to be of unknown origin.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from benchmarks.lib.rivals import Others, today, write_all
from clawgit.workspace import bootstrap
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.workspace import open_workspace

KINDS = ("add", "add-all", "commit-a", "commit-path", "rebase", "stash")
SLOW = ("", "index.lock", "main.lock")
TRIES = 4
OURS = re.compile(r"([+-]).*((?:memory|journal) by \w+ \d+ end)")
SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void wait_at(const char *name) {
    const char *lock = getenv("SLOW_AT"), *much = getenv("SLOW_MICROSECONDS");
    if (!name || !lock || !much || strlen(name) < strlen(lock)) return;
    if (!strcmp(name + strlen(name) - strlen(lock), lock)) usleep(atoi(much));
}
#define OPENS(NAME) \
    int NAME(const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        if (flags & O_CREAT) wait_at(path); \
        return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #NAME))(path, flags, mode); \
    }
OPENS(open)
OPENS(open64)
int rename(const char *from, const char *to) {
    wait_at(from);
    return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}
"""


@dataclass
class Found:
    """What became of our lines; the first five should be 0."""

    kind: str
    slow: str
    writes: int
    missing_in_head: int = 0
    missing_on_disk: int = 0
    doubled: int = 0
    rows_missing: int = 0
    of_unknown_origin: int = 0
    of_theirs: int = 0
    taken_back_meanwhile: int = 0
    landed_again: int = 0
    their_acts: int = 0
    their_failures: int = 0
    fsck: str = ""
    seconds: float = 0.0

    @property
    def wrong(self) -> int:
        """How much is not as it should be."""
        bad = (self.missing_in_head, self.missing_on_disk, self.doubled, self.rows_missing, self.of_unknown_origin)
        return sum(bad) + bool(self.fsck)


class Agent(Others):
    """Somebody who tries again when git fails."""

    slow: dict[str, str]

    def git(self, *arguments: str) -> str:
        """Run git, slowly if it is to be slow."""
        before = dict(os.environ)
        os.environ.update(self.slow)
        try:
            return super().git(*arguments)
        finally:
            os.environ.clear()
            os.environ.update(before)

    def again(self, *arguments: str) -> None:
        """Run git until it succeeds, a few times."""
        for _ in range(TRIES):
            failed = self.failed.total()
            self.git(*arguments)
            if self.failed.total() == failed:
                return

    def committed(self, add: tuple[str, ...], commit: tuple[str, ...]) -> None:
        """Write a line and commit it."""
        self.work()
        if add:
            self.again(*add)
        self.again("commit", "-qm", "theirs", *commit)

    def rebase(self) -> None:
        """Commit, and write the last commits anew; what fails is given up."""
        self.committed(("add", "work.md"), ())
        self.git("rebase", "-q", "--force-rebase", "--autostash", "HEAD~2")
        if any((self.root / ".git" / name).exists() for name in ("rebase-merge", "rebase-apply")):
            self.git("rebase", "--abort")
            if (self.root / ".git/rebase-merge").exists():
                self.git("rebase", "--quit")
        self.resolve()
        if "ref:" not in (self.root / ".git/HEAD").read_text():
            self.git("checkout", "-q", "main")

    def once(self) -> None:
        """Act once."""
        acts: dict[str, Callable[[], object]] = {
            "add": lambda: self.committed(("add", "work.md"), ()),
            "add-all": lambda: self.committed(("add", "-A"), ()),
            "commit-a": lambda: self.committed((), ("-a",)),
            "commit-path": lambda: self.committed((), ("work.md",)),
            "rebase": self.rebase,
            "stash": self.stash,
        }
        acts[self.kind]()


def library(folder: Path) -> Path | None:
    """Return the library that slows git down, None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    (folder / "slow.c").write_text(SOURCE)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "slow.so", "slow.c", "-ldl"], cwd=folder, check=True)
    return folder / "slow.so"


def race(kind: str, slow: str, writes: int, folder: Path, options: argparse.Namespace) -> Found:
    root = folder / f"{kind}-{slow or 'plain'}"
    bootstrap.init(root)
    agent = Agent(root, "none")
    agent.slow = {}
    agent.prepare()
    agent.kind = kind
    if slow:
        much = str(int(options.sleep * 1_000_000))
        agent.slow = {"LD_PRELOAD": str(folder / "slow.so"), "SLOW_AT": slow, "SLOW_MICROSECONDS": much}
    results, started, stop = Found(kind, slow, writes), time.monotonic(), threading.Event()

    def loop() -> None:
        while not stop.wait(options.gap):
            agent.once()

    thread = threading.Thread(target=loop)
    thread.start()
    write_all(root, writes, options.sleep * 2 if slow else options.pause, 1)
    stop.set()
    thread.join()
    agent.slow = {}
    results.their_acts, results.their_failures = agent.acts, agent.failed.total()
    agent.finish()
    with open_workspace(root) as workspace:
        capture_all(workspace)
    count(agent, results)
    results.seconds = round(time.monotonic() - started, 1)
    return results


def count(agent: Agent, results: Found) -> None:
    """Look for every line, and for whose commit brought it last."""
    root, day = agent.root, today(agent.root)
    head = {path: agent.git("show", f"HEAD:{path.relative_to(root).as_posix()}") for path in (root / "MEMORY.md", day)}
    words = {root / "MEMORY.md": "memory", day: "journal"}
    for path, word in words.items():
        lines = [f"{word} by w0 {number} end" for number in range(results.writes)]
        results.missing_in_head += sum(line not in head[path] for line in lines)
        results.missing_on_disk += sum(line not in path.read_text() for line in lines)
        results.doubled += sum(path.read_text().count(line) > 1 for line in lines)
    rows = agent.git("show", "HEAD:.clawgit/entries.tsv").splitlines()
    results.rows_missing = max(results.writes - sum(not row.startswith("#") for row in rows), 0)
    brought: dict[str, str] = {}
    changes: Counter[str] = Counter()
    for commit in agent.git("log", "--reverse", "--format=%x01%B%x02", "-p", "-U0").split("\x01")[1:]:
        message, _, patch = commit.partition("\x02")
        known_rows = re.search(r"^Clawgit-Change: (\S+)", message, re.MULTILINE)
        whose = "ours" if known_rows else "unknown" if "Origin: unknown" in message else "theirs"
        changes[known_rows[1] if known_rows else ""] += 1
        for line in filter(None, map(OURS.match, patch.splitlines())):
            if line[1] == "+":
                brought[line[2]] = whose
            else:
                results.taken_back_meanwhile += whose == "theirs"
    whose_now = Counter(brought.values())
    results.of_unknown_origin, results.of_theirs = whose_now["unknown"], whose_now["theirs"]
    results.landed_again = sum(times - 1 for change, times in changes.items() if change)
    results.fsck = agent.git("fsck", "--no-dangling").strip()


def main() -> int:
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"one or more of {' '.join(KINDS)} (default: all)")
    parser.add_argument("--writes", type=int, help="changes in each race (default: 2,000 in all)")
    parser.add_argument("--slow", action="append", choices=SLOW, help="the lock at which git is slow (default: each)")
    parser.add_argument("--sleep", type=float, default=0.1, help="seconds that a slow git sleeps there")
    parser.add_argument(
        "--pause",
        type=float,
        default=0.03,
        help="seconds between two of our changes; beside a slow git, twice its sleep",
    )
    parser.add_argument("--gap", type=float, default=0.02, help="seconds between two acts of the agent")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    all_rows = [(kind, slow) for slow in options.slow or SLOW for kind in options.kinds or KINDS]
    results = []
    with tempfile.TemporaryDirectory(prefix="clawgit-reverted-") as name:
        folder = Path(name).resolve()
        if any(slow for _, slow in all_rows) and library(folder) is None:
            print("no C compiler: git is not slowed down", file=sys.stderr)
            all_rows = [(kind, slow) for kind, slow in all_rows if not slow]
        writes = options.writes or -(-2_000 // len(all_rows))
        for kind, slow in all_rows:
            results.append(race(kind, slow, writes, folder, options))
            if not options.json:
                print("  ".join(f"{key}={value}" for key, value in asdict(results[-1]).items()), flush=True)
    keep([asdict(results) for results in results])
    if options.json:
        print(json.dumps([asdict(results) for results in results]))
    return 1 if any(results.wrong for results in results) else 0


if __name__ == "__main__":
    sys.exit(main())
