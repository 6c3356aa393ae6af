"""A repository that machines push to is guarded by one command."""

import subprocess
from pathlib import Path

import pytest

from clawgit.errors import Exit


@pytest.fixture
def hub(space: Path, tmp_path: Path) -> Path:
    place = tmp_path / "hub.git"
    subprocess.run(["git", "clone", "-q", "--bare", space, place], check=True)
    return place


def test_it_is_set_up_looked_at_and_taken_away(call, hub):
    result = call("server", "install", hub, "--json")
    assert result.code == Exit.DONE
    assert [row["act"] for row in result.json["hooks"]] == ["installed"]
    hooks = call("server", "install", hub, "--json").json["hooks"]
    assert [(row["hook"], row["act"]) for row in hooks] == [("pre-receive", "kept")]
    assert call("server", "uninstall", hub).code == Exit.DONE
    assert not (hub / "hooks/pre-receive").exists()


def test_what_is_no_server_is_told_with_a_way_out(call, space, tmp_path):
    for place, message in ((space, "has a working tree"), (tmp_path / "nowhere", "is no folder")):
        answer = call("server", "install", place)
        assert answer.code == Exit.FAILED
        assert message in answer.err
        assert "fix: " in answer.err
    (tmp_path / "plain").mkdir()
    assert "no git repository" in call("server", "install", tmp_path / "plain").err


def test_hooks_that_lie_elsewhere_would_not_run_and_are_told(call, hub):
    subprocess.run(["git", "config", "core.hooksPath", "/etc/hooks"], cwd=hub, check=True)
    answer = call("server", "install", hub)
    assert answer.code == Exit.FAILED
    assert "would not run" in answer.err


def test_what_only_looks_like_a_secret_is_allowed_by_its_fingerprint(call, hub):
    for new in (["9b1c07aa42de"], []):
        assert call("server", "allow", hub, "9b1c07aa42de", "--json").json["new"] == new
    assert call("server", "allow", hub, "nonsense").code == Exit.USAGE
