"""`clawgit init`."""

import subprocess
from collections.abc import Callable
from pathlib import Path


def test_a_new_folder_becomes_a_workspace(call: Callable, tmp_path: Path) -> None:
    answer = call("init", tmp_path / "new", "--json")
    made = answer.json
    assert answer.code == 0
    assert set(made) == {"workspace", "branch", "created", "kept", "warnings", "report", "commit", "hooks"}
    assert (made["workspace"], made["branch"], made["kept"]) == (str(tmp_path / "new"), "main", [])
    assert {"SOUL.md", "MEMORY.md", "CONFIG.md", ".clawgit/format"} <= set(made["created"])
    head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=tmp_path / "new", text=True).strip()
    assert made["commit"] == head


def test_people_are_told_what_there_is_now(call: Callable, tmp_path: Path) -> None:
    answer = call("init", tmp_path / "new")
    first, created, following = answer.out.splitlines()
    assert first.endswith(f" {tmp_path}/new is a workspace now, on branch main")
    assert created.startswith("created  AGENTS.md, BOOTSTRAP.md, CHANGELOG.md, ")
    assert following == 'next     clawgit memory add "what is worth keeping"'


def test_a_second_time_there_is_nothing_to_do(call: Callable, space: Path) -> None:
    answer = call("init", "--json")
    assert (answer.code, answer.json["commit"], answer.json["reason"]) == (0, None, "it is managed already")
    assert call("init").out == f"nothing to do: {space} is managed already\n"


def test_what_was_there_is_kept_to_the_byte(call: Callable, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "SOUL.md").write_bytes(b"# Me\r\nno end")
    made = call("init", folder, "--json").json
    assert made["kept"] == ["SOUL.md"]
    assert (folder / "SOUL.md").read_bytes() == b"# Me\r\nno end"


def test_a_folder_that_cannot_be_one_is_refused(call: Callable, home: Path, space: Path, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state/openclaw.json").write_text("{}")
    for folder, words in ((home, "your home"), (tmp_path / "state", "credentials"), (space / "memory", "repository")):
        answer = call("init", folder)
        assert answer.code == 1
        assert words in answer.err
        assert "  fix: clawgit" in answer.err
        assert not (folder / ".git").exists()
