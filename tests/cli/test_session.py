"""`clawgit session`."""

import json

import pytest

from tests.sessions.transcripts import SESSION, chain, write_transcript

SAID = (
    ("user", "[Mon 2026-05-04 10:00 GMT+2] you forgot: not Tuesday, Wednesday"),
    ("assistant", "Wednesday it is."),
)


@pytest.fixture
def openclaw(tmp_path, space, monkeypatch):
    """An OpenClaw with a main agent in the workspace, and another agent."""
    state = tmp_path / ".openclaw"
    for agent, name in (("main", SESSION), ("work", "aaaa")):
        write_transcript(state / f"agents/{agent}/sessions/{name}.jsonl", chain(*SAID), session=name)
    agents = {"main": {"workspace": str(space), "default": True}, "work": {"workspace": str(tmp_path / "other")}}
    (state / "openclaw.json").write_text(json.dumps({"agents": {"entries": agents}}))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    return state


def test_other_agents_when_they_are_asked_for(call, openclaw):
    for arguments, agents in ((["--agent", "work"], ["work"]), (["--all"], ["main", "work"])):
        assert call("session", "import", *arguments).code == 0
        assert sorted(row["agent"] for row in call("session", "list", "--json").json) == agents


def test_a_conversation_is_shown_with_evidence_for_each_message(call, openclaw):
    call("session", "import")
    document = call("show", SESSION[:8], "--json").json
    first, second = document["messages"]
    assert first == {
        "event": "e0000000",
        "evidence": f"session:{SESSION}#e0000000",
        "role": "user",
        "origin": "operator",
        "time": "2026-05-04T08:00:00.000+00:00",
        "text": "you forgot: not Tuesday, Wednesday",
    }
    assert second["origin"] == "agent"
    assert "operator" in call("show", f"main/{SESSION}").out


def test_an_address_with_a_password_is_never_told(call, monkeypatch):
    monkeypatch.setenv("CLAWGIT_CHAT_URL", "postgresql://ana:hunter2@127.0.0.1:1/chats")
    answer = call("session", "list", "--json")
    assert answer.code == 1
    assert "hunter2" not in answer.out + answer.err


def test_a_file_that_is_no_transcript_is_refused(call, space, tmp_path):
    (tmp_path / "passwd.jsonl").write_text("root:x:0:0\n")
    answer = call("session", "import", str(tmp_path / "passwd.jsonl"))
    assert (answer.code, "holds no transcripts" in answer.err) == (1, True)
