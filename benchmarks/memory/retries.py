"""How many lessons of failed calls are found, and how many of what is found are lessons.

    python benchmarks/memory/retries.py [--show] [FILE ...]       corpora/retries*.toml, or files like them, by rules

Each case of a `.json`, as recorded_calls.py writes them, is one conversation.

A lesson counts where both calls are the right ones: the last that failed, and the one that worked instead. Where
several pairs teach the same (`[[2, 4], [3, 5]]`), each of them is right, and one is enough; pairs that are `doubtful`
count for nothing.
"""

import argparse
import json
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clawgit.agents.retry_lessons import retries
from clawgit.sessions.chat_store import Message
from tests.agents.test_tool_retries import conversation

ROOT = Path(__file__).resolve().parents[2]
_HOUR = 3600.0

Case = dict[str, Any]
Found = set[tuple[str, str]]


def said(number: int, case: Case) -> list[Message]:
    """Return the messages of a case, whose events have its number."""
    some = conversation(case["said"], case["steps"])
    at = number * _HOUR
    return [replace(one, event=f"{number}:{one.event}", time=at + (one.time or 0.0)) for one in some]


def wanted(number: int, case: Case) -> list[Found]:
    """Return the lessons of a case, each as the pairs that teach it."""
    return [_pairs(number, one if isinstance(one[0], list) else [one]) for one in case["lessons"]]


def _pairs(number: int, some: Sequence[Sequence[int]]) -> Found:
    return {(f"{number}:result{one}", f"{number}:result{other}") for one, other in some}


def cases_of(path: Path) -> list[Case]:
    """Return the cases of a file."""
    text = path.read_text("utf-8")
    found: list[Case] = (json.loads(text) if path.suffix == ".json" else tomllib.loads(text))["case"]
    return found


def main() -> None:
    """Print precision and recall of each file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="each case that is told wrong")
    parser.add_argument("files", nargs="*", type=Path, default=sorted((ROOT / "corpora").glob("retries*.toml")))
    chosen = parser.parse_args()
    for path in chosen.files:
        cases = cases_of(path)
        lessons = {at: wanted(at, case) for at, case in enumerate(cases)}
        doubtful = {pair for at, case in enumerate(cases) for pair in _pairs(at, case.get("doubtful", ()))}
        talks = [said(at, case) for at, case in enumerate(cases)]
        answers = {(one.wrong.event, one.right.event) for talk in talks for one in retries(talk)}
        told = answers - doubtful
        for at, case in enumerate(cases) if chosen.show else ():
            here = {pair for pair in told if pair[0].startswith(f"{at}:")}
            missed = [one for one in lessons[at] if not one & here]
            if missed or here - set().union(*lessons[at]):
                name = case.get("name", case["said"][:60])
                print(f"{name}: missed {missed}, too many {here - set().union(*lessons[at])}")
        every = [one for some in lessons.values() for one in some]
        right = set().union(*every) & told
        precision, recall = len(right) / max(1, len(told)), sum(bool(one & told) for one in every) / max(1, len(every))
        print(f"{path.name}: precision {precision:.3f} of {len(told)}, recall {recall:.3f} of {len(every)}")


if __name__ == "__main__":
    main()
