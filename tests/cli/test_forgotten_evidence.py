"""Memories of a conversation that OpenClaw forgot are reported, with the command that removes them."""

import json
import shlex
import sqlite3
import time
from contextlib import closing

import pytest

from tests.sessions.transcripts import SESSION, START, chain, database

NAME, OTHER = SESSION, "7e0a3c1e-6a52-4a3e-9d57-0f6f0a9e4c11"
TOMBSTONES = """
CREATE TABLE IF NOT EXISTS memory_session_tombstones (session_id TEXT NOT NULL PRIMARY KEY, agent_id TEXT NOT NULL,
  reason TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
"""


@pytest.fixture
def openclaw(tmp_path, space, monkeypatch):
    """The database of an OpenClaw with an agent in the workspace, and two conversations, both mined."""
    state = tmp_path / ".openclaw"
    place = state / "agents/main/agent/openclaw-agent.sqlite"
    place.parent.mkdir(parents=True)
    (state / "openclaw.json").write_text(json.dumps({"agents": {"entries": {"main": {"workspace": str(space)}}}}))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    return place


def says(place, session, *texts, start=START):
    turns = chain(*(("user", text) for text in texts), start=start, prefix=session[:4])
    database(place, {session: turns})


def forget(place, session):
    with closing(sqlite3.connect(place)) as connection:
        connection.execute(TOMBSTONES)
        connection.execute("INSERT INTO memory_session_tombstones VALUES (?, 'main', 'forgotten', 1)", (session,))
        connection.commit()


def mined(call):
    assert call("session", "import").code == 0
    assert call("run", "memory-miner", "--apply").code == 0


def waits(call):
    """The sentences and commands of `status`; `doctor` has the same."""
    findings = [
        (row["message"], row["fix"]) for row in call("status", "--json").json["alarms"] if "forgot" in row["message"]
    ]
    rows = call("doctor", "--json").json
    assert [(row["message"], row["fix"]) for row in rows if "forgot" in row["message"]] == findings
    return findings


def apply_fix(call, fix):
    """Look at the preview of a command, and have it done."""
    words = shlex.split(fix)[1:]
    digest = call(*words, "--json").json["hash"]
    assert call(*words, "--apply", "--hash", digest).code == 0


def test_a_memory_that_rests_on_it_is_told_until_it_is_taken_back(call, openclaw, space):
    says(openclaw, NAME, "We decided to use Postgres 16 for the billing service.")
    mined(call)
    assert waits(call) == []
    forget(openclaw, NAME)
    ((message, fix),) = waits(call)
    assert NAME in message
    assert call("status", "--check").code == 3
    apply_fix(call, fix)
    assert "Postgres" not in (space / "MEMORY.md").read_text()
    assert waits(call) == []
    says(openclaw, OTHER, "hello")
    mined(call)
    assert "Postgres" not in (space / "MEMORY.md").read_text()


def test_a_correction_that_quotes_it_is_told_too_and_it_is_found_no_more(call, openclaw, space):
    call("memory", "add", "The deploy day is Monday.")
    assert call("config", "sources", "[memory, sessions]").code == 0
    texts = ("No, the deploy day is Tuesday, not Monday.", "The kingfisher sits on the third post.")
    says(openclaw, NAME, *texts, start=time.time())
    assert call("session", "import").code == 0
    assert call("run", "recall-validator", "--apply").code == 0
    assert NAME in (space / "CORRECTIONS.md").read_text()
    assert len(call("search", "kingfisher", "--json").json["results"]) == 1
    forget(openclaw, NAME)
    document = call("session", "import", "--json").json
    assert document["forgotten"] == [{"agent": "main", "session": NAME, "messages": 2}]
    ((_, fix),) = waits(call)
    apply_fix(call, fix)
    assert NAME not in (space / "CORRECTIONS.md").read_text()
    assert waits(call) == []
    assert call("search", "kingfisher", "--json").json["results"] == []


def test_a_database_that_cannot_be_asked_is_no_forgetting(call, openclaw):
    openclaw.write_bytes(b"SQLite format 3\0" + b"x" * 200)
    messages = [row["message"] for row in call("doctor", "--json").json if "forgotten" in row["message"]]
    assert "unknown" in messages[0]


def test_what_openclaw_left_of_it_among_the_memories_is_told(call, openclaw, space):
    about = f"- **Session Key**: agent:main:main\n- **Session ID**: {NAME}\n- **Source**: webchat\n"
    text = f"# Session: 2026-05-04 14:30:00 UTC\n\n{about}\n## Conversation Summary\n\nuser: hello\n"
    (space / "memory").mkdir(exist_ok=True)
    for name, words in (("2026-05-04-1430", text), ("2026-05-04-1431", text.replace(NAME, OTHER))):
        (space / f"memory/{name}.md").write_text(words)
    call("capture")
    assert waits(call) == []
    forget(openclaw, NAME)
    assert waits(call) == [
        (
            f"OpenClaw forgot the session {NAME}; memory/2026-05-04-1430.md still holds it",
            "rm 'memory/2026-05-04-1430.md' && clawgit capture",
        )
    ]
    (space / "memory/2026-05-04-1430.md").unlink()
    call("capture")
    assert waits(call) == []
