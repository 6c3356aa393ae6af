"""Many workspaces run from one process, and none delays another."""

import shutil
import subprocess
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from clawgit.schedule import runner_state
from clawgit.schedule.fleet import fleet_runner
from clawgit.schedule.fleet.fleet_runner import FleetRunner, Listeners
from clawgit.schedule.job_process import Did, Hand
from clawgit.workspace.agent_workspaces import Home
from tests import moulds


@dataclass
class Crew:
    """A fleet that runs beside the test; `slow` are workspaces whose jobs hang until they are let go."""

    roots: list[Path]
    environ: dict[str, str]
    jobs: int = 2
    real: bool = False
    slow: set[str] = field(default_factory=set)
    let_go: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)
    ran: list[tuple[str, str]] = field(default_factory=list)
    trouble: list[tuple[str, str]] = field(default_factory=list)
    comes: dict[str, Did] = field(default_factory=dict)

    def work(self, handle):
        hand = Hand(handle, self.environ)

        def do(order, stop):
            name = Path(order.root).name
            while name in self.slow and not self.let_go.is_set() and not stop():
                time.sleep(0.01)
            if self.real:
                return hand(order, stop)
            return self.comes.get(name, Did())

        return do

    @contextmanager
    def running(self):
        tell = Listeners(
            lambda home, ended: self.ran.append((home.root.name, ended.job)),
            lambda home, error: self.trouble.append((home.root.name, error.message)),
        )
        homes = tuple(Home((root.name,), root) for root in self.roots)
        fleet = FleetRunner(lambda: homes, self.jobs, 0, self.stop, tell, self.environ, self.work)
        thread = threading.Thread(target=fleet.run)
        thread.start()
        try:
            yield fleet
        finally:
            self.stop.set()
            thread.join(30)
            assert not thread.is_alive()

    def until(self, true, seconds=120.0):
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, (self.ran, self.trouble)
            time.sleep(0.02)


@pytest.fixture
def crew(mould, tmp_path, environ):
    """Four workspaces."""
    (tmp_path / "agents").mkdir()
    return Crew([moulds.copied(mould, tmp_path / "agents" / name) for name in "abcd"], environ)


POLLED = {"capture", "session-import", "recall-validator", "index"}


def settled(crew):
    return all({job for name, job in crew.ran if name == root.name} >= POLLED for root in crew.roots)


def git(root, *arguments):
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout


def log(root):
    return git(root, "log", "--format=%s").splitlines()


def test_what_is_written_is_captured_once_its_writer_has_paused(crew, monkeypatch):
    crew.real = True
    crew.roots = crew.roots[:2]
    for root in crew.roots:
        (root / "CONFIG.md").write_text("```yaml\ncapture_quiet_seconds: 1\n```\n")
    with crew.running():
        crew.until(lambda: settled(crew), 90)
        crew.ran.clear()
        (crew.roots[1] / "memory/new").mkdir(parents=True)
        time.sleep(0.2)
        (crew.roots[1] / "memory/new/note.md").write_text("- Met Ines.\n")
        crew.until(lambda: ("b", "capture") in crew.ran)
        crew.until(lambda: "memory/new/note.md" in tracked(crew.roots[1]))
        (crew.roots[1] / "memory/new/note.md").write_text("- Met Ines at six.\n")
        before = len(log(crew.roots[1]))
        crew.until(lambda: len(log(crew.roots[1])) > before)
    assert {name for name, job in crew.ran if job == "capture"} == {"b"}  # others may have their hour just now


def tracked(root):
    return git(root, "ls-files")


def test_stuck_ones_delay_nobody(crew, monkeypatch, mould, tmp_path):
    monkeypatch.setattr(fleet_runner, "LONG_SECONDS", 0.3)
    crew.slow = {"a", "b", "c"}  # more than run at once
    with crew.running():
        crew.until(lambda: len([one for one in crew.ran if one[0] == "d"]) >= 4)
        assert {name for name, _ in crew.ran} == {"d"}
        crew.let_go.set()
        crew.until(lambda: settled(crew))


def test_one_that_never_rests_has_its_share_and_no_more(crew, monkeypatch):
    crew.jobs = 1
    monkeypatch.setattr(fleet_runner, "PATIENCE_SECONDS", 0.1)
    crew.comes["a"] = Did("done", again=True)
    with crew.running():
        crew.until(lambda: all(any(one[0] == name for one in crew.ran) for name in "bcd"))
        assert len([one for one in crew.ran if one[0] == "a"]) < 8


def test_one_that_vanishes_is_told_once_and_served_again_when_it_is_back(crew, monkeypatch, mould):
    monkeypatch.setattr(fleet_runner, "AGAIN_SECONDS", 0.2)
    with crew.running():
        crew.until(lambda: settled(crew))
        crew.ran.clear()
        shutil.move(crew.roots[0], crew.roots[0].with_name("moved"))
        crew.until(lambda: crew.trouble)
        time.sleep(1)
        assert len(crew.trouble) == len(set(crew.trouble))
        shutil.move(crew.roots[0].with_name("moved"), crew.roots[0])
        (crew.roots[0] / "MEMORY.md").write_text("# Memory\n\n- Back again.\n")
        crew.until(lambda: ("a", "capture") in crew.ran)
    assert {name for name, _ in crew.trouble} == {"a"}


def test_somebody_elses_runner_is_left_alone_and_taken_over_from(crew, environ, monkeypatch):
    monkeypatch.setattr(fleet_runner, "BUSY_SECONDS", 0.2)
    place = runner_state.place(crew.roots[0], environ)
    with ExitStack() as other:
        other.enter_context(runner_state.hold_lease(place.home))  # before the fleet can take it
        with crew.running():
            crew.until(lambda: {name for name, _ in crew.ran} >= {"b", "c", "d"})
            time.sleep(0.3)
            assert "a" not in {name for name, _ in crew.ran}
            other.close()
            crew.until(lambda: "a" in {name for name, _ in crew.ran})


def test_a_job_that_wants_more_memory_than_it_may_have_fails_alone(crew):
    crew.real = True
    crew.roots = crew.roots[:1]
    tell = Listeners(lambda home, ended: crew.ran.append(ended.did), lambda *_: None)
    homes = (Home(("a",), crew.roots[0]),)
    fleet = FleetRunner(lambda: homes, 1, 1, crew.stop, tell, crew.environ)
    thread = threading.Thread(target=fleet.run)
    thread.start()
    crew.until(lambda: crew.ran)
    crew.stop.set()
    thread.join(30)
    assert crew.ran[0].result == "failed"
