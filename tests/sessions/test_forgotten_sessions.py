"""A session that OpenClaw forgot is forgotten here too, and what rests on it is told."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

from clawgit.messages import message_flags
from clawgit.messages.triage import BUILT_IN, triage
from clawgit.sessions import session_import, transcript_discovery
from clawgit.store.database import StateStore

from .transcripts import SESSION, chain, database, head, listed, written

OTHER = "7e0a3c1e-6a52-4a3e-9d57-0f6f0a9e4c11"
TALK = chain(("user", "the alarm code is on the fridge"), ("assistant", "noted"))
REST = chain(("user", "Bo likes tea"), prefix="f")


@pytest.fixture
def agent(tmp_path):
    """The folder of OpenClaw's agent main, with two sessions in its database."""
    folder = tmp_path / "state/agents/main"
    database(folder / "agent/openclaw-agent.sqlite", {SESSION: [head(), *TALK], OTHER: [head(OTHER), *REST]})
    return folder


def forget(folder, session=SESSION, agent="main"):
    """Do what `openclaw memory forget --session` leaves: the transcripts stay."""
    with closing(sqlite3.connect(folder / "agent/openclaw-agent.sqlite")) as connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS memory_session_tombstones (session_id TEXT NOT NULL PRIMARY KEY,"
            " agent_id TEXT NOT NULL, reason TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT"
        )
        row = (session, agent, "forgotten", 1)
        connection.execute("INSERT OR IGNORE INTO memory_session_tombstones VALUES (?, ?, ?, ?)", row)
        connection.commit()


def bring(store, place):
    return session_import.bring(store, transcript_discovery.list_transcripts_at(place), "main")


def told(store):
    return {one.session.id for one in store.sessions()}


def test_what_was_forgotten_goes_and_does_not_come_back(agent, store, reopen, tmp_path):
    listed(agent / "sessions", **{SESSION.replace("-", "_"): ("agent:main:main", {})})
    written(agent / f"sessions/{SESSION}.jsonl.reset.2026-05-05T10-20-30.123Z", TALK)
    assert bring(store, agent).forgotten == {}
    assert told(store) == {SESSION, OTHER}
    forget(agent)
    assert bring(store, agent).forgotten == {("main", SESSION): 2}
    assert told(store) == {OTHER}
    assert store.turn(SESSION, TALK[0]["id"]) is None
    assert not store.saying("user", "the alarm code is on the fridge")
    assert bring(store, agent).forgotten == {}
    with reopen() as again:
        bring(again, agent)
        assert told(again) == {OTHER}
        assert list(again.forgotten()) == [("main", SESSION)]


def test_nothing_of_it_is_left_in_the_file(agent, tmp_path):
    from clawgit.sessions import chat_store  # noqa: PLC0415 - the file itself is looked at

    with chat_store.open_sqlite(tmp_path / "chat.db") as chats:
        bring(chats, agent)
        forget(agent)
        bring(chats, agent)
    assert not any(b"alarm code" in one.read_bytes() for one in tmp_path.glob("chat.db*"))


def test_its_flags_lose_their_words_and_keep_their_place(tmp_path):
    now, store = datetime(2026, 5, 4, tzinfo=UTC), StateStore(tmp_path)
    for session in (SESSION, OTHER, ""):
        text = f"Remember that the alarm code is {session or 'gone'}."
        message_flags.file(store, text, triage(text, BUILT_IN), now, session)
    before = message_flags.flags(store)
    message_flags.forget(store, {SESSION})
    after = message_flags.flags(store)
    assert [one.id for one in after] == [one.id for one in before]
    assert (after[0].text, after[1:]) == ("", before[1:])
    assert not any(f"alarm code is {SESSION}".encode() in place.read_bytes() for place in tmp_path.iterdir())
    message_flags.file(store, "x", triage("x", BUILT_IN), now)
    assert len(message_flags.flags(store)) == 4
