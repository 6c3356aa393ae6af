"""What the model is shown of the memory."""

from datetime import UTC, datetime, timedelta

import pytest
from openclaw import until

HERON = "The staging server is called heron."
PRINTER = "Room 186 holds the invoice printer of floor 37."
QUESTION = "Which room holds the invoice printer of floor 37?"


def test_the_context_reaches_a_turn_of_the_web_chat(connected):
    request = connected.say("What is the staging server called?").request
    assert "CLAWGIT.md" in request.text("system")
    assert HERON in request.text()


def test_the_context_answers_the_message_of_the_turn(connected):
    assert PRINTER in connected.say(QUESTION).request.text("system")


@pytest.mark.xfail(
    strict=True,
    reason="`openclaw agent` sends no message:received: the hook looks up the last message of the web chat",
)
def test_the_context_answers_a_message_from_the_command_line(connected):
    connected.say("How are you?")
    assert PRINTER in connected.agent(QUESTION).request.text()


@pytest.mark.xfail(strict=True, reason="the hook adds a file to the system prompt, before the conversation")
def test_the_context_stands_behind_the_conversation(connected):
    connected.say("The first word is walnut.")
    request = connected.say("What is the staging server called?").request
    said = request.text()
    assert said.rindex(HERON) > said.index("The first word is walnut.")


@pytest.mark.xfail(strict=True, reason="in turns of timers OpenClaw takes out again what a hook added")
def test_the_context_reaches_a_turn_of_a_timer(connected):
    job = connected.call(
        "cron.add",
        name="story",
        schedule={"kind": "at", "at": (datetime.now(UTC) + timedelta(days=1)).isoformat()},
        sessionTarget="isolated",
        wakeMode="now",
        payload={"kind": "agentTurn", "message": "By the timer: what is the staging server called?"},
        delivery={"mode": "none"},
    )
    connected.call("cron.run", id=job["id"], mode="force")
    request = until(lambda: next((one for one in connected.requests() if "By the timer:" in one.text("user")), None))
    assert HERON in request.text()


@pytest.mark.xfail(strict=True, reason="OpenClaw keeps tools of MCP servers behind tool_search, and out of the prompt")
def test_the_model_is_offered_our_tools(connected):
    assert any("clawgit" in tool for tool in connected.say("Which tools have you?").request.tools)


def test_the_model_reaches_our_tools_through_openclaw(connected):
    """OpenClaw names a tool of an MCP server `<server>__<tool>`; tool_call takes it."""
    call = {"id": "clawgit-main__memory_search", "args": {"query": "staging server"}}
    connected.model.answers({"calls": [{"name": "tool_call", "arguments": call}]}, {"text": "Heron."})
    reply = connected.say("Search for the staging server.")
    assert reply.text == "Heron."
    assert HERON in reply.requests[1].text("tool")
