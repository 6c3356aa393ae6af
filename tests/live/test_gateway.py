"""OpenClaw alone: the base of the other stories."""

import pytest


@pytest.mark.usefixtures("older_version")
def test_it_answers_and_calls_tools_without_clawgit(alone):
    """A turn in the web chat, one with a tool, one from the command line."""
    alone.model.answers({"when": "I am Ada", "text": "Hello, Ada."})
    reply = alone.say("Hello, I am Ada.")
    assert reply.text == "Hello, Ada."
    assert len(reply.requests) == 1
    assert reply.request.body["stream"] is True
    assert {"read", "write", "edit"} <= set(reply.request.tools)

    call = {"name": "write", "arguments": {"path": "note.md", "content": "The kettle is blue.\n"}}
    alone.model.answers({"calls": [call]}, {"text": "Written."})
    reply = alone.say("Write it down.")
    assert reply.text == "Written."
    assert len(reply.requests) == 2
    assert (alone.workspace / "note.md").read_text() == "The kettle is blue.\n"
    assert "note.md" in reply.requests[1].text("tool")

    alone.model.answers({"when": "command line", "text": "So you are."})
    reply = alone.agent("I am on the command line.")
    assert reply.text == "So you are."
    assert "Hello, I am Ada." in reply.request.text("user")
    assert (alone.workspace / "BOOTSTRAP.md").exists()
