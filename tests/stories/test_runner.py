"""A day of the runner, killed again and again, ends like a day on which nobody disturbed it."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest

from clawgit.schedule import job_timetable, runner, runner_state
from clawgit.schedule.runner_state import find_runner_place
from clawgit.store.database import StateStore
from clawgit.workspace import entries
from tests.amounts import amount
from tests.sessions.transcripts import chain, write_transcript

HERE = Path(__file__).resolve().parent
CLAWGIT = Path(sys.executable).with_name("clawgit")
PATIENCE = 240.0
KILLS = amount(10, 2)
START = "2026-05-04T20:00:00+00:00"
TALKS = {
    "04T21:00": (
        ("user", "We decided to use Postgres 16 for the billing service."),
        ("assistant", "Noted."),
        ("assistant", "The office in Lisbon opens in June."),
        ("user", "No, it's Porto, not Lisbon."),
    ),
    "05T00:30": (
        ("user", "My daughter Mia turned 7 yesterday."),
        ("user", "Remember that the standup is on Tuesday at 9:30."),
    ),
    "05T06:01": (("user", "The deploy day is Thursday."), ("user", "Our VPN runs on port 51820.")),
    "05T10:00": (("assistant", "The deploy day is Monday."), ("user", "No, I said Thursday, not Monday.")),
}
STEPS = ["04T21:00", "05T10:00"]
if amount(1, 0):
    STEPS = sorted((*TALKS, "05T02:31", "05T04:31", "05T07:01", "05T15:00", "05T21:00"))
AGENTS = ("soul-keeper", "memory-miner", "conflict-detector", "housekeeping")


class Day:
    """A workspace with an OpenClaw, its clock, a runner, and a main agent that commits its journal beside it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.clock = folder / "ws", folder / "clock"
        self.folder = folder
        folder.mkdir()
        self.environ = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "OPENCLAW_STATE_DIR": str(folder / "oc")}
        (folder / "oc").mkdir()
        (folder / "oc/openclaw.json").write_text(json.dumps({"agents": {"defaults": {"workspace": str(self.root)}}}))
        subprocess.run(["git", "init", "--quiet", "-b", "main", str(self.root)], check=True)
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.org")
        subprocess.run([CLAWGIT, "-C", self.root, "init"], env=self.environ, check=True, capture_output=True)
        self.clock.write_text(START)
        self.place = find_runner_place(self.root, self.environ)
        self.said = (folder / "said").open("w")
        self.runner: subprocess.Popen[bytes] | None = None
        self.lines = 0

    def git(self, *arguments: str) -> str:
        result = subprocess.run(["git", "-C", self.root, *arguments], capture_output=True, text=True, check=True)
        return result.stdout

    def start(self) -> None:
        command = [sys.executable, str(HERE / "running.py"), str(self.root), str(self.clock)]
        self.runner = subprocess.Popen(command, env=self.environ, stdout=self.said, stderr=self.said)

    def end(self, number: int = signal.SIGTERM) -> None:
        if self.runner:
            self.runner.send_signal(number)
            self.runner.wait(PATIENCE)

    def kill(self, dice: random.Random) -> None:
        """Kill the runner at any moment, every other time after the job that it has at hand."""
        assert self.runner
        time.sleep(dice.random() * 2)
        children = Path(f"/proc/{self.runner.pid}/task/{self.runner.pid}/children")
        if dice.random() < 0.5 and children.exists():
            for child in children.read_text().split():
                os.kill(int(child), signal.SIGKILL)
        self.end(signal.SIGKILL)
        self.start()

    def talk(self, step: str) -> None:
        time = datetime.fromisoformat(f"2026-05-{step}:00+00:00").timestamp() - 600
        folder = self.folder / "oc/agents/main/sessions"
        name = f"talk-{step.replace(':', '').lower()}"
        write_transcript(folder / f"{name}.jsonl", chain(*TALKS[step], start=time, prefix=f"{name}-"), session=name)

    def journal(self) -> None:
        """Append to the journal and commit, as the main agent does; if git is locked it tries again."""
        for _ in range(4):
            self.lines += 1
            with (self.root / "memory/2026-05-04.md").open("a") as file:
                file.write(f"\n## 20:{self.lines:02} - Note\n\nLine {self.lines}.\n")
            self.until(lambda: self.commits("memory/2026-05-04.md"))

    def commits(self, path: str) -> bool:
        subprocess.run(["git", "-C", self.root, "add", path], capture_output=True, check=False)
        subprocess.run(["git", "-C", self.root, "commit", "-qm", "notes", "--", path], capture_output=True, check=False)
        return not self.git("status", "--porcelain", "--", path)

    def settled(self) -> bool:
        """Tell whether nothing is due any more by the clock as it stands."""
        now = datetime.fromisoformat(self.clock.read_text())
        plan, records = runner.read_plan(self.place, self.environ), runner_state.load(self.place.state)
        rows = [(row, records.get(row.job)) for row in plan.rows]
        return all(
            record and row.when and job_timetable.find_due_slot(row.when, record, now, UTC) is None
            for row, record in rows
        )

    def until(self, true: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < deadline, (self.folder / "said").read_text()
            assert self.runner is None or self.runner.poll() is None, (self.folder / "said").read_text()
            time.sleep(0.05)

    def live(self, kills: int, dice: random.Random) -> None:
        """Let the day go by."""
        self.start()
        self.until(self.settled)
        kill_steps = sorted(dice.choices(range(len(STEPS)), k=kills))
        for number, step in enumerate(STEPS):
            if step in TALKS:
                self.talk(step)
            fresh = self.clock.with_suffix(".new")
            fresh.write_text(f"2026-05-{step}:00+00:00")
            fresh.replace(self.clock)
            agent = Thread(target=self.journal)
            agent.start()
            for _ in range(kill_steps.count(number)):
                self.kill(dice)
            agent.join()
            self.until(self.settled)
        self.end()

    def photograph(self) -> dict[str, str]:
        """Return the tracked files, without the ids of commits and the numbers that a clone gives its rows."""
        names = [path for path in self.git("ls-files", "-z").split("\0") if path]
        texts = {path: (self.root / path).read_text() for path in sorted(names)}
        texts[entries.PATH] = entries.format_sidecar(texts[entries.PATH])
        return {path: re.sub(r"@[0-9a-f]{7,40}\b", "@COMMIT", text) for path, text in texts.items()}


@pytest.mark.timeout(1500)
@pytest.mark.skipif(sys.platform != "linux", reason="Linux; get it: run the tests there")
def test_a_day_with_kills_ends_like_one_without(tmp_path: Path) -> None:
    """Covers P11: nothing is skipped, nothing is done twice, and nobody's lines are lost."""
    days = [Day(tmp_path / "quiet"), Day(tmp_path / "killed")]
    try:
        days[0].live(0, random.Random(1))
        days[1].live(KILLS, random.Random(2))
    finally:
        for day in days:
            day.end(signal.SIGKILL)
            day.said.close()
    quiet, killed = (day.photograph() for day in days)
    assert killed == quiet
    assert "Postgres 16" in killed["MEMORY.md"]
    for day in days:  # no memory says Lisbon: the operator is asked
        assert [item.kind for item in StateStore(day.root / ".git/clawgit").read_items("open") if "Porto" in item.title]
    journal = re.findall(r"^Line (\d+)\.$", killed["memory/2026-05-04.md"], re.MULTILINE)
    assert journal == [str(number) for number in range(1, 4 * len(STEPS) + 1)]
    for day in days:
        records = runner_state.load(day.place.state)
        assert {job: records[job].done for job in AGENTS} == dict.fromkeys(AGENTS, ("2026-05-05",))
        assert day.git("fsck", "--no-progress", "--connectivity-only") == ""
        assert day.git("status", "--porcelain") == ""
