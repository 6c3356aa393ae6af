"""A group of writes is captured once those who write have paused."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace.watch import Quiet


def test_a_file_is_quiet_after_it_stood_long_enough():
    quiet = Quiet(5)
    assert quiet.look({"a": (1,)}, 100) == frozenset()
    assert quiet.look({"a": (1,)}, 104.9) == frozenset()
    assert quiet.look({"a": (1,)}, 105) == {"a"}


def test_a_write_begins_the_pause_anew():
    quiet = Quiet(5)
    quiet.look({"a": (1,)}, 100)
    quiet.look({"a": (2,)}, 104)
    assert quiet.look({"a": (2,)}, 106) == frozenset()
    assert quiet.look({"a": (2,)}, 109) == {"a"}


def test_one_that_is_still_written_holds_up_the_group_but_not_for_ever():
    quiet = Quiet(5, patience=60)
    quiet.look({"a": (1,)}, 100)
    for second in range(1, 60):
        assert quiet.look({"a": (1,), "b": (second,)}, 100 + second) == frozenset()
    assert quiet.look({"a": (1,), "b": (60,)}, 160) == {"a"}


def test_a_deleted_file_is_quiet_like_any_other():
    quiet = Quiet(5)
    quiet.look({"a": None}, 100)
    assert quiet.look({"a": None}, 105) == {"a"}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-(10**12), 10**12)), min_size=1))
def test_whatever_clock_the_files_show_they_are_captured_once_they_rest(writes):
    quiet, now = Quiet(5), 0.0
    for step, stamp in writes:
        now += step
        quiet.look({"a": (stamp,)}, now)
    last = (writes[-1][1],)
    quiet.look({"a": last}, now)
    assert quiet.look({"a": last}, now + 5) == {"a"}
