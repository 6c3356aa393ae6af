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
    done = call("server", "install", hub, "--identity", "kqxwvtzm", "--json")
    assert done.code == Exit.DONE
    assert [one["act"] for one in done.json["hooks"]] == ["installed", "installed"]
    assert done.json["identity"] == ["kqxwvtzm"]
    assert call("server", "install", hub).code == Exit.DONE
    found = call("server", "status", hub, "--json")
    assert found.code == Exit.DONE
    assert [one["state"] for one in found.json["hooks"]] == ["installed", "installed"]
    assert found.json["identity"] == ["kqxwvtzm"]
    assert "pre-receive" in call("server", "status", hub).out
    assert call("server", "uninstall", hub).code == Exit.DONE
    assert call("server", "status", hub).code == Exit.FOUND


def test_the_heads_are_brought_together_on_demand(call, hub, space, inside):
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory/2026-02-14.md").write_text("# Day\n\n- Met Ines.\n")
    inside("add", "-A")
    inside("commit", "-qm", "a day")
    inside("push", "-q", str(hub), "HEAD:refs/clawgit/heads/kkkkkkkk")
    assert "is at" in call("server", "merge", hub).out
    assert call("server", "merge", hub, "--json").json["commit"] is None
    assert "nothing is new on main" in call("server", "merge", hub).out


def test_what_is_no_server_is_told_with_a_way_out(call, space, tmp_path):
    for place, told in ((space, "has a working tree"), (tmp_path / "nowhere", "is no folder")):
        found = call("server", "install", place)
        assert found.code == Exit.FAILED
        assert told in found.err
        assert "fix: " in found.err
    (tmp_path / "plain").mkdir()
    assert "no git repository" in call("server", "merge", tmp_path / "plain").err


def test_a_policy_that_cannot_be_meant_changes_nothing(call, hub):
    before = (hub / "config").read_text()
    assert call("server", "install", hub, "--identity", "everybody").code == Exit.USAGE
    assert (hub / "config").read_text() == before
    assert not (hub / "hooks/pre-receive").exists()


def test_hooks_that_lie_elsewhere_would_not_run_and_are_told(call, hub):
    subprocess.run(["git", "config", "core.hooksPath", "/etc/hooks"], cwd=hub, check=True)
    found = call("server", "install", hub)
    assert found.code == Exit.FAILED
    assert "would not run" in found.err


def test_what_only_looks_like_a_secret_is_allowed_by_its_fingerprint(call, hub):
    assert "may come in" in call("server", "allow", hub, "9b1c07aa42de").out
    assert "was allowed already" in call("server", "allow", hub, "9b1c07aa42de").out
    assert call("server", "allow", hub, "nonsense").code == Exit.USAGE
