"""Counts what machines lose that write and sync, and what a sync costs.

    python benchmarks/sync/machines.py [--machines 3] [--writes 100] [--every 5] [--folder] [--purges 0] [--seed 1]

Each machine is a clone with the whole write path: memories, notes of a journal and edits of AGENTS.md on disk, in
random order, a sync after every few writes at a bare remote, or in a folder with --folder. At the end all sync until
nothing is new. Lost is a text that was written and stands on no machine; doubled one that stands twice in its file.

With --purges, so many times a machine purges a text that it holds, two of them perhaps before they hear of each other,
and whoever is told of a purge repeats it (the extra `purge`).
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pygit2

from benchmarks.lib.results import keep
from clawgit.errors import ClawgitError
from clawgit.memory import purge_places
from clawgit.memory.purge import purge
from clawgit.sync.synchronising import exchange, sync
from clawgit.workspace import memory_lines
from clawgit.workspace.bootstrap import init
from clawgit.workspace.workspace import Workspace, open_workspace


def git(root: Path, *arguments: str | Path) -> str:
    result = subprocess.run(["git", *map(str, arguments)], cwd=root, capture_output=True, text=True, check=True)
    return result.stdout


class Fleet:
    """Machines that meet, what each wrote, and what each sync cost."""

    def __init__(self, home: Path, count: int, *, folder: bool, seed: int = 1) -> None:
        self.home, self.random = home, Random(seed)
        self.purged: list[str] = []
        self.folder = home / "shared" if folder else None
        self.names = [f"m{number}" for number in range(count)]
        self.written: dict[str, str] = {}
        self.spent: list[float] = []
        first = home / self.names[0]
        init(first).workspace.close()
        if self.folder:
            self.folder.mkdir()
        else:
            git(home, "init", "-q", "--bare", "-b", "main", home / "hub.git")
            git(first, "remote", "add", "origin", home / "hub.git")
            git(first, "push", "-q", "origin", "main")
        for name in self.names[1:]:
            git(home, "clone", "-q", first if self.folder else home / "hub.git", home / name)

    def write(self, name: str, number: int) -> None:
        text = f"{name} wrote {number:05} of the relay in Porto"
        kind = self.random.random()
        with open_workspace(self.home / name) as workspace:
            if kind < 0.5:
                workspace.apply(memory_lines.make_addition(workspace, text).change, wait=False)
                self.written[text] = "MEMORY.md"
            elif kind < 0.9:
                workspace.apply(memory_lines.add_note(workspace, text), wait=False)
                self.written[text] = workspace.journal_path(workspace.now().date())
            else:
                place = self.home / name / "AGENTS.md"
                place.write_text(place.read_text() + f"- {text}\n")
                workspace.capture(["AGENTS.md"])
                self.written[text] = "AGENTS.md"

    def sync(self, name: str) -> bool:
        start = time.process_time()
        with open_workspace(self.home / name) as workspace:
            try:
                done = sync(workspace, exchange(workspace, None, self.folder))
                problems = done.problems
            except ClawgitError as exc:
                problems, done = (exc,), None
        self.spent.append(time.process_time() - start)
        if any(item.key in ("purged-elsewhere", "purge-revived") for item in problems):
            with open_workspace(self.home / name) as workspace, contextlib.suppress(ClawgitError):
                for text in self.purged:
                    self.purge_text(workspace, text)
            return True
        return done is None or bool(done.landed.commit or done.published)

    @staticmethod
    def purge_text(workspace: Workspace, text: str) -> None:
        purge(workspace, purge_places.find_purge_places(workspace, purge_places.read_phrase(text)), None)

    def purge(self, name: str) -> None:
        """Purge a text that stands on this machine."""
        places = {path: self.home / name / path for path in {*self.written.values()}}
        files = {path: place.read_text() if place.exists() else "" for path, place in places.items()}
        here = [text for text, path in self.written.items() if text in files[path]]
        if here:
            text = self.random.choice(here)
            with open_workspace(self.home / name) as workspace:
                self.purge_text(workspace, text)
            del self.written[text]
            self.purged.append(text)

    def left(self) -> tuple[int, int]:
        """Return how many objects hold what was purged: those that something leads to, and those that git will drop."""
        reached = loose = 0
        for name in self.names if self.purged else ():
            root = self.home / name
            led = {row.split()[0] for row in git(root, "rev-list", "--objects", "--all", "--reflog").splitlines()}
            for oid in git(root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split():
                if any(text in git(root, "cat-file", "-p", oid) for text in self.purged):
                    reached, loose = reached + (oid in led), loose + (oid not in led)
        return reached, loose

    def settle(self) -> int:
        for round_ in range(1, 20):
            news = [self.sync(name) for name in self.names]
            if not any(news):
                return round_
        return 0

    def lost(self) -> tuple[int, int]:
        texts = {name: {} for name in self.names}
        losses = doubled = 0
        for text, path in self.written.items():
            for name in self.names:
                if path not in texts[name]:
                    texts[name][path] = Counter((self.home / name / path).read_text().splitlines())
                results = [line for line in (f"- {text} #knowledge", f"- {text}", text) if texts[name][path][line]]
                losses += not results
                doubled += any(texts[name][path][line] > 1 for line in results)
        return losses, doubled


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machines", type=int, default=3)
    parser.add_argument("--writes", type=int, default=100)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--folder", action="store_true")
    parser.add_argument("--purges", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ.setdefault("GIT_CONFIG_GLOBAL", os.devnull)
    pygit2.option(pygit2.enums.Option.ENABLE_FSYNC_GITDIR, False)  # noqa: FBT003 - C's signature
    os.fsync = lambda _: None
    memory_ = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="machines-", dir=memory_) as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        fleet = Fleet(Path(folder), options.machines, folder=options.folder, seed=options.seed)
        order = [name for name in fleet.names for _ in range(options.writes)]
        fleet.random.shuffle(order)
        since = Counter[str]()
        purges = Counter(fleet.random.choices(range(len(order) // 4, len(order)), k=options.purges))
        for number, name in enumerate(order):
            fleet.write(name, number)
            for _ in range(purges[number]):
                fleet.purge(fleet.random.choice(fleet.names))
            since[name] += 1
            if since[name] >= options.every and fleet.random.random() < 0.5:
                fleet.sync(name)
                since[name] = 0
        rounds = fleet.settle()
        heads = {git(fleet.home / name, "rev-parse", "HEAD") for name in fleet.names}
        losses, doubled = fleet.lost()
        left, loose = fleet.left()
        dirty = sum(bool(git(fleet.home / name, "status", "--porcelain")) for name in fleet.names)
    figures = {
        "machines": options.machines,
        "writes": len(order),
        "through": "a folder" if options.folder else "a bare remote",
        "syncs": len(fleet.spent),
        "heads at the end": len(heads),
        "rounds until nothing is new": rounds,
        "lost": losses,
        "doubled": doubled,
        "not clean": dirty,
        "purged": len(fleet.purged),
        "objects that hold what was purged": left,
        "and that nothing leads to": loose,
        "ms of this process for a sync (median)": round(median(fleet.spent) * 1000, 1),
        "ms for the last ten": round(median(fleet.spent[-10:]) * 1000, 1),
    }
    keep(figures)
    for name, value in figures.items():
        print(f"{name}: {value}")
    return int(bool(losses or doubled or dirty or left or len(heads) > 1))


if __name__ == "__main__":
    sys.exit(main())
