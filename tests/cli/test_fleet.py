"""Many workspaces at once: their state, their memories, their history."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clawgit.errors import Exit
from tests import moulds


@pytest.fixture
def file(space: Path, mould: Path, tmp_path: Path, monkeypatch) -> Path:
    """Three workspaces below one folder, named by a pattern."""
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "oc"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "fleet").mkdir()
    for name, fact in (("ada", "The dentist is in Harbour Street."), ("ben", "The invoice is due on the third.")):
        root = moulds.copied(mould, tmp_path / "fleet" / name)
        (root / "MEMORY.md").write_text(f"# Memory\n\n- {fact}\n")
    moulds.copied(mould, tmp_path / "fleet/cy")
    place = tmp_path / "fleet.yaml"
    place.write_text("openclaw: false\nworkspaces:\n  - fleet/*\n")
    monkeypatch.setenv("CLAWGIT_FLEET", str(place))
    return place


def test_how_they_stand_is_told_without_a_terminal(call, file):
    answer = call("fleet", "status", "--json")
    assert answer.code == Exit.DONE
    assert [(row["agents"], row["state"]) for row in answer.json] == [
        (["ada"], "new"),
        (["ben"], "new"),
        (["cy"], "new"),
    ]
    assert "3 workspaces  3 new" in call("fleet", "status").out


def test_one_that_is_gone_and_one_with_a_broken_config_are_unknown_and_the_others_stand(call, file, tmp_path):
    file.write_text("openclaw: false\nworkspaces: [fleet/ada, fleet/ben, fleet/gone]\n")
    (tmp_path / "fleet/ben/CONFIG.md").write_text("```yaml\ntimezone: [\n```\n")
    answer = call("fleet", "status", "--json")
    assert [row["state"] for row in answer.json] == ["new", "unknown", "unknown"]
    assert "CONFIG.md:3" in answer.json[1]["trouble"][0]["words"]
    assert all(row["trouble"][0]["fix"] for row in answer.json[1:])
    assert "fix: " in call("fleet", "status").out


def test_a_fleet_of_none_is_refused_with_a_way_out(call, file):
    file.write_text("openclaw: false\n")
    answer = call("fleet", "run")
    assert answer.code == Exit.FAILED
    assert "there is no workspace to run" in answer.err


def test_it_runs_until_it_is_asked_to_end(file, tmp_path, space):
    command = [Path(sys.executable).with_name("clawgit"), "fleet", "run", "--json"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=space)
    try:
        agents = {json.loads(running.stdout.readline())["agents"][0] for _ in range(6)}
        time.sleep(0.1)
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == Exit.DONE
    assert agents <= {"ada", "ben", "cy"}
    assert "running 3 workspaces" in errors
