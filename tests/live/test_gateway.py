"""OpenClaw alone: what the other stories lean on."""

import json


def test_it_answers_calls_tools_and_leaves_nothing_behind(openclaw):
    """A turn in the web chat, one with a tool, one from the command line; a restart keeps the conversation."""
    openclaw.start()
    openclaw.model.answers({"when": "I am Ada", "text": "Hello, Ada."})
    reply = openclaw.say("Hello, I am Ada.")
    assert reply.text == "Hello, Ada."
    assert len(reply.requests) == 1
    assert reply.request.body["stream"] is True
    assert {"read", "write", "edit"} <= set(reply.request.tools)

    call = {"name": "write", "arguments": {"path": "note.md", "content": "The kettle is blue.\n"}}
    openclaw.model.answers({"calls": [call]}, {"text": "Written."})
    reply = openclaw.say("Write it down.")
    assert reply.text == "Written."
    assert len(reply.requests) == 2
    assert (openclaw.workspace / "note.md").read_text() == "The kettle is blue.\n"
    assert "note.md" in reply.requests[1].text("tool")

    openclaw.model.answers({"when": "command line", "text": "So you are."})
    assert openclaw.agent("I am on the command line.").text == "So you are."
    assert (openclaw.workspace / "BOOTSTRAP.md").exists()

    openclaw.restart()
    assert "Hello, I am Ada." in openclaw.say("Once more.").request.text("user")
    openclaw.stop()
    assert openclaw.processes() == {}
    assert json.loads(openclaw.config.read_text())["gateway"]["mode"] == "local"
