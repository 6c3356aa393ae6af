"""Turns are read once, in exchanges, and a reading starts when enough is unread."""

import pytest

from clawgit.reading import backlog
from clawgit.reading.backlog import Backlog, Read
from clawgit.sessions import chat_store_choice
from tests.agents.talk import DAY, Talk


@pytest.mark.parametrize(("count", "age", "is_due"), [(1, 1, False), (1, 3, True), (99, 1, False), (100, 1, True)])
def test_a_reading_is_due_at_a_hundred_turns_or_after_three_days(
    talk: Talk, count: int, age: int, *, is_due: bool
) -> None:
    start = talk.workspace.now().timestamp() - age * DAY
    talk.say_all([(f"The shelf {n} is full.", start + n) for n in range(count)])
    with chat_store_choice.opened(talk.workspace.store, {}) as store:
        unread = Backlog(store, (Read(),), talk.workspace.now())
        turns = unread.list_unread()
        assert (len(turns), unread.is_due(turns)) == (count, is_due)


def test_a_turn_is_unread_if_one_role_has_not_read_it(talk: Talk) -> None:
    now = talk.workspace.now().timestamp()
    for n in range(3):
        talk.say(f"The shelf {n} is full.", at=now - 100 + n)
    with chat_store_choice.opened(talk.workspace.store, {}) as store:
        events = [f"e{n}" for n in (1, 2, 3)]
        most, few = (Read({"main/s1": backlog.make_spans(events, places)}) for places in ((0, 1), (0,)))
        for reads, count in (((most,), 1), ((most, few), 2), ((most, Read()), 3)):
            assert len(Backlog(store, reads, talk.workspace.now()).list_unread()) == count


def test_spans_hold_places_and_changed_ones_count_for_nothing() -> None:
    events = list("abcdef")
    spans = backlog.make_spans(events, {0, 1, 3})
    assert [(span.first, span.last, span.count) for span in spans] == [("a", "b", 2), ("d", "d", 1)]
    assert backlog.find_places(events, spans) == {0, 1, 3}
    assert backlog.find_places(list("axbcdef"), spans) == {4}
