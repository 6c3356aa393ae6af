"""What an audit of one long memory file costs, beside git's blame of it.

    python benchmarks/scale/audit_growth.py                       1,000, 3,000 and 10,000 entries in one section
    python benchmarks/scale/audit_growth.py --entries 500 --json

Entries are sentences of few words that all differ in a number and a date: the case where many are nearly alike.
"""

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from benchmarks.scale.large import pair, run_clawgit, run_git

WORDS = (
    ["Anna", "Ben", "Carla", "David", "Eva", "Finn", "Greta", "Hugo", "Ines", "Jonas"],
    ["runs", "owns", "watches", "built", "moved", "restarted", "documented"],
    ["staging", "production", "nightly", "billing", "mail", "build", "metrics", "backup"],
    ["server", "cluster", "database", "queue", "bucket", "proxy", "dashboard", "pipeline"],
)


def memory_file(entries: int, seed: int = 7) -> Iterator[str]:
    """Yield the lines of a memory file with one section."""
    chance = random.Random(seed)
    yield "# Memory\n\n## Services\n\n"
    for number in range(entries):
        person, does, which, what = map(chance.choice, WORDS)
        day = f"2026-{chance.randint(1, 11):02}-{chance.randint(1, 28):02}"
        yield f"- {person} {does} the {which} {what} on port {1000 + number} since {day}. #knowledge\n"


def measured(entries: int, rounds: int) -> dict[str, float]:
    """Return the medians of `clawgit audit` and `git blame`, in milliseconds, and their ratio."""
    with tempfile.TemporaryDirectory(prefix="clawgit-audit-") as folder:
        root = Path(folder)
        (root / "MEMORY.md").write_text("".join(memory_file(entries)))
        (root / "SOUL.md").write_text("# Soul\n\nI am kind.\n")
        run_clawgit(root, "adopt")
        return pair(lambda: run_clawgit(root, "audit", "--json"), lambda: run_git(root, "blame", "MEMORY.md"), rounds)


def main() -> None:
    """Read the command line and measure."""
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, nargs="*", default=[1000, 3000, 10_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = {str(number): measured(number, options.rounds) for number in options.entries}
    keep(results)
    if options.json:
        print(json.dumps(results))
        return
    for number, row in results.items():
        print(f"{number:>8} entries  {row['ms'] / 1000:6.2f} s   git blame {row['git_ms'] / 1000:6.2f} s")


if __name__ == "__main__":
    main()
