"""What search and context lose when conversations become chronicles.

A line of evidence is then where its words stand; one of which nothing stands any more counts as never found.
"""

import re
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from benchmarks.lib import suites
from benchmarks.lib.conversations import conversations
from benchmarks.lib.suites import Suite
from benchmarks.search import context
from clawgit import clock
from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor
from clawgit.git.repository import find
from clawgit.memory.compact import CompactionPlan
from clawgit.workspace import bootstrap
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.workspace import Workspace

OURS = ("agents", "SOUL.md", "USER.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "CONFIG.md")
_DAY = re.compile(r"# (\d{4}-\d\d-\d\d)$")


def told(suite: Suite, work: Path) -> tuple[Suite, int]:
    """Return a suite whose days are chronicles now, and of how many lines of evidence nothing stands any more."""
    root = work / f"told-{suite.name}"
    shutil.copytree(suite.root, root)
    day = context.last_day(suite)
    bootstrap.init(root).workspace.close()
    with Workspace(find(root), lambda: day + timedelta(days=60)) as workspace:
        capture_all(workspace)
        clock.confirm(workspace.repo, workspace.clock())
        running.apply(MemoryCompactor(CompactionPlan("chronicle", 30, remove=True)), workspace)
    for name in OURS:
        place = root / name
        shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    after = replace(suite, root=root, text={}, today=day.date())
    stands = _stands(after)
    missing = set[tuple[str, int]]()
    questions = []
    for question, gold in suite.questions:
        results = set[tuple[str, int]]()
        for path, number in gold:
            there = _places(stands, path, suite.lines(path)[number - 1])
            results |= there or {(path, number)}
            if not there:
                missing.add((path, number))
        questions.append((question, frozenset(results)))
    return replace(after, questions=questions), len(missing)


def _stands(suite: Suite) -> dict[str, list[tuple[str, str, int]]]:
    """Return the lines of the chronicles by day: the words, the file, the number."""
    results: dict[str, list[tuple[str, str, int]]] = {}
    for path in suite.paths():
        day = ""
        for number, line in enumerate(suite.lines(path), 1):
            if match := _DAY.match(line):
                day = match[1]
            elif line.startswith("# "):
                day = ""
            elif words := _words(line):
                results.setdefault(day, []).append((words, path, number))
    return results


def _words(line: str) -> str:
    return " ".join(re.findall(r"\w+", line.casefold()))


def _places(stands: dict[str, list[tuple[str, str, int]]], path: str, line: str) -> set[tuple[str, int]]:
    expected, day = _words(line), path.removeprefix("memory/").removesuffix(".md")[:10]
    return {(there, number) for words, there, number in stands.get(day, ()) if words in expected or expected in words}


def asked(data: Path, work: Path) -> dict[str, dict[str, float]]:
    """Return what search and context answer before and after."""
    rows: dict[str, list[tuple[int, dict[str, float]]]] = {"before": [], "after": []}
    lost_lines = 0
    for suite in conversations(data, work):
        after, missing = told(suite, work)
        lost_lines += missing
        for name, item in (("before", replace(suite, today=context.last_day(suite).date())), ("after", after)):
            results = suites.measured(item, suites.core(item)) | context.scored(item, context.ours(item))
            rows[name].append((len(item.questions), results))
    return {name: suites.mean(results) for name, results in rows.items()} | {"lost": {"lines": lost_lines}}
