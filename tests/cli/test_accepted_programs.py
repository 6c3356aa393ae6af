"""A filter of the repository's own runs once the operator gave the command that is printed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def ran(space: Path, inside: Callable, tmp_path: Path) -> Path:
    """A workspace with a filtered file, stored by git itself; the file that shows that the filter ran."""
    ran = tmp_path / "ran"
    program = tmp_path / "rot"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ntr 'a-zA-Z' 'n-za-mN-ZA-M'\n")
    program.chmod(0o755)
    for kind in ("clean", "smudge"):
        inside("config", f"filter.rot.{kind}", str(program))
    inside("config", "filter.other.clean", f"touch {tmp_path}/evil; cat")
    inside("config", "filter.rot.required", "true")
    (space / ".gitattributes").write_text("*.bin filter=rot\nmemory/private.md filter=rot\n")
    for name in ("a.bin", "memory/private.md"):
        (space / name).parent.mkdir(exist_ok=True)
        (space / name).write_text("hidden\n")
    inside("add", "a.bin", "memory/private.md", ".gitattributes")
    inside("commit", "-qm", "filtered")
    inside("config", "core.fsmonitor", f"touch {tmp_path}/evil")
    for name in ("a.bin", "memory/private.md"):
        os.utime(space / name, (1, 1))  # git has to look at them again
    ran.unlink()
    (tmp_path / "evil").unlink(missing_ok=True)
    return ran


def test_a_filtered_file_is_never_committed_as_it_stands_on_disk(call, ran, space, inside, monkeypatch, tmp_path):
    """Off, nobody knows; on, it is known to differ, and git alone stores it right."""
    head = inside("rev-parse", "HEAD")
    (space / "memory/private.md").write_text("changed by somebody\n")
    assert call("capture").code == 0
    assert call("status", "--json").json["not_kept"]["unknown"] == 2
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own"))
    for kind in ("clean", "smudge"):
        inside("config", "--global", f"filter.rot.{kind}", f"{tmp_path}/rot")
    done = call("capture", "--json").json
    assert [one["path"] for one in done["held"]] == ["memory/private.md"]
    assert inside("rev-parse", "HEAD") == head
