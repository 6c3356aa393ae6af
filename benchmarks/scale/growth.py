"""Grows an identity through 10,000 commits, and holds every command of its growth against git.

    python benchmarks/scale/growth.py                       10,000 commits, 600 of them to SOUL.md
    python benchmarks/scale/growth.py --commits 300 --touching 60 --samples 5 --json

Who writes: an operator with git, an agent with `git add -A`, clawgit, and merges, one kind of them solved by hand.
Commands are whole processes, times medians of the same run. `wrong` counts what is not as git has it.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import datetime, timedelta
from itertools import zip_longest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from benchmarks.scale.growing import HOURS, Growth
from benchmarks.scale.growth_times import timed
from benchmarks.scale.histories import git

PROGRAM = str(Path(sys.executable).with_name("clawgit"))
DAYS = 90
ZONE = datetime.now().astimezone().tzinfo
HEAD_OF_A_LINE = re.compile(r"[0-9a-f]{40} \d+ \d+")
Found = dict[str, int]


class Held:
    """A grown workspace and its history as git lists it; each method proves one command, and counts what is wrong."""

    def __init__(self, root: Path, chance: random.Random, samples: int) -> None:
        """Take the list of git that everything is held against; `samples` versions and days are tried."""
        self.root, self.chance, self.samples = root, chance, samples
        self.head = git(root, "rev-parse", "HEAD").strip()
        self.listed = git(root, "log", "--format=%H", "--", "SOUL.md").split()
        self.versions = [oid for oid in self.listed if self.at(oid) is not None]

    def run(self, *words: str, fine: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
        """Run clawgit."""
        result = subprocess.run([PROGRAM, *words], cwd=self.root, capture_output=True, encoding="utf-8", check=False)
        if result.returncode not in fine:
            raise SystemExit(f"clawgit {' '.join(words)}: exit {result.returncode}\n{result.stderr}")
        return result

    def asked(self, *words: str):
        """Return what clawgit answers in JSON."""
        return json.loads(self.run(*words, "--json").stdout)

    def at(self, oid: str) -> bytes | None:
        """Return SOUL.md as git shows it at a commit."""
        result = subprocess.run(["git", "show", f"{oid}:SOUL.md"], cwd=self.root, capture_output=True, check=False)
        return None if result.returncode else result.stdout

    def log(self) -> Found:
        """Hold the list against that of git; `--follow` also has what a merge left without a trace."""
        ours = [row["commit"] for row in self.asked("soul", "log")]
        followed = git(self.root, "log", "--follow", "--format=%H", "--", "SOUL.md").split()
        traceless = len({*followed} - {*ours})
        wrong = sum(item != other for item, other in zip_longest(ours, self.listed))
        return {"tried": len(ours), "wrong": wrong, "more with --follow": traceless}

    def history(self) -> Found:
        """Expect every version of 90 days, and before that the last of each month."""
        ours = [row["commit"] for row in self.asked("log", "--versions")]
        limit = datetime.now().astimezone() - timedelta(days=DAYS)
        dated = [(self.date(oid), oid) for oid in self.versions]
        dated.sort(reverse=True)
        last: dict[str, str] = {}
        for moment, oid in dated:
            last.setdefault(f"{moment:%Y-%m}", oid)
        expected = {oid for moment, oid in dated if moment >= limit or oid in last.values()}
        return {"tried": len(expected), "wrong": len(expected ^ {*ours}) + len(ours) - len({*ours})}

    def date(self, oid: str) -> datetime:
        """Return when a commit was written."""
        return datetime.fromisoformat(git(self.root, "show", "-s", "--format=%aI", oid).strip()).astimezone(ZONE)

    def show(self) -> Found:
        """Show versions by commit and by day."""
        oids = self.chance.sample(self.versions, min(self.samples, len(self.versions)))
        wrong = sum(self.run("soul", "show", "--as-of", oid).stdout.encode() != self.at(oid) for oid in oids)
        days = self.days(self.samples)
        output = [self.run("soul", "show", "--as-of", day, fine=(0, 1)).stdout.encode() or None for day in days]
        wrong += sum(ours != self.on(day) for ours, day in zip(output, days, strict=True))
        return {"tried": len(oids) + len(days), "wrong": wrong}

    def days(self, count: int) -> list[str]:
        """Return days of which a fifth lie before the first commit."""
        now = datetime.now().astimezone()
        within = [self.chance.randint(0, HOURS // 24 - 2) for _ in range(count - count // 5)]
        earlier = [HOURS // 24 + self.chance.randint(40, 300) for _ in range(count // 5)]
        return [f"{now - timedelta(days=back):%Y-%m-%d}" for back in (*within, *earlier)]

    def on(self, day: str) -> bytes | None:
        """Return SOUL.md as it was at the end of a day, by git's own search."""
        until = f"--before={day} 23:59:59 {datetime.now(ZONE):%z}"
        oid = git(self.root, "rev-list", "-1", "--first-parent", until, "HEAD", "--").strip()
        return self.at(oid) if oid else None

    def diff(self) -> Found:
        """Follow a diff from the one version, line by line, and arrive at the other."""
        pairs = [self.chance.sample(self.versions, 2) for _ in range(self.samples // 2)]
        return {"tried": len(pairs), "wrong": sum(not self._leads(*pair) for pair in pairs)}

    def _leads(self, first: str, second: str) -> bool:
        old, new = ((self.at(oid) or b"").decode().splitlines() for oid in (first, second))
        rows: list[str] = []
        done = 0
        for hunk in self.asked("soul", "diff", first, second)["hunks"]:
            rows += old[done : hunk["old_start"] - 1]
            rows += [line["text"] for line in hunk["lines"] if line["op"] in " +"]
            done = hunk["old_start"] - 1 + sum(line["op"] in " -" for line in hunk["lines"])
        return [*rows, *old[done:]] == new

    def blame(self) -> Found:
        """Hold the commit of each line against `git blame -w -M`."""
        ours = [row["commit"] for row in self.asked("soul", "blame")]
        porcelain = git(self.root, "blame", "-w", "-M", "--line-porcelain", "SOUL.md").splitlines()
        theirs = [row[:40] for row in porcelain if HEAD_OF_A_LINE.match(row)]
        wrong = sum(item != other for item, other in zip(ours, theirs, strict=False)) + abs(len(ours) - len(theirs))
        return {"tried": len(ours), "wrong": wrong}

    def changelog(self) -> Found:
        """Find every commit of the log in it; `--check` agrees, and no longer after one more."""
        self.run("changelog")
        self.run("changelog", "--check")
        text = (self.root / "CHANGELOG.md").read_text("utf-8")
        wrong = sum(f"- commit: `{oid[:10]}`" not in text for oid in self.listed)
        with (self.root / "SOUL.md").open("a") as file:
            file.write("- one more\n")
        git(self.root, "commit", "-qam", "more")
        wrong += self.run("changelog", "--check", fine=(0, 3)).returncode != 3
        self.back()
        return {"tried": len(self.listed) + 1, "wrong": wrong}

    def back(self) -> None:
        """Put everything as it was."""
        git(self.root, "reset", "-q", "--hard", self.head)

    def revert(self) -> Found:
        """Take back older changes: every later line stands, or it refuses and every byte is as it was."""
        single = ("--no-merges", "--min-parents=1")
        older = git(self.root, "log", *single, "--format=%H", "--", "SOUL.md").split()[10:]
        names = self.chance.sample(older, min(2 * self.samples, len(older)))
        results = Counter(what for name in names for what in self._reverted(name))
        return {"tried": len(names), **results, "wrong": results["wrong"]}

    def _reverted(self, oid: str) -> tuple[str, ...]:
        now = (self.root / "SOUL.md").read_bytes()
        result = self.run("soul", "revert", oid, fine=(0, 1))
        text = (self.root / "SOUL.md").read_bytes()
        landed = result.returncode == 0
        head = git(self.root, "rev-parse", "HEAD").strip()
        self.back()
        before, after = (rows(self.at(name) or b"") for name in (f"{oid}^", oid))
        if landed:
            missing = rows(now) - (after - before) - rows(text)
            come = rows(text) - rows(now) - (before - after)
            fine = not missing and not come and head != self.head
        else:
            fine = text == now and head == self.head
            standing = after - before and not (after - before) - rows(now)
        patch = git(self.root, "diff", oid, f"{oid}^", "--", "SOUL.md").encode()
        theirs = subprocess.run(
            ["git", "apply", "--3way"], cwd=self.root, input=patch, capture_output=True, check=False
        )
        self.back()
        return (
            "landed" if landed else "nothing left" if "already undone" in result.stderr else "refused",
            *(("landed by git",) if theirs.returncode == 0 else ()),
            *(() if fine else ("wrong",)),
            *(("refused though it stands",) if not landed and standing else ()),
        )

    def restore(self) -> Found:
        """Restore what git has of a day; where nothing would change, or nothing was, it says so."""
        wrong = 0
        for day in self.days(self.samples):
            expected = self.on(day)
            now = (self.root / "SOUL.md").read_bytes()
            result = self.run("restore", "SOUL.md", "--as-of", day, fine=(0, 1))
            wrong += (self.root / "SOUL.md").read_bytes() != (now if expected is None else expected)
            wrong += result.returncode != int(expected in (None, now))
            self.back()
        return {"tried": self.samples, "wrong": wrong}


def rows(data: bytes) -> Counter[str]:
    """Return the lines that say something, each as often as it stands."""
    return Counter(row for row in data.decode().splitlines() if row.strip())


def proved(root: Path, samples: int) -> dict[str, Found]:
    """Return for each command what was tried, and how much of it is not as git has it."""
    held = Held(root, random.Random(5), samples)
    return {
        "log": held.log(),
        "history": held.history(),
        "show --as-of": held.show(),
        "diff": held.diff(),
        "blame": held.blame(),
        "changelog": held.changelog(),
        "revert": held.revert(),
        "restore": held.restore(),
    }


def main() -> None:
    """Read the command line, grow, prove and time."""
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--touching", type=int, default=600)
    parser.add_argument("--samples", type=int, default=30, help="versions and days to try; twice as many reverts")
    parser.add_argument("--rounds", type=int, default=7, help="of timing; 0 for none")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="clawgit-growth-") as folder:
        growth = Growth(Path(folder) / "workspace", options.commits, options.touching, datetime.now().astimezone())
        growth.grow()
        results = {
            "commits": int(git(growth.root, "rev-list", "--count", "HEAD")),
            "by": growth.by,
            "proved": proved(growth.root, options.samples),
            "times": timed(growth.root, options.rounds) if options.rounds else {},
        }
    keep(results)
    print(json.dumps(results) if options.json else table(results))


def table(results: dict) -> str:
    """Return everything in 80 columns."""
    person = ", ".join(f"{name} {count}" for name, count in sorted(results["by"].items()))
    lines = [f"{results['commits']} commits; to SOUL.md: {person}", ""]
    lines += [f"{'as git has it':<22}{'tried':>8}{'wrong':>8}"]
    for name, row in results["proved"].items():
        more = ", ".join(f"{key} {count}" for key, count in row.items() if key not in ("tried", "wrong"))
        lines.append(f"{name:<22}{row['tried']:>8}{row['wrong']:>8}  {more}")
    lines += ["", f"{'milliseconds':<22}{'clawgit':>8}{'git':>8}{'ratio':>8}"]
    lines += [
        f"{name:<22}{ours:>8.0f}{theirs:>8.0f}{ours / theirs:>8.1f}"
        for name, (ours, theirs) in results["times"].items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
