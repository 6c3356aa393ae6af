"""What the plugin in OpenClaw's gateway may ask, and no agent."""

from collections.abc import Callable
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from clawgit.messages import message_flags
from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, digest
from clawgit.store.database import StateStore

from .conftest import OWNER, Asked

WRONG, RIGHT = "The deploy day is Monday.", "The deploy day is Tuesday."


@pytest.fixture
def plugin(serving: Callable[..., Asked], space: Path) -> Asked:
    return serving(space, gateway=True)


def test_no_agent_may_have_its_words_heard_as_the_operators(ask: Callable) -> None:
    for name in ("hear", "keep", "recall"):
        with pytest.raises(MCPError, match="there is no tool"):
            ask(name)


def test_what_is_to_be_remembered_is_flagged(plugin: Asked, space: Path) -> None:
    heard = plugin.told("hear", text="Don't forget: Ana flies on Friday.", session="5b0f")
    (flag,) = message_flags.flags(StateStore(space / ".git/clawgit"))
    assert (flag.id, flag.session) == (heard["flag"], "5b0f")
    assert plugin.told("hear", text="Good morning.") == {"flag": None, "correction": None}
    for other in ({}, {"session": "agent:main:cron:1", "trigger": "cron"}, OWNER | {"owner": False}):
        assert plugin.told("hear", text="Don't forget: Ana flies.", requester=other)["flag"] is None


def test_a_correction_is_a_commit_of_the_operators(plugin: Asked, git: Callable) -> None:
    plugin.told("memory_add", text=WRONG)
    heard = plugin.told("hear", text="No, the deploy day is Tuesday, not Monday.")
    assert heard["correction"] in git("log", "-1", "--format=%B")
    assert "\nOrigin: operator\n" in git("log", "-1", "--format=%B")
    assert RIGHT in plugin.told("recall", query="deploy day")["text"]


def test_an_answer_is_short_says_each_thing_once_and_whose_words_it_is(plugin: Asked) -> None:
    for at in range(14):
        plugin.told("memory_add", text=f"Rack {at} holds the spare parts of the {at}. printer, in a box with a label.")
    answer = plugin("recall", query="spare parts of a printer")
    text = answer.content[0].text
    rows = text.splitlines()
    assert 3 < len(rows) <= 11
    assert len(text) <= 1_500
    assert len(set(rows)) == len(rows)
    assert all("[MEMORY.md#L" in row and "; agent, 20" in row for row in rows if row.startswith("- "))
    assert "Nothing is remembered" in plugin.told("recall", query="xylophone")["text"]


def test_what_was_said_days_ago_is_in_the_context_where_conversations_are_searched(plugin: Asked, space: Path) -> None:
    """Without a search before it that brings the index up to date; another conversation stays out of a group."""
    said, at = "The ferry to Cacilhas leaves at nine.", 1_770_000_000.0
    event = Event("e1", "", 1, at, "user", "operator", said, at, digest=digest("user", said))
    with chat_store.open_chat_store(StateStore(space / ".git/clawgit"), {}) as store:
        here = Session("5b0f", "main", "agent:main:main", "direct", "webchat", at)
        store.meet(here)
        store.take(here, "file", [event], "5b0f.jsonl", {})
    asked = {"query": "When does the ferry leave?"}
    assert said not in plugin.told("context", **asked)["text"]
    (space / "CONFIG.md").write_text("```yaml\nsources: [memory, sessions]\n```\n")
    assert said in plugin.told("context", **asked)["text"]
    group = OWNER | {"session": "agent:main:discord:channel:5", "channel": "discord"}
    assert plugin.told("context", **asked, requester=group)["text"] == ""
