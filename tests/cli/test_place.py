"""Which workspace a command is about."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def elsewhere(call: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def workspace(answer: object) -> str:
    return str(answer.json["workspace"])  # type: ignore[attr-defined]


def test_a_folder_may_be_named_or_stood_in(call: Callable, space: Path, elsewhere: Path) -> None:
    (space / "memory/deep").mkdir(parents=True)
    for given in (space, space / "memory/deep", os.path.relpath(space)):
        assert workspace(call("-C", given, "status", "--json")) == str(space)
    os.chdir(space / "agents/memory-miner")  # has a SOUL.md of its own
    assert workspace(call("status", "--json")) == str(space)


def test_the_variable_stands_in_for_the_option_which_wins(
    call: Callable, space: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAWGIT_WORKSPACE", str(space))
    assert workspace(call("status", "--json")) == str(space)
    other = shutil.copytree(space, elsewhere / "other")
    assert workspace(call("-C", other, "status", "--json")) == str(other)


def test_openclaws_own_workspace_is_the_last_resort_and_is_named(
    call: Callable, space: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    shutil.copytree(space, tmp_path / "home/.openclaw/workspace")
    answer = call("status", "--json")
    assert workspace(answer) == str(tmp_path / "home/.openclaw/workspace")
    assert answer.err == f"note: in {tmp_path}/home/.openclaw/workspace (OpenClaw's default)\n"
    monkeypatch.setenv("OPENCLAW_WORKSPACE_DIR", str(space))
    assert workspace(call("status", "--json")) == str(space)
    monkeypatch.chdir(space)
    assert call("status").err == ""


def openclaw(home: Path, text: str) -> None:
    (home / ".openclaw").mkdir(parents=True, exist_ok=True)
    (home / ".openclaw/openclaw.json").write_text(text)


def test_the_workspace_that_the_configuration_names_is_used_and_said(
    call: Callable, space: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    openclaw(tmp_path / "home", f"{{agents: {{defaults: {{workspace: '{space}'}}}}}} // mine")
    answer = call("status", "--json")
    assert workspace(answer) == str(space)
    assert answer.err == f"note: in {space} (OpenClaw's, by agents.defaults.workspace)\n"


def test_where_there_are_several_agents_the_default_ones_is_used_and_another_can_be_named(
    call: Callable, space: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    other = shutil.copytree(space, elsewhere / "other")
    listed = [{"id": "main", "workspace": str(space)}, {"id": "work", "workspace": str(other)}, {"id": "x"}]
    openclaw(tmp_path / "home", json.dumps({"agents": {"list": listed}}))
    answer = call("status", "--json")
    assert workspace(answer) == str(space)
    assert answer.err == f"note: in {space} (of OpenClaw's agent main; --agent names another: work, x)\n"
    monkeypatch.setenv("CLAWGIT_WORKSPACE", str(space))
    os.chdir(space)
    assert workspace(call("--agent", "work", "status", "--json", terminal=True)) == str(other)
    assert call("--agent", "wrok", "status").err == (
        "error: OpenClaw has no agent wrok, only main, work, x\n  fix: clawgit --agent work …\n"
    )
    missing = tmp_path / "home/.openclaw/workspace-x"
    assert call("--agent", "x", "status").err == (
        f"error: the workspace of OpenClaw's agent x, {missing}, does not exist\n  fix: clawgit init '{missing}'\n"
    )
    assert call("-C", ".", "--agent", "work", "status").code == 2


def test_no_workspace_at_all_is_said_with_a_way_out(call: Callable, elsewhere: Path) -> None:
    answer = call("status")
    assert answer.code == 1
    assert str(elsewhere) in answer.err
    assert "\n  fix: clawgit -C DIR …   # or make one: clawgit init DIR\n" in answer.err


def test_a_workspace_in_somebodys_repository_is_told_as_adopt_does(
    call: Callable, elsewhere: Path, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / "finance/memory").mkdir(parents=True)
    (elsewhere / "finance/SOUL.md").write_text("- Be brief.\n")
    git("init", "-q", cwd=elsewhere)
    git("add", "-A", cwd=elsewhere)
    git("-c", "user.name=Ines", "-c", "user.email=ines@example.org", "commit", "-qm", "all", cwd=elsewhere)
    monkeypatch.chdir(elsewhere / "finance/memory")
    expected = call("adopt", elsewhere / "finance").err
    assert f"fix: git init '{elsewhere}/finance' && clawgit adopt '{elsewhere}/finance'" in expected
    for command in (("status",), ("capture",), ("memory", "add", "x"), ("-C", elsewhere / "finance", "log")):
        assert call(*command).err == expected


def test_a_folder_that_a_variable_names_and_that_is_gone_is_told_with_the_variable(
    call: Callable, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENCLAW_WORKSPACE_DIR", str(tmp_path / "gone"))
    answer = call("status")
    assert answer.code == 1
    assert answer.err.startswith(f"error: {tmp_path}/gone does not exist (OPENCLAW_WORKSPACE_DIR)\n")
