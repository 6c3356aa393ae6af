"""What each family of rules is worth, in one table.

    python benchmarks/memory/ablation.py              every area, a row a family that is left out
    python benchmarks/memory/ablation.py --only corrections  areas whose name holds this

The first row of an area is all of its rules; differences are to it. Measured is on requests.fresh.toml, messages/ and
messages.held-out/ (net), sameness.toml (conflicts, sameness) and corrections.third.toml. Lines are those of files and
functions, bytes those of keys and files of data; a family without any is a few words within a function.
"""

import argparse
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import families
from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from benchmarks.memory import conflicts, corrections, sameness

PAIRS = tomllib.loads((Path(__file__).parents[2] / "corpora/sameness.toml").read_text("utf-8"))["pair"]
AREAS = (
    conflicts.AREA,
    *sameness.areas(PAIRS),
    corrections.AREA,
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="areas whose name holds this")
    options = parser.parse_args()
    apart()
    keep(families.table(area for area in AREAS if options.only in area.name))


if __name__ == "__main__":
    main()
