"""A turn that is cited is found, or is not there."""

from clawgit.sessions import chat_databases
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, digest
from clawgit.sessions.turn_lookup import turn


def test_a_turn_is_found_in_whichever_agents_session_has_it(tmp_path):
    with chat_databases.opened_sqlite(tmp_path / "chat.db") as store:
        for agent, name in (("main", "e1"), ("work", "e2")):
            session = Session("s1", agent, "", "direct", "", 0.0)
            store.meet(session)
            said = Event(name, None, 1, 5.0, "user", "operator", f"by {agent}", 5.0, digest=digest("user", agent))
            store.take(session, "file", [said], agent, {})

        found = turn(store, "s1", "e2")
        assert (found.text, found.who, found.date) == ("by work", "user", "1970-01-01T00:00:05+00:00")
        assert turn(store, "s1", "e3") is None
        assert turn(store, "s9", "e1") is None
