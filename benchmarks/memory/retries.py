"""How many lessons of failed calls are found, and how many of what is found are lessons.

    python benchmarks/memory/retries.py [--show] [FILE ...]       corpora/retries*.toml, or files like them, by rules
    python benchmarks/memory/retries.py --voice WORK FILE         by the answers in WORK/answers, once they are there

Without an answer, its prompt is written to WORK/asked, under the same name; ten cases make one conversation.

A lesson counts where both calls are the right ones: the last that failed, and the one that worked instead.
"""

import argparse
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clawgit.agents.retry_lessons import by_voice
from clawgit.llm.model import ModelError
from clawgit.sessions.chat_store import Message
from clawgit.sessions.tool_retries import retries
from tests.sessions.test_tool_retries import conversation

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "templates/agents/lessons/SOUL.md"
_CASES = 10
_HOUR = 3600.0

Case = dict[str, Any]
Found = set[tuple[str, str]]


def said(number: int, case: Case) -> list[Message]:
    """Return the messages of a case, whose events have its number."""
    some = conversation(case["said"], case["steps"])
    at = number * _HOUR
    return [replace(one, event=f"{number}:{one.event}", time=at + (one.time or 0.0)) for one in some]


def wanted(number: int, case: Case) -> Found:
    """Return the lessons of a case."""
    return {(f"{number}:result{one}", f"{number}:result{other}") for one, other in case["lessons"]}


def read(work: Path, cases: Sequence[Case]) -> Found | None:
    """Return what recorded answers say; None while some are missing, whose prompts were written."""
    (work / "asked").mkdir(parents=True, exist_ok=True)
    missing: list[str] = []
    found: Found = set()
    for first in range(0, len(cases), _CASES):
        messages = [one for at in range(first, min(first + _CASES, len(cases))) for one in said(at, cases[at])]
        asked: list[str] = []

        def say(rules: str, material: str, _: int, first: int = first, asked: list[str] = asked) -> str:
            name = f"{first:03}-{len(asked)}.txt"
            asked.append(name)
            (work / "asked" / name).write_text(f"{rules}\n\n{material}\n", "utf-8")
            if (answer := work / "answers" / name).exists():
                return answer.read_text("utf-8")
            missing.append(name)
            return "none"

        try:
            found |= {
                (one.wrong.event, one.right.event) for one, _ in by_voice(messages, say, RULES.read_text("utf-8"))
            }
        except ModelError as exc:
            print(f"{first}: {exc.message}")
    return None if missing else found


def main() -> None:
    """Print precision and recall of each file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="each case that is told wrong")
    parser.add_argument("--voice", type=Path, metavar="WORK")
    parser.add_argument("files", nargs="*", type=Path, default=sorted((ROOT / "corpora").glob("retries*.toml")))
    chosen = parser.parse_args()
    for path in chosen.files:
        cases: list[Case] = tomllib.loads(path.read_text("utf-8"))["case"]
        every = {pair for at, case in enumerate(cases) for pair in wanted(at, case)}
        if chosen.voice:
            told = read(chosen.voice, cases)
            if told is None:
                sys.exit(f"prompts without an answer: {chosen.voice / 'asked'}")
        else:
            talks = [said(at, case) for at, case in enumerate(cases)]
            told = {(one.wrong.event, one.right.event) for talk in talks for one in retries(talk)}
        for at, case in enumerate(cases) if chosen.show else ():
            here = {pair for pair in told if pair[0].startswith(f"{at}:")}
            if here != wanted(at, case):
                print(f"{case['said'][:60]}: missed {wanted(at, case) - here}, too many {here - wanted(at, case)}")
        hits = len(every & told)
        precision, recall = hits / max(1, len(told)), hits / max(1, len(every))
        print(f"{path.name}: precision {precision:.3f}, recall {recall:.3f}, of {len(every)}")


if __name__ == "__main__":
    main()
