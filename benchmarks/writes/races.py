"""Races clawgit's writes against git, editors' shells and itself, and counts what is lost.

    python benchmarks/writes/races.py                      every kind, the long run
    python benchmarks/writes/races.py add stash --writes 50 --json

Each kind is a loop of git commands that somebody runs beside us, some twenty times a second, while another process
appends to today's journal with plain `>>` (but for `checkout` and `rebase`, which a dirty file would stop). Lines are
numbered, so that afterwards every one can be looked for: in HEAD, on disk, in stashes. `crowd` is eight of our own
processes on the same two files; `control` repeats `stash` without us.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from msgspec import to_builtins

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from benchmarks.lib.rivals import Others, today, write_all
from clawgit.workspace import bootstrap, memory_lines
from clawgit.workspace.workspace import open_workspace

KINDS = ("add", "add-all", "commit-a", "stash", "checkout", "rebase", "status", "crowd", "control")
OURS = re.compile(r"[+-].*(memory|journal) by \w+ \d+ end")


@dataclass
class Race:
    """What a race came to; every count but the last four should be 0."""

    kind: str
    writes: int
    ours_missing_in_head: int = 0
    ours_missing_on_disk: int = 0
    ours_doubled: int = 0
    ours_removed_by_a_commit: int = 0
    ours_swallowed_by_others: int = 0
    theirs_missing: int = 0
    fsck: str = ""
    theirs_appended_missing: int = 0
    appended: int = 0
    seconds: float = 0.0
    waits: str = ""


def race(kind: str, writes: int, pause: float, gap: float, crowd: int) -> Race:
    """Run one race in a folder of its own, and look for every line."""
    with tempfile.TemporaryDirectory(prefix="clawgit-race-") as folder:
        root = Path(folder) / "workspace"
        bootstrap.init(root)
        others = Others(root, kind)
        others.prepare()
        result = Race(kind, 0 if kind == "control" else writes * crowd)
        started = time.monotonic()
        appended = _run(others, result, writes, pause, gap, crowd)
        result.seconds = round(time.monotonic() - started, 1)
        stashed = others.finish()
        if result.writes:
            _write_once_more(root)
        _count(others, result, stashed, appended, [f"w{number}" for number in range(crowd)], writes)
        return result


def _run(others: Others, result: Race, writes: int, pause: float, gap: float, crowd: int) -> int:
    """Let all of them run until we have written; return how many lines were appended."""
    stop = threading.Event()

    def loop() -> None:
        while not stop.wait(gap):
            others.once()

    thread = threading.Thread(target=loop)
    if others.kind != "crowd":
        thread.start()
    appender = None if others.kind in ("checkout", "rebase") else _appender(others.root)
    if others.kind == "control":
        time.sleep(writes * (pause + 0.03))
    else:
        result.waits = write_all(others.root, writes, pause, crowd)
    stop.set()
    if others.kind != "crowd":
        thread.join()
    result.waits += f"; theirs {sum(others.failed.values())} of {others.acts} failed"
    if appender is None:
        return 0
    appender.terminate()
    return len(appender.communicate()[0].split())


def _appender(root: Path) -> subprocess.Popen[str]:
    shell = f"i=0; while :; do echo appended $i end >> '{today(root)}'; echo $i; i=$((i+1)); sleep 0.005; done"
    return subprocess.Popen(["sh", "-c", shell], stdout=subprocess.PIPE, text=True)


def _write_once_more(root: Path) -> None:
    """Make one more change when all is quiet: a journal that git has just put back to an older version is united."""
    with open_workspace(root) as workspace:
        workspace.apply(memory_lines.add_note(workspace, "the race is over"))


def _count(others: Others, result: Race, stashed: str, appended: int, names: list[str], writes: int) -> None:
    root, day = others.root, today(others.root)
    disk = {path: path.read_text() for path in (root / "MEMORY.md", day, root / "work.md")}
    head = {path: others.git("show", f"HEAD:{path.relative_to(root).as_posix()}") for path in disk}
    expected = [
        (path, f"{what} by {name} {number} end")
        for path, what in ((root / "MEMORY.md", "memory"), (day, "journal"))
        for name in names
        for number in range(writes if result.writes else 0)
    ]
    result.ours_missing_in_head = sum(line not in head[path] for path, line in expected)
    result.ours_missing_on_disk = sum(line not in disk[path] for path, line in expected)
    result.ours_doubled = sum(disk[path].count(line) > 1 for path, line in expected)
    work = head[root / "work.md"] + disk[root / "work.md"] + stashed
    result.theirs_missing = sum(line not in work for line in others.lines)
    notes = head[day] + disk[day] + stashed
    result.appended = appended
    result.theirs_appended_missing = sum(f"appended {number} end\n" not in notes for number in range(appended - 1))
    for commit in others.git("log", "--format=%x01%B%x02", "-p", "-U0").split("\x01")[1:]:
        message, _, patch = commit.partition("\x02")
        touched = [line for line in patch.splitlines() if OURS.match(line)]
        result.ours_removed_by_a_commit += sum(line.startswith("-") for line in touched)
        if "Clawgit-Change:" not in message:
            result.ours_swallowed_by_others += sum(line.startswith("+") for line in touched)
    result.fsck = others.git("fsck", "--no-dangling").strip()


def lost(results: Race) -> bool:
    """Tell whether anything is gone; a loop of stashes loses appended lines by itself."""
    counts = [value for key, value in to_builtins(results).items() if key.startswith("ours_")] + [
        results.theirs_missing
    ]
    return (
        any(counts)
        or results.fsck != ""
        or (results.kind not in ("stash", "control") and results.theirs_appended_missing > 0)
    )


def main() -> int:
    """Read the command line and race; return 1 when anything was lost."""
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"one or more of {' '.join(KINDS)} (default: all)")
    parser.add_argument("--writes", type=int, default=200, help="changes of each of our processes")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between two of our changes")
    parser.add_argument("--gap", type=float, default=0.05, help="seconds between two acts of the others")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    races = []
    for kind in options.kinds or KINDS:
        crowd = 8 if kind == "crowd" else 1
        races.append(race(kind, options.writes, 0 if crowd > 1 else options.pause, options.gap, crowd))
        if not options.json:
            print("  ".join(f"{key}={value}" for key, value in to_builtins(races[-1]).items()))
    keep([to_builtins(results) for results in races])
    if options.json:
        print(json.dumps([to_builtins(results) for results in races]))
    return 1 if any(lost(results) for results in races if results.kind != "control") else 0


if __name__ == "__main__":
    sys.exit(main())
