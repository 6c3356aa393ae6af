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


def test_a_second_time_there_is_nothing_to_do(call: Callable) -> None:
    answer = call("init", "--json")
    assert (answer.code, answer.json["commit"], answer.json["reason"]) == (0, None, "it is managed already")


def test_what_was_there_is_kept_to_the_byte(call: Callable, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "SOUL.md").write_bytes(b"# Me\r\nno end")
    made = call("init", folder, "--json").json
    assert made["kept"] == ["SOUL.md"]
    assert (folder / "SOUL.md").read_bytes() == b"# Me\r\nno end"
