"""Kills clawgit at random moments, and counts what was lost.

    python benchmarks/writes/kills.py                     1,000 kills, then a look at everything
    python benchmarks/writes/kills.py --kills 200 --others --json
    python benchmarks/writes/kills.py --commands --kills 2000 --minutes 10

A child process writes without a pause (a memory, a journal note, both in one change) and acknowledges each change over
a pipe once it has been told that it is done; after a random time it is killed, and the next child goes on. With
`--others`, somebody appends to the journal and commits everything between the kills. With `--commands` the child runs
every command that writes, one after the other; what is counted then are changes, commits and lines. `--minutes` ends a
run that takes too long, and the report says how far it came. Exit 1 when anything is wrong.
"""

import argparse
import contextlib
import io
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
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from msgspec import to_builtins
from msgspec.structs import replace

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from clawgit.cli.main import main as cli
from clawgit.git import worktree_files
from clawgit.workspace import bootstrap, memory_lines
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
    kinds: dict[str, int] = field(default_factory=dict)


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    result = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=check)
    return result.stdout


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
        addition = memory_lines.make_addition(workspace, f"The token {token} was seen.").change
        note = memory_lines.add_note(workspace, f"Noted {token} here.")
        pair = replace(addition, edits=(*addition.edits, Append(JOURNAL, f"\nNoted {token} here.\n")))
        workspace.apply((addition, note, pair)[number % 3])
        os.write(pipe, token.encode())


def times(token: str) -> int:
    """In how many files a token stands."""
    return 2 if int(token[6:10]) % 3 == 2 else 1


Writer = Callable[[Path, int, int], None]


def kill_once(folder: Path, kill: int, writer: Writer = write_on, limit: float | None = 0.03) -> tuple[str, str]:
    """Let a child write, and kill it at any moment, unless it dies by itself (`most` is None).

    Return what it acknowledged, and the error that ended it.
    """
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            writer(folder, kill, write)
        except BaseException as exc:  # noqa: BLE001 - whatever it is, the parent shall see it
            os.write(write, f"!{type(exc).__name__}: {exc}".encode())
        os._exit(1)
    os.close(write)
    with os.fdopen(read, "rb", buffering=0) as pipe:
        early = b""
        if limit is not None:
            early = b"".join(pipe.read(11) for _ in range(random.randrange(4)))
            time.sleep(random.uniform(0, limit))
            os.kill(child, signal.SIGKILL)
        text, _, error = (early + pipe.readall()).decode().partition("!")
        os.waitpid(child, 0)
    return text, error


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


# ---- every command that writes

Said = dict[str, Any]


def run(folder: Path, *arguments: str) -> Said:
    """Run a command in this process, and return its document; `code` is what it ended with."""
    output, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(err):
        code = cli(["-C", str(folder), *arguments, "--json"])
    text = output.getvalue()
    said = json.loads(text) if text.startswith(("{", "[")) else {}
    return {"rows": said, "code": code} if isinstance(said, list) else {**said, "code": code}


def appended(folder: Path, path: str, text: str) -> None:
    place = folder / path
    place.parent.mkdir(exist_ok=True)
    with place.open("a") as file:
        file.write(text)


def correct(folder: Path, token: str) -> Iterator[Said]:
    yield (addition := run(folder, "memory", "add", f"The kickoff of {token} is on Monday."))
    yield run(folder, "correct", f"The kickoff of {token} is on Tuesday.", "--about", addition.get("id") or "none")


def capture(folder: Path, token: str) -> Iterator[Said]:
    appended(folder, "MEMORY.md", f"\n- Somebody else wrote {token}.\n")
    yield run(folder, "capture")


def compact(folder: Path, token: str) -> Iterator[Said]:
    day = date(2000, 1, 1) + timedelta(days=int(token[1:5]) * 4 + int(token[6:10]) % 4)
    appended(folder, f"memory/{day}.md", f"# {day}\n\nAn old note of {token}.\n")
    yield run(folder, "capture")
    yield run(folder, "memory", "compact", "--apply", "--remove")


def promote(folder: Path, token: str) -> Iterator[Said]:
    yield run(folder, "journal", "add", f"We decided for good that {token} is the name of the project.")
    yield run(folder, "memory", "promote", "--apply", "--min-confidence", "0.1")


def restore(folder: Path, token: str) -> Iterator[Said]:
    yield run(folder, "soul", "edit", "--add", f"Let go of {token}.", "--section", "Vibe", "--why", "a try")
    yield run(folder, "restore", "SOUL.md", "--as-of", "HEAD~1")


def approve(folder: Path, token: str) -> Iterator[Said]:
    text = f"Approve of {token}."
    run(folder, "soul", "edit", "--add", text, "--section", "Vibe", "--why", "a try", "--propose")
    for item in run(folder, "inbox", "--kind", "identity").get("rows", []):
        output = run(folder, "show", item["id"])
        yield run(folder, "accept", item["id"], "--hash", output["hash"])


def once(*words: str) -> Callable[[Path, str], Iterator[Said]]:
    def act(folder: Path, token: str) -> Iterator[Said]:
        yield run(
            folder, *(word.replace("TOKEN", token).replace("NUMBER", str(1000 + hash(token) % 900)) for word in words)
        )

    return act


COMMANDS = {
    "memory": once("memory", "add", "The token TOKEN was seen."),
    "journal": once("journal", "add", "Noted TOKEN here."),
    "correct": correct,
    "soul": once("soul", "edit", "--add", "Mind TOKEN.", "--section", "Vibe", "--why", "a try"),
    "undo": once("undo"),
    "capture": capture,
    "compact": compact,
    "promote": promote,
    "restore": restore,
    "config": once("config", "soul_max_tokens", "NUMBER"),
    "approve": approve,
}
STAYS = ("memory", "journal", "soul", "correct", "capture", "compact", "promote")


def command_on(folder: Path, kill: int, pipe: int) -> None:
    """Run every command that writes, in turn, and say what each has done; each second child dies at a step of one."""
    names = list(COMMANDS)
    if kill % 2:
        left = itertools.count(random.randrange(1, 60), -1)
        worktree_files.observe(lambda _: os.kill(os.getpid(), signal.SIGKILL) if next(left) == 0 else None)
    for number in itertools.count():
        kind, token = names[(kill + number) % len(names)], f"<{kill:04}.{number:04}>"
        for text in COMMANDS[kind](folder, token):
            commits = [
                text.get("commit"),
                *text.get("commits", ()),
                *(row["commit"] for row in text.get("committed", ())),
            ]
            row = {"kind": kind, "token": token, "change": text.get("change"), "commits": [*filter(None, commits)]}
            if text["code"] == 0 and (row["change"] or row["commits"]):
                os.write(pipe, f"{json.dumps(row)}\n".encode())


def commanded(folder: Path, kills: int, minutes: float) -> Report:
    """Kill commands until there were so many kills, or the time is over; then look at everything."""
    make(folder)
    report, started = Report(), time.monotonic()
    for kind in COMMANDS.values():  # loads what they need, once
        deque(kind(folder, "<9999.9999>"), maxlen=0)
    acknowledged: list[Said] = []
    while report.kills < kills and not report.wrong and time.monotonic() - started < minutes * 60:
        text, error = kill_once(folder, report.kills, command_on, None if report.kills % 2 else 0.6)
        report.kills += 1
        report.wrong += [f"kill {report.kills}: {error}"] if error else []
        report.recovered += (folder / ".git/refs/clawgit/pending").exists()
        acknowledged += [json.loads(row) for row in text.splitlines() if row.endswith("}")]
    run(folder, "memory", "add", "The next memory of all.")
    run(folder, "capture")
    report.acknowledged, report.kinds = len(acknowledged), dict(Counter(row["kind"] for row in acknowledged))
    report.wrong += agreed(folder, acknowledged)
    report.seconds = round(time.monotonic() - started, 1)
    return report


def agreed(folder: Path, acknowledged: list[Said]) -> Iterator[str]:
    """Look for every change, commit and line, and at what git says."""
    fields = "%(trailers:key=Clawgit-Change,valueonly,separator=) %(trailers:key=Clawgit-Undoes,valueonly,separator=)"
    rows = [row.split(" ") for row in git(folder, "log", f"--format=%H {fields}").splitlines()]
    commits, changes = {row[0] for row in rows}, Counter(row[1] for row in rows if row[1])
    undone = {row[2] for row in rows if row[2]}
    yield from (f"change {change} was made {count} times" for change, count in changes.items() if count > 1)
    files = [name for name in git(folder, "ls-files", "-z").split("\0") if name.endswith(".md")]
    disk = Counter(TOKEN.findall("".join((folder / name).read_text() for name in files)))
    head = Counter(TOKEN.findall(git(folder, "grep", "-h", "-o", "-E", "<[0-9]{4}\\.[0-9]{4}>", "HEAD", "--", "*.md")))
    yield from (
        f"{token} is not as often on disk as in HEAD"
        for token in disk.keys() | head.keys()
        if disk[token] != head[token]
    )
    for one in acknowledged:
        if one["change"] and one["change"] not in changes:
            yield f"{one['kind']} {one['token']}: change {one['change']} is lost"
        yield from (
            f"{one['kind']} {one['token']}: commit {oid[:10]} is lost" for oid in one["commits"] if oid not in commits
        )
        missing = undone & {one["change"], *one["commits"]}
        if one["kind"] in STAYS and not missing and not disk[one["token"]]:
            yield f"{one['kind']} {one['token']}: its line is lost"
        if one["kind"] in ("memory", "journal", "capture") and disk[one["token"]] > 1:
            yield f"{one['kind']} {one['token']}: its line stands there {disk[one['token']]} times"
    yield from (f"git status: {line}" for line in git(folder, "status", "--porcelain").splitlines())
    yield from git(folder, "fsck", "--no-dangling", "--no-progress", check=False).splitlines()
    locks = (place for place in (folder / ".git").rglob("*.lock") if "state" not in place.parts)
    yield from (
        f"left behind: {place.relative_to(folder)}" for place in (*locks, *folder.glob(".git/refs/clawgit/pending*"))
    )


def race(folder: Path, kills: int, *, beside: bool) -> Report:
    make(folder)
    report, started = Report(), time.monotonic()
    acknowledged: list[str] = []
    appended = 0
    while report.kills < kills and not report.wrong:
        text, error = kill_once(folder, report.kills)
        tokens = TOKEN.findall(text)
        report.kills += 1
        report.wrong += [f"kill {report.kills}: {error}"] if error else []
        report.recovered += (folder / ".git/refs/clawgit/pending").exists()
        acknowledged += tokens
        if beside and (folder / JOURNAL).exists():
            others(folder, report.kills)
            appended += report.kills % 3 == 0
    with opened(folder) as workspace:
        workspace.apply(memory_lines.make_addition(workspace, "The next memory of all.").change)
    report.acknowledged = len(acknowledged)
    report.wrong += judged(folder, acknowledged, appended)
    report.seconds = round(time.monotonic() - started, 1)
    return report


def main() -> int:
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--others", action="store_true", help="somebody appends and commits between the kills")
    parser.add_argument("--commands", action="store_true", help="every command that writes")
    parser.add_argument("--minutes", type=float, default=10, help="end --commands after so long")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clawgit-kills-") as name:
        folder = Path(name).resolve() / "workspace"
        if options.commands:
            report = commanded(folder, options.kills, options.minutes)
        else:
            report = race(folder, options.kills, beside=options.others)
    keep(to_builtins(report))
    if options.json:
        print(json.dumps(to_builtins(report), indent=1))
    else:
        print(
            f"{report.kills} kills in {report.seconds} s, {report.recovered} of them in the middle of a write; "
            f"{report.acknowledged} changes acknowledged, {len(report.wrong)} things wrong"
        )
        print(*(f"{kind} {count}" for kind, count in report.kinds.items()), sep=", ")
        print("".join(f"  {line}\n" for line in report.wrong), end="")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
