"""How many right claims the checks of a reader's answer let pass, and how many wrong ones.

    python benchmarks/memory/claims.py               the parts of corpora/claims.*.toml, by code alone
    python benchmarks/memory/claims.py --show tune   and each miss of one part
    python benchmarks/memory/claims.py --judge WORK  with the call of support, as far as answers are recorded

Claims of the kind `support` are right in all that code can see; they are the matter of the call of support. `--judge`
writes the prompts of that call for each part, seven messages in one with all that code lets pass of them, to
WORK/PART/asked; who puts the answers into WORK/PART/answers, under the same names, and calls this again, sees what
would land.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "agents"))
from protocol import claims
from protocol.claims import Claim

from clawgit.agents.protocol import support_call
from clawgit.agents.protocol.check_result import Checked, Ground
from clawgit.agents.protocol.support_call import SupportCall

PARTS = ("tune", "held-out", "fresh", "fourth", "fifth", "sixth", "seventh")
_MESSAGES = 7
"""Messages of one call."""

Rows = Sequence[tuple[Claim, Checked]]


def by_code(part: str, rows: Rows, *, show: bool) -> None:
    """Print what code lets pass."""
    if show:
        for one, checked in rows:
            if (checked.state == "fits") != (one.kind in {"good", "support"}):
                print(f"{one.language} {one.kind}: {one.text} | {one.batch.turns[-1].text} | {checked.why}")
    told = []
    for kinds, name in (({"good"}, "good that fit"), ({"support"}, "only support sees")):
        some = [checked for one, checked in rows if one.kind in kinds]
        told.append(f"{name} {sum(one.state == 'fits' for one in some)} of {len(some)}")
    bad = [checked for one, checked in rows if one.kind not in {"good", "support"}]
    told.append(f"bad that fit {sum(one.state == 'fits' for one in bad)} of {len(bad)}")
    print(f"{part}: {', '.join(told)}")


def calls(part: str, rows: Rows) -> Iterator[tuple[list[int], SupportCall]]:
    """Yield the calls of support over what code lets pass, each with the places of its claims."""
    messages: dict[int, list[int]] = {}
    for at, (one, checked) in enumerate(rows):
        if checked.state == "fits":
            messages.setdefault(id(one.batch), []).append(at)
    groups = list(messages.values())
    random.Random(5).shuffle(groups)
    for first in range(0, len(groups), _MESSAGES):
        places = [at for group in groups[first : first + _MESSAGES] for at in group]
        random.Random(first).shuffle(places)
        ground = Ground(direct=frozenset((claims.SESSION,)))
        yield places, support_call.material([rows[at][1] for at in places], ground, f"{part}{first}")


def judged(part: str, rows: Rows, work: Path) -> None:
    """Write the prompts of a part, and print what would land by the answers that are there."""
    asked, answers = work / part / "asked", work / part / "answers"
    asked.mkdir(parents=True, exist_ok=True)
    found = dict(enumerate(checked for _, checked in rows))
    open_: set[int] = set()
    for number, (places, call) in enumerate(calls(part, rows)):
        name = f"{number:02}.txt"
        (asked / name).write_text(f"{call.rules}\n\n{call.text}\n", "utf-8")
        if not (answers / name).exists():
            open_.update(places)
            continue
        said = support_call.judged(call, (answers / name).read_text("utf-8"))
        found.update(zip(places, said.checked, strict=True))
    for kinds, name in ((("good",), "good"), (tuple({one.kind for one, _ in rows} - {"good"}), "wrong")):
        some = [at for at, (one, _) in enumerate(rows) if one.kind in kinds and at not in open_]
        landed = [at for at in some if found[at].state == "fits" and not found[at].needs_support]
        print(f"{part}: {name} that land {len(landed)} of {len(some)}; {len(open_)} claims are not judged")
        for at in landed if name == "wrong" else ():
            one = rows[at][0]
            print(f"  {one.language} {one.kind}: {one.text} | {one.batch.turns[-1].text}")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", choices=PARTS)
    parser.add_argument("--judge", type=Path, metavar="WORK")
    wanted = parser.parse_args(argv)
    for part in PARTS:
        rows = [(one, one.checked) for one in claims.load(part)]
        if wanted.judge:
            judged(part, rows, wanted.judge)
        else:
            by_code(part, rows, show=wanted.show == part)


if __name__ == "__main__":
    main()
