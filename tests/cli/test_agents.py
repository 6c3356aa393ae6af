"""Several agents of one OpenClaw: each asked by name, and all of them at once."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import moulds

Call = Callable[..., Any]


@pytest.fixture
def openclaw(space: Path, mould: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Path | str]], Path]:
    """Configure an OpenClaw with these agents, by id; the workspace of the test is that of `main`."""
    state = space.parent / "openclaw"
    state.mkdir()
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))

    def configure(agents: dict[str, Path | str]) -> Path:
        rows = [{"id": name, "workspace": str(place)} for name, place in agents.items()]
        (state / "openclaw.json").write_text(json.dumps({"agents": {"list": rows}}))
        return state

    return configure


@pytest.fixture
def work(space: Path, mould: Path, openclaw: Callable[[dict[str, Path | str]], Path]) -> Path:
    """The workspace of a second agent, `work`."""
    folder = moulds.copied(mould, space.parent / "work")
    (folder / "MEMORY.md").write_text("# Memory\n\n- The invoice of Meier is due on the third.\n")
    (space / "MEMORY.md").write_text("# Memory\n\n- The dentist is in Harbour Street.\n")
    openclaw({"main": space, "work": folder})
    return folder


def test_without_a_terminal_the_key_decides(call: Call, work: Path) -> None:
    refusal = call("search", "invoice", "--agent", "work")
    assert refusal.code == 1
    assert "read_agents" in refusal.err
    for command in ("status", "digest"):
        assert call(command, "--agent", "work").code == 1
    answer = call("search", "dentist invoice", "--all-agents", "--json").json
    assert {row["agent"] for row in answer["results"]} == {"main"}
    (unread_row,) = answer["unread"]
    assert (unread_row["agent"], unread_row["unknown"]) == ("work", True)
    assert "read_agents" in unread_row["why"]

    assert call("config", "read_agents", "[work]").code == 0
    assert "clawgit trust" in call("search", "invoice", "--agent", "work").err
    assert call("trust", stdin=b"y\n").code != 0
    assert call("config", "read_agents", "[work]", terminal=True).code == 0
    assert call("search", "invoice", "--agent", "work", "--json").json["results"]
    answer = call("search", "dentist invoice", "--all-agents", "--json").json
    assert {row["agent"] for row in answer["results"]} == {"main", "work"}


def test_agents_that_share_a_workspace_answer_once(
    call: Call, space: Path, openclaw: Callable[[dict[str, Path | str]], Path]
) -> None:
    (space / "MEMORY.md").write_text("# Memory\n\n- The dentist is in Harbour Street.\n")
    (space.parent / "link").symlink_to(space)
    openclaw({"main": space, "second": f"{space}/", "third": space.parent / "link"})
    answer = call("search", "dentist", "--all-agents", "--json").json
    (hit,) = answer["results"]
    assert hit["agents"] == ["main", "second", "third"]
    assert answer["unread"] == []
    (row,) = call("status", "--all-agents", "--json").json
    assert row["agents"] == ["main", "second", "third"]


def test_what_cannot_be_read_is_unknown_with_its_reason(
    call: Call, space: Path, mould: Path, openclaw: Callable[[dict[str, Path | str]], Path]
) -> None:
    (space / "MEMORY.md").write_text("# Memory\n\n- The dentist is in Harbour Street.\n")
    missing, file, plain = space.parent / "gone", space.parent / "file", space.parent / "plain"
    file.write_text("x")
    plain.mkdir()
    broken = moulds.copied(mould, space.parent / "broken")
    (broken / "CONFIG.md").write_text("# Config\n\n```yaml\nmax_results: [\n```\n")
    inner = space / "inner"
    inner.mkdir()
    openclaw({"main": space, "gone": missing, "file": file, "plain": plain, "broken": broken, "inner": inner})
    answer = call("search", "dentist", "--all-agents", "--json", terminal=True)
    assert answer.code == 0
    assert [row["agent"] for row in answer.json["results"]] == ["main"]
    reasons = {row["agent"]: row["why"] for row in answer.json["unread"]}
    assert list(reasons) == ["gone", "file", "plain", "broken", "inner"]
    assert "is not there" in reasons["gone"]
    assert "is no folder" in reasons["file"]
    assert "CONFIG.md" in reasons["broken"]
    assert "is inside" in reasons["inner"]
    printed_answer = call("search", "dentist", "--all-agents", terminal=True)
    assert all(f"{name}: unknown: " in printed_answer.err for name in reasons)
    status = call("status", "--all-agents", "--json", terminal=True).json
    assert [row["agent"] for row in status if row.get("unknown")] == ["gone", "file", "plain", "inner"]
    assert call("status", "--all-agents", "--check", terminal=True).code == 3
    digests = call("digest", "--all-agents", "--json", terminal=True).json
    assert [row["agent"] for row in digests] == ["main", *reasons]


def test_the_work_of_another_agent_is_done_without_leave(call: Call, work: Path, inside: Callable[..., str]) -> None:
    (work / "memory").mkdir(exist_ok=True)
    (work / "memory/note.md").write_text("- Written by an editor.\n")
    for path in work.rglob("*.md"):
        os.utime(path, (time.time() - 60,) * 2)
    result = call("--agent", "work", "schedule", "once", "capture", "--json")
    assert result.code == 0, result.err
    assert [row["job"] for row in result.json] == ["capture"]
    assert not call("status", "--agent", "work", "--json", terminal=True).json["dirty"]
    assert call("--agent", "work", "schedule", "log", "--json").code == 1
    assert call("--agent", "work", "schedule", "status", "--json").code == 1
