"""A message that is to be corrected with is found in its conversation."""

import pytest

from clawgit.agents.recall_validation import heard
from clawgit.sessions import chat_databases
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, digest

SAID = (("user", "operator", "When is it?"), ("assistant", "agent", "It is on Monday."))


def store_with(place, kind, *names):
    store = chat_databases.opened_sqlite(place)
    for name in names:
        session = Session(name, "main", "", kind, "", 0.0)
        store.meet(session)
        told = [
            Event(f"e{at}", "", at, 5.0 + at, role, origin, text, 5.0 + at, digest=digest(role, text))
            for at, (role, origin, text) in enumerate(SAID)
        ]
        store.take(session, "file", told, name, {})
    return store


@pytest.mark.parametrize("named", ["5b0f3c1e", "5b0f"])
def test_a_session_is_named_by_its_beginning(tmp_path, named):
    with store_with(tmp_path / "chat.db", "direct", "5b0f3c1e", "aaaa") as store:
        message, before = heard(store, "no, I said Tuesday", named, 100.0)
    assert (message.session, message.origin) == ("5b0f3c1e", "operator")
    assert [one.text for one in before] == ["When is it?", "It is on Monday."]


def test_a_beginning_that_two_have_names_neither(tmp_path):
    with store_with(tmp_path / "chat.db", "direct", "5b0f3c1e", "5b0f9999") as store:
        assert heard(store, "no, I said Tuesday", "5b0f", 100.0)[1] == ()


def test_in_a_group_nobody_corrects(tmp_path):
    with store_with(tmp_path / "chat.db", "group", "5b0f3c1e") as store:
        assert heard(store, "no, I said Tuesday", "5b0f3c1e", 100.0)[0].origin == "untrusted"


def test_in_a_group_the_operator_corrects_where_somebody_vouches_for_his_words(tmp_path):
    with store_with(tmp_path / "chat.db", "group", "5b0f3c1e") as store:
        message, _ = heard(store, "no, I said Tuesday", "5b0f3c1e", 100.0, vouched=True)
        other = "no, Tuesday"
        event = Event("x", "", 9, 90.0, "user", "untrusted", other, 90.0, digest=digest("user", other))
        store.take(Session("5b0f3c1e", "main", "", "group"), "file", [event], "x", {})
        assert heard(store, other, "5b0f3c1e", 100.0)[0].origin == "untrusted"
        told, _ = heard(store, other, "5b0f3c1e", 100.0, vouched=True)
    assert (message.origin, told.origin, told.event) == ("operator", "operator", "")
