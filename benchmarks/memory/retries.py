"""How many lessons of failed calls are found, and how many of what is found are lessons.

python benchmarks/memory/retries.py [--show] [FILE ...]      corpora/retries*.toml, or files like them

A lesson counts where both calls are the right ones: the last that failed, and the one that worked instead.
"""

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.sessions.test_tool_retries import conversation, learnt

CORPORA = Path(__file__).resolve().parents[2] / "corpora"


def main() -> None:
    """Print precision and recall of each file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="each case that is told wrong")
    parser.add_argument("files", nargs="*", type=Path, default=sorted(CORPORA.glob("retries*.toml")))
    wanted = parser.parse_args()
    for path in wanted.files:
        hits = found = all_ = 0
        case: dict[str, Any]
        for case in tomllib.loads(path.read_text("utf-8"))["case"]:
            lessons = {(f"result{one}", f"result{other}") for one, other in case["lessons"]}
            told = set(learnt(conversation(case["said"], case["steps"])))
            hits, found, all_ = hits + len(lessons & told), found + len(told), all_ + len(lessons)
            if wanted.show and lessons != told:
                print(f"{case['said'][:60]}: missed {sorted(lessons - told)}, too many {sorted(told - lessons)}")
        print(f"{path.name}: precision {hits / max(1, found):.3f}, recall {hits / max(1, all_):.3f}, of {all_} lessons")


if __name__ == "__main__":
    main()
