"""What asking all agents costs beside one, and whether a large memory drowns a small one.

Made-up workspaces: each agent has journals of its own matters, with words of the others' strewn in. Cost: the
processor time of a search of 1, 3 and 10 agents through the command's own code, warm, as a share of a search of one
in the same run. Drowning: questions to a small memory (3 days, 30 lines) beside one that is 400 times as large and
uses the same common words, and the other way; how often the right line is first, and among three. `plain` is what the
scores alone would say, as each index gives them.

    python benchmarks/search/all_agents.py
    python benchmarks/search/all_agents.py --data FOLDER    conversations instead: each beside one of all others
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import results
from benchmarks.lib.conversations import conversations
from clawgit.search import ask, warm
from clawgit.search.answer import Answer, Hit, Query, join_hits
from clawgit.workspace.workspace import Workspace, open_workspace

_THINGS = "kettle lamp garden invoice server ticket harbour engine letter window bridge ladder camera piano anchor"
_ACTS = "moved painted repaired cancelled ordered measured lent returned cleaned counted borrowed shipped"
_WHO = "Ana Boris Chen Dana Emil Farid Greta Hugo Ines Jonas Kira Luis Mona Nils Olga Pavel"
_PLACES = "office cellar attic studio kitchen workshop station market library garage"
_RARE = "bcdfghklmnprstvz"


def word(chance: random.Random) -> str:
    """Make up a name that stands nowhere else."""
    return "".join(chance.choice(_RARE) + chance.choice("aeiou") for _ in range(4)).capitalize()


def workspace(root: Path, days: int, lines: int, seed: int, asked: int) -> list[tuple[str, str]]:
    """Write journals, and return questions with the words that answer them; some lines have a name of their own."""
    chance = random.Random(seed)
    (root / "memory").mkdir(parents=True)
    questions = []
    spots = {chance.randrange(days * lines) for _ in range(asked * 3)}
    for day in range(days):
        rows = [f"# {2020 + day // 336}-{day // 28 % 12 + 1:02}-{day % 28 + 1:02}", ""]
        for index in range(lines):
            person, act, thing, place = (chance.choice(group.split()) for group in (_WHO, _ACTS, _THINGS, _PLACES))
            text = f"{person} {act} the {thing} in the {place}"
            if day * lines + index in spots and len(questions) < asked:
                name = word(chance) if len(questions) % 2 else ""
                other = chance.choice(_WHO.split())
                text += f" for {name}" if name else f" while {other} held the door"
                asks = (
                    f"who {act} the {thing} for {name}" if name else f"what did {person} do while {other} held the door"
                )
                questions.append((asks, text))
            rows.append(f"- {text}.")
        (root / f"memory/{rows[0][2:]}.md").write_text("\n".join(rows) + "\n", "utf-8")
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    return questions


def asked(spaces: Sequence[Workspace], question: str, limit: int = 6) -> list[Answer]:
    return [ask.answer_question(space, Query(question, limit), shared=False) for space in spaces]


def plain(answers: Sequence[Answer]) -> list[Hit]:
    """Return all hits by the scores that each index gives them."""
    return sorted((hit for answer in answers for hit in answer.results), key=lambda hit: -hit.score)


def place(hits: Sequence[Hit], answer: str) -> int:
    """Return at which place the answer stands, from 1; 0 where it does not."""
    return next((index for index, hit in enumerate(hits, 1) if answer in " ".join(hit.text.split())), 0)


def told(places: Sequence[int]) -> dict[str, float]:
    number = len(places) or 1
    first, three = (sum(0 < index <= limit for index in places) / number for limit in (1, 3))
    return {"questions": len(places), "first": round(first, 3), "among three": round(three, 3)}


def drowned(spaces: Sequence[Workspace], questions: Sequence[tuple[str, str]]) -> dict[str, dict[str, float]]:
    rows: dict[str, list[int]] = {"alone": [], "plain": [], "calibrated": []}
    for question, answer in questions:
        results = asked(spaces, question)
        rows["alone"].append(max(place(item.results, answer) for item in results))
        rows["plain"].append(place(plain(results)[:6], answer))
        rows["calibrated"].append(place(join_hits(results, 6).results, answer))
    return {name: told(places) for name, places in rows.items()}


def cost(spaces: Sequence[Workspace], questions: Sequence[str], number: int) -> float:
    """Return the seconds of a processor that the questions take of the first so many."""
    before = time.process_time()
    for question in questions:
        join_hits(asked(spaces[:number], question), 6)
    return time.process_time() - before


def costs(work: Path) -> Iterator[tuple[int, float]]:
    spaces = []
    for number in range(10):
        workspace(work / f"agent{number}", 40, 25, number, 0)
        spaces.append(open_workspace(work / f"agent{number}"))
    chance = random.Random(7)
    questions = [f"who {chance.choice(_ACTS.split())} the {chance.choice(_THINGS.split())}" for _ in range(40)]
    cost(spaces, questions[:3], 10)
    rounds: dict[int, list[float]] = {1: [], 3: [], 10: []}
    for _ in range(5):
        for number, taken in rounds.items():
            taken.append(cost(spaces, questions, number))
    for number, taken in rounds.items():
        yield number, sorted(taken)[2] / len(questions)


def talks(data: Path, work: Path) -> dict[str, dict[str, float]]:
    """Ask the questions of each conversation beside one folder of all the others, at most 60 of each."""
    suites = conversations(data, work)
    rows: dict[str, list[int]] = {"alone": [], "plain": [], "calibrated": []}
    for number, suite in enumerate(suites):
        large = work / f"others{number}"
        for other in (item for item in suites if item is not suite):
            for path in other.paths():
                target = large / path.replace(".md", f"-{other.name}.md")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text((other.root / path).read_text("utf-8"), "utf-8")
        for root in (suite.root, large):
            subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
        spaces = [open_workspace(large), open_workspace(suite.root)]
        for question, gold in suite.questions[:60]:
            results = asked(spaces, question)
            output = join_hits(results, 6)
            own = {(hit.path, hit.start, hit.text) for hit in results[1].results}
            for name, hits in (
                ("alone", list(results[1].results)),
                ("plain", plain(results)[:6]),
                ("calibrated", list(output.results)),
            ):
                rows[name].append(_first(hits, own, gold))
    return {name: told(places) for name, places in rows.items()}


def _first(hits: Sequence[Hit], own: set[tuple[str, int, str]], gold: Collection[tuple[str, int]]) -> int:
    """Return at which place a line of evidence stands, from 1; 0 where none does."""
    for index, hit in enumerate(hits, 1):
        here = any(hit.path == path and hit.start <= line <= hit.end for path, line in gold)
        if here and (hit.path, hit.start, hit.text) in own:
            return index
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder of conversations with questions, and what converts them")
    options = parser.parse_args()
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="clawgit-all-agents-") as folder:
        work = Path(folder)
        warm.begin()
        if options.data:
            figures["conversations"] = talks(options.data, work)
        else:
            taken = dict(costs(work / "cost"))
            figures["cost"] = {str(number): round(much * 1000, 2) for number, much in taken.items()}
            figures["beside one"] = {str(number): round(much / taken[1], 2) for number, much in taken.items()}
            large = workspace(work / "large", 400, 30, 1, 30)
            small = workspace(work / "small", 3, 10, 2, 30)
            spaces = [open_workspace(work / "large"), open_workspace(work / "small")]
            figures["asked of the small one"] = drowned(spaces, small)
            figures["asked of the large one"] = drowned(spaces, large)
    for name, found in figures.items():
        print(name, found)
    results.keep(figures)


if __name__ == "__main__":
    main()
