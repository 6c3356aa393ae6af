"""What the git hooks cost a commit and a rebase, each beside the same without hooks in the same run.

    python benchmarks/writes/hooks.py                 21 commits of each kind, 3 rebases, 1,000 files
    python benchmarks/writes/hooks.py --json

The workspace has a changelog, so that the hook after a commit has something to render. Wanted: at most 200 ms for a
commit that touches the identity, 10 ms for one of other files, a second for a rebase of 40 commits. `cpu_ms` is what
the hooks take of a processor, which hardly depends on what else the machine does; `start of Python` is an interpreter
that does nothing, in the same run.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from clawgit.connect import git_hooks
from clawgit.workspace import bootstrap, changelog

KINDS = {"identity": "SOUL.md", "memory": "memory/2026-02-14.md", "other files": "src/app.py"}
STEPS = 40
OFF = ("-c", "core.hooksPath=/dev/null")


Took = tuple[float, float]
"""Milliseconds by the clock, and on a processor."""


def run(command: list[str], folder: Path, environment: dict[str, str]) -> Took:
    """Run a command and return what it took, with all that it ran."""
    before, started = spent(), time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
    return (time.perf_counter() - started) * 1000, spent() - before


def spent() -> float:
    """Return the milliseconds that processes which have ended had on a processor."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * 1000


class Ground:
    """A workspace with hooks and `files` committed notes."""

    def __init__(self, root: Path, files: int) -> None:
        self.root = root
        workspace = bootstrap.init(root).workspace
        for number in range(files):
            place = root / f"memory/{number // 500:03}/note-{number}.md"
            place.parent.mkdir(exist_ok=True)
            place.write_text(f"# Note {number}\n\n- something that was said\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "notes")
        git_hooks.install_hooks(workspace.repo, Path(sys.executable).with_name("clawgit"))
        changelog.write(workspace, changelog.changelog(workspace))
        self.count = 0

    def git(self, *arguments: str) -> Took:
        """Run git and return what it took, with all that it ran."""
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "gc.auto=0")
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        return run(["git", *identity, *arguments], self.root, environment)

    def commit(self, path: str, *options: str) -> Took:
        """Return what a commit of one new line takes."""
        self.count += 1
        place = self.root / path
        place.parent.mkdir(exist_ok=True)
        with place.open("a") as file:
            file.write(f"- line {self.count}\n")
        self.git("add", path)
        return self.git(*options, "commit", "-qm", f"line {self.count}")

    def rebase(self, *options: str) -> Took:
        """Return what it takes to move 40 commits, every second of them one of the identity."""
        self.git("checkout", "-q", "-b", "side")
        for number in range(STEPS):
            self.commit(KINDS["identity"] if number % 2 else KINDS["other files"], *OFF)
        self.git("checkout", "-q", "main")
        self.git(*OFF, "commit", "-q", "--allow-empty", "-m", "on top")
        took = self.git(*options, "rebase", "-q", "main", "side")
        self.git("checkout", "-q", "main")
        self.git("branch", "-q", "-D", "side")
        return took


def compared(ground: Ground, path: str, count: int) -> dict[str, float]:
    """Return the medians with and without hooks, taken in turns."""
    pairs = [(ground.commit(path), ground.commit(path, *OFF)) for _ in range(count)]
    return _figures([item for item, _ in pairs], [other for _, other in pairs])


def _figures(with_hooks: list[Took], without: list[Took]) -> dict[str, float]:
    (item, busy), (other, idle) = _medians(with_hooks), _medians(without)
    figures = {"with_ms": item, "without_ms": other, "hooks_ms": item - other, "cpu_ms": busy - idle}
    return {name: round(figure, 1) for name, figure in figures.items()}


def _medians(took: list[Took]) -> Took:
    clock, processor = (statistics.median(item) for item in zip(*took, strict=True))
    return clock, processor


def measured(files: int, commits: int, rebases: int) -> dict[str, dict[str, float]]:
    """Return every figure."""
    with tempfile.TemporaryDirectory(prefix="clawgit-hooks-") as folder:
        ground = Ground(Path(folder) / "workspace", files)
        results = {f"commit of {kind}": compared(ground, path, commits) for kind, path in KINDS.items()}
        pairs = [(ground.rebase(), ground.rebase(*OFF)) for _ in range(rebases)]
        results[f"rebase of {STEPS}"] = _figures([item for item, _ in pairs], [other for _, other in pairs])
        clock, processor = _medians([run([sys.executable, "-c", ""], ground.root, {}) for _ in range(commits)])
        results["start of Python"] = {"ms": round(clock, 1), "cpu_ms": round(processor, 1)}
        return results


def main() -> None:
    """Read the command line and measure."""
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--commits", type=int, default=21)
    parser.add_argument("--rebases", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = measured(options.files, options.commits, options.rebases)
    keep(results)
    if options.json:
        print(json.dumps(results))
        return
    for name, figures in results.items():
        print(f"{name:<24}" + "  ".join(f"{key} {figure:>7}" for key, figure in figures.items()))


if __name__ == "__main__":
    main()
