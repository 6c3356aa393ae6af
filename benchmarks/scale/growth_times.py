"""Times each command of an identity's growth beside what one would type with git alone."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.scale.histories import git

PROGRAM = str(Path(sys.executable).with_name("clawgit"))
LINE = "- Say it in one sentence."
APPEND = f"echo '{LINE}' >> SOUL.md"
COMMIT = "git commit -qam x"
PATHS = "SOUL.md IDENTITY.md USER.md AGENTS.md TOOLS.md HEARTBEAT.md BOOTSTRAP.md"


def timed(root: Path, rounds: int) -> dict[str, tuple[float, float]]:
    """Return the milliseconds of each command and of its peer, medians of `rounds` taken in turns."""
    head = git(root, "rev-parse", "HEAD").strip()
    paths = git(root, "log", "--no-merges", "--format=%H", "--", "SOUL.md").split()
    old, day = paths[len(paths) // 2], git(root, "show", "-s", "--format=%as", paths[len(paths) // 2]).strip()
    rows = (root / "SOUL.md").read_text("utf-8").splitlines()
    section = next(row[3:] for row in rows if row.startswith("## "))
    results: dict[str, tuple[float, float]] = {}
    for name, (first, ours, theirs) in _pairs(old, paths[0], day, section).items():
        mine, peers = [], []
        for _ in range(rounds + 1):
            for words, times in ((f"{PROGRAM} {ours}", mine), (theirs, peers)):
                _run(root, first)
                times.append(_took(lambda words=words: _run(root, words)))
                _run(root, f"git reset -q --hard {head}")
        results[name] = (median(mine[1:]), median(peers[1:]))
    return results


def _pairs(old: str, newest: str, day: str, section: str) -> dict[str, tuple[str, str, str]]:
    """Return for each command what comes first, the command, and its peer."""
    then = f"$(git rev-list -1 --first-parent --before='{day} 23:59:59' HEAD)"
    return {
        "capture": (APPEND, "capture", COMMIT),
        "soul edit": (
            "true",
            f"soul edit --add '{LINE[2:]}' --section '{section}' --why asked",
            f"{APPEND} && {COMMIT}",
        ),
        "soul log": ("true", "soul log", "git log -- SOUL.md"),
        "soul log -n 20": ("true", "soul log -n 20", "git log -n 20 -- SOUL.md"),
        "soul diff A B": ("true", f"soul diff {old} HEAD", f"git diff --word-diff {old} HEAD -- SOUL.md"),
        "soul show --as-of": ("true", f"soul show --as-of {day}", f"git show {then}:SOUL.md"),
        "soul blame": ("true", "soul blame", "git blame -w -M SOUL.md"),
        "log --versions": ("true", "log --versions", "git log --format='%h %ad' -- SOUL.md"),
        "soul revert": (
            "true",
            f"soul revert {newest}",
            f"git diff {newest} {newest}^ -- SOUL.md | git apply --3way && {COMMIT}",
        ),
        "restore --as-of": (
            "true",
            f"restore SOUL.md --as-of {day}",
            f"git checkout -q {then} -- SOUL.md && {COMMIT}",
        ),
        "changelog": ("rm -f CHANGELOG.md", "changelog", f"git log --name-only -- {PATHS}"),
        "changelog --check": (f"{PROGRAM} changelog", "changelog --check", f"git log --name-only -- {PATHS}"),
    }


def _run(root: Path, words: str) -> None:
    result = subprocess.run(["sh", "-c", words], cwd=root, capture_output=True, encoding="utf-8", check=False)
    if result.returncode:
        raise SystemExit(f"{words}: exit {result.returncode}\n{result.stderr}")


def _took(act: Callable[[], object]) -> float:
    started = perf_counter()
    act()
    return (perf_counter() - started) * 1000
