"""`clawgit adopt` and `clawgit eject`."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


@pytest.fixture
def lived(tmp_path: Path) -> Path:
    """A folder that an agent has lived in, without git."""
    folder = tmp_path / "lived"
    (folder / "memory").mkdir(parents=True)
    (folder / "SOUL.md").write_text("# Soul\n\n- Calm.\n")
    (folder / "MEMORY.md").write_text("- Deploys on Monday.\n")
    (folder / "memory/2026-01-20.md").write_text(f"key {KEY}\n")
    (folder / "memory/2026-01-21.md").write_text("- one\n")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {
        place.relative_to(folder).as_posix(): place.read_bytes()
        for place in folder.rglob("*")
        if place.is_file() and ".git" not in place.parts
    }


def test_a_dry_run_reports_and_touches_nothing(call: Callable, lived: Path) -> None:
    before = files(lived)
    answer = call("adopt", lived, "--dry-run")
    assert answer.code == 0
    assert files(lived) == before
    assert not (lived / ".git").exists()
    assert ".clawgit/format" in answer.out
    assert "memory/2026-01-20.md:1 holds a secret (aws-access-key)" in answer.out
    assert answer.err.endswith(f"clawgit adopt '{lived}'\n")
    assert KEY not in answer.out + answer.err


def test_adopted_the_workspace_is_managed_and_says_how_to_go_back(call: Callable, lived: Path) -> None:
    before = files(lived)
    answer = call("adopt", lived)
    assert answer.code == 0
    assert {path: data for path, data in files(lived).items() if path in before} == before
    found = call("-C", lived, "status", "--json").json
    assert (found["managed"], found["dirty"]) == (True, ["memory/2026-01-20.md"])
    again = call("adopt", lived, "--json").json
    assert (again["commit"], again["reason"]) == (None, "it is managed already")


def test_at_a_terminal_it_shows_what_goes_and_asks(call: Callable, lived: Path, shell: Callable) -> None:
    call("adopt", lived)
    import pty  # noqa: PLC0415

    ours, theirs = pty.openpty()
    os.write(ours, b"n\n")
    import sys  # noqa: PLC0415

    command = Path(sys.executable).with_name("clawgit")
    done = subprocess.run([command, "eject", lived], stdin=theirs, capture_output=True, check=False, timeout=60)
    assert done.returncode == 1
    assert ".clawgit/format" in done.stdout.decode()
    assert "error: nothing was done" in done.stderr.decode()
    assert call("-C", lived, "status", "--json").json["managed"]


def test_what_would_be_refused_is_said_by_the_dry_run_too(call: Callable, lived: Path) -> None:
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("add", "SOUL.md"),
        ("commit", "-qm", "x"),
        ("checkout", "-q", "--detach"),
    ):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=lived, check=True)
    answer = call("adopt", lived, "--dry-run")
    assert answer.code == 0
    assert "HEAD is detached" in answer.err
    refused = call("adopt", lived)
    assert (refused.code, refused.out) == (1, "")
    assert "error: HEAD is detached" in refused.err
    assert not (lived / ".git/clawgit").exists()
