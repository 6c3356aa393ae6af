"""`clawgit session`."""

import json

import pytest

NAME = "5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c11"


def turn(number, role, text, parent=None):
    when = 1_777_881_600_000 + number * 1000
    message = {"role": role, "content": [{"type": "text", "text": text}], "timestamp": when}
    return {"type": "message", "id": f"e{number}", "parentId": parent, "message": message}


TALK = [
    {"type": "session", "version": 3, "id": NAME, "timestamp": "2026-05-04T08:00:00.000Z"},
    turn(1, "user", "[Mon 2026-05-04 10:00 GMT+2] you forgot: not Tuesday, Wednesday"),
    turn(2, "assistant", "Wednesday it is.", "e1"),
    turn(3, "user", "Read HEARTBEAT.md if it exists", "e2"),
    turn(4, "assistant", "HEARTBEAT_OK", "e3"),
]


@pytest.fixture
def openclaw(tmp_path, space, monkeypatch):
    """An OpenClaw whose main agent works in the workspace, and another agent."""
    state = tmp_path / ".openclaw"
    for agent, name in (("main", NAME), ("work", "aaaa")):
        place = state / f"agents/{agent}/sessions/{name}.jsonl"
        place.parent.mkdir(parents=True)
        rows = [{**TALK[0], "id": name}, *TALK[1:]]
        place.write_text("".join(json.dumps(row) + "\n" for row in rows) + "{half\n")
    agents = {"main": {"workspace": str(space), "default": True}, "work": {"workspace": str(tmp_path / "other")}}
    (state / "openclaw.json").write_text(json.dumps({"agents": {"entries": agents}}))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    return state


def test_other_agents_when_they_are_asked_for(call, openclaw):
    for arguments, agents in ((["--agent", "work"], ["work"]), (["--all"], ["main", "work"])):
        assert call("session", "import", *arguments).code == 0
        assert sorted(one["agent"] for one in call("session", "list", "--json").json) == agents


def test_a_conversation_is_shown_with_evidence_for_each_message(call, openclaw):
    call("session", "import")
    shown = call("show", NAME[:8], "--json").json
    first, second = shown["messages"]
    assert first == {
        "event": "e1",
        "evidence": f"session:{NAME}#e1",
        "role": "user",
        "origin": "operator",
        "time": "2026-05-04T08:00:01.000+00:00",
        "text": "you forgot: not Tuesday, Wednesday",
    }
    assert second["origin"] == "agent"
    assert "operator" in call("show", f"main/{NAME}").out


def test_an_address_with_a_password_is_never_told(call, monkeypatch):
    monkeypatch.setenv("CLAWGIT_CHAT_URL", "postgresql://ana:hunter2@127.0.0.1:1/chats")
    answer = call("session", "list", "--json")
    assert answer.code == 1
    assert "hunter2" not in answer.out + answer.err
