"""What is known of OpenClaw: its folders, agents and workspaces."""

import pytest

from .homes import configured, host, recorded


def folders(home, *names):
    for name in names:
        (home / name).mkdir(parents=True)


def works(home, **environ):
    return str(host(home, **environ).agent().workspace.relative_to(home))


@pytest.mark.parametrize(
    ("there", "environ", "workspace"),
    [
        ([".openclaw/workspace"], {}, ".openclaw/workspace"),
        ([".openclaw/workspace"], {"OPENCLAW_PROFILE": "work"}, ".openclaw-work/workspace"),
        ([".openclaw-work", ".openclaw/workspace-work"], {"OPENCLAW_PROFILE": "work"}, ".openclaw/workspace-work"),
        ([".openclaw/workspace", "x"], {"OPENCLAW_STATE_DIR": "~/x"}, "x/workspace"),
        ([".openclaw/workspace"], {"OPENCLAW_WORKSPACE_DIR": "~/mine"}, "mine"),
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


def test_the_version_is_the_younger_stamp(tmp_path):
    def text():
        return host(tmp_path).version.text

    configured(tmp_path, {"meta": {"lastTouchedVersion": "2026.7.1"}})
    assert text() == "2026.7.1"
    recorded(tmp_path / ".openclaw/workspace", {}, version="2026.8.2-beta.1")
    assert text() == "2026.8.2-beta.1"
