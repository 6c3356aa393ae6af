"""What an audit and a taint find can be read over MCP, and changes nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from clawgit.agents import taint
from clawgit.git.repository import find
from clawgit.workspace.workspace import Workspace


def _workspace(space: Path) -> Workspace:
    return Workspace(find(space))


def test_an_audit_is_read_with_the_command_that_helps(ask: Any, space: Path) -> None:
    ask.told("memory_add", text="The backups go to the green disk.")
    (space / "memory/disks.md").write_text("# Disks\n\n- The backups go to the green disk.\n")
    told = ask.read("clawgit://audit")
    assert told.startswith("# Audit of memory: ")
    assert "memory/disks.md:3 'The backups go to the green disk.'" in told
    assert "`clawgit forget " in told


def test_what_a_source_taught_is_read_by_its_places_and_nothing_changes(
    ask: Any, space: Path, git: Callable[..., str]
) -> None:
    ask.told("memory_add", text="The backups go to the green disk.")
    before = git("rev-parse", "HEAD")
    told = ask.read("clawgit://taint/agent%3Amain-agent")
    assert "1 changes rest on it" in told
    assert "MEMORY.md:" in told
    assert "green disk" not in told  # the words of a suspect are not read to a model again
    assert "`clawgit taint 'agent:main-agent' --apply`" in told
    assert git("rev-parse", "HEAD") == before
    assert ask.read("clawgit://taint") == "no source is tainted\n"


def test_the_tainted_sources_are_read_with_the_way_back(ask: Any, space: Path) -> None:
    ask.told("memory_add", text="The backups go to the green disk.")
    workspace = _workspace(space)
    change = taint.change(workspace, taint.report(workspace, "agent:main-agent"), "it was misled")
    assert workspace.apply(change).commit
    (one,) = taint.known(_workspace(space))
    told = ask.read("clawgit://taint")
    assert "agent:main-agent" in told
    assert "it was misled" in told
    assert f"clawgit undo {one.id}" in told
    assert "green disk" not in ask.read("clawgit://memory")


@pytest.mark.parametrize("source", ["nobody", "session%3A", "agent%3Anobody", "..%2FMEMORY.md", "%00", "%FF"])
def test_a_name_of_no_source_is_an_error_of_the_protocol(ask: Any, source: str) -> None:
    with pytest.raises(MCPError):
        ask.read(f"clawgit://taint/{source}")
