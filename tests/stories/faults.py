"""Breaks writes at every call, lets others act, and looks whether anything was lost.

A script: the tests run it and read one JSON document from its stdout.
"""

import argparse
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from breaking import Shim, build, in_child
from scene import ACTIONS, DISCARDS, NEXT, WRITES_THEIRS, change_of, copied, git, make_template, open_scene
from verdict import Before, announced, check_clean_refusal, sound, untouched

from clawgit.git import landing, recovery
from clawgit.git.locks import repository_lock
from clawgit.workspace import memory_lines
from clawgit.workspace.merge_rules import merge_forward


def attempt(folder: Path, clock: Shim, number: int, kind: str, diary: int = -1) -> str:
    workspace = open_scene(folder)
    change = change_of(folder)
    clock.arm(folder, number, kind, diary)
    try:
        applied = workspace.apply(change)
    finally:
        count = clock.disarm()
    assert applied.commit
    return f"done {count}"


def calls(folder: Path, clock: Shim) -> list[str]:
    """The calls of an undisturbed write, in order."""
    diary = folder.parent / "diary"
    handle = os.open(diary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    died, answer = in_child(lambda: attempt(folder, clock, 0, "count", handle))
    os.close(handle)
    assert answer.startswith("done"), (died, answer)
    return diary.read_text().splitlines()


def write_next(folder: Path) -> str:
    workspace = open_scene(folder)
    with workspace:
        applied = workspace.apply(memory_lines.make_addition(workspace, NEXT).change)
        assert applied.commit
    workspace.close()
    return f"next {applied.notes}"


_TRIES = 5


@dataclass
class Report:
    cases: int = 0
    calls: int = 0
    announced: int = 0
    died: int = 0
    raised: int = 0
    seconds: float = 0
    failures: list[str] = field(default_factory=list)

    def add(self, name: str, problems: Iterable[str]) -> None:
        self.cases += 1
        self.failures += [f"{name}: {problem}" for problem in problems]


def run_case(
    template: Path, home: Path, clock: Shim, number: int, kind: str, action: str, report: Report, call: str
) -> None:
    name = f"{kind} at {number} ({call}), then {action}"
    for _ in range(_TRIES):
        folder = copied(template, home / "case")
        before = Before.of(folder)
        died, answer = in_child(lambda: attempt(folder, clock, number, kind))  # noqa: B023 - run at once
        if died or kind != "die":
            break
        shutil.rmtree(folder)
    else:
        return  # the run that was counted waited for a moment, and made a call more than others do
    report.died += died == signal.SIGKILL
    report.raised += answer.startswith("raised")
    problems: list[str] = []
    expected = ("raised ClawgitError", "raised BusyError", "raised DiskError")
    if answer.startswith("raised") and not answer.startswith(expected):
        problems.append(f"no ClawgitError: {answer}")
    whole = announced(folder, before)
    report.announced += whole
    if answer.startswith("done") and not whole:
        problems.append("done, and not there")
    if not whole:
        problems += untouched(folder, before) if died else check_clean_refusal(folder, before)
    ACTIONS[action](folder)
    theirs = action in WRITES_THEIRS
    if git(folder, "symbolic-ref", "HEAD").strip() != "refs/heads/main":
        (folder / ".git/index.lock").unlink(missing_ok=True) if action == "spare_branch" else None
        git(folder, "checkout", "-q", "main", check=False)
    _, answer = in_child(lambda: write_next(folder))
    if action == "stages" and "has staged changes" in answer:
        git(folder, "commit", "-m", "theirs")
        _, answer = in_child(lambda: write_next(folder))
    if not answer.startswith("next"):
        problems.append(f"the next write {answer}")
    else:
        problems += sound(folder, whole=whole, theirs=theirs, dirty=action not in DISCARDS)
    report.add(name, problems)
    shutil.rmtree(folder)


def telling(calls_made: list[str]) -> list[int]:
    """The numbers of the calls that tell something: of the many alike ones on objects and old files, the first two."""
    often: Counter[str] = Counter()
    numbers: list[int] = []
    for number, call in enumerate(calls_made, 1):
        pattern = re.sub(r"objects/.*|displaced/\w+/\d+", "many", call)
        often[pattern] += 1
        if not pattern.endswith("many") or often[pattern] <= 2:
            numbers.append(number)
    return numbers


def run_twice(
    template: Path, home: Path, clock: Shim, first: int, second: int, kind: str, report: Report, call: str
) -> bool:
    """Kill the write at `first`, the recovery at `second`; return whether recovery got that far."""
    folder = copied(template, home / "case")
    before = Before.of(folder)
    in_child(lambda: attempt(folder, clock, first, "die"))
    whole = announced(folder, before)
    action = ("do_nothing", "commits_all", "removes_lock", "packs")[(first + second) % 4]
    ACTIONS[action](folder)
    report.announced += whole

    def recovering() -> str:
        clock.arm(folder, second, kind)
        try:
            repo = open_scene(folder).repo
            with repository_lock(repo, time.monotonic() + 5):
                recovery.recover(repo, merge_forward, time.monotonic() + 5)
        finally:
            count = clock.disarm()
        return f"recovered {count}"

    died, answer = in_child(recovering)
    is_reached = bool(died) or answer.startswith("raised") or int(answer.split()[1]) >= second
    _, answer = in_child(lambda: write_next(folder))
    problems = (
        list(sound(folder, whole=whole, theirs=False)) if answer.startswith("next") else [f"the next write {answer}"]
    )
    report.add(f"die at {first} ({call}), then {action}, then {kind} at {second} of the recovery", problems)
    shutil.rmtree(folder)
    return is_reached


def sweep_twice(home: Path, clock: Shim, kinds: list[str], part: tuple[int, int], step: int) -> Report:
    """Kill the recovery too, after a death at each of the calls with different leavings."""
    template = home / "template"
    make_template(template)
    calls_made = calls(copied(template, home / "counted"), clock)
    report = Report(calls=len(calls_made))
    number, parts = part
    firsts = [
        number
        for number in telling(calls_made)
        if number > calls_made.index(next(c for c in calls_made if "index.lock" in c))
    ]
    index = 0
    for position in firsts[::step]:
        for kind in kinds:
            for second in range(1 + index % step, 400, step):
                index += 1
                if index % parts == number and not run_twice(
                    template, home, clock, position, second, kind, report, calls_made[position - 1]
                ):
                    break
    return report


def sweep(home: Path, clock: Shim, kinds: list[str], actions: list[str], part: tuple[int, int], step: int) -> Report:
    template = home / "template"
    make_template(template)
    calls_made = calls(copied(template, home / "counted"), clock)
    report = Report(calls=len(calls_made))
    number, parts = part
    cases = [
        (number, kind, action)
        for number, kind in itertools.product(telling(calls_made), kinds)
        if not kind.startswith("tear") or calls_made[number - 1].startswith("write")
        for action in actions
    ]
    # Each call meets another action and kind than its neighbour.
    selection = [case for index, case in enumerate(cases) if (index + case[0]) % step == 0]
    for index, (position, kind, action) in enumerate(selection):
        if index % parts == number:
            run_case(template, home, clock, position, kind, action, report, calls_made[position - 1])
    return report


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default="die")
    parser.add_argument("--actions", default=",".join(ACTIONS))
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--preload", action="store_true", help="build the library that breaks calls, and start with it")
    options = parser.parse_args()
    if options.preload:
        sys.exit(preloaded([word for word in sys.argv[1:] if word != "--preload"]))
    landing.LATE_SECONDS = 0.01
    with tempfile.TemporaryDirectory(prefix="clawgit-faults-") as name:
        home = Path(name).resolve()
        clock = Shim(os.environ["LD_PRELOAD"])
        number, parts = map(int, options.part.split("/"))
        started = time.monotonic()
        if options.twice:
            report = sweep_twice(home, clock, options.kinds.split(","), (number, parts), options.every)
        else:
            report = sweep(
                home, clock, options.kinds.split(","), options.actions.split(","), (number, parts), options.every
            )
        report.seconds = round(time.monotonic() - started, 1)
        sys.stdout.write(json.dumps(vars(report), indent=1) + "\n")


def preloaded(arguments: list[str]) -> int:
    """Run this again below the library, print one line, and tell whether anything was lost."""
    with tempfile.TemporaryDirectory() as folder:
        library = build(Path(folder))
        result = subprocess.run(
            [sys.executable, __file__, *arguments],
            env={**os.environ, "LD_PRELOAD": str(library)},
            stdout=subprocess.PIPE,
            check=False,
        )
    if result.returncode:
        return result.returncode
    report = json.loads(result.stdout)
    failures = report.pop("failures")
    sys.stdout.write(
        "".join(f"{failure}\n" for failure in failures) + json.dumps(report | {"failures": len(failures)}) + "\n"
    )
    return 1 if failures or not report["cases"] else 0


if __name__ == "__main__":
    main()
