"""Who is not the owner, or does not listen alone, gets nothing private: neither by itself nor by asking."""

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
    """What the model's calls came to, its last ones."""
    found = [words(one) for one in request.body["messages"] if one["role"] == "tool"]
    return found[-3:]


@pytest.fixture
def gone(connected):
    """A line that is gone: OpenClaw's own search finds it by ours alone."""
    kept = connected.answered("journal", "add", "The wine cellar is under the chapel.")
    connected.clawgit("undo", kept["commit"])
    return "under the chapel"


def test_each_turn_of_a_session_is_answered_for_whom_it_is(connected, gone):
    for who, (place, private) in WHO.items():
        connected.model.answers({"when": QUESTION, "calls": [SEARCH, READ, CORPUS]}, {"text": "Done."})
        reply = connected.say(QUESTION, **place)
        added = private and who != "owner again"  # the session had the line two turns ago
        assert ("heron" in connected.recalled(reply.request)) == added, who
        search, read, corpus = results(reply.requests[1])
        told = ["heron" in search, "heron" in read, gone in corpus]
        assert told == [private] * 3, who


def test_a_sub_agent_hears_as_much_as_the_turn_that_started_it(connected):
    for sender in ("the owner", "a guest"):
        ask, task = f"Send somebody for {sender}.", f"[Look it up for {sender}] {QUESTION}"
        spawn = {"name": "tool_call", "arguments": {"id": "sessions_spawn", "args": {"task": task}}}
        connected.model.answers(
            {"when": ask, "calls": [spawn]}, {"text": "Sent."}, {"when": task, "calls": [SEARCH, READ, CORPUS]}
        )
        connected.say(ask, guest=sender == "a guest")
        answered = until(lambda task=task: [one for one in connected.requests() if is_sub_agents(one, task)][1:])
        search, read, _ = results(answered[0])
        assert ["heron" in search, "heron" in read] == [sender == "the owner"] * 2
        until(lambda: [one for one in connected.requests() if "subagent_announce" in one.text("user")])


def is_sub_agents(request, task):
    return "[Subagent Context]" in request.text("user") and task in request.text("user")


def test_the_command_answers_in_private_alone(connected):
    said = "/clawgit why memory/servers.md:3"
    assert "heron" in connected.say(said).text
    assert "heron" not in connected.say(said, session=GROUP).text
    assert "heron" not in connected.say(said, guest=True).text
