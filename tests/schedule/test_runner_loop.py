"""The loop goes on, whatever happens to one workspace or to the clock."""

import shutil
from datetime import datetime, timedelta
from threading import Event

import pytest

from clawgit.schedule import runner
from clawgit.schedule.job_order import Did
from clawgit.schedule.runner import Turn
from clawgit.schedule.runner_state import GoneError, place

TICK = 0.01


class Told:
    """Notes what is told, and ends the loop after so much of it."""

    def __init__(self, stop, most):
        self.stop, self.most, self.words = stop, most, []

    def note(self, *words):
        self.words.append(words)
        if len(self.words) >= self.most:
            self.stop.set()

    @property
    def listeners(self):
        return runner.Listeners(
            lambda turn, ended: self.note(turn.place.root.name, ended.job),
            lambda turn, error: self.note(turn.place.root.name, error.message),
        )


@pytest.fixture
def stop():
    return Event()


def test_it_looks_at_once_and_again_and_again(turn, work, clock, stop):
    def later():
        clock.go(minutes=3)
        return clock.now

    told = Told(stop, 8)
    turn._clock = later
    work.comes["capture"] = Did("done", again=True)
    runner.run([turn], stop, told.listeners, TICK)
    assert told.words[:4] == [("ws", job) for job in ("capture", "session-import", "recall-validator", "index")]
    assert ("ws", "capture") in told.words[4:]


def test_trouble_of_one_workspace_is_told_once_and_leaves_the_others_alone(turn, work, clock, stop, here, environ):
    other = place(shutil.copytree(here.root, here.root.with_name("other")), environ)
    (other.root / "CONFIG.md").write_text("```yaml\nrun_seconds: never\n```\n")
    rounds = []

    def count():
        rounds.append(1)
        clock.go(minutes=5)
        if len(rounds) > 40:
            stop.set()
        return clock.now

    told = Told(stop, 1000)
    runner.run([Turn(other, work, count, stop.is_set, environ), turn], stop, told.listeners, TICK)
    assert [words for name, words in told.words if name == "other"] == [
        "CONFIG.md:2: run_seconds: 'never' is not a whole number above 0"
    ]
    assert ("ws", "capture") in told.words


def test_a_workspace_that_goes_is_left_and_with_the_last_the_loop_ends(turn, work, clock, stop, here, environ):
    other = place(shutil.copytree(here.root, here.root.with_name("other")), environ)

    def vanish(order, stop):
        shutil.rmtree(order.root)
        return work(order, stop)

    told = Told(stop, 1000)
    turns = [Turn(one, vanish, clock, stop.is_set, environ) for one in (other, here)]
    with pytest.raises(GoneError, match="ws is gone"):
        runner.run(turns, stop, told.listeners, TICK)
    assert ("other", f"{other.root} is gone") in told.words


def test_it_goes_on_when_the_machines_clock_is_put_back(turn, clock, stop, monkeypatch):
    """The library waits until the clock shows again what it had shown."""
    rounds = []

    class Jumping(datetime):
        @classmethod
        def now(cls, tz=None):
            return super().now(tz) - timedelta(hours=len(rounds))

    monkeypatch.setattr("schedule.datetime.datetime", Jumping)

    def count():
        rounds.append(1)
        if len(rounds) > 8:
            stop.set()
        return clock.now

    turn._clock = count
    runner.run([turn], stop, Told(stop, 1000).listeners, TICK)
    assert len(rounds) > 8
