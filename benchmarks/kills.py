"""Kills clawgit at random moments, and counts what was lost.

    python benchmarks/kills.py                     1,000 kills, then a look at everything
    python benchmarks/kills.py --kills 200 --others --json

A child process writes without a pause (a memory, a journal note, both in one change) and acknowledges each change over
a pipe once it has been told that it is done; after a random time it is killed, and the next child goes on. With
`--others`, somebody appends to the journal and commits everything between the kills. Exit 1 when anything is wrong.
"""

import argparse
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from apart import apart

from clawgit.workspace import bootstrap, journal, memory
from clawgit.workspace.change import Append
from clawgit.workspace.workspace import Workspace, open_workspace

JOURNAL = "memory/2026-03-14.md"
TOKEN = re.compile(r"<\d{4}\.\d{4}>")


@dataclass
class Report:
    """Every entry of `wrong` is a loss, a doubling, or a disagreement between file, object, reference and index."""

    kills: int = 0
    acknowledged: int = 0
    recovered: int = 0
    seconds: float = 0
    wrong: list[str] = field(default_factory=list)


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=check)
    return done.stdout


def opened(folder: Path) -> Workspace:
    workspace = open_workspace(folder)
    workspace.clock = lambda: datetime(2026, 3, 14, 9, 30, tzinfo=UTC)
    return workspace


def make(folder: Path) -> None:
    bootstrap.init(folder)
    with (folder / ".git/config").open("a") as config:
        config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n[gc]\n\tauto = 0\n")


def write_on(folder: Path, kill: int, pipe: int) -> None:
    """Write for ever, and say what is done."""
    workspace = opened(folder)
    for number in itertools.count():
        token = f"<{kill:04}.{number:04}>"
        added = memory.add(workspace, f"The token {token} was seen.").change
        noted = journal.add(workspace, f"Noted {token} here.")
        both = replace(added, edits=(*added.edits, Append(JOURNAL, f"\nNoted {token} here.\n")))
        workspace.apply((added, noted, both)[number % 3])
        os.write(pipe, token.encode())


def times(token: str) -> int:
    """In how many files a token stands."""
    return 2 if int(token[6:10]) % 3 == 2 else 1


def kill_once(folder: Path, kill: int) -> tuple[list[str], str]:
    """Let a child write, kill it at any moment; return the tokens that it acknowledged, and the error that ended it."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            write_on(folder, kill, write)
        except BaseException as exc:  # noqa: BLE001 - whatever it is, the parent shall see it
            os.write(write, f"!{type(exc).__name__}: {exc}".encode())
        os._exit(1)
    os.close(write)
    with os.fdopen(read, "rb", buffering=0) as pipe:
        early = b"".join(pipe.read(11) for _ in range(random.randrange(4)))
        time.sleep(random.uniform(0, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        said, _, error = (early + (pipe.read() or b"")).decode().partition("!")
    return TOKEN.findall(said), error


def others(folder: Path, kill: int) -> None:
    """Append every third time, commit all every fifth; git may meet our lock."""
    if kill % 3 == 0:
        with (folder / JOURNAL).open("a") as file:
            file.write(f"\nSomebody else: {{{kill:04}}}\n")
    if kill % 5 == 0:
        git(folder, "add", "-A", check=False)
        git(folder, "commit", "-m", "theirs", check=False)


def left(folder: Path) -> Iterator[str]:
    gitdir = folder / ".git"
    for place in (*gitdir.rglob("*.lock"), *gitdir.glob("clawgit/displaced/*"), *gitdir.glob("refs/clawgit/*")):
        yield f"left behind: {place.relative_to(folder)}"


def judged(folder: Path, acknowledged: list[str], appended: int) -> Iterator[str]:
    """Look for every token, at every commit, and at what git says."""
    paths = ("MEMORY.md", JOURNAL)
    places = {
        "HEAD": "".join(git(folder, "show", f"HEAD:{path}") for path in paths),
        "disk": "".join((folder / path).read_text() for path in paths),
    }
    for where, text in places.items():
        counts = Counter(TOKEN.findall(text))
        for token in {*acknowledged, *counts}:
            if counts[token] != times(token):
                said = "acknowledged" if token in acknowledged else "not acknowledged"
                yield f"{where}: {token}, {said}, stands there {counts[token]} times, not {times(token)}"
    theirs = Counter(re.findall(r"\{\d{4}\}", places["disk"]))
    if len(theirs) != appended or set(theirs.values()) - {1}:
        yield f"disk: {len(theirs)} lines of others, not {appended}, or doubled: {theirs.most_common(1)}"
    changes = git(folder, "log", "--format=%(trailers:key=Clawgit-Change,valueonly,separator=)").split()
    yield from (f"change {change} was made twice" for change, count in Counter(changes).items() if count > 1)
    yield from (f"git status: {line}" for line in git(folder, "status", "--porcelain").splitlines() if line[:2] != " M")
    yield from git(folder, "fsck", "--no-dangling", "--no-progress", check=False).splitlines()
    yield from left(folder)


def race(folder: Path, kills: int, *, beside: bool) -> Report:
    make(folder)
    report, started = Report(), time.monotonic()
    acknowledged: list[str] = []
    appended = 0
    while report.kills < kills and not report.wrong:
        tokens, error = kill_once(folder, report.kills)
        report.kills += 1
        report.wrong += [f"kill {report.kills}: {error}"] if error else []
        report.recovered += (folder / ".git/refs/clawgit/pending").exists()
        acknowledged += tokens
        if beside and (folder / JOURNAL).exists():
            others(folder, report.kills)
            appended += report.kills % 3 == 0
    with opened(folder) as workspace:
        workspace.apply(memory.add(workspace, "The next memory of all.").change)
    report.acknowledged = len(acknowledged)
    report.wrong += judged(folder, acknowledged, appended)
    report.seconds = round(time.monotonic() - started, 1)
    return report


def main() -> int:
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--others", action="store_true", help="somebody appends and commits between the kills")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clawgit-kills-") as name:
        report = race(Path(name).resolve() / "workspace", options.kills, beside=options.others)
    if options.json:
        print(json.dumps(asdict(report), indent=1))
    else:
        print(
            f"{report.kills} kills in {report.seconds} s, {report.recovered} of them in the middle of a write; "
            f"{report.acknowledged} changes acknowledged, {len(report.wrong)} things wrong"
        )
        print("".join(f"  {line}\n" for line in report.wrong), end="")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
