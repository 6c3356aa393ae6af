"""How many right claims the checks of a reader's answer let pass, and how many wrong ones.

    python benchmarks/memory/claims.py               the parts of corpora/claims.*.toml
    python benchmarks/memory/claims.py --show tune   and each miss of one part

Claims of the kind `support` are right in all that code can see; they are the matter of the call of support, as are
those in doubt, in which code finds something that it cannot tell.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "agents"))
from protocol import claims

PARTS = ("tune", "held-out", "fresh", "fourth", "fifth", "sixth", "seventh")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", choices=PARTS)
    wanted = parser.parse_args(argv)
    for part in PARTS:
        rows = [(one, one.checked) for one in claims.load(part)]
        if wanted.show == part:
            for one, checked in rows:
                if (checked.state == "fits") != (one.kind in {"good", "support"}):
                    print(f"{one.language} {one.kind}: {one.text} | {one.batch.turns[-1].text} | {checked.why}")
        told = []
        for kinds, name in (({"good"}, "good that fit"), ({"support"}, "only support sees")):
            some = [checked for one, checked in rows if one.kind in kinds]
            told.append(f"{name} {sum(one.state == 'fits' for one in some)} of {len(some)}")
        bad = [checked for one, checked in rows if one.kind not in {"good", "support"}]
        fit = [one for one in bad if one.state == "fits"]
        sure = sum(not one.doubt for one in fit)
        told.append(f"bad that fit {sure} of {len(bad)}, in doubt {len(fit) - sure}")
        print(f"{part}: {', '.join(told)}")


if __name__ == "__main__":
    main()
