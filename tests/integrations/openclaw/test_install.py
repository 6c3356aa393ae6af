"""What is installed goes again without a trace; what somebody changed stays."""

import json
import os
import re
import shlex
import sqlite3
from contextlib import closing

import pytest

from clawgit.errors import ClawgitError
from clawgit.integrations.openclaw import install_plan, openclaw_config, openclaw_install, shipped_files
from clawgit.integrations.openclaw.openclaw_target import target
from clawgit.workspace.host import openclaw_files as host_json
from clawgit.workspace.host.host import Host
from clawgit.workspace.workspace import open_workspace

from .conftest import CONFIG, PROGRAM

PARTS = ("hook", "hook setting", "mcp server", "skill")
EMPTY = '{"meta": {"lastTouchedVersion": "2026.7.1"}}'

SWITCHED = {"meta": {"lastTouchedVersion": "2026.7.1"}, "hooks": {"internal": {"enabled": True}}}
INSTALLS = {"pack": {"source": "path", "hooks": ["other"]}}


def shared(home):
    """A configuration with another agent, who works elsewhere."""
    agents = {"entries": {"main": {"workspace": str(home.workspace)}, "work": {"workspace": "/nowhere"}}}
    return {**json.loads(EMPTY), "agents": agents}


def internal(home):
    """What the configuration says of hooks."""
    return host_json.parse(home.config.read_text())["hooks"]["internal"]


def all_parts(state):
    return dict.fromkeys(PARTS, state)


def known(home):
    """What is to be connected, in this process."""
    workspace = open_workspace(home.workspace)
    workspace.__dict__["host"] = Host(home.environ, home.folder)
    workspace.__dict__["trusted"] = type(workspace.trusted)(workspace.repo.commondir, home.environ)
    return target(workspace, PROGRAM)


def acts(plan):
    return {one.name: one.act for one in plan.done}


@pytest.mark.parametrize(
    "config",
    [
        CONFIG,
        EMPTY,
        "\ufeff" + CONFIG.replace("\n", "\r\n"),
        json.dumps({"meta": {"lastTouchedVersion": "2026.7.1"}, "hooks": {"internal": {"entries": {}}}}, indent="\t"),
        '{meta:{lastTouchedVersion:"2026.7.1"},mcp:{servers:{o:{command:"x"}}},hooks:{internal:{entries:{o:{}}}}}',
    ],
)
def test_install_and_uninstall_leave_no_trace(home, config):
    home.configure(config)
    outside, inside, head = home.outside(), home.inside(), home.git("rev-parse", "HEAD^{tree}")
    assert home.states() == all_parts("missing")
    assert home.acts("connect", "--dry-run") == all_parts("installed")
    assert (home.outside(), home.inside()) == (outside, inside)
    assert home.acts("connect") == all_parts("installed")
    assert home.states() == all_parts("installed")
    assert home.config.stat().st_mode & 0o777 == 0o600
    before = host_json.parse(config.removeprefix("\ufeff"))
    after = host_json.parse(home.config.read_text("utf-8-sig"))
    assert after["mcp"]["servers"]["clawgit-main"]["args"] == ["-C", str(home.workspace), "mcp"]
    assert after["hooks"]["internal"]["entries"]["clawgit-main"] == {"enabled": True}
    assert after["meta"] == before["meta"]
    there = home.outside(), home.inside(), home.git("rev-parse", "HEAD")
    assert home.acts("connect") == all_parts("kept")
    assert (home.outside(), home.inside(), home.git("rev-parse", "HEAD")) == there
    assert home.acts("disconnect") == all_parts("removed")
    assert (home.outside(), home.inside(), home.git("rev-parse", "HEAD^{tree}")) == (outside, inside, head)
    assert home.git("status", "--porcelain") == ""
    assert home.acts("disconnect") == all_parts("kept")


def test_each_file_outside_is_named_before_it_is_written(home):
    planned = home.clawgit("connect", "--yes", "--dry-run")
    done = home.clawgit("connect", "--yes")
    assert planned["outside"] == done["outside"]
    assert set(done["outside"]) == {
        str(home.config),
        str(home.skill),
        *(str(home.hook / name) for name in (*shipped_files.HOOK_SHIPPED, shipped_files.SETTINGS)),
    }
    assert all(f"note: writes to {place}" in done["stderr"] for place in done["outside"])
    assert done["commit"] is None


@pytest.mark.parametrize("key", ["wizard", "logging"])
def test_a_configuration_that_openclaw_wrote_anew_is_as_before_unless_it_says_more(home, key):
    home.clawgit("connect", "--yes")
    after = host_json.parse(home.config.read_text())
    home.configure({key: {"ran": True}, **after})
    assert home.acts("disconnect") == all_parts("removed")
    if key == "wizard":
        assert home.config.read_text() == CONFIG
    else:
        assert json.loads(home.config.read_text()) == {key: {"ran": True}, **host_json.parse(CONFIG)}


def test_what_somebody_changed_stays_and_is_named(home):
    home.clawgit("connect", "--yes")
    (home.hook / "handler.js").write_text((home.hook / "handler.js").read_text() + "// mine\n")
    skill = home.skill
    skill.write_text(skill.read_text() + "\nMine.\n")
    values = host_json.parse(home.config.read_text())
    values["mcp"]["servers"]["clawgit-main"]["args"] += ["--read-only"]
    values["hooks"]["internal"]["entries"]["other"] = {"enabled": True}
    home.configure(values)
    assert home.states() == {"hook": "edited", "hook setting": "installed", "mcp server": "edited", "skill": "edited"}
    before = home.outside()[0], home.inside()
    assert home.acts("connect") == {**all_parts("left"), "hook setting": "kept"}
    assert (home.outside()[0], home.inside()) == before
    assert home.acts("disconnect") == all_parts("left")
    left = json.loads(home.config.read_text())
    assert left["mcp"]["servers"]["clawgit-main"]["args"][-1] == "--read-only"
    assert left["hooks"]["internal"] == {"enabled": True, "entries": {"other": {"enabled": True}}}
    assert [place.name for place in home.hook.iterdir()] == ["handler.js"]
    assert skill.read_text().endswith("\nMine.\n")


def test_what_is_somebody_elses_is_not_touched(home):
    home.hook.mkdir(parents=True)
    (home.hook / "handler.js").write_text("export default () => {};\n")
    skill = home.skill
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: clawgit\n---\n\nMine.\n")
    outside, inside = home.outside()[0], home.inside()
    for words in ("connect", "disconnect"):
        assert {name: act for name, act in home.acts(words).items() if name in ("hook", "skill")} == {
            "hook": "left",
            "skill": "left",
        }
    assert home.inside() == inside
    assert home.outside()[0] == outside
    assert "clawgit-main" not in host_json.parse(home.config.read_text()).get("hooks", {})


@pytest.mark.parametrize(
    ("config", "part", "words"),
    [
        ('{"$include": "./base.json5", "meta": {"lastTouchedVersion": "2026.7.1"}}', "mcp server", "includes another"),
        ('{"meta": {"lastTouchedVersion": "2026.7.1"}, "mcp": {"$include": "./m.json"}}', "mcp server", "at mcp"),
        (
            '{"meta": {"lastTouchedVersion": "2026.7.1"}, "hooks": {"internal": {"enabled": false}}}',
            "hook setting",
            "says",
        ),
        ('{"meta": {"lastTouchedVersion": "2026.2.1"}}', "mcp server", "2026.2.1 may not know MCP"),
        ("{}", "mcp server", "may not know MCP"),
        ("{ broken", "hook setting", "cannot be read at line 1"),
        ('{"a": 1, "a": 2, "meta": {}, "meta": {"lastTouchedVersion": "2026.7.1"}}', "", ""),
        (None, "hook setting", "does not exist"),
    ],
)
def test_where_an_edit_is_not_safe_the_line_to_add_is_told(home, config, part, words):
    home.config.unlink() if config is None else home.configure(config)
    (home.state / "base.json5").write_text("{}")
    (home.state / "m.json").write_text('{"servers": {}}')
    for _ in range(2):
        found = home.became("connect")
        left = found.get(part, {"act": "left", "note": words, "fix": "openclaw "})
        assert (left["act"], words in left["note"], "openclaw " in left["fix"]) == ("left", True, True)
    home.clawgit("disconnect")
    assert home.config.exists() == (config is not None)
    assert config is None or home.config.read_text() == config
    assert not home.hook.exists()


def test_what_an_included_file_says_already_is_kept(home):
    home.clawgit("connect", "--yes")
    values = host_json.parse(home.config.read_text())
    home.clawgit("disconnect")
    (home.state / "all.json").write_text(json.dumps(values))
    home.configure('{"$include": "./all.json"}')
    assert home.acts("connect") == {**all_parts("kept"), "hook": "installed", "skill": "installed"}
    assert home.states() == all_parts("installed")
    assert home.config.read_text() == '{"$include": "./all.json"}'


def test_a_server_that_all_agents_would_see_is_not_set_up(home):
    home.configure(shared(home))
    found = home.became("connect")
    assert found["mcp server"]["act"] == "left"
    assert found["mcp server"]["fix"].startswith("openclaw mcp set clawgit-main ")
    assert found["hook setting"]["act"] == "installed"


def test_another_program_or_policy_makes_it_outdated_and_installing_renews_it(home):
    home.clawgit("connect", "--yes")
    settings = json.loads((home.hook / "settings.json").read_text())
    assert (settings["open"], settings["contextWait"], settings["messageWait"]) == (["discord"], 2_000, 10_000)
    home.configure(home.config.read_text().replace('"pairing"', '"open"'))
    assert home.states()["hook"] == "outdated"
    assert home.acts("connect") == {**all_parts("kept"), "hook": "renewed"}
    assert json.loads((home.hook / "settings.json").read_text())["open"] == ["discord", "telegram"]
    assert home.acts("disconnect") == all_parts("removed")
    assert home.config.read_text() == CONFIG.replace('"pairing"', '"open"')


@pytest.mark.parametrize("words", ["install", "uninstall"])
@pytest.mark.parametrize("at", range(1, 9))
def test_a_failure_half_way_leaves_everything_as_it_was(home, monkeypatch, words, at):
    """The disk is full at the n-th write, or git's lock is taken when the skill is committed."""
    from clawgit.git import worktree_files  # noqa: PLC0415

    if at == 8:
        home.configure(shared(home))  # here the skill is a commit
    if words == "uninstall":
        home.clawgit("connect", "--yes")
    outside, inside, head = home.outside(), home.inside(), home.git("rev-parse", "HEAD")
    plan = (openclaw_install.installing if words == "install" else openclaw_install.removing)(known(home))
    writes = iter(range(1, 100))
    put = worktree_files.replace_file

    def failing(place, data, mode=None):
        if next(writes) == at:
            raise OSError(28, "No space left on device", str(place))
        put(place, data, mode)

    if at < 8:
        monkeypatch.setattr(worktree_files, "replace_file", failing)
    else:
        (home.workspace / ".git/MERGE_HEAD").write_text(head)
    with pytest.raises(ClawgitError):
        install_plan.carry_out(plan)
    assert (home.outside(), home.inside(), home.git("rev-parse", "HEAD")) == (outside, inside, head)


def test_a_configuration_that_changes_at_the_same_moment_is_not_overwritten(home):
    plan = openclaw_install.installing(known(home))
    home.configure(EMPTY)
    outside = home.outside()
    with pytest.raises(ClawgitError, match="was changed at this very moment"):
        install_plan.carry_out(plan)
    assert home.outside() == outside


def test_a_linked_configuration_is_written_where_it_lies_and_a_shared_one_is_not(home):
    real = home.folder / "dotfiles.json"
    home.config.rename(real)
    home.config.symlink_to(real)
    home.clawgit("connect", "--yes")
    assert home.config.is_symlink()
    assert "clawgit-main" in real.read_text()
    home.clawgit("disconnect")
    assert real.read_text() == CONFIG
    os.link(real, home.folder / "twin.json")
    assert home.acts("connect")["mcp server"] == "left"


def test_a_path_that_looks_like_a_variable_is_no_variable(home):
    workspace = home.state / "${HOME}"
    home.workspace.rename(workspace)
    home.workspace = workspace
    home.configure(EMPTY)
    home.environ["OPENCLAW_WORKSPACE_DIR"] = str(workspace)
    home.clawgit("connect", "--yes")
    assert home.states() == all_parts("installed")
    assert home.acts("connect") == all_parts("kept")
    assert host_json.parse(home.config.read_text())["mcp"]["servers"]["clawgit-main"]["args"][1].endswith("/$${HOME}")


def test_where_openclaw_works_elsewhere_nothing_is_done(home, repo):
    home.configure({**json.loads(EMPTY), "agents": {"defaults": {"workspace": str(repo)}}})
    refused = home.clawgit("connect", "--yes", code=1)
    assert "no agent of OpenClaw works in" in refused["error"]
    home.workspace = repo
    (repo / "SOUL.md").write_text("# Soul\n")
    assert "is not managed" in home.clawgit("connect", "--yes", code=1)["error"]
    assert not home.hook.exists()


def test_ejecting_takes_the_connection_along(home):
    outside = home.outside()
    home.clawgit("connect", "--yes")
    home.clawgit("eject", "--yes")
    assert home.outside()[0] == outside[0]
    assert not (home.workspace / "skills").exists()


def test_where_openclaw_loads_every_hook_none_is_named(home):
    """A name in `entries` would be the list of all hooks that are loaded."""
    home.configure(SWITCHED)
    assert home.acts("connect") == {**all_parts("installed"), "hook setting": "kept"}
    assert internal(home) == {"enabled": True}
    assert home.states() == all_parts("installed")
    assert home.acts("connect") == all_parts("kept")
    home.clawgit("disconnect")
    assert json.loads(home.config.read_text()) == SWITCHED


def test_a_name_that_silences_the_others_is_taken_out_again(home, monkeypatch):
    home.configure(SWITCHED)
    with monkeypatch.context() as earlier:
        earlier.setattr(openclaw_config, "_named", lambda *_: True)
        install_plan.carry_out(openclaw_install.installing(known(home)))
    assert internal(home) == {"enabled": True, "entries": {"clawgit-main": {"enabled": True}}}
    assert home.states() == {**all_parts("installed"), "hook setting": "outdated"}
    assert home.acts("connect") == {**all_parts("kept"), "hook setting": "renewed"}
    assert internal(home) == {"enabled": True}
    home.clawgit("disconnect")
    assert json.loads(home.config.read_text()) == SWITCHED


def test_our_own_switch_loads_no_other_hook(home):
    """Nothing was loaded before: the switch that we turn on stands beside our name, after each installation."""
    home.configure(EMPTY)
    for _ in range(2):
        home.clawgit("connect", "--yes")
        assert internal(home) == {"enabled": True, "entries": {"clawgit-main": {"enabled": True}}}
    home.configure({"wizard": {}, **host_json.parse(home.config.read_text())})
    home.clawgit("connect", "--yes")
    assert internal(home) == {"enabled": True, "entries": {"clawgit-main": {"enabled": True}}}


def test_where_hooks_are_loaded_by_name_ours_is_named_too(home):
    home.configure(SWITCHED)
    home.clawgit("connect", "--yes")
    values = host_json.parse(home.config.read_text())
    values["hooks"]["internal"]["entries"] = {"other": {"enabled": False}}
    home.configure(values)
    assert home.states() == {**all_parts("installed"), "hook setting": "missing"}
    assert home.acts("connect") == {**all_parts("kept"), "hook setting": "installed"}
    assert set(internal(home)["entries"]) == {"other", "clawgit-main"}


@pytest.mark.parametrize("where", ["database", "configuration"])
def test_hooks_that_openclaw_installed_are_names_too(home, where):
    home.configure(SWITCHED)
    if where == "database":
        (home.state / "state").mkdir()
        with closing(sqlite3.connect(home.state / "state/openclaw.sqlite")) as database, database:
            database.execute(
                "CREATE TABLE config_machine_state (state_key TEXT, value_json TEXT, updated_at_ms INTEGER)"
            )
            row = ("hooks.internal.installs", json.dumps(INSTALLS), 1)
            database.execute("INSERT INTO config_machine_state VALUES (?, ?, ?)", row)
    else:
        home.configure({**SWITCHED, "hooks": {"internal": {"enabled": True, "installs": INSTALLS}}})
    home.clawgit("connect", "--yes")
    assert internal(home)["entries"] == {"clawgit-main": {"enabled": True}}


def test_the_skill_lies_where_openclaw_does_not_take_it_for_a_finished_setup(home):
    """A skill in the workspace has OpenClaw delete BOOTSTRAP.md before the agent has followed it."""
    (home.workspace / "BOOTSTRAP.md").write_text("# Hello\n")
    before = home.inside()
    assert home.acts("connect") == all_parts("installed")
    assert home.inside() == before
    assert home.skill.read_text().startswith("---\nname: clawgit-main\n")
    home.configure(shared(home))
    home.clawgit("disconnect")
    assert not home.skill.parent.parent.exists()


def test_where_others_would_see_the_skill_it_waits_until_the_setup_is_finished(home):
    home.configure(shared(home))
    bootstrap = home.workspace / "BOOTSTRAP.md"
    bootstrap.write_text("# Hello\n")
    before = home.inside()
    part = home.clawgit("connect", "--yes")["parts"][-1]
    assert (part["part"], part["act"]) == ("skill", "left")
    assert "BOOTSTRAP.md" in part["note"]
    assert home.inside() == before
    bootstrap.unlink()
    assert home.acts("connect")["skill"] == "installed"
    inside = home.workspace / "skills/clawgit/SKILL.md"
    assert inside.read_text().startswith("---\nname: clawgit\n")
    assert not home.skill.exists()
    home.configure(EMPTY)
    assert home.states()["skill"] == "outdated"
    assert home.acts("connect")["skill"] == "renewed"
    assert home.skill.exists()
    assert not inside.parent.parent.exists()
    home.clawgit("disconnect")
    assert not home.skill.parent.parent.exists()


def test_the_examples_of_the_skill_work(home):
    home.clawgit("connect", "--yes")
    home.clawgit("memory", "add", "The deploy day is Monday.", "--tag", "knowledge")
    name = home.clawgit("memory", "list")[0]["id"]
    text = home.skill.read_text()
    found = [one for one in re.findall(r"`(clawgit [^`]*)`", text) if " correct " in one or " search " in one]
    assert len(found) == 2
    for one in found:
        home.clawgit(*shlex.split(one.replace("ID", name))[1:] if "--json" not in one else shlex.split(one)[1:-1])
    assert "The deploy day is Tuesday." in [one["text"] for one in home.clawgit("memory", "list")]
    assert "`clawgit-main__memory_search`" in text
