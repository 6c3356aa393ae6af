"""The tools that the model is offered, and their results."""

import json

from model import words
from openclaw import until

HERON = "The staging server is called heron."
OURS = {"clawgit_search", "clawgit_read", "clawgit_remember", "clawgit_propose"}


def use_tool(openclaw, name, **arguments):
    """Have the model call a tool, and return its result."""
    openclaw.model.answers({"calls": [{"name": name, "arguments": arguments}]}, {"text": "Done."})
    reply = openclaw.say("Go ahead.")
    assert reply.text == "Done."
    return [words(message) for message in reply.requests[1].body["messages"] if message["role"] == "tool"][-1]


def test_the_model_is_offered_our_tools_and_each_name_once(connected):
    tools = connected.say("Which tools have you?").request.tools
    assert set(tools) >= OURS
    assert len(set(tools)) == len(tools)


def test_a_search_answers_once_in_few_words_with_its_place_and_origin(connected):
    output = use_tool(connected, "clawgit_search", query="staging server")
    assert output.count(HERON) == 1
    assert "memory/servers.md#L3; " in output
    assert len(output) <= 1_500
    output = use_tool(connected, "clawgit_search", query="what is in the rooms of all floors")
    assert len(output) <= 1_500
    assert HERON in use_tool(connected, "clawgit_read", path="memory/servers.md")


def test_what_is_kept_in_a_conversation_is_the_agents(connected):
    output = use_tool(connected, "clawgit_remember", text="The roof terrace opens at nine.", tag="knowledge")
    assert "clawgit undo " in output
    output = use_tool(connected, "clawgit_search", query="roof terrace")
    assert "The roof terrace opens at nine." in output


def test_what_is_kept_in_a_conversation_can_be_undone_from_the_chat(connected):
    output = use_tool(connected, "clawgit_remember", text="The cellar is locked at noon.", tag="knowledge")
    assert output.startswith("Kept as ")
    change = output.split("clawgit undo ")[1].split(")")[0]
    assert "locked at noon" in connected.clawgit("search", "cellar")
    answer = connected.say(f"/clawgit undo {change}")
    assert answer.requests == []
    assert "undo" in answer.text
    assert "locked at noon" not in connected.clawgit("search", "cellar")


def test_the_chat_can_ask_how_things_stand_and_why(connected):
    assert "/clawgit status" in connected.say("/clawgit").text
    assert str(connected.workspace) in connected.say("/clawgit status").text
    assert "heron" in connected.say("/clawgit why memory/servers.md:3").text
    for text in ("/clawgit status --json", "/clawgit eject", "/clawgit undo --help"):
        assert "/clawgit status" in connected.say(text).text


def test_the_owner_decides_in_the_chat_but_not_on_the_identity(connected):
    use_tool(connected, "clawgit_propose", act="add", text="Be loud.", section="Vibe", why="No reason.")
    call = {"name": "clawgit_remember", "arguments": {"text": "The roof is of slate.", "tag": "knowledge"}}
    connected.model.answers({"when": "Look at the roof.", "calls": [call]}, {"text": "Done."})
    connected.timer("Look at the roof.")  # a memory of its turn waits
    items = until(lambda: [row for row in inbox(connected) if "slate" in row["title"]])
    assert items[0]["id"] in connected.say("/clawgit inbox").text
    assert "slate" in connected.say(f"/clawgit show {items[0]['id']}").text
    assert "undo" in connected.say(f"/clawgit accept {items[0]['id']}").text
    assert "slate" in connected.clawgit("memory", "list")
    (identity,) = [row["id"] for row in inbox(connected) if row["kind"] == "identity"]
    connected.say(f"/clawgit accept {identity}")
    assert "Be loud." not in (connected.workspace / "SOUL.md").read_text()
    connected.say(f"/clawgit reject {identity}")
    assert "identity" not in [row["kind"] for row in inbox(connected)]


def inbox(openclaw):
    return json.loads(openclaw.clawgit("inbox", "--json"))


def test_openclaws_own_search_of_every_corpus_finds_what_is_gone(connected):
    output = connected.clawgit("journal", "add", "The wine cellar is under the chapel.", "--json")
    connected.clawgit("undo", json.loads(output)["commit"])
    arguments = {"query": "wine cellar", "corpus": "all"}
    output = use_tool(connected, "tool_call", id="memory_search", args=arguments)
    assert "under the chapel" in output
