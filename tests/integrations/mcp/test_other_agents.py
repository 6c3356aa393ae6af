"""Over MCP: the memory of other agents where that is allowed, and the memory that all of them share."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clawgit.cli import operator_input
from tests import moulds
from tests.integrations.mcp.conftest import Asked
from tests.messy.calls import call


@pytest.fixture
def homes(space: Path, mould: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """The workspaces of `main` and `work`, and a shared memory that both read."""
    folders = {"main": space} | {name: moulds.copied(mould, space.parent / name) for name in ("work", "shared")}
    texts = {"main": "The dentist is in Harbour Street.", "work": "The invoice of Meier is due on the third."}
    for name, text in (*texts.items(), ("shared", "The office wifi is called lagoon.")):
        (folders[name] / "MEMORY.md").write_text(f"# Memory\n\n- {text}\n")
    (space.parent / "openclaw").mkdir()
    agents = [{"id": name, "workspace": str(folders[name])} for name in texts]
    (space.parent / "openclaw/openclaw.json").write_text(json.dumps({"agents": {"list": agents}}))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(space.parent / "openclaw"))
    with monkeypatch.context() as terminal:
        terminal.setattr(operator_input, "possible", lambda: True)
        for name in texts:
            assert call(folders[name], "config", "set", "shared", str(folders["shared"])).code == 0
    return folders


@pytest.fixture
def allowed(homes: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """The same, where `main` may read `work`."""
    with monkeypatch.context() as terminal:
        terminal.setattr(operator_input, "possible", lambda: True)
        assert call(homes["main"], "config", "set", "read_agents", "[work]").code == 0
    return homes


def refused(asked: Asked, **arguments: Any) -> str:
    result = asked("memory_search", **arguments)
    assert result.is_error
    return str(result.content)


def test_without_leave_another_agents_memory_is_refused(homes: dict[str, Path]) -> None:
    asked = Asked(homes["main"])
    assert "read_agents" in refused(asked, query="invoice", agent="work")
    assert "Meier" not in refused(asked, query="invoice", agent="work")
    everywhere = asked.told("memory_search", query="invoice dentist", agent="*")
    assert {row["agent"] for row in everywhere["results"]} == {"main"}
    assert [one["agent"] for one in everywhere["unread"]] == ["work"]


def test_what_is_shared_is_found_read_and_explained(homes: dict[str, Path], git: Callable[..., str]) -> None:
    asked = Asked(homes["work"])
    hit = asked.told("memory_search", query="what is the office wifi called")["results"][0]
    assert (hit["path"], hit["tier"]) == ("shared:MEMORY.md", "shared")
    lines = asked.told("memory_get", path=hit["path"], **{"from": hit["startLine"]})
    assert (lines["path"], "lagoon" in lines["text"]) == ("shared:MEMORY.md", True)
    assert asked.told("memory_get", path="shared:memory/none.md")["status"] == "not_found"
    assert asked("memory_get", path="shared:../main/MEMORY.md").is_error
    assert call(homes["shared"], "capture").code == 0
    assert asked.told("memory_why", path="shared:MEMORY.md", line=3)["path"] == "shared:MEMORY.md"
    assert "lagoon" in str(asked("context", query="what is the office wifi called").content)


def test_main_adds_to_it_and_others_propose(homes: dict[str, Path]) -> None:
    landed = Asked(homes["main"]).told("memory_add", text="The kitchen closes at nine.", to="shared")
    assert landed["commit"]
    waits = Asked(homes["work"]).told("memory_add", text="The roof is off limits.", to="shared")
    assert (waits["commit"], bool(waits["proposal"]["id"])) == (None, True)
    said = (homes["shared"] / "MEMORY.md").read_text()
    assert ("kitchen" in said, "roof" in said) == (True, False)
