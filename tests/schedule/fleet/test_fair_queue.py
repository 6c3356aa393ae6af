"""Whoever waits has the same share, however often the others come."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.schedule.fleet.fleet_runner import FairQueue


def test_whoever_was_served_least_is_next():
    queue = FairQueue[str]()
    for name in ("a", "b", "c"):
        queue.put(name)
    assert [queue.take() for _ in range(3)] == ["a", "b", "c"]
    queue.served("a", 5)
    queue.served("b", 1)
    queue.served("c", 3)
    for name in ("a", "b", "c"):
        queue.put(name)
    assert [queue.take() for _ in range(4)] == ["b", "c", "a", None]


def test_one_that_floods_delays_another_by_one_job_at_most():
    queue = FairQueue[str]()
    served = []
    queue.put("flood", ahead=30)
    for number in range(200):
        if number == 150:
            queue.put("rare", ahead=30)
        name = queue.take()
        served.append(name)
        queue.served(name, 1)
        queue.put("flood", ahead=30)
    assert served.index("rare") <= 151


def test_what_was_written_comes_before_what_is_only_due_but_not_for_ever():
    queue = FairQueue[str]()
    queue.put("due")
    queue.put("written", ahead=30)
    assert queue.take() == "written"
    for _ in range(40):
        queue.served("written", 1)
        queue.put("written", ahead=30)
        if queue.take() == "due":
            break
    else:
        raise AssertionError("what is due was never served")


def test_who_rested_has_saved_nothing_up():
    queue = FairQueue[str]()
    queue.put("busy")
    for _ in range(100):
        assert queue.take() == "busy"
        queue.served("busy", 1)
        queue.put("busy")
    queue.put("fresh")
    shares = []
    for _ in range(20):
        name = queue.take()
        shares.append(name)
        queue.served(name, 1)
        queue.put(name)
    assert 9 <= shares.count("busy") <= 11


def test_who_waits_already_keeps_the_better_place_and_who_is_forgotten_is_gone():
    queue = FairQueue[str]()
    queue.put("a", ahead=5)
    queue.put("a")
    queue.put("b", ahead=3)
    assert len(queue) == 2
    assert queue.take() == "a"
    queue.forget("b")
    assert queue.take() is None


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 30), st.floats(0.1, 60)), max_size=60))
def test_nobody_is_lost_and_nobody_is_doubled(steps):
    queue, waiting = FairQueue[str](), set()
    for name, ahead, seconds in steps:
        queue.put(name, ahead)
        waiting.add(name)
        if len(waiting) > 2:
            taken = queue.take()
            waiting.remove(taken)
            queue.served(taken, seconds)
    assert len(queue) == len(waiting)
    assert {queue.take() for _ in range(len(waiting))} == waiting
    assert queue.take() is None
