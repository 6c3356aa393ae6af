"""Times the guard of a server: how long a push of ten commits is looked at, beside git without a guard.

    python benchmarks/fleet/push.py [--commits 10] [--entries 2000] [--times 15]

A workspace with so many memories in its file, a bare repository with clawgit's hooks, and as many commits as are said,
each with a journal note, an edited memory and the rows that go with them. Told is the median of the wall time of
pre-receive by itself, of post-receive, and of the whole push with and without them, and the processor time of the
first.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.connect import git_hooks
from clawgit.git.repository import find_bare
from tests import moulds

PROGRAM = Path(sys.executable).with_name("clawgit")


def git(root: Path, *arguments: str | Path) -> str:
    result = subprocess.run(["git", *map(str, arguments)], cwd=root, capture_output=True, text=True, check=True)
    return result.stdout.strip()


def history(home: Path, commits: int, entries: int) -> Path:
    """Return a workspace whose branch has so many commits that `origin` lacks."""
    root = moulds.managed(home / "ws", "# Soul\n\n- Be kind.\n")
    rows = [f"- Fact {number} is about the relay in Porto and what Ines said of it." for number in range(entries)]
    (root / "MEMORY.md").write_text("# Memory\n\n" + "\n".join(rows) + "\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "memories")
    git(home, "clone", "-q", "--bare", root, home / "hub.git")
    (root / "memory").mkdir(exist_ok=True)
    for number in range(commits):
        rows[number * 7 % entries] += " It changed since."
        (root / "MEMORY.md").write_text("# Memory\n\n" + "\n".join(rows) + "\n")
        (root / f"memory/2026-03-{number % 28 + 1:02}.md").write_text(f"# Day\n\n- Met Ines, number {number}.\n" * 5)
        git(root, "add", "-A")
        git(root, "commit", "-qm", f"change {number}")
    return root


def spent(command: list[str | Path], cwd: Path, answer: str) -> tuple[float, float]:
    """Return the wall and the processor seconds of a command."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, cwd=cwd, input=answer.encode(), capture_output=True, check=True)
    wall, after = time.perf_counter() - start, os.times()
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=10)
    parser.add_argument("--entries", type=int, default=2000)
    parser.add_argument("--times", type=int, default=15)
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="clawgit-push-"))
    os.environ.update(HOME=str(home), XDG_STATE_HOME=str(home / "state"))
    try:
        root = history(home, options.commits, options.entries)
        new = git(root, "rev-parse", "HEAD")
        whole: dict[str, list[float]] = {"plain": [], "guarded": []}
        guard, work, after = [], [], []
        for _ in range(options.times):
            for kind, times in whole.items():
                hub = home / f"{kind}.git"
                shutil.rmtree(hub, ignore_errors=True)
                shutil.copytree(home / "hub.git", hub)
                if kind == "guarded":
                    git_hooks.install_server_hook(find_bare(hub), PROGRAM)
                times.append(spent(["git", "push", "-q", hub, "HEAD:refs/clawgit/heads/kkkkkkkk"], root, "")[0])
            hub = home / "alone.git"
            shutil.rmtree(hub, ignore_errors=True)
            shutil.copytree(home / "hub.git", hub)
            old = git(hub, "rev-parse", "refs/heads/main")
            git(hub, "fetch", "-q", root, "HEAD")
            line = f"{'0' * 40} {new} refs/clawgit/heads/kkkkkkkk\n"
            wall, cpu = spent([PROGRAM, "hook", "run", "pre-receive"], hub, line)
            guard.append(wall)
            work.append(cpu)
            git(hub, "update-ref", "refs/clawgit/heads/kkkkkkkk", new)
            after.append(spent([PROGRAM, "hook", "run", "post-receive"], hub, line)[0])
            assert git(hub, "rev-parse", "refs/heads/main") == new != old
    finally:
        shutil.rmtree(home, ignore_errors=True)
    figures = {
        "commits": options.commits,
        "guard_ms": round(1000 * median(guard)),
        "guard_processor_ms": round(1000 * median(work)),
        "merge_ms": round(1000 * median(after)),
        "push_guarded_ms": round(1000 * median(whole["guarded"])),
        "push_plain_ms": round(1000 * median(whole["plain"])),
    }
    for name, value in figures.items():
        print(f"{name:28} {value}")
    keep(figures)


if __name__ == "__main__":
    main()
