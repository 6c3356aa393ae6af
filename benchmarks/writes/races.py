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
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from msgspec import to_builtins
from msgspec.structs import replace

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from clawgit.errors import BusyError, ClawgitError
from clawgit.workspace import bootstrap, memory
from clawgit.workspace.workspace import open_workspace

OTHER = {f"GIT_{who}_{what}": "other@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
KINDS = ("add", "add-all", "commit-a", "stash", "checkout", "rebase", "status", "crowd", "control")
PATIENCE = 5.0  # seconds until somebody says what was meant
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


class Others:
    """Somebody who works with git in the same folder."""

    def __init__(self, root: Path, kind: str) -> None:
        self.root, self.kind = root, kind
        self.lines: list[str] = []
        self.failed: Counter[str] = Counter()
        self.acts = 0

    def git(self, *arguments: str) -> str:
        """Run git as somebody else; what fails is counted, as a person would shrug and go on."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=os.environ | OTHER, capture_output=True, text=True, check=False
        )
        self.acts += 1
        if done.returncode:
            self.failed[f"{arguments[0]}: {(done.stderr or done.stdout).strip()[:50]}"] += 1
        return done.stdout

    def prepare(self) -> None:
        """Bring the repository to a size and shape in which the loop makes sense."""
        for number in range(300):
            (self.root / f"memory/note-{number}.md").write_text(f"# Note {number}\n")
        today(self.root).write_text("# Today\n")
        (self.root / "work.md").write_text("# Work\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "base")
        if self.kind in ("checkout", "rebase"):
            self.git("checkout", "-qb", "other")
            (self.root / "other.md").write_text("other\n")
            self.git("add", "other.md")
            self.git("commit", "-qm", "other")
            self.git("checkout", "-q", "main")

    def work(self) -> None:
        """Write a line of their own."""
        self.lines.append(f"work {len(self.lines)} end\n")
        with (self.root / "work.md").open("a") as file:
            file.write(self.lines[-1])

    def stash(self) -> None:
        """Put everything away and take it back; where that conflicts, keep what was there: the stash has the rest."""
        self.work()
        self.git("stash")
        self.git("stash", "pop")
        self.resolve()

    def resolve(self) -> None:
        """Keep what is committed where a merge failed."""
        unmerged = sorted({line.split("\t")[1] for line in self.git("ls-files", "--unmerged").splitlines()})
        if unmerged:
            self.git("checkout", "-q", "--ours", "--", *unmerged)
            self.git("add", "--", *unmerged)
            self.git("reset", "-q", "--", *unmerged)

    def rebase(self) -> None:
        """Bring the other branch up to date. Where we came in between, git leaves things half done: start afresh."""
        failed = self.failed.total()
        self.git("rebase", "-q", "main", "other")
        if (self.root / ".git/rebase-merge").exists():
            self.git("rebase", "--abort")
        self.git("checkout", "-q", *(["-f"] if self.failed.total() > failed else []), "main")

    def once(self) -> None:
        """Act once."""
        acts: dict[str, Callable[[], object]] = {
            "add": lambda: (self.work(), self.git("add", "work.md"), self.git("commit", "-qm", "work")),
            "add-all": lambda: (self.work(), self.git("add", "-A"), self.git("commit", "-qm", "all")),
            "commit-a": lambda: (self.work(), self.git("commit", "-qam", "all tracked")),
            "stash": self.stash,
            "checkout": lambda: (self.git("checkout", "-q", "other"), self.git("checkout", "-q", "main")),
            "rebase": self.rebase,
            "status": lambda: self.git("status"),
        }
        acts["control"] = acts["stash"]
        acts[self.kind]()

    def finish(self) -> str:
        """Put the work tree back in order; return what is left in stashes."""
        if self.kind in ("checkout", "rebase"):
            self.git("checkout", "-q", "main")
        left = len(self.git("stash", "list").splitlines())
        return "".join(self.git("stash", "show", "-p", f"stash@{{{number}}}") for number in range(left))


def today(root: Path) -> Path:
    """Return the journal of the day."""
    return root / f"memory/{datetime.now().astimezone():%Y-%m-%d}.md"


def write(root: Path, who: str, count: int, pause: float) -> None:
    """Make `count` changes, each to the memory file, the sidecar and the journal; print how often we had to wait.

    A checkout that lost the race for HEAD leaves index and files at an older version, and writes are refused until
    somebody says what was meant: after some seconds that is done here.
    """
    workspace, busy, refused, answered = open_workspace(root), 0, 0, 0
    for number in range(count):
        since = time.monotonic()
        while True:
            try:
                added = memory.add(workspace, f"memory by {who} {number} end").change
                noted = memory.add_note(workspace, f"journal by {who} {number} end")
                workspace.apply(replace(added, edits=added.edits + noted.edits))
            except ClawgitError as exc:
                busy, refused = busy + isinstance(exc, BusyError), refused + (not isinstance(exc, BusyError))
                time.sleep(0.02)
                if "has staged changes" in exc.message and time.monotonic() - since > PATIENCE:
                    answered += keep_head(root)
                    since = time.monotonic()
            else:
                break
        time.sleep(pause)
    workspace.close()
    print(json.dumps({"busy": busy, "refused": refused, "answered": answered}))


def keep_head(root: Path) -> int:
    """Say that HEAD was meant where index and file agree on something else; return how many files that were."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False).stdout

    staged, loose = (set(git("diff", "--name-only", "-z", *more).split("\0")) - {""} for more in (("--cached",), ()))
    if paths := sorted(staged - loose):
        git("restore", "--source=HEAD", "--staged", "--worktree", "--", *paths)
    return len(paths)


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
    over = threading.Event()

    def loop() -> None:
        while not over.wait(gap):
            others.once()

    thread = threading.Thread(target=loop)
    if others.kind != "crowd":
        thread.start()
    appender = None if others.kind in ("checkout", "rebase") else _appender(others.root)
    if others.kind == "control":
        time.sleep(writes * (pause + 0.03))
    else:
        result.waits = _write_all(others.root, writes, pause, crowd)
    over.set()
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


def _write_all(root: Path, writes: int, pause: float, crowd: int) -> str:
    command = [sys.executable, __file__, "--writer", str(root), "--writes", str(writes), "--pause", str(pause)]
    writers = [
        subprocess.Popen([*command, "--name", f"w{number}"], stdout=subprocess.PIPE, text=True)
        for number in range(crowd)
    ]
    waits = Counter[str]()
    for writer in writers:
        waits.update(json.loads(writer.communicate()[0]))
    return f"ours busy {waits['busy']}, refused {waits['refused']}"


def _write_once_more(root: Path) -> None:
    """Make one more change when all is quiet: a journal that git has just put back to an older version is united."""
    with open_workspace(root) as workspace:
        workspace.apply(memory.add_note(workspace, "the race is over"))


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


def lost(found: Race) -> bool:
    """Tell whether anything is gone; a loop of stashes loses appended lines by itself."""
    counts = [value for key, value in to_builtins(found).items() if key.startswith("ours_")] + [found.theirs_missing]
    return (
        any(counts)
        or found.fsck != ""
        or (found.kind not in ("stash", "control") and found.theirs_appended_missing > 0)
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
    parser.add_argument("--writer", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--name", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.writer:
        write(asked.writer, asked.name, asked.writes, asked.pause)
        return 0
    races = []
    for kind in asked.kinds or KINDS:
        crowd = 8 if kind == "crowd" else 1
        races.append(race(kind, asked.writes, 0 if crowd > 1 else asked.pause, asked.gap, crowd))
        if not asked.json:
            print("  ".join(f"{key}={value}" for key, value in to_builtins(races[-1]).items()))
    keep([to_builtins(found) for found in races])
    if asked.json:
        print(json.dumps([to_builtins(found) for found in races]))
    return 1 if any(lost(found) for found in races if found.kind != "control") else 0


if __name__ == "__main__":
    sys.exit(main())
