"""How much of what answers a question is in the context: the assembler beside plainer ways, in one run.

    python benchmarks/search/context.py   sets that are made here, and the processor's time that it takes
    python benchmarks/search/context.py --data FOLDER
        and the conversations of a folder with convert.py and a JSON file
    python benchmarks/search/context.py REPOSITORY...
        and the subjects of these repositories' commits
    python benchmarks/search/context.py --sizes ""   no times

A question is asked on the day of the last journal. Every system is given the same tokens, counted alike, the marks of
the assembler's own context included. `all` is the share of questions all of whose evidence is there, `part` the mean
share of their evidence, and behind our own what a context fills of its tokens.
"""

import argparse
import json
import math
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import genres, suites
from benchmarks.lib.conversations import conversations
from benchmarks.lib.results import keep
from benchmarks.lib.suites import Span, Suite
from benchmarks.scale import index_size
from benchmarks.search import subjects
from clawgit.context.budget import assemble
from clawgit.context.receipt import Asked
from clawgit.search import warm
from clawgit.text.tokens import count_at_most
from clawgit.workspace.workspace import Workspace, open_workspace

BUDGETS = (1000, 2000, 6000)
GENRES = ("memories of one line", "long messages", "messages of paragraphs")
_SOURCE = re.compile(r"(.+)#L(\d+)(?:-L(\d+))?$")

System = Callable[[str, int], Iterable[Span]]
FILLED: dict[int, list[float]] = {}


def said(suite: Suite) -> Suite:
    """Return a suite whose evidence is what lines say: a context shows headings without citing them, rules never."""
    questions = []
    for question, gold in suite.questions:
        rows = {item: suite.lines(item[0])[item[1] - 1].strip() for item in gold}
        answer = frozenset(item for item, row in rows.items() if not row.startswith("#") and re.search(r"\w", row))
        questions += [(question, answer)] if answer else []
    return replace(suite, questions=questions)


def last_day(suite: Suite) -> datetime:
    """Return the evening of the newest journal, or of the day that the suite names."""
    if suite.today:
        return datetime.combine(suite.today, datetime.min.time(), UTC).replace(hour=20)
    days = sorted(results[0] for path in suite.paths() if (results := re.search(r"\d{4}-\d\d-\d\d", path)))
    return datetime.fromisoformat(f"{days[-1] if days else '2026-11-20'}T20:00:00").replace(tzinfo=UTC)


def opened(suite: Suite) -> Workspace:
    if not (suite.root / ".git").exists():
        subprocess.run(["git", "init", "-q", "-b", "main", suite.root], check=True)
    if not (suite.root / "memory").exists():
        (suite.root / "memory").mkdir()
    workspace = open_workspace(suite.root)
    workspace.clock = partial(last_day, suite)
    return workspace


def ours(suite: Suite) -> System:
    workspace = opened(suite)

    def system(question: str, budget: int) -> list[Span]:
        results = assemble(workspace, Asked(query=question, budget=budget))
        assert results.tokens <= budget
        FILLED.setdefault(budget, []).append(results.tokens / budget)
        marks = (_SOURCE.fullmatch(source) for slot in results.slots for source in slot.sources)
        return [(mark[1], int(mark[2]), int(mark[3] or mark[2])) for mark in marks if mark]

    return system


def fitting(suite: Suite, spans: Iterable[Span], budget: int) -> list[Span]:
    """Return the first spans that fit, without any mark of where they stand."""
    left, kept = budget, []
    for path, start, end in spans:
        price = count_at_most("\n".join(suite.lines(path)[start - 1 : end]) + "\n")
        if price > left:
            break
        left, kept = left - price, [*kept, (path, start, end)]
    return kept


def top(suite: Suite, chunks: list[tuple[str, int, int, str]]) -> System:
    search = suites.fts5(chunks)
    return lambda question, budget: fitting(suite, search(question), budget)


def last_days(suite: Suite) -> System:
    """Take the journals of two days from their end, as they would be appended to a prompt."""
    newest = sorted({path for path in suite.paths() if re.search(r"\d{4}-\d\d-\d\d", path)})[-2:]
    lines = [(path, index, index) for path in reversed(newest) for index in range(len(suite.lines(path)), 0, -1)]
    return lambda _, budget: fitting(suite, lines, budget)


def memory_only(suite: Suite) -> System:
    there = "MEMORY.md" in suite.paths()
    lines = [("MEMORY.md", index, index) for index in range(1, len(suite.lines("MEMORY.md")) + 1)] if there else []
    return lambda _, budget: fitting(suite, lines, budget)


SYSTEMS: dict[str, Callable[[Suite], System]] = {
    "clawgit context": ours,
    "FTS5 top-k, lines": lambda suite: top(suite, suites.each_line(suite)),
    "FTS5 top-k, 400 tokens": lambda suite: top(suite, suites.blocks(suite, 400)),
    "last 48 h": last_days,
    "MEMORY.md only": memory_only,
}


def scored(suite: Suite, system: System) -> dict[str, float]:
    row: dict[str, list[float]] = {}
    for question, gold in suite.questions:
        for budget in BUDGETS:
            met = {(path, index) for path, a, b in system(question, budget) for index in range(a, b + 1)} & gold
            row.setdefault(f"all {budget}", []).append(float(met == gold))
            row.setdefault(f"part {budget}", []).append(len(met) / len(gold))
    return {name: statistics.fmean(values) for name, values in row.items()}


def table(results: list[Suite]) -> dict[str, dict[str, float]]:
    rows = {}
    for name, build in SYSTEMS.items():
        rows[name] = suites.mean([(len(item.questions), scored(item, build(item))) for item in results])
        cells = " | ".join(
            f"{rows[name][f'all {budget}']:.3f} {rows[name][f'part {budget}']:.3f}" for budget in BUDGETS
        )
        print(f"| {name:22} | {cells} |", flush=True)
    filled = {budget: statistics.fmean(group) for budget, group in FILLED.items()}
    print("filled:", ", ".join(f"{share:.0%} of {budget}" for budget, share in filled.items()), flush=True)
    FILLED.clear()
    return rows


def timed(chunks: int, work: Path) -> tuple[float, float]:
    """Return what one takes of the processor in a warm process, in milliseconds: the median, the 95th percentile."""
    root = work / f"scale-{chunks}"
    asked = index_size.written(root, chunks)
    workspace = open_workspace(root)
    warm.begin()
    assemble(workspace, Asked(query=asked[0]))
    took = [index_size.busy(lambda q=question: assemble(workspace, Asked(query=q))) for question in asked[:100]]
    return statistics.median(took), sorted(took)[math.ceil(0.95 * len(took)) - 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", type=Path, help="repositories with Markdown")
    parser.add_argument("--data", type=Path, help="a folder with convert.py and conversations as JSON")
    parser.add_argument("--sizes", default="1000,10000,100000", help="how many chunks to take the time at")
    parser.add_argument("--only", default="", help="only groups whose name has this")
    parser.add_argument("--most", type=int, default=0, help="at most so many questions of each set; 0: all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="clawgit-context-"))
    results: dict[str, object] = {}
    try:
        groups = {"conversations": lambda: conversations(options.data, work)} if options.data else {}
        groups |= {name: partial(genres.GENRES[name], work, genres.ENGLISH) for name in GENRES}
        for place in options.repositories:
            root = work / place.parent.name
            groups[f"commits of {root.name}"] = lambda place=place, root=root: [said(subjects.suite(place, root))]
        for name, build in groups.items():
            if options.only in name:
                found = build()
                for item in found if options.most else ():
                    object.__setattr__(
                        item, "questions", item.questions[:: max(len(item.questions) // options.most, 1)]
                    )
                print(f"\n{name}: {sum(len(item.questions) for item in found)} questions; all and part of the evidence")
                print(f"\n| {'':22} | {' | '.join(f'{budget:>11}' for budget in BUDGETS)} |\n|{'---|' * 4}")
                results[name] = table(found)
        for size in filter(None, options.sizes.split(",")):
            p50, p95 = timed(int(size), work)
            results[size] = {"p50": p50, "p95": p95}
            print(f"\n{int(size):,} chunks: {p50:.0f} ms, p95 {p95:.0f} ms", flush=True)
        keep(results)
        if options.json:
            print(json.dumps(results))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
