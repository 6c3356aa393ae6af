"""Those who write at once: somebody with git in the same folder, and processes of our own.

python benchmarks/lib/rivals.py FOLDER WRITES PAUSE NAME    is one of ours
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from clawgit.errors import BusyError, ClawgitError
from clawgit.workspace import memory_lines
from clawgit.workspace.workspace import open_workspace

OTHER = {
    f"GIT_{person}_{what}": "other@example.org" for person in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}
PATIENCE = 5.0  # seconds until somebody says what was meant


class Others:
    """Somebody who works with git in the same folder."""

    def __init__(self, root: Path, kind: str) -> None:
        self.root, self.kind = root, kind
        self.lines: list[str] = []
        self.failed: Counter[str] = Counter()
        self.acts = 0

    def git(self, *arguments: str) -> str:
        """Run git as somebody else; what fails is counted, as a person would shrug and go on."""
        result = subprocess.run(
            ["git", *arguments], cwd=self.root, env=os.environ | OTHER, capture_output=True, text=True, check=False
        )
        self.acts += 1
        if result.returncode:
            self.failed[f"{arguments[0]}: {(result.stderr or result.stdout).strip()[:50]}"] += 1
        return result.stdout

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


def write_all(root: Path, writes: int, pause: float, crowd: int) -> str:
    """Have so many of our own processes write at once; return how often they had to wait."""
    command = [sys.executable, __file__, str(root), str(writes), str(pause)]
    writers = [subprocess.Popen([*command, f"w{number}"], stdout=subprocess.PIPE, text=True) for number in range(crowd)]
    waits = Counter[str]()
    for writer in writers:
        waits.update(json.loads(writer.communicate()[0]))
    return f"ours busy {waits['busy']}, refused {waits['refused']}"


def write(root: Path, person: str, count: int, pause: float) -> None:
    """Make `count` changes, each to the memory file, the sidecar and the journal; print how often we had to wait.

    A checkout that lost the race for HEAD leaves index and files at an older version, and writes are refused until
    somebody says what was meant: after some seconds that is done here.
    """
    workspace, busy, refused, answered = open_workspace(root), 0, 0, 0
    for number in range(count):
        since = time.monotonic()
        while True:
            try:
                addition = memory_lines.make_addition(workspace, f"memory by {person} {number} end").change
                note = memory_lines.add_note(workspace, f"journal by {person} {number} end")
                workspace.apply(replace(addition, edits=addition.edits + note.edits))
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


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[4], int(sys.argv[2]), float(sys.argv[3]))
