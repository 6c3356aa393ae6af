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
    group = conversation(case["said"], case["steps"])
    index = number * _HOUR
    return [replace(item, event=f"{number}:{item.event}", time=index + (item.time or 0.0)) for item in group]


def wanted(number: int, case: Case) -> list[Found]:
    """Return the lessons of a case, each as the pairs that teach it."""
    return [_pairs(number, item if isinstance(item[0], list) else [item]) for item in case["lessons"]]


def _pairs(number: int, group: Sequence[Sequence[int]]) -> Found:
    return {(f"{number}:result{item}", f"{number}:result{other}") for item, other in group}


def cases_of(path: Path) -> list[Case]:
    """Return the cases of a file."""
    text = path.read_text("utf-8")
    results: list[Case] = (json.loads(text) if path.suffix == ".json" else tomllib.loads(text))["case"]
    return results


def main() -> None:
    """Print precision and recall of each file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="each case that is told wrong")
    parser.add_argument("files", nargs="*", type=Path, default=sorted((ROOT / "corpora").glob("retries*.toml")))
    options = parser.parse_args()
    for path in options.files:
        cases = cases_of(path)
        lessons = {index: wanted(index, case) for index, case in enumerate(cases)}
        doubtful = {pair for index, case in enumerate(cases) for pair in _pairs(index, case.get("doubtful", ()))}
        talks = [said(index, case) for index, case in enumerate(cases)]
        answers = {(item.wrong.event, item.right.event) for talk in talks for item in retries(talk)}
        answer = answers - doubtful
        for index, case in enumerate(cases) if options.show else ():
            here = {pair for pair in answer if pair[0].startswith(f"{index}:")}
            missed = [item for item in lessons[index] if not item & here]
            if missed or here - set().union(*lessons[index]):
                name = case.get("name", case["said"][:60])
                print(f"{name}: missed {missed}, too many {here - set().union(*lessons[index])}")
        all_rows = [item for group in lessons.values() for item in group]
        right = set().union(*all_rows) & answer
        precision, recall = (
            len(right) / max(1, len(answer)),
            sum(bool(item & answer) for item in all_rows) / max(1, len(all_rows)),
        )
        print(f"{path.name}: precision {precision:.3f} of {len(answer)}, recall {recall:.3f} of {len(all_rows)}")


if __name__ == "__main__":
    main()
