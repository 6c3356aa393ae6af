"""A transcript is a tree, and its active branch counts."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.sessions.chat_tree import active, grown
from clawgit.sessions.session_messages import Event


def event(name, parent, ordinal=0):
    return Event(name, parent, ordinal, 0.0)


def branch(pairs):
    found = grown([event(name, parent) for name, parent in pairs], None, lambda _: ())
    return active({link.event: link.up for link in found.links}, found.leaf)


def test_the_last_entry_is_followed_to_its_root():
    assert branch([("a", None), ("b", "a"), ("c", "b"), ("d", "b")]) == {"a", "b", "d"}


def test_a_second_root_begins_anew():
    assert branch([("a", None), ("b", "a"), ("c", None)]) == {"c"}


def test_entries_without_parents_follow_each_other():
    assert branch([("a", ""), ("b", ""), ("c", "")]) == {"a", "b", "c"}


def test_a_parent_that_cannot_be_found_hides_nothing():
    assert branch([("a", None), ("c", "lost"), ("d", "c")]) == {"a", "c", "d"}


def test_a_circle_ends():
    assert branch([("a", "c"), ("b", "a"), ("c", "b")]) == {"a", "b", "c"}
    assert branch([("a", "a")]) == {"a"}
    assert active({"a": "b", "b": "a"}, "a") == {"a", "b"}


IDS = st.sampled_from("abcdef")


@given(st.lists(st.tuples(IDS, IDS | st.none() | st.just("")), max_size=12), st.integers(0, 12))
def test_in_two_parts_it_is_the_same_tree(pairs, cut):
    events = [event(name, parent, n) for n, (name, parent) in enumerate(pairs)]
    whole = grown(events, None, lambda _: ())
    first = grown(events[:cut], None, lambda _: ())
    there = {link.event for link in first.links}
    second = grown(events[cut:], first.leaf, lambda wanted: there & set(wanted))
    assert (*first.links, *second.links) == whole.links
    assert second.leaf == whole.leaf
    assert (first.forked or second.forked) == whole.forked
    if not whole.forked:
        assert active({link.event: link.up for link in whole.links}, whole.leaf) == {link.event for link in whole.links}
