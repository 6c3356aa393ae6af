"""How many right claims the checks of a reader's answer let pass, and how many wrong ones.

    python benchmarks/memory/claims.py               the parts of corpora/claims.*.toml, by code alone
    python benchmarks/memory/claims.py --show tune   and each miss of one part
    python benchmarks/memory/claims.py --judge WORK  with the judge, as far as answers are recorded
    python benchmarks/memory/claims.py --judge WORK --honest   of right claims alone: how often it passes a canary

Claims of the kind `support` are right in all that code can see; they are the matter of the judge. `--judge` writes its
prompts for each part, seven messages in one with all that code lets pass of them, to WORK/PART/asked; who puts the
answers into WORK/PART/answers, under the same names, and calls this again, sees what would land.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import claims
from benchmarks.lib.claims import Claim
from clawgit.reading import judge
from clawgit.reading.checks import Checked
from clawgit.reading.judge import Call

PARTS = ("tune", "held-out", "fresh", "fourth", "fifth", "sixth", "seventh")
SEALED = ("sixth", "seventh")
"""Parts that nobody tunes on: totals alone."""
_MESSAGES = 7
"""Messages of one call."""

Rows = Sequence[tuple[Claim, Checked]]


def fits(checked: Checked) -> bool:
    return checked[0].state == "landed"


def by_code(part: str, rows: Rows, *, show: bool) -> None:
    """Print what code lets pass."""
    if show and part not in SEALED:
        for item, checked in rows:
            if fits(checked) != (item.kind in {"good", "support"}):
                print(f"{item.language} {item.kind}: {item.text} | {item.batch.turns[-1].text} | {checked[0].why}")
    answer = []
    for kinds, name in (({"good"}, "good that fit"), ({"support"}, "only the judge sees")):
        group = [checked for item, checked in rows if item.kind in kinds]
        answer.append(f"{name} {sum(map(fits, group))} of {len(group)}")
    bad = [checked for item, checked in rows if item.kind not in {"good", "support"}]
    answer.append(f"bad that fit {sum(map(fits, bad))} of {len(bad)}")
    print(f"{part}: {', '.join(answer)}")


def calls(part: str, rows: Rows) -> Iterator[tuple[list[int], Call]]:
    """Yield the calls of the judge over what code lets pass, each with the places of its claims."""
    messages: dict[int, list[int]] = {}
    for index, (item, checked) in enumerate(rows):
        if fits(checked) and checked[1]:
            messages.setdefault(id(item.batch), []).append(index)
    groups = list(messages.values())
    random.Random(5).shuffle(groups)
    for first in range(0, len(groups), _MESSAGES):
        places = [index for group in groups[first : first + _MESSAGES] for index in group]
        yield places, judge.make_call([claim for index in places if (claim := rows[index][1][1])], (), f"{part}{first}")


def judged(part: str, rows: Rows, work: Path) -> None:
    """Write the prompts of a part, and print what would land by the answers that are there."""
    question, answers = work / part / "asked", work / part / "answers"
    question.mkdir(parents=True, exist_ok=True)
    landed = {index for index, (_, checked) in enumerate(rows) if fits(checked) and checked[1] is None}
    open_: set[int] = set()
    passed = 0
    for number, (places, call) in enumerate(calls(part, rows)):
        name = f"{number:02}.txt"
        (question / name).write_text(f"{call.rules}\n\n{call.text}\n", "utf-8")
        if not (answers / name).exists():
            open_.update(places)
            continue
        degrees = judge.read_degrees((answers / name).read_text("utf-8"))
        wholly = {pair for n, pair in enumerate(call.pairs, 1) if degrees.get(n) == "wholly"}
        passed += bool(wholly & call.canaries)
        landed |= {index for index in places if (claim := rows[index][1][1]) and claim.pair in wholly}
    for kinds, name in ((("good",), "good"), (tuple({item.kind for item, _ in rows} - {"good"}), "wrong")):
        group = [index for index, (item, _) in enumerate(rows) if item.kind in kinds and index not in open_]
        print(
            f"{part}: {name} that land {len(landed & set(group))} of {len(group)}; {len(open_)} claims are not judged"
        )
    print(f"{part}: {passed} calls passed a canary")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", choices=PARTS)
    parser.add_argument("--judge", type=Path, metavar="WORK")
    parser.add_argument("--honest", action="store_true")
    options = parser.parse_args(argv)
    for part in PARTS:
        rows = [(item, item.checked) for item in claims.load(part) if item.kind == "good" or not options.honest]
        if options.judge:
            judged(part, rows, options.judge)
        else:
            by_code(part, rows, show=options.show == part)


if __name__ == "__main__":
    main()
