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
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home/.openclaw").mkdir(parents=True)
    return folder


def workspace(answer: object) -> str:
    return str(answer.json["workspace"])  # type: ignore[attr-defined]


def test_a_folder_is_named_stood_in_or_said_by_a_variable_and_the_option_wins(
    call: Callable, space: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (space / "memory/deep").mkdir(parents=True)
    for folder in (space, space / "memory/deep", os.path.relpath(space)):
        assert workspace(call("-C", folder, "status", "--json")) == str(space)
    monkeypatch.setenv("CLAWGIT_WORKSPACE", str(space))
    assert workspace(call("status", "--json")) == str(space)
    other = shutil.copytree(space, elsewhere / "other")
    assert workspace(call("-C", other, "status", "--json")) == str(other)
    monkeypatch.delenv("CLAWGIT_WORKSPACE")
    os.chdir(space / "agents/memory-miner")  # has a SOUL.md of its own
    answer = call("status", "--json")
    assert (workspace(answer), answer.err) == (str(space), "")


def test_openclaws_own_workspace_is_the_last_resort_and_is_named(
    call: Callable, space: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer = call("status")
    assert (answer.code, str(elsewhere) in answer.err) == (1, True)
    assert "\n  fix: clawgit -C DIR …   # or make one: clawgit init DIR\n" in answer.err
    home = tmp_path / "home"
    shutil.copytree(space, home / ".openclaw/workspace")
    answer = call("status", "--json")
    assert workspace(answer) == str(home / ".openclaw/workspace")
    assert answer.err == f"note: in {home}/.openclaw/workspace (OpenClaw's default)\n"
    monkeypatch.setenv("OPENCLAW_WORKSPACE_DIR", str(space))
    assert workspace(call("status", "--json")) == str(space)
    monkeypatch.setenv("OPENCLAW_WORKSPACE_DIR", str(tmp_path / "gone"))
    answer = call("status")
    assert answer.code == 1
    assert answer.err.startswith(f"error: {tmp_path}/gone does not exist (OPENCLAW_WORKSPACE_DIR)\n")
    monkeypatch.delenv("OPENCLAW_WORKSPACE_DIR")
    configuration = f"{{agents: {{defaults: {{workspace: '{space}'}}}}}} // mine"
    (home / ".openclaw/openclaw.json").write_text(configuration)
    answer = call("status", "--json")
    assert workspace(answer) == str(space)
    assert answer.err == f"note: in {space} (OpenClaw's, by agents.defaults.workspace)\n"


def test_where_there_are_several_agents_the_default_ones_is_used_and_another_can_be_named(
    call: Callable, space: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = shutil.copytree(space, elsewhere / "other")
    rows = [{"id": "main", "workspace": str(space)}, {"id": "work", "workspace": str(other)}, {"id": "x"}]
    (tmp_path / "home/.openclaw/openclaw.json").write_text(json.dumps({"agents": {"list": rows}}))
    answer = call("status", "--json")
    assert workspace(answer) == str(space)
    assert answer.err == f"note: in {space} (of OpenClaw's agent main; --agent names another: work, x)\n"
    monkeypatch.setenv("CLAWGIT_WORKSPACE", str(space))
    os.chdir(space)
    assert workspace(call("--agent", "work", "status", "--json", terminal=True)) == str(other)
    assert (
        "OpenClaw has no agent wrok, only main, work, x\n  fix: clawgit --agent work …\n"
        in call("--agent", "wrok", "status").err
    )
    missing = tmp_path / "home/.openclaw/workspace-x"
    assert call("--agent", "x", "status").err.endswith(f"does not exist\n  fix: clawgit init '{missing}'\n")
    assert call("-C", ".", "--agent", "work", "status").code == 2


def openclaw(home: Path, text: str) -> None:
    (home / ".openclaw").mkdir(parents=True, exist_ok=True)
    (home / ".openclaw/openclaw.json").write_text(text)


CONFIGURED = [
    ("{agents: {defaults: {workspace: '~/notes'}}}", {"main": "notes"}),
    (
        '{"agents": {"list": [{"id": "main"}, {"id": "Work Bot"}]}}',
        {"main": ".openclaw/workspace", "work-bot": ".openclaw/workspace-work-bot"},
    ),
    (
        "{agents: {list: [{id: 'a'}, null, {id: 'b', default: true}, {id: 'A'}]}}",
        {"b": ".openclaw/workspace", "a": ".openclaw/workspace-a"},
    ),
    ("{agents: {entries: {a: {}, main: {}}, defaults: {workspace: '~/all'}}}", {"main": "all/main", "a": "all/a"}),
    ("{agents: {entries: 'x', list: {}, defaults: []}}", {"main": ".openclaw/workspace"}),
    ("{ // mine\n $include: './more.json', }", {"main": "base/included"}),
]


def test_the_configuration_names_agents_and_their_workspaces(
    call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The default agent comes first."""
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("BASE", "~/base")
    for text, agents in CONFIGURED:
        openclaw(home, text)
        (home / ".openclaw/more.json").write_text('{"agents": {"defaults": {"workspace": "${BASE}/included"}}}')
        document = call("status", "--all-agents", "--json", terminal=True).json
        places = {row["agent"]: Path(row["workspace"]).relative_to(home).as_posix() for row in document}
        assert list(places.items()) == list(agents.items())


BROKEN = [
    ('{\n "a": 1\n "b": 2\n}', "openclaw.json:3: "),
    ("[" * 200_000, "nested too deep"),
    ("{$include: 'openclaw.json'}", "includes itself"),
    ("{$include: '../secret.json'}", "leads out of "),
    ("{$include: 'gone.json'}", "gone.json cannot be read"),
    ("{agents: {list: [{id: 'a', workspace: '${NOWHERE}/a'}]}}", "agents.list[0].workspace needs ${NOWHERE}"),
]


def test_a_broken_configuration_is_a_finding_and_the_rest_holds(
    call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for text, words in BROKEN:
        openclaw(tmp_path / "home", text)
        messages = [row["message"] for row in call("doctor", "--json").json if row["key"] == "openclaw-config"]
        assert [words in message for message in messages] == [True], (words, messages)


def test_a_folder_that_is_no_workspace_is_none_to_begin_in(call, tmp_path):
    (tmp_path / "photo.txt").write_text("a photo")
    refusal = call("-C", tmp_path, "status", "--json")
    assert refusal.json["key"] == "repository-missing"
    assert "-C DIR" in refusal.json["fix"]
