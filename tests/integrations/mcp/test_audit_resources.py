"""What an audit and a taint find can be read over MCP, and changes nothing."""

from pathlib import Path
from typing import Any


def test_an_audit_is_read_with_the_command_that_helps(ask: Any, space: Path) -> None:
    ask.told("memory_add", text="The backups go to the green disk.")
    (space / "memory/disks.md").write_text("# Disks\n\n- The backups go to the green disk.\n")
    told = ask.read("clawgit://audit")
    assert told.startswith("# Audit of memory: ")
    assert "memory/disks.md:3 'The backups go to the green disk.'" in told
    assert "`clawgit forget " in told
