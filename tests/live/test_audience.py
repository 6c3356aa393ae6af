"""Others than the owner, and an owner who does not listen alone, get nothing private, also not by asking."""

import pytest
from model import words
from openclaw import MAIN, until

QUESTION = "What is the staging server called?"
GROUP = "agent:main:telegram:group:-500"
READ = {"name": "clawgit_read", "arguments": {"path": "memory/servers.md"}}
SEARCH = {"name": "clawgit_search", "arguments": {"query": QUESTION}}
CORPUS = {"name": "tool_call", "arguments": {"id": "memory_search", "args": {"query": "wine cellar", "corpus": "all"}}}
WHO = {
    "owner": ({"session": MAIN}, True),
    "guest": ({"session": MAIN, "guest": True}, False),
    "owner again": ({"session": MAIN}, True),
    "owner in a group": ({"session": GROUP}, False),
    "guest in a group": ({"session": GROUP, "guest": True}, False),
}


def results(request):
    """Return the results of the model's last calls."""
    texts = [words(message) for message in request.body["messages"] if message["role"] == "tool"]
    return texts[-3:]


@pytest.fixture
def deleted_line(connected):
    """A line that is gone: OpenClaw's own search finds it by ours alone."""
    document = connected.answered("journal", "add", "The wine cellar is under the chapel.")
    connected.clawgit("undo", document["commit"])
    return "under the chapel"


def test_each_turn_of_a_session_is_answered_for_whom_it_is(connected, deleted_line):
    for speaker, (place, private) in WHO.items():
        connected.model.answers({"when": QUESTION, "calls": [SEARCH, READ, CORPUS]}, {"text": "Done."})
        reply = connected.say(QUESTION, **place)
        is_given = private and speaker != "owner again"  # the session had the line two turns ago
        assert ("heron" in connected.recalled(reply.request)) == is_given, speaker
        search, read, corpus = results(reply.requests[1])
        facts = ["heron" in search, "heron" in read, deleted_line in corpus]
        assert facts == [private] * 3, speaker


def test_a_sub_agent_hears_as_much_as_the_turn_that_started_it(connected):
    for sender in ("the owner", "a guest"):
        ask, task = f"Send somebody for {sender}.", f"[Look it up for {sender}] {QUESTION}"
        spawn = {"name": "tool_call", "arguments": {"id": "sessions_spawn", "args": {"task": task}}}
        connected.model.answers(
            {"when": ask, "calls": [spawn]}, {"text": "Sent."}, {"when": task, "calls": [SEARCH, READ, CORPUS]}
        )
        connected.say(ask, guest=sender == "a guest")
        requests = until(
            lambda task=task: [request for request in connected.requests() if is_sub_agents(request, task)][1:]
        )
        search, read, _ = results(requests[0])
        assert ["heron" in search, "heron" in read] == [sender == "the owner"] * 2
        until(lambda: [request for request in connected.requests() if "subagent_announce" in request.text("user")])


def is_sub_agents(request, task):
    return "[Subagent Context]" in request.text("user") and task in request.text("user")


def test_the_command_answers_in_private_alone(connected):
    command = "/clawgit why memory/servers.md:3"
    assert "heron" in connected.say(command).text
    assert "heron" not in connected.say(command, session=GROUP).text
    assert "heron" not in connected.say(command, guest=True).text
