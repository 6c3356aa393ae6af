"""`clawgit hooks`, `clawgit hook`, and what adopt, init, eject and doctor make of them."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

NAMES = ["pre-commit", "post-commit", "pre-push"]
KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


@pytest.fixture
def foreign(space: Path) -> Path:
    """A hook of somebody's."""
    place = space / ".git/hooks/pre-commit"
    place.parent.mkdir(exist_ok=True)
    place.write_text("#!/bin/sh\necho foreign >&2\n")
    place.chmod(0o755)
    return place


def states(call: Callable) -> list[str]:
    return [one["state"] for one in call("hooks", "status", "--json").json]


def test_installed_shown_and_taken_away(call: Callable, foreign: Path) -> None:
    assert states(call) == ["foreign", "missing", "missing"]
    answer = call("hooks", "install")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"pre-commit   is in place, and runs the hook that stood there  {foreign}\n")
    assert states(call) == ["chained", "installed", "installed"]
    shown = call("hooks", "status").out.splitlines()
    assert [row.split()[:2] for row in shown] == [
        [NAMES[0], "chained"],
        [NAMES[1], "installed"],
        [NAMES[2], "installed"],
    ]
    answer = call("hooks", "uninstall")
    assert answer.out.startswith("pre-commit   is the hook again that stood there")
    assert states(call) == ["foreign", "missing", "missing"]
    assert foreign.read_text() == "#!/bin/sh\necho foreign >&2\n"


def test_the_documents(call: Callable, foreign: Path) -> None:
    done = call("hooks", "install", "--json").json
    aside = f"{foreign}.clawgit-chained"
    assert done[0] == {"hook": "pre-commit", "act": "chained", "path": str(foreign), "chained": aside}
    (first, *_) = call("hooks", "status", "--json").json
    assert first == {"hook": "pre-commit", "state": "chained", "path": str(foreign), "chained": aside, "fix": ""}
    foreign.write_text("#!/bin/sh\n")
    assert call("hooks", "uninstall", "--json").json[0]["act"] == "left"
    said = call("hooks", "uninstall").out
    assert f"is somebody's, and stays as it is  {foreign}\n" in said
    assert f"what stood there before clawgit is kept at {aside}\n" in said


def test_only_a_workspace_gets_hooks(call: Callable, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path / "other"], check=True)
    (tmp_path / "other/SOUL.md").write_text("x\n")
    answer = call("-C", tmp_path / "other", "hooks", "install")
    assert (answer.code, "clawgit adopt" in answer.err) == (1, True)
    assert states(lambda *words: call("-C", tmp_path / "other", *words)) == ["missing"] * 3


def test_a_secret_is_allowed_once(call: Callable) -> None:
    assert call("hooks", "allow", "9b1c07aa42de").out == "9b1c07aa42de may be pushed\n"
    again = call("hooks", "allow", "9b1c07aa42de", "0123456789ab", "--json").json
    assert again == {"allowed": ["9b1c07aa42de", "0123456789ab"], "new": ["0123456789ab"]}
    assert call("hooks", "allow", "nonsense").code == 2


def test_what_is_allowed_without_a_terminal_is_told_in_the_digest(call: Callable) -> None:
    call("hooks", "allow", "0b79f8f3bc42")
    assert "0b79f8f3bc42 may be pushed" in call("digest").out
    call("hooks", "allow", "9b1c07aa42de", terminal=True)
    assert "9b1c07aa42de" not in call("digest").out


def test_init_and_adopt_install_them_when_asked(call: Callable, tmp_path: Path) -> None:
    made = call("init", tmp_path / "new", "--hooks", "--json").json
    assert [one["act"] for one in made["hooks"]] == ["installed"] * 3
    assert call("init", tmp_path / "plain", "--json").json["hooks"] == []
    (tmp_path / "old").mkdir()
    (tmp_path / "old/SOUL.md").write_text("# Soul\n")
    assert call("adopt", tmp_path / "old", "--hooks", "--dry-run", "--json").json["hooks"] == []
    assert not (tmp_path / "old/.git").exists()
    assert "pre-push     is in place" in call("adopt", tmp_path / "old", "--hooks").out
    again = call("adopt", tmp_path / "old", "--hooks", "--json")
    assert (again.code, [one["act"] for one in again.json["hooks"]]) == (0, ["kept"] * 3)


def test_an_adoption_stands_also_where_hooks_cannot(call: Callable, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    subprocess.run(["git", "init", "--quiet", "-b", "main", folder], check=True)
    subprocess.run(["git", "config", "core.hooksPath", "/dev/null"], cwd=folder, check=True)
    (folder / "SOUL.md").write_text("# Soul\n")
    answer = call("adopt", folder, "--hooks", "--json")
    assert (answer.code, answer.json["hooks"], bool(answer.json["commit"])) == (1, [], True)
    assert "warning: no hooks were installed: core.hooksPath is /dev/null" in answer.err


def test_eject_gives_the_hooks_back(call: Callable, foreign: Path, space: Path) -> None:
    before = foreign.stat().st_mode, foreign.read_bytes(), sorted(os.listdir(foreign.parent))  # noqa: PTH208
    call("hooks", "install")
    assert call("eject", "--yes").code == 0
    assert (foreign.stat().st_mode, foreign.read_bytes(), sorted(os.listdir(foreign.parent))) == before  # noqa: PTH208
    assert not (space / ".git/clawgit").exists()


def test_doctor_tells_of_gaps_and_not_of_a_choice(call: Callable, space: Path) -> None:
    def hooks() -> list[dict[str, object]]:
        return [one for one in call("doctor", "--json").json if one["check"] == "git hooks"]

    assert [one["ok"] for one in hooks()] == [True]
    call("hooks", "install")
    assert [(one["ok"], one["message"]) for one in hooks()] == [(True, "installed")]
    (space / ".git/hooks/pre-push").write_text("#!/bin/sh\n")
    (space / ".git/hooks/pre-commit").unlink()
    found = hooks()
    assert [one["message"] for one in found] == ["pre-commit is missing", "pre-push is foreign"]
    assert {one["fix"] for one in found} == {"clawgit hooks install"}


@pytest.mark.parametrize("name", ["pre-commit", "post-commit"])
def test_outside_of_a_repository_a_hook_warns_and_passes(
    name: str, call: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = call("hook", "run", name)
    assert (answer.code, answer.err) == (0, f"warning: {name}: no git repository at {tmp_path}\n")
    assert call("hook", "run", "pre-push").code == 1


def test_a_hook_that_git_does_not_call_is_mistyped(call: Callable) -> None:
    assert call("hook", "run", "pre-comit").code == 2


def test_many_secrets_are_not_all_listed(call: Callable, space: Path, inside: Callable[..., str]) -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXY"
    (space / "a.txt").write_text("".join(f"key {KEY[:-1]}{letter}\n" for letter in letters))
    inside("add", "a.txt")
    inside("commit", "--quiet", "-m", "keys")
    head = inside("rev-parse", "HEAD").strip()
    answer = call(
        "hook", "run", "pre-push", "origin", stdin=f"refs/heads/main {head} refs/heads/main {'0' * 40}\n".encode()
    )
    assert answer.code == 1
    assert answer.err.count("holds a secret") == 20
    assert "… and 5 more\n" in answer.err


def test_a_clone_is_told_of_the_hooks_once(call: Callable, space: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", space, tmp_path / "clone"], check=True)
    here = ("-C", tmp_path / "clone")
    assert "hooks" not in call(*here, "status").err
    first = call(*here, "memory", "add", "one")
    assert first.err.count("note: git hooks do not come with a clone; clawgit hooks install puts them in place\n") == 1
    assert "hooks" not in call(*here, "memory", "add", "two").err
    subprocess.run(["git", "clone", "--quiet", space, tmp_path / "hooked"], check=True)
    assert call("-C", tmp_path / "hooked", "hooks", "install").err == ""
