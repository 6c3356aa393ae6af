"""The tools for the plugin in OpenClaw's gateway, which no agent has."""

from collections.abc import Callable
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from .conftest import OWNER, Asked


@pytest.fixture
def plugin(serving: Callable[..., Asked], space: Path) -> Asked:
    return serving(space, gateway=True)


def test_no_agent_may_have_its_words_heard_as_the_operators(ask: Callable) -> None:
    for name in ("hear", "keep", "recall"):
        with pytest.raises(MCPError, match="there is no tool"):
            ask(name)


def test_the_operator_is_heard_and_his_correction_is_a_commit_of_his(plugin: Asked, git: Callable) -> None:
    assert plugin.told("hear", text="Don't forget: Ana flies on Friday.", session="5b0f")["flag"]
    assert plugin.told("hear", text="Good morning.") == {"flag": None, "correction": None}
    for other in ({}, {"session": "agent:main:cron:1", "trigger": "cron"}, OWNER | {"owner": False}):
        assert plugin.told("hear", text="Don't forget: Ana flies.", requester=other)["flag"] is None
    plugin.told("memory_add", text="The deploy day is Monday.")
    answer = plugin.told("hear", text="No, the deploy day is Tuesday, not Monday.")
    assert answer["correction"] in git("log", "-1", "--format=%B")
    assert "\nOrigin: operator\n" in git("log", "-1", "--format=%B")
    assert "The deploy day is Tuesday." in plugin.told("recall", query="deploy day")["text"]


def test_an_answer_is_short_says_each_thing_once_and_whose_words_it_is(plugin: Asked) -> None:
    for number in range(14):
        plugin.told(
            "memory_add", text=f"Rack {number} holds the spare parts of the {number}. printer, in a box with a label."
        )
    text = plugin("recall", query="spare parts of a printer").content[0].text
    rows = text.splitlines()
    assert 3 < len(rows) <= 11
    assert len(text) <= 1_500
    assert len(set(rows)) == len(rows)
    assert all("[MEMORY.md#L" in row and "; agent, 20" in row for row in rows if row.startswith("- "))
    assert "Nothing is remembered" in plugin.told("recall", query="xylophone")["text"]
