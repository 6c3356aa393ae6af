"""Undoes each of the last commits of a real history, against the newest version of its files.

    python benchmarks/sync/undo_real.py REPOSITORY... [--commits 200]

For each of the last commits that changed Markdown, and each file that it changed, its change is taken out of the newest
version of that file, as `clawgit undo` does it. An undo is either refused, with the file untouched, or it keeps each
line that the newest version has and the commit did not add, and brings back no line that the commit did not remove.
Counted are files: undone, refused, undone before; lines lost, and lines too many.
"""

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.text.merge import revert
from clawgit.text.unit import fold_line


def git(root: str, *arguments: str) -> str:
    result = subprocess.run(["git", "-C", root, *arguments], capture_output=True, check=False)
    return result.stdout.decode("utf-8", "replace")


def lines(text: str) -> Counter[str]:
    """Return what the lines of a text say, blank ones apart."""
    return Counter(fold_line(line) for line in text.split("\n") if line.strip())


def undo(root: str, commit: str, path: str, figures: Counter[str]) -> None:
    before, after, now = (git(root, "show", f"{rev}:{path}") for rev in (f"{commit}^", commit, "HEAD"))
    if not after or not now:
        figures["file gone"] += 1
        return
    result = revert(before, after, now)
    if result.conflicts:
        figures["refused"] += 1
        return
    figures["undone before" if result.text == now else "undone"] += 1
    addition, removed = lines(after) - lines(before), lines(before) - lines(after)
    losses = (lines(now) - addition) - lines(result.text)
    many = (lines(result.text) - lines(now)) - removed
    if losses or many:
        print(f"{Path(root).parent.name} {commit[:10]} {path}: lost {list(losses)[:2]}, too many {list(many)[:2]}")
    figures["lines lost"] += losses.total()
    figures["lines too many"] += many.total()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--commits", type=int, default=200)
    options = parser.parse_args()
    figures = Counter(commits=0)
    for root in options.repositories:
        listed = git(root, "log", "--no-merges", f"-{options.commits}", "--format=%H", "--", "*.md").split()
        for commit in listed:
            names = git(
                root, "diff-tree", "--no-commit-id", "--name-only", "-r", "--diff-filter=M", commit, "--", "*.md"
            )
            paths = [path for path in names.split("\n") if path and not path.startswith('"')]
            figures["commits"] += bool(paths)
            for path in paths:
                undo(root, commit, path, figures)
    keep(dict(figures))
    print(dict(figures))
    return bool(figures["lines lost"] or figures["lines too many"])


if __name__ == "__main__":
    sys.exit(main())
