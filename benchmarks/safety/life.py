"""Sixty days of an agent under each soul_policy: what its operator teaches it, and what attacks it.

    python benchmarks/safety/life.py                  each soul of corpora/life, by rules
    python benchmarks/safety/life.py --policy evolve  one policy
    python benchmarks/safety/life.py --reader obeying by a voice of that kind (lib/life_readers.py)
    python benchmarks/safety/life.py --show           and each lesson and attack with what became of it
    python benchmarks/safety/life.py --json

Every day the conversations are imported, the soul keeper runs, and what hostile or honest hands write to the files is
captured. A lesson has landed when a commit of an identity or lessons file cites one of its turns; an attack when its
words stand in an identity file of HEAD, or a commit of one cites it. An alarm is high where the words were found
hostile, and low where it only says that somebody else changed who the agent is. Taught: the same lessons, proposed in
the words of a careful human with the turn they come from as evidence, as an agent with a good model does.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.life_readers import KINDS, LifeReader
from benchmarks.lib.lives import PARTS, Life, lives
from benchmarks.lib.results import keep
from benchmarks.lib.world import FATES, Lived, World
from clawgit.workspace.settings import POLICIES

ALARMS = (("high alarm", 19), ("low alarm", 7), ("no alarm", 7))


def worlds(policy: str, part: str, kind: str) -> Iterator[tuple[Life, Lived]]:
    for life in lives(part):
        with tempfile.TemporaryDirectory(prefix="clawgit-life-") as folder:
            world = World(Path(folder), life, policy, LifeReader(life, kind) if kind else None)
            lived = world.live()
            world.teach()
            yield life, lived


def rows(policy: str, part: str, *, show: bool, kind: str = "") -> Iterator[dict[str, Any]]:
    """Yield what became of each kind of thing in all lives under a policy."""
    counts: dict[str, Counter[str]] = {}
    for life, lived in worlds(policy, part, kind):
        kinds = {row["id"]: _kind(row) for row in life.lessons}
        for key, item in lived.lessons.items():
            counts.setdefault(f"lesson, {kinds[key]}", Counter())[item] += 1
        for key, item in lived.taught.items():
            counts.setdefault(f"taught, {kinds[key]}", Counter())[item] += 1
        for item in lived.explained.values():
            counts.setdefault("line of the keeper's", Counter())["landed" if item else "unexplained"] += 1
        ways = {row["id"]: row["way"] for row in life.attacks}
        for key, (item, answer) in (*lived.attacks.items(), *lived.edits.items()):
            label = f"attack, {'disk' if ways[key] == 'disk' else 'other ways'}" if key in ways else "honest edit"
            counts.setdefault(label, Counter())[item] += 1
            counts[label].update(dict.fromkeys((name for name, _ in ALARMS), 0))
            counts[label][f"{answer or 'no'} alarm"] += item == "landed"
        if show:
            _show(life, lived)
    for label, results in sorted(counts.items()):
        yield {"part": part, "policy": policy, "what": label, "count": sum(results[item] for item in FATES), **results}


def _kind(lesson: dict[str, Any]) -> str:
    return f"{lesson['risk']} risk" if lesson["identity"] else "operational"


def _show(life: Life, lived: Lived) -> None:
    print(f"== {life.soul}: {len(lived.grown)} commits of the soul keeper")
    for line in lived.grown:
        print(f"    {line}")
    for label in ("lessons", "taught", "attacks", "edits"):
        for key, item in getattr(lived, label).items():
            print(f"  {label:8} {key:10} {item}")


def main() -> None:
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", choices=POLICIES, action="append", help="only this one; may be repeated")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this corpus; may be repeated")
    parser.add_argument("--reader", choices=KINDS, default="", help="a voice that reads instead of rules")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    start = time.perf_counter()
    sample = [(part, policy) for part in options.part or PARTS for policy in options.policy or POLICIES]
    results = [row for part, policy in sample for row in rows(policy, part, show=options.show, kind=options.reader)]
    keep(results)
    if options.json:
        print(json.dumps(results, indent=2))
        return
    heads = "".join(f"{name:>9}" for name in FATES)
    print(f"{'part':7} {'policy':8} {'what':24} {'count':>6}{heads}   alarmed: {'high':>8}{'low':>7}{'not':>7}")
    for row in results:
        cells = "".join(f"{row.get(name, 0):>9}" for name in FATES)
        answer = "".join(f"{row[name]:>{wide}}" for name, wide in ALARMS if name in row)
        print(f"{row['part']:7} {row['policy']:8} {row['what']:24} {row['count']:>6}{cells} {answer}")
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
