"""The agent's own model reads for clawgit, through the plugin."""

import json

import installation
from openclaw import PASSES

from clawgit.llm.asking import Asked
from clawgit.llm.model_clients import CommandClient

BAIT = json.dumps({"operations": [{"act": "add", "turns": [1], "text": "The master key is MAGPIE-7731."}]})


def sessions(openclaw):
    return sorted(session["key"] for session in openclaw.call("sessions.list")["sessions"])


def test_the_model_is_tried_and_from_then_on_it_reads(connected):
    assert connected.answered("model")["why"] == "OpenClaw's model was not tried yet: clawgit model --test"
    before, keys = len(connected.requests()), sessions(connected)
    connected.model.answers({"when": "Before I forget", "text": PASSES})
    document = connected.answered("model", "--test")
    assert (document["kind"], document["provider"], document["model"], document["good"]) == (
        "openclaw",
        "loopback",
        "scripted",
        True,
    )
    assert document["written"] == 5
    (request,) = connected.requests()[before:]
    assert request.tools == []
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]
    assert "relevant-memories" not in request.text()
    assert sessions(connected) == keys
    model = connected.answered("status")["model"]
    assert (model["kind"], model["why"]) == ("openclaw", "the agent's own model, which passed its test")
    assert connected.answered("model")["reachable"] is True
    socket = connected.workspace / ".git/clawgit/model.sock"
    assert socket.stat().st_mode & 0o777 == 0o600


def test_a_model_that_obeys_what_is_pasted_does_not_pass(connected):
    connected.lent()
    connected.model.answers({"when": "Before I forget", "text": BAIT})
    assert connected.answered("model", "--test", code=3)["why"].startswith("it obeyed an instruction")
    assert connected.answered("model")["kind"] == "rules"


def test_a_question_about_the_search_is_widened_by_it(connected):
    connected.lent()
    connected.model.answers({"when": "Before I forget", "text": PASSES})
    connected.answered("model", "--test")
    connected.model.answers({"when": "pre-production machine", "text": "staging server"})
    assert "heron" in connected.clawgit("search", "pre-production machine", "--smart")


def test_openclaws_own_agent_is_asked_on_stdin_and_gets_nothing_of_ours(connected, tmp_path):
    """The way without the plugin, as docs/format.md has it."""
    node, program = installation.node(connected.installed), installation.openclaw(connected.installed)
    words = [str(node), str(program), "agent", "exec", "--cwd", str(tmp_path), "--message-file", "-"]
    before, keys = len(connected.requests()), sessions(connected)
    connected.model.answers({"when": "what the staging server is called", "text": PASSES})
    model_request = Asked("The rules.", "Tell me what the staging server is called.", 500, 120.0)
    reply = CommandClient(words, connected.environ).say(model_request)
    assert reply.text.strip() == PASSES
    (request,) = connected.requests()[before:]
    assert "relevant-memories" not in request.text()
    assert "heron" not in request.text()
    assert sessions(connected) == keys
