"""`clawgit triage`."""

import json
import time

import pytest

from clawgit.messages import message_flags
from clawgit.store.database import StateStore

WRONG, SAID = "Your kickoff with Acme is on Monday.", "no, I said Tuesday"


@pytest.fixture
def openclaw(tmp_path, space, monkeypatch):
    """An OpenClaw whose agent works in the workspace; what is called writes down what it and its operator say."""
    talks = tmp_path / ".openclaw/agents/main/sessions"
    talks.mkdir(parents=True)
    (tmp_path / ".openclaw/openclaw.json").write_text(json.dumps({"agents": {"defaults": {"workspace": str(space)}}}))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / ".openclaw"))

    def written(*said):
        rows = [{"type": "session", "version": 3, "id": "s1", "timestamp": int(time.time() * 1000)}]
        for number, (role, text) in enumerate(said, 1):
            message = {"role": role, "content": text, "timestamp": int(time.time() * 1000) + number}
            parent = f"e{number - 1}" if number > 1 else None
            rows.append({"type": "message", "id": f"e{number}", "parentId": parent, "message": message})
        (talks / "s1.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    return written


def test_the_document_names_pattern_place_route_and_pair(call):
    answer = call("triage", "No, it's Wednesday, not Tuesday", "--json")
    assert answer.code == 0
    assert answer.json == {
        "priority": False,
        "matches": [
            {
                "pattern": "no,? (i said|it's|it was|my)",
                "group": "recall",
                "route": "recall-validator",
                "trigger_confidence": "high",
                "start": 0,
                "end": 8,
                "text": "No, it's",
            }
        ],
        "pair": {"said": "Tuesday", "true": "Wednesday"},
    }
    assert call("triage", "you forgot", "--origin", "untrusted", "--json").json["matches"] == []


def test_acting_files_a_flag_that_the_miner_reads_first(call, space):
    answer = call("triage", "Don't forget the milk", "--act", "--session", "s1", "--json")
    store = StateStore(space / ".git/clawgit")
    (flag,) = message_flags.flags(store)
    assert answer.json["priority"] is True
    assert (flag.id, flag.session, flag.text) == (answer.json["flag"], "s1", "Don't forget the milk")
    assert call("triage", "hello", "--act", "--json").json["flag"] is None
    assert len(message_flags.flags(store)) == 1


def test_acting_reads_what_openclaw_wrote_down_just_before(call, openclaw):
    """What the agent said wrongly stands in its transcript, and nobody has imported it yet."""
    call("memory", "add", "The kickoff with Acme is on Monday.")
    openclaw(("user", "What is on?"), ("assistant", WRONG), ("user", SAID))
    made = call("triage", "-", "--act", "--json", stdin=SAID.encode()).json["correction"]
    assert (made["said"], made["true"]) == ("Monday", "Tuesday")


def test_a_bad_pattern_of_the_configuration_is_told_and_the_rest_works(call, space):
    (space / "CONFIG.md").write_text("```yaml\nheartbeat_custom_patterns:\n  - (a\n  - ship it\n```\n")
    answer = call("triage", "SHIP IT", "--json")
    assert ([match["group"] for match in answer.json["matches"]], answer.code) == (["custom"], 0)
    assert "CONFIG.md:3: heartbeat_custom_patterns: '(a' is no pattern" in answer.err
