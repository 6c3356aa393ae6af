"""Merges consecutive edits of real histories as if they had been made at once.

    python benchmarks/sync/real_pairs.py REPOSITORY...
    python benchmarks/sync/real_pairs.py --generated 1000   and made-up texts, of which two sides edit different lines

Of three versions of a Markdown file that follow each other in a history, the second edit is moved onto the first
version. Edits that touch lines of the first are left out, so that all pairs ought to merge, and the third version is
the right answer, as a bag of lines; what both edits add in one section stands once. Counted are lines that are missing
or too many, answers that depend on the side, and how often `git merge-file` conflicts; the time is that of one merge,
and of git's process beside it in the text. Pairs with lines too many
in which a line stood twice and each edit takes one away count, and are named by themselves as well.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.text.merge import merge
from clawgit.workspace.merge_rules import find_rule, merge_text

MOST = 400
WORDS = ("relay", "office", "Porto", "demo", "Monday", "coffee", "Ann", "budget", "port", "index", "query", "tea")


def git(root: str, *arguments: str) -> bytes:
    quiet = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    result = subprocess.run(["git", "-C", root, *arguments], capture_output=True, check=True, env=os.environ | quiet)
    return result.stdout


def versions(root: str, path: str) -> list[str]:
    """Return the texts that a file had on the first-parent line, the oldest first."""
    results: list[str] = []
    for commit in git(root, "log", "--first-parent", f"-{MOST}", "--format=%H", "--", path).decode().split():
        try:
            text = git(root, "show", f"{commit}:{path}").decode()
        except (subprocess.CalledProcessError, UnicodeDecodeError):
            continue
        if not results or results[-1] != text:
            results.append(text)
    return results[::-1]


def transplanted(v0: list[str], v1: list[str], v2: list[str]) -> list[str] | None:
    """Return the first version with the second edit alone; None where that touches lines of the first edit."""
    place: dict[int, int] = {}
    for start, other, size in SequenceMatcher(None, v0, v1, autojunk=False).get_matching_blocks():
        place |= {other + n: start + n for n in range(size)}
    edits = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, v1, v2, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        taken = [place.get(index) for index in range(i1, i2)]
        if None in taken or (taken and taken != list(range(taken[0] or 0, (taken[0] or 0) + len(taken)))):
            return None
        before = max((place[index] + 1 for index in place if index < i1), default=0)
        start = taken[0] if taken else before
        edits.append((start or 0, (start or 0) + len(taken), v2[j1:j2]))
    result = list(v0)
    for start, stop, lines in reversed(edits):
        result[start:stop] = lines
    return result


def pairs(root: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield path, base, both sides and the right answer."""
    paths = git(root, "log", "--format=", "--name-only", "--diff-filter=M", "--", "*.md").decode("utf-8", "replace")
    for path in sorted({line for line in paths.split("\n") if line and not line.startswith('"')}):
        texts = [text.splitlines(keepends=True) for text in versions(root, path)]
        for v0, v1, v2 in zip(texts, texts[1:], texts[2:], strict=False):
            theirs = transplanted(v0, v1, v2)
            if theirs is not None and theirs not in (v0, v1):
                yield path, "".join(v0), "".join(v1), "".join(theirs), "".join(v2)


def generated(count: int, seed: int) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield as many pairs of made-up edits, in the same form; the lines that two sides edit may follow each other."""
    chance = Random(seed)
    for _ in range(count):
        rows = [_row(chance) if chance.random() < 0.85 else "\n" for _ in range(chance.randint(4, 60))]
        edits: dict[int, tuple[int, list[str]]] = {}
        for index, row in enumerate(rows):
            side = chance.randrange(2)
            if row.strip() and chance.random() < 0.25:
                edits[index] = (
                    side,
                    chance.choice(([], [row, _row(chance)], [f"{row.rstrip()} {chance.random():.6f}\n"])),
                )
        texts = ["".join(_edited(rows, edits, sides)) for sides in ((), (0,), (1,), (0, 1))]
        yield "memory/made.md", texts[0], texts[1], texts[2], texts[3]


def _row(chance: Random) -> str:
    words = " ".join(chance.choices(WORDS, k=chance.randint(2, 7)))
    return f"{chance.choice(('- ', '', '  - ', '## '))}{words} {chance.randrange(10**6)}\n"


def _edited(rows: list[str], edits: dict[int, tuple[int, list[str]]], sides: tuple[int, ...]) -> Iterator[str]:
    for index, row in enumerate(rows):
        side, new = edits.get(index, (None, []))
        yield from new if side in sides else [row]


def bag(text: str) -> Counter[str]:
    """Return the lines that are not blank, those of a numbered list without their numbers."""
    return Counter(re.sub(r"^\d+[.)] ", "", line.strip()) for line in text.splitlines() if line.strip())


def conflicts(base: str, ours: str, theirs: str, folder: Path) -> bool:
    for name, text in (("ours", ours), ("base", base), ("theirs", theirs)):
        (folder / name).write_text(text)
    command = ["git", "merge-file", "-p", "-q", "ours", "base", "theirs"]
    result = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return result.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*")
    parser.add_argument("--generated", type=int, default=0)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    sources = {root: pairs(root) for root in options.repositories}
    if options.generated:
        sources["generated"] = generated(options.generated, options.seed)
    if not sources:
        parser.error("name a repository, or --generated")
    counts: Counter[str] = Counter(missing=0, extra=0)
    spent: list[float] = []
    peer: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for root, all_rows in sources.items():
            for path, base, ours, theirs, right in all_rows:
                counts["pairs"] += 1
                start = time.process_time()
                results = merge_text(path, base, ours, theirs).text if find_rule(path) in ("rows", "lines") else None
                spent.append(time.process_time() - start)
                start = time.process_time()
                merge(base, ours, theirs)
                peer.append(time.process_time() - start)
                if results is None:
                    counts["not merged by rule (SOUL, IDENTITY)"] += 1
                    continue
                counts["git conflicts"] += conflicts(base, ours, theirs, Path(folder))
                twice = (bag(ours) - bag(base)) & (bag(theirs) - bag(base))
                missing, extra = bag(right) - bag(results) - twice, bag(results) - bag(right)
                counts["missing"] += bool(missing)
                is_twin = bool((bag(base) - bag(ours)) & (bag(base) - bag(theirs)))
                counts["extra"] += bool(extra)
                counts["of these, lines that stood twice"] += bool(extra) and is_twin
                counts["order-dependent"] += merge_text(path, base, theirs, ours).text != results
                if missing or extra:
                    print(f"{root} {path}: missing {list(missing)[:2]}, extra {list(extra)[:2]}")
    figures = {**counts, "ms a file (median)": round(median(spent) * 1000, 2), "ms (most)": round(max(spent) * 1000, 1)}
    figures |= {"ms of the merge by entry (median)": round(median(peer) * 1000, 2)}
    keep(figures)
    print(figures)
    return int(bool(counts["missing"] or counts["order-dependent"]))


if __name__ == "__main__":
    sys.exit(main())
