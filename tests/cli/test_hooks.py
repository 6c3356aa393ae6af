"""`clawgit hooks`, `clawgit hook`, and their use by adopt, init, eject and doctor."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


def test_what_is_allowed_without_a_terminal_is_told_in_the_digest(call: Callable) -> None:
    call("hooks", "allow", "0b79f8f3bc42")
    assert "0b79f8f3bc42 may be pushed" in call("digest").out
    call("hooks", "allow", "9b1c07aa42de", terminal=True)
    assert "9b1c07aa42de" not in call("digest").out


def test_init_installs_them_when_asked(call: Callable, tmp_path: Path) -> None:
    document = call("init", tmp_path / "new", "--hooks", "--json").json
    assert [row["act"] for row in document["hooks"]] == ["installed"] * 3
    assert call("init", tmp_path / "plain", "--json").json["hooks"] == []


@pytest.mark.parametrize("name", ["pre-commit", "post-commit"])
def test_outside_of_a_repository_a_hook_warns_and_passes(
    name: str, call: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = call("hook", "run", name)
    assert (answer.code, answer.err) == (0, f"warning: {name}: no git repository at {tmp_path}\n")
    assert call("hook", "run", "pre-push").code == 1


def test_attributes_behind_a_link_are_kept(call: Callable, space: Path, tmp_path: Path) -> None:
    shared = tmp_path / "attributes"
    shared.write_text("*.png binary\n")
    place = space / ".git/info/attributes"
    place.unlink(missing_ok=True)
    place.symlink_to(shared)
    assert call("hooks", "install").code == 0
    assert "*.png binary\n" in place.read_text()
    assert "*.md merge=clawgit\n" in place.read_text()
    assert call("hooks", "uninstall").code == 0
    assert place.read_text() == shared.read_text() == "*.png binary\n"


def test_a_merge_by_git_keeps_the_entries_of_both_branches(call: Callable, space: Path, inside: Callable) -> None:
    (space / "MEMORY.md").write_text("# Memory\n\n- The kettle is blue.\n")
    assert (call("capture").code, call("hooks", "install").code) == (0, 0)
    for branch, color in (("side", "red"), ("main", "green")):
        inside("switch", "-q", *(["-c"] if branch == "side" else []), branch)
        (space / "MEMORY.md").write_text(f"# Memory\n\n- The kettle is blue.\n- The lid is {color}.\n")
        (space / "memory/latin.md").write_bytes(b"\xe9\n" if branch == "main" else b"\xe8\n")
        inside("add", "-A")
        inside("commit", "-qm", branch, "--no-verify")
    assert subprocess.run(["git", "merge", "-q", "side"], cwd=space, capture_output=True, check=False).returncode == 1
    assert inside("diff", "--name-only", "--diff-filter=U").split() == ["memory/latin.md"]
    lines = (space / "MEMORY.md").read_text().splitlines()
    assert {"- The lid is red.", "- The lid is green."} <= {*lines}
    assert "<<<<" not in "".join(lines)


def test_a_hook_of_the_release_before_does_nothing(call: Callable) -> None:
    assert (call("hook", "run", "post-receive", stdin=b"").code, call("hook", "run", "post-update").code) == (0, 2)
