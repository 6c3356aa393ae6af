"""`clawgit capture`."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


def test_what_others_wrote_is_one_line_with_its_way_back(call: Callable, space: Path, inside: Callable) -> None:
    (space / "memory/2026-01-20.md").write_text("- one\n")
    (space / "MEMORY.md").write_text((space / "MEMORY.md").read_text() + "- two\n")
    answer = call("capture")
    commit = inside("rev-parse", "--short=10", "HEAD").strip()
    assert answer.code == 0
    assert answer.out == f"{commit} captured MEMORY.md, memory/2026-01-20.md\n  undo: clawgit undo {commit}\n"
    assert call("undo", commit).code == 0
    assert not (space / "memory/2026-01-20.md").exists()


def test_nothing_to_do_is_said(call: Callable) -> None:
    assert call("capture").out == "nothing to do: everything is committed\n"
    assert call("capture", "--json").json == {
        "commits": [], "files": [], "held": [], "healed": [], "alarms": [], "proposals": [],
        "undo": [], "items": [], "waiting": []
    }  # fmt: skip


def test_what_is_held_back_is_named_with_the_way_out_and_no_failure(call: Callable, space: Path) -> None:
    (space / "memory/keys.md").write_text(f"key {KEY}\n")
    answer = call("capture")
    assert answer.code == 0
    assert (
        "warning: memory/keys.md:1 holds a secret (aws-access-key); it stays uncommitted\n  fix: move it" in answer.err
    )
    assert KEY not in answer.out + answer.err
    (held,) = call("capture", "--json").json["held"]
    assert (held["path"], held["reason"]) == ("memory/keys.md", "memory/keys.md:1 holds a secret (aws-access-key)")


def test_an_alarm_comes_with_the_command_that_takes_it_back(call: Callable, space: Path) -> None:
    before = (space / "SOUL.md").read_text()
    (space / "SOUL.md").unlink()
    answer = call("capture")
    assert "warning: SOUL.md is gone\n  fix: clawgit restore 'SOUL.md' --approved" in answer.err
    fix = answer.err.rpartition("fix: clawgit ")[2].replace("'", "").split()
    assert call(*fix).code == 0
    assert (space / "SOUL.md").read_text() == before


def test_a_folder_that_nobody_adopted_is_told_how(call: Callable, space: Path, inside: Callable) -> None:
    inside("rm", "-q", "-r", "--cached", ".clawgit")
    inside("commit", "-q", "-m", "workspace: given back by clawgit")
    answer = call("capture")
    assert answer.code == 1
    assert "is not managed by clawgit any more" in answer.err
    assert "clawgit eject" in answer.err


class Watcher:
    """`clawgit capture --watch` as a process of its own."""

    def __init__(self, space: Path, *options: str) -> None:
        command = Path(sys.executable).with_name("clawgit")
        self.out = space.parent / "out"
        self.err = space.parent / "err"
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [command, "capture", "--watch", *options], cwd=space, stdout=out, stderr=err
            )

    def until(self, words: str, seconds: float = 60, *, said: bool = True) -> str:
        """Wait until it said these words."""
        place = self.out if said else self.err
        end = time.monotonic() + seconds
        while words not in place.read_text():
            assert time.monotonic() < end, (words, self.out.read_text(), self.err.read_text())
            assert self.process.poll() is None, self.err.read_text()
            time.sleep(0.05)
        return place.read_text()

    def stop(self) -> int:
        """Ask it to end, and wait."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


@pytest.fixture
def quick(space: Path, inside: Callable) -> Path:
    """A workspace in which three seconds are quiet enough, also for a machine that is busy."""
    config = space / "CONFIG.md"
    config.write_text(config.read_text().replace("```yaml\n", "```yaml\ncapture_quiet_seconds: 3\n", 1))
    inside("commit", "-q", "-a", "-m", "quick")
    return space


def test_watching_commits_each_group_of_writes_once(quick: Path, inside: Callable) -> None:
    (quick / "memory/meanwhile.md").write_text("- written while nobody watched\n")
    watcher = Watcher(quick)
    try:
        watcher.until("memory/meanwhile.md")
        for number in range(6):
            with (quick / "memory/a.md").open("a") as file:
                file.write(f"- {number}\n")
            time.sleep(0.2)
        (quick / "memory/new").mkdir()
        (quick / "memory/new/b.md").write_text("- b\n")
        (quick / "memory/keys.md").write_text(f"key {KEY}\n")
        watcher.until("memory/a.md")
        watcher.until("memory/keys.md:1 holds a secret", said=False)
        (quick / "memory/new/c.md").write_text("- c\n")
        watcher.until("memory/new/c.md")
        assert watcher.stop() == 0
    finally:
        watcher.process.kill()
    subjects = inside("log", "--format=%s", "-3").splitlines()
    assert subjects[0] == "capture: memory/new/c.md is new (1 line)"
    assert subjects[1] == "capture: memory/a.md, memory/new/b.md"
    assert watcher.err.read_text().count("memory/keys.md:1") == 1
    assert not (quick / ".git/index.lock").exists()


def test_no_line_that_somebody_writes_over_before_a_capture_is_lost(
    quick: Path, call: Callable, inside: Callable
) -> None:
    """A writer that keeps the whole file in mind saves it again and again, each time with other lines."""
    watcher = Watcher(quick)
    lines = [f"- line {number} of a restless writer" for number in range(60)]
    try:
        watcher.until("watching", said=False)
        for number, line in enumerate(lines):
            place = quick / f"memory/{number % 3}.md"
            if number % 2:
                place.write_text(f"# Notes\n\n{line}\n")
            else:
                (quick / "saving").write_text(f"# Notes\n\n{line}\n")
                (quick / "saving").rename(place)
            time.sleep(0.05)
        watcher.until("memory/2.md")
        assert watcher.stop() == 0
    finally:
        watcher.process.kill()
    committed = inside("log", "-p", "--format=")
    seen = {line for one in call("log", "--seen", "--json").json for line in one["alone"]}
    assert [line for line in lines if line not in committed and line not in seen] == []
    assert [line for line in lines if line in seen]


def test_watching_prints_a_document_for_each_capture(quick: Path) -> None:
    watcher = Watcher(quick, "--json")
    try:
        (quick / "memory/a.md").write_text("- a\n")
        watcher.until("memory/a.md")
        assert watcher.stop() == 0
    finally:
        watcher.process.kill()
    assert json.loads(watcher.out.read_text())["files"] == ["memory/a.md"]


def test_watching_ends_when_the_workspace_goes(quick: Path) -> None:
    watcher = Watcher(quick)
    try:
        watcher.until("watching", said=False)
        quick.rename(quick.with_name("elsewhere"))
        assert watcher.process.wait(60) == 1
    finally:
        watcher.process.kill()
    said = watcher.err.read_text()  # a note that it was about to keep may have made the folder of its state anew
    assert str(quick) in said


def test_watching_follows_what_others_commit_at_once(quick: Path, inside: Callable) -> None:
    old = "# Memory\n\n- The office is in Berlin.\n- Ana leads the team.\n"
    for text in (old, old + "- The budget of spring is spent.\n"):
        (quick / "MEMORY.md").write_text(text)
        inside("commit", "-q", "-a", "-m", "notes")
    watcher = Watcher(quick)
    try:
        watcher.until("watching", said=False)
        time.sleep(2)
        (quick / "MEMORY.md").write_text(old + "- Rust is what the indexer is written in.\n")
        inside("commit", "-q", "-a", "-m", "stale")
        watcher.until("MEMORY.md: 1 line of others went", said=False)
        assert watcher.stop() == 0
    finally:
        watcher.process.kill()
    assert "spring" not in (quick / "MEMORY.md").read_text()


def test_watching_ends_when_the_workspace_is_given_back(quick: Path, call: Callable) -> None:
    watcher = Watcher(quick)
    try:
        watcher.until("watching", said=False)
        assert call("eject", quick, "--yes").code == 0
        assert watcher.process.wait(60) == 1
    finally:
        watcher.process.kill()
    assert "clawgit adopt" in watcher.err.read_text()


def taken_back(call: Callable, space: Path, inside: Callable) -> str:
    """Let an agent repeat a commit whose first try failed beside a memory of ours; return that memory's commit."""
    (space / "work.txt").write_text("work\n")
    inside("add", "work.txt")
    shutil.copy(space / ".git/index", space / ".git/index.kept")
    added = json.loads(call("memory", "add", "Kettle is blue.", "--json").out)["commit"]
    (space / ".git/index.kept").rename(space / ".git/index")
    inside("commit", "-qm", "theirs, again")
    assert "Kettle" not in inside("show", "HEAD:MEMORY.md")
    return str(added)


def test_a_memory_that_somebodys_commit_took_back_lands_again_as_it_was(
    call: Callable, space: Path, inside: Callable
) -> None:
    """Nothing is captured, nothing is called unknown, and nobody is told to undo it."""
    added = taken_back(call, space, inside)
    answer = call("capture")
    assert "made from an older index, had taken a change off; what the files still hold landed again" in answer.err
    assert "undo" not in answer.out + answer.err
    assert inside("log", "-1", "--format=%an %B") == inside("log", "-1", "--format=%an %B", added)
    assert inside("diff", added, "HEAD", "--", "MEMORY.md", ".clawgit") == ""
    assert "Kettle" in inside("show", "HEAD:MEMORY.md")
    assert inside("status", "--porcelain") == ""
    assert "nothing to do" in call("capture").out
    assert "alarms      none" in call("status").out
    assert call("undo").code == 0
    assert "Kettle" not in (space / "MEMORY.md").read_text()


def test_the_next_write_brings_it_back_as_well(call: Callable, space: Path, inside: Callable) -> None:
    taken_back(call, space, inside)
    assert call("journal", "add", "A note.").code == 0
    assert "Kettle" in inside("show", "HEAD:MEMORY.md")
    assert "unknown" not in inside("log", "--format=%B", "-3")


def test_what_is_taken_out_of_a_journal_stays_out(call: Callable, space: Path) -> None:
    journal = space / "memory/2026-02-14.md"
    journal.parent.mkdir(exist_ok=True)
    before = "# 2026-02-14\n\n- Opened the greenhouse.\n- Fed the cat.\n"
    for text in (before, f"{before}- The door said 4711.\n", before):
        journal.write_text(text)
        told = call("capture").err
    assert "1 line of others went: clawgit restore 'memory/2026-02-14.md' --as-of" in told
    call("capture")
    assert journal.read_text() == before
