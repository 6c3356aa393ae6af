"""What is known of OpenClaw: its folders, agents and workspaces."""

import os

import pytest

from clawgit.errors import UsageError

from .homes import configured, host, installed, recorded


def folders(home, *names):
    for name in names:
        (home / name).mkdir(parents=True)


def works(home, **environ):
    return str(host(home, **environ).agent().workspace.relative_to(home))


def test_where_nothing_is_installed_little_is_looked_at_and_nothing_goes_wrong(tmp_path):
    found = host(tmp_path)
    assert not found.installed
    assert (found.version, found.problems, found.dreaming.on) == (None, (), None)
    assert found.agent().workspace == tmp_path / ".openclaw/workspace"
    assert found.ledger(tmp_path / ".openclaw/workspace") == type(found.ledger(tmp_path))()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("there", "environ", "workspace"),
    [
        ([".openclaw/workspace", "clawd"], {}, ".openclaw/workspace"),
        ([".openclaw", "clawd"], {}, "clawd"),
        ([".clawdbot", "clawd"], {}, "clawd"),
        ([".clawdbot"], {}, ".clawdbot/workspace"),
        ([".moltbot/workspace"], {}, ".moltbot/workspace"),
        ([".openclaw", "openclaw"], {}, "openclaw"),
        ([".openclaw/workspace"], {"OPENCLAW_PROFILE": "default"}, ".openclaw/workspace"),
        ([".openclaw/workspace"], {"OPENCLAW_PROFILE": "work"}, ".openclaw-work/workspace"),
        ([".openclaw-work", ".openclaw/workspace-work"], {"OPENCLAW_PROFILE": "work"}, ".openclaw/workspace-work"),
        ([".openclaw/workspace", "x"], {"OPENCLAW_STATE_DIR": "~/x"}, "x/workspace"),
        ([".openclaw/workspace", "x"], {"CLAWDBOT_STATE_DIR": "~/x"}, "x/workspace"),
        (["clawd", "x"], {"OPENCLAW_STATE_DIR": "~/x"}, "x/workspace"),
        ([".openclaw/workspace"], {"OPENCLAW_WORKSPACE_DIR": "~/mine"}, "mine"),
        (["o/.openclaw/workspace"], {"OPENCLAW_HOME": "~/o"}, "o/.openclaw/workspace"),
    ],
)
def test_without_a_configuration_the_workspace_is_where_that_version_puts_it(tmp_path, there, environ, workspace):
    folders(tmp_path, *there)
    assert works(tmp_path, **environ) == workspace


@pytest.mark.parametrize(
    ("agents", "workspaces"),
    [
        ({"defaults": {"workspace": "~/notes"}}, {"main": "notes"}),
        (
            {"list": [{"id": "main"}, {"id": "Work Bot"}]},
            {"main": ".openclaw/workspace", "work-bot": ".openclaw/workspace-work-bot"},
        ),
        (
            {"list": [{"id": "a"}, {"id": "b", "default": True}]},
            {"b": ".openclaw/workspace", "a": ".openclaw/workspace-a"},
        ),
        ({"list": [{"id": "a", "workspace": "~/a"}, None, 3, {"id": "A"}]}, {"a": "a"}),
        (
            {
                "defaults": {"workspace": "~/all"},
                "list": [{"id": "main"}, {"id": "b"}, {"id": "c", "workspace": "~/c"}],
            },
            {"main": "all", "b": "all/b", "c": "c"},
        ),
        ({"entries": {"main": {}}, "defaults": {"workspace": "~/all"}}, {"main": "all"}),
        ({"entries": {"a": {"workspace": "~/a"}, "main": {"workspace": "~/m"}}}, {"main": "m", "a": "a"}),
        ({"entries": {"a": {}, "main": {}}, "defaults": {"workspace": "~/all"}}, {"main": "all/main", "a": "all/a"}),
        ({"entries": {}, "list": []}, {"main": ".openclaw/workspace"}),
        ({"entries": "x", "list": {}, "defaults": []}, {"main": ".openclaw/workspace"}),
    ],
)
def test_the_configuration_names_agents_and_their_workspaces(tmp_path, agents, workspaces):
    """The default agent comes first."""
    configured(tmp_path, {"agents": agents})
    found = {agent.id: str(agent.workspace.relative_to(tmp_path)) for agent in host(tmp_path).agents}
    assert list(found.items()) == list(workspaces.items())


def test_where_versions_differ_the_folder_that_is_there_decides(tmp_path):
    """In a list of several, the present version gives the default agent a folder of its own; older ones did not."""
    configured(tmp_path, {"agents": {"entries": {"main": {}, "b": {}}, "defaults": {"workspace": "~/all"}}})
    folders(tmp_path, "all")
    assert works(tmp_path) == "all"
    folders(tmp_path, "all/main")
    assert works(tmp_path) == "all/main"


def test_the_configuration_goes_before_the_variable_as_in_openclaw(tmp_path):
    configured(tmp_path, {"agents": {"defaults": {"workspace": "~/notes"}}})
    assert works(tmp_path, OPENCLAW_WORKSPACE_DIR="~/other") == "notes"
    assert host(tmp_path).agent().found == "agents.defaults.workspace"


def test_the_oldest_configuration_had_one_agent(tmp_path):
    configured(tmp_path, '{agent: {workspace: "~/clawd-x"}}', ".clawdbot/clawdbot.json")
    assert works(tmp_path) == "clawd-x"
    assert host(tmp_path).state == tmp_path / ".clawdbot"


def test_the_owners_of_a_folder_are_known_also_behind_a_link(tmp_path):
    configured(tmp_path, {"agents": {"list": [{"id": "a", "workspace": "~/one"}, {"id": "b", "workspace": "~/link"}]}})
    folders(tmp_path, "one")
    (tmp_path / "link").symlink_to("one")
    assert [agent.id for agent in host(tmp_path).owners(tmp_path / "one")] == ["a", "b"]
    assert host(tmp_path).owners(tmp_path) == ()


def test_an_agent_that_does_not_exist_is_a_slip(tmp_path):
    configured(tmp_path, {"agents": {"list": [{"id": "main"}, {"id": "work"}]}})
    assert host(tmp_path).agent("WORK").id == "work"
    with pytest.raises(UsageError, match="no agent wrok, only main, work") as caught:
        host(tmp_path).agent("wrok")
    assert str(caught.value.fix) == "clawgit --agent work …"


@pytest.mark.parametrize("value", [42, ["x"], {"a": 1}, True])
def test_a_workspace_that_is_no_path_is_a_problem_and_not_used(tmp_path, value):
    place = configured(tmp_path, {"agents": {"defaults": {"workspace": value}}})
    assert works(tmp_path) == ".openclaw/workspace"
    assert host(tmp_path).problems == (f"{place}: agents.defaults.workspace is no path: {value!r}",)


def test_variables_in_the_configuration_hold_and_one_that_is_missing_is_a_problem_where_it_matters(tmp_path):
    place = configured(
        tmp_path,
        """{ key: "${API_KEY}", literal: "$${HOME}",
             agents: { defaults: { workspace: "${BASE}/ws" }, list: [{ id: "a", workspace: "${NOWHERE}/a" }] } }""",
    )
    found = host(tmp_path, BASE=str(tmp_path / "base"))
    assert found.agent().workspace == tmp_path / "base/ws"
    assert found.problems == (f"{place}: agents.list[0].workspace needs ${{NOWHERE}}, which is not set here",)
    assert found.config.at("literal") == "${HOME}"


def test_the_records_of_another_profile_are_found_beside_its_workspace(tmp_path):
    folders(tmp_path, ".openclaw", ".openclaw-work/workspace")
    space = tmp_path / ".openclaw-work/workspace"
    recorded(space, {"MEMORY.md": ("agent", "x")})
    assert [record.path for record in host(tmp_path).ledger(space).records] == ["MEMORY.md"]


def test_the_version_is_that_of_the_program_else_the_younger_stamp(tmp_path):
    def text():
        return host(tmp_path).version.text

    configured(tmp_path, {"meta": {"lastTouchedVersion": "2026.7.1"}})
    assert text() == "2026.7.1"
    recorded(tmp_path / ".openclaw/workspace", {}, version="2026.8.2-beta.1")
    assert text() == "2026.8.2-beta.1"
    installed(tmp_path, "2026.6.5")
    assert text() == "2026.6.5"
    assert not (tmp_path / "lib/node_modules/openclaw/ran").exists()


@pytest.mark.parametrize("stamp", [7, None, "unknown", "1.2.3", {"a": 1}, "20x6.1.1"])
def test_a_version_that_is_none_stays_unknown(tmp_path, stamp):
    configured(tmp_path, {"meta": {"lastTouchedVersion": stamp}})
    assert host(tmp_path).version is None


def test_what_nobody_may_read_is_a_problem_and_no_error(tmp_path):
    place = configured(tmp_path, "{}")
    if os.geteuid() == 0:
        pytest.skip("a user who is not root; get it: run the tests as one")
    place.chmod(0)
    assert host(tmp_path).problems == (f"{place} cannot be read: Permission denied",)


def test_asking_about_a_machine_without_openclaw_takes_no_time(tmp_path):
    for _ in range(100):
        assert not host(tmp_path).ledger(tmp_path / "ws").records
