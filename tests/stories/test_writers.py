"""One day with several writers: nothing of anyone is lost, and all of it can be explained."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine

from clawgit.git import repository
from clawgit.workspace import identity_edits, memory, records
from clawgit.workspace.bootstrap import init
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.undo import undo
from clawgit.workspace.workspace import Workspace

JOURNAL = "memory/2026-01-20.md"
SAID = "We stay on SQLite until a second site signs."
OPTIONS = "With every question, bring two options."
PHONE = "On the phone: the answer first, in one sentence."
BY_HAND = "- Never write to Halden without a draft."
CLAWGIT = Path(sys.executable).with_name("clawgit")


UNKNOWN_WRITER = {"agent": None, "author": "", "origin": None, "risk": None, "reasons": [], "claimed": False}


class Day:
    """The 20th of January, in one workspace."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = datetime(2026, 1, 20, tzinfo=UTC)

    def at(self, clock: str) -> None:
        hour, minute = map(int, clock.split(":"))
        self.now = self.now.replace(hour=hour, minute=minute)

    def open(self) -> Workspace:
        return Workspace(repository.find(self.root), lambda: self.now)

    def apply(self, change: Change) -> Applied:
        with self.open() as workspace:
            return workspace.apply(change)

    def git(self, *arguments: str) -> str:
        when = self.now.isoformat()
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env={**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert not done.returncode, done.stderr
        return done.stdout

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text, "utf-8")

    def append(self, path: str, text: str) -> None:
        with (self.root / path).open("a", encoding="utf-8") as file:
            file.write(text)


@pytest.fixture
def day(tmp_path: Path) -> Iterator[Day]:
    found = Day(tmp_path / "workspace")
    found.root.mkdir()
    found.at("07:30")
    found.git("init", "--quiet")
    found.append(".git/config", "[user]\n\tname = Mira\n\temail = mira@example.org\n")
    with time_machine.travel(found.now):
        init(found.root).workspace.close()
    return found


def test_a_day(day: Day) -> None:
    remember(day)
    options = become(day)
    somebody_commits(day)
    reconsider(day, options)
    change_ones_mind_twice(day)
    look_back(day)
    clone(day)


def remember(day: Day) -> None:
    """The agent writes its journal with plain file tools; what is cited of it is committed, as somebody else's."""
    day.at("08:00")
    day.write(JOURNAL, f"# 2026-01-20\n\n- Mira: {SAID}\n- Mira: bring me two options.\n")
    day.at("08:10")
    with day.open() as workspace:
        added = memory.add(workspace, SAID, tag="decision", evidence=(f'{JOURNAL}#L3 "{SAID}"',))
        workspace.apply(added.change)
    kept = day.read("MEMORY.md")
    assert kept.count(f"- {SAID} #decision\n") == 1
    ours, theirs, first = day.git("log", "-3", "--format=%an %s").splitlines()
    assert (ours, first) == (f"Mira memory: {SAID}", "Mira workspace: managed by clawgit")
    assert theirs.startswith(f"unknown capture: {JOURNAL}")
    day.at("08:20")
    with day.open() as workspace:
        again = memory.add(workspace, SAID.upper(), tag="decision")
        workspace.apply(again.change)
        (found,) = memory.memories(workspace)
    assert (again.merged_into, found.id, found.mentions) == (added.id, added.id, 2)
    assert day.read("MEMORY.md") == kept


def become(day: Day) -> str:
    """Two edits of the identity, and between them one by hand that is captured first; returns the first change."""
    day.at("09:00")
    with day.open() as workspace:
        first = workspace.apply(add_to_soul(workspace, OPTIONS, f'{JOURNAL}#L4 "two options"'))
    day.at("09:10")
    day.write("SOUL.md", day.read("SOUL.md").replace("\n## Vibe\n", f"{BY_HAND}\n\n## Vibe\n"))
    day.append(JOURNAL, "- Mira: the phone again, one sentence.\n")
    day.at("09:20")
    with day.open() as workspace:
        second = workspace.apply(add_to_soul(workspace, PHONE, f"{JOURNAL}#L5"))
        by_hand = next(found for found in records.log(workspace, "SOUL.md") if found.commit == second.captured)
    assert (by_hand.agent, by_hand.author, by_hand.origin) == ("capture", "unknown", "unknown")
    assert f"+{BY_HAND}\n" in day.git("show", "--format=", by_hand.commit)
    return first.change


def add_to_soul(workspace: Workspace, text: str, pointer: str) -> Change:
    return identity_edits.edit(
        workspace, "add", text, section="Core Truths", why="She asked for it.", evidence=(pointer,)
    )


def somebody_commits(day: Day) -> None:
    """The operator commits with git alone, and leaves something of the agent's uncommitted."""
    day.at("10:00")
    day.append("USER.md", "\nMira reads on the phone until nine.\n")
    day.append(JOURNAL, "- Fen: the import runs.\n")
    day.git("commit", "--quiet", "-m", "About me", "USER.md")
    assert day.git("status", "--porcelain") == f" M {JOURNAL}\n"
    day.at("10:10")
    day.apply(memory.add_note(day.open(), "The import is through.", title="Import"))
    assert day.read(JOURNAL).endswith("- Fen: the import runs.\n\n## 10:10 - Import\n\nThe import is through.\n")


def reconsider(day: Day, options: str) -> None:
    """The oldest edit of the identity goes; the later ones, whoever made them, stay."""
    day.at("11:00")
    expected = day.read("SOUL.md").replace(f"- {OPTIONS}\n", "")
    day.apply(undo(day.open(), options, only="SOUL.md"))
    assert day.read("SOUL.md") == expected
    assert BY_HAND in expected
    assert PHONE in expected


def change_ones_mind_twice(day: Day) -> None:
    """An undo gives back every byte of the files, and so does the undo of the undo."""
    before = day.read("MEMORY.md")
    day.at("12:00")
    with day.open() as workspace:
        added = memory.add(workspace, "The pilot starts on 19 March.", tag="event")
        workspace.apply(added.change)
    after = day.read("MEMORY.md")
    day.at("12:10")
    taken_back = day.apply(undo(day.open()))
    assert day.read("MEMORY.md") == before
    assert day.open().rows()[added.id].status == "tombstone"
    day.at("12:20")
    day.apply(undo(day.open(), taken_back.change))
    assert day.read("MEMORY.md") == after != before
    assert day.open().rows()[added.id].status == "live"


def look_back(day: Day) -> None:
    """Everything is in HEAD and on disk, at the time it happened, and the repository is sound."""
    for path, line in (
        ("SOUL.md", BY_HAND),
        ("USER.md", "Mira reads on the phone until nine."),
        *((JOURNAL, line) for line in (f"- Mira: {SAID}", "- Mira: the phone again, one sentence.")),
        *((JOURNAL, line) for line in ("- Fen: the import runs.", "The import is through.")),
    ):
        assert day.read(path).splitlines().count(line) == 1
        assert day.git("show", f"HEAD:{path}").splitlines().count(line) == 1
    assert day.git("status", "--porcelain") == ""
    assert day.git("fsck", "--strict", "--no-dangling") == ""
    times = day.git("log", "--reverse", "--format=%cd", "--date=format-local:%H:%M").split()
    assert times == sorted(times)
    assert (times[0], times[-1]) == ("07:30", "12:20")


def clone(day: Day) -> None:
    """A fresh clone answers as the original does."""
    copy = day.root.with_name("clone")
    day.git("clone", "--quiet", str(day.root), str(copy))
    for command in (["soul", "log"], ["soul", "show"], ["memory", "list"], ["status"]):
        here, there = (ask(place, *command) for place in (day.root, copy))
        if command == ["status"]:
            here["workspace"] = there["workspace"]
            assert [one["path"] for one in there.pop("untrusted")] == [""], "nothing is approved in a clone"
            assert here.pop("untrusted") == []
            assert there.pop("grown") == [], "nor has anything grown since"
            added = {one["path"]: (one["added"], one["removed"]) for one in here.pop("grown")}
            assert added == {"SOUL.md": (2, 0), "USER.md": (1, 0)}, "also what was committed past clawgit"
        if command == ["soul", "log"]:  # a clone knows from the messages alone who wrote
            here, there = ([{**one, **UNKNOWN_WRITER} for one in told] for told in (here, there))
        assert here == there, command
    assert [one["commit"] for one in ask(copy, "soul", "log")] == day.git("log", "--format=%H", "--", "SOUL.md").split()
    mentions = [one["mentions"] for one in ask(copy, "memory", "list")]
    assert (mentions[:2], sum(mentions)) == ([2, 1], 3)
    for path in (".clawgit/entries.tsv", "MEMORY.md", JOURNAL):
        assert (copy / path).read_bytes() == (day.root / path).read_bytes()


def ask(place: Path, *command: str):
    done = subprocess.run([CLAWGIT, "-C", place, *command, "--json"], capture_output=True, check=True)
    return json.loads(done.stdout)
