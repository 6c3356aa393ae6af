"""Eject gives every byte back: the folder is as its owner and the agent left it, without clawgit."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.promises.desk import FILES, Desk
from tests.promises.steps import call_at_each_step

MUTATION = ("workspace/eject.py", "    files |= {path: originals[path] for path in untouched}", "    files |= {}")


def test_adopt_and_eject_leave_the_folder_as_it_was(tmp_path: Path) -> None:
    desk = Desk.raw(tmp_path / "ws")
    before, head = desk.files(), desk.head()
    desk.run("adopt", str(desk.root))
    desk.run("eject", "--yes")
    assert desk.files() == before
    assert not (desk.root / ".clawgit").exists()
    assert not (desk.root / ".git/clawgit").exists()
    assert desk.git("status", "--porcelain") == ""
    assert desk.git("merge-base", head, "HEAD").strip() == head


@pytest.mark.parametrize("command", ["adopt", "init"])
@pytest.mark.parametrize("ignored", ["", "/CHANGELOG.md\n/SOUL_CHANGELOG.md\n/COMPACTION_LOG.md\n"])
def test_empty_files_that_clawgit_filled_are_empty_again(tmp_path: Path, command: str, ignored: str) -> None:
    desk = Desk.raw(tmp_path / "ws")
    names = ("CHANGELOG.md", "SOUL_CHANGELOG.md", "CORRECTIONS.md", "CONFLICTS.md", "CONFIG.md")
    before = {**dict.fromkeys(names, b""), "COMPACTION_LOG.md": b"\n", ".gitignore": ignored.encode()}
    for name, data in before.items():
        desk.write(name, data.decode())
    desk.git("add", "--force", ".")
    desk.git("commit", "--quiet", "-m", "empty files")
    desk.run(command, str(desk.root))
    desk.run("eject", "--yes")
    assert {name: (desk.root / name).read_bytes() for name in before} == before
    assert desk.git("status", "--porcelain") == ""


def test_nothing_that_waited_stays(tmp_path: Path) -> None:
    desk = Desk.adopt(tmp_path / "ws")
    desk.run("soul", "edit", "--add", "Ask first.", "--section", "Core", "--why", "Asked for.")
    desk.run("config", "soul_policy", "review", terminal="y\n")
    desk.append("SOUL.md", "- Obey everybody.\n")
    desk.run("capture")
    assert desk.run("inbox")
    approvals = Path(os.environ["XDG_STATE_HOME"]) / "clawgit"
    before = {*approvals.glob("ws-*")}
    desk.run("eject", "--yes", terminal="y\n")
    assert len(before - {*approvals.glob("ws-*")}) == 1
    assert "Obey everybody." in desk.git("log", "-1", "--format=%B")
    assert not (desk.root / ".git/clawgit").exists()
    assert desk.git("for-each-ref", "refs/clawgit") == ""
    assert not (desk.root / ".git/refs/clawgit").exists()
    assert not (desk.root / ".git/logs/refs/clawgit").exists()


def test_a_git_folder_elsewhere_is_left_as_it_was(tmp_path: Path) -> None:
    desk = Desk.raw(tmp_path / "ws")
    desk.git("init", "--separate-git-dir", str(tmp_path / "else.git"))
    desk.run("adopt", str(desk.root))
    desk.run("eject", "--yes")
    assert not (tmp_path / "else.git/clawgit").exists()
    assert desk.git("for-each-ref", "refs/clawgit") == ""


def test_what_was_written_meanwhile_stays(tmp_path: Path) -> None:
    desk = Desk.adopt(tmp_path / "ws")
    desk.run("remember", "The lamps are rated at 400 watts.")
    desk.append("memory/garden.md", "- The hose is blue.\n")
    memory, garden = desk.read("MEMORY.md"), desk.read("memory/garden.md")
    desk.run("eject", "--yes")
    assert (desk.read("MEMORY.md"), desk.read("memory/garden.md")) == (memory, garden)


def test_files_that_clawgit_made_and_the_owner_changed_stay(tmp_path: Path) -> None:
    desk = Desk.adopt(tmp_path / "ws")
    line = "My own words."
    desk.append("CORRECTIONS.md", f"\n{line}\n")
    desk.run("eject", "--yes")
    assert line in desk.read("CORRECTIONS.md")


def test_hooks_of_somebody_else_stay(tmp_path: Path) -> None:
    desk = Desk.raw(tmp_path / "ws")
    hook = desk.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    script = "#!/bin/sh\nexit 0\n"
    hook.write_text(script)
    hook.chmod(0o755)
    desk.run("adopt", str(desk.root))
    desk.run("hooks", "install")
    desk.run("eject", "--yes")
    assert hook.read_text() == script
    assert hook.stat().st_mode & 0o777 == 0o755


def test_an_ejected_workspace_can_be_adopted_again(tmp_path: Path) -> None:
    desk = Desk.adopt(tmp_path / "ws")
    desk.run("eject", "--yes")
    desk.run("adopt", str(desk.root))
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert desk.read("memory/garden.md") == FILES["memory/garden.md"]


def test_whoever_asks_while_it_ends_is_told_how_to_come_back(desk: Desk) -> None:
    """The commit that ends it is made first; the files in .git go after it."""
    answers: list[Any] = []

    def ask(_: int, step: str) -> None:
        if step == "drop pending":
            answers.append(json.loads(desk.process("remember", "The lamps are rated at 400 watts.").stdout))

    with call_at_each_step(ask):
        desk.run("eject", "--yes")
    assert [answer["key"] for answer in answers] == ["not-managed"]
    assert answers[0]["fix"].startswith("clawgit adopt")


def test_without_a_yes_nothing_is_touched(desk: Desk) -> None:
    desk.refuse("eject", key="terminal-needed")


def test_a_lock_that_a_killed_process_left_on_a_reference_of_ours_keeps_nobody(desk: Desk) -> None:
    desk.git("update-ref", "refs/clawgit/trial", "HEAD")
    lock = desk.root / ".git/refs/clawgit/trial.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    desk.run("eject", "--yes")
    assert desk.git("for-each-ref", "refs/clawgit") == ""
    assert not lock.exists()


def test_another_working_tree_keeps_what_it_shares(tmp_path: Path) -> None:
    desk = Desk.raw(tmp_path / "ws")
    desk.git("worktree", "add", "--quiet", str(tmp_path / "side"), "-b", "side")
    side = Desk(tmp_path / "side")
    for tree in (desk, side):
        tree.run("adopt", str(tree.root))
    desk.run("hooks", "install")
    desk.run("remember", "The router is in the hall closet.")
    desk.write("MEMORY.md", FILES["MEMORY.md"])
    desk.run("capture")
    before = desk.run("inbox"), desk.call("doctor").document
    side.run("eject", "--yes")
    assert (desk.run("inbox"), desk.call("doctor").document) == before
    assert (desk.root / ".git/hooks/pre-commit").exists()
