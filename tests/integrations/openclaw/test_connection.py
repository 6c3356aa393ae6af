"""A plugin, or a hook and an MCP server; never both."""

import json

import pytest

from clawgit.integrations.openclaw import shipped_files
from clawgit.workspace.host import openclaw_files as host_json

NEW = '// mine\n{ meta: {lastTouchedVersion: "2026.9.6"}, /* x */ plugins: {entries: {other: {enabled: true}}} }\n'
BARE = '{\n  "meta": {\n    "lastTouchedVersion": "2026.9.6"\n  }\n}\n'
PLUGIN = ("plugin", "plugin setting", "skill")
HOOK = ("hook", "hook setting", "mcp server", "skill")


def every(parts, state):
    return dict.fromkeys(parts, state)


@pytest.fixture(params=[NEW, BARE], ids=["commented", "bare"])
def new(request, home):
    """An OpenClaw that has plugins as ours needs them."""
    home.configure(request.param)
    return home


def entry(home):
    return host_json.parse(home.config.read_text()).get("plugins", {}).get("entries", {}).get("clawgit-main")


def test_the_plugin_comes_and_goes_without_a_trace(new):
    (new.workspace / "BOOTSTRAP.md").write_text("# Hello\n")
    before = new.outside(), new.inside(), new.git("rev-parse", "HEAD")
    assert new.acts("connect", "--dry-run") == every(PLUGIN, "installed")
    assert (new.outside(), new.inside(), new.git("rev-parse", "HEAD")) == before
    done = new.clawgit("connect", "--yes")
    assert {one["part"]: one["act"] for one in done["parts"]} == every(PLUGIN, "installed")
    assert "allowConversationAccess" in done["parts"][1]["note"]
    assert entry(new) == {"enabled": True, "hooks": {"allowConversationAccess": True}}
    folder = new.state / "extensions/clawgit-main"
    assert {place.name for place in folder.iterdir()} == {
        *shipped_files.PLUGIN_SHIPPED,
        shipped_files.SETTINGS,
        "skills",
    }
    assert json.loads((folder / "openclaw.plugin.json").read_text())["skills"] == ["./skills"]
    assert "`clawgit_search`" in (folder / "skills/clawgit-main/SKILL.md").read_text()
    assert new.states() == every(PLUGIN, "installed")
    assert new.acts("connect") == every(PLUGIN, "kept")
    assert new.inside() == before[1]
    assert new.acts("disconnect") == every(PLUGIN, "removed")
    assert (new.outside(), new.inside(), new.git("rev-parse", "HEAD")) == before


def test_one_way_takes_the_place_of_the_other(new):
    before = new.outside()
    assert new.acts("connect", "--with", "hook") == every(HOOK, "installed")
    assert new.acts("connect") == every(HOOK, "kept")  # what was asked for stays
    acts = new.acts("connect", "--with", "plugin")
    assert acts == {**every(HOOK, "removed"), **every(PLUGIN, "installed"), "skill": "renewed"}
    assert not (new.state / "hooks").exists()
    assert not (new.state / "skills").exists()
    values = host_json.parse(new.config.read_text())
    assert "clawgit-main" not in json.dumps([values.get("hooks", {}), values.get("mcp", {})])
    assert new.states() == every(PLUGIN, "installed")
    acts = new.acts("connect", "--with", "hook")
    assert acts == {**every(PLUGIN, "removed"), **every(HOOK, "installed"), "skill": "renewed"}
    assert not (new.state / "extensions").exists()
    assert entry(new) is None
    assert new.acts("disconnect") == every(HOOK, "removed")
    assert new.outside() == before


def test_a_hook_that_somebody_changed_keeps_the_plugin_out(new):
    new.clawgit("connect", "--yes", "--with", "hook")
    handler = new.hook / "handler.js"
    handler.write_text(handler.read_text() + "// mine\n")
    found = new.became("connect", "--with", "plugin")
    assert found["plugin"]["act"] == found["hook"]["act"] == "left"
    assert "the same context once more" in found["plugin"]["note"]
    assert found["plugin"]["fix"].startswith("rm -r ")
    assert entry(new) is None
    assert not (new.state / "extensions/clawgit-main/index.js").exists()


def test_where_openclaw_is_too_old_the_hook_is_installed_and_the_plugin_refused(home):
    assert home.acts("connect")["hook"] == "installed"
    refused = home.clawgit("connect", "--yes", "--with", "plugin", code=1)
    assert "it needs OpenClaw 2026.9.6" in refused["error"]
    assert refused["fix"] == "clawgit connect --with hook"


def test_a_newer_openclaw_gets_the_plugin_at_the_next_installation(home):
    home.clawgit("connect", "--yes")
    home.configure(home.config.read_text().replace("2026.7.1", "2026.10.2"))
    assert home.states()["hook"] == "outdated"
    assert home.acts("connect")["plugin"] == "installed"
    home.clawgit("disconnect")
    assert "clawgit" not in home.config.read_text()


def test_a_list_of_all_plugins_has_to_name_ours(home):
    home.configure({"meta": {"lastTouchedVersion": "2026.9.6"}, "plugins": {"allow": ["telegram"]}})
    found = home.became("connect")
    assert found["plugin setting"]["act"] == "left"
    assert '["telegram", "clawgit-main"]' in found["plugin setting"]["fix"]
    assert entry(home) is None


@pytest.mark.parametrize(
    ("tools", "named"),
    [
        ({"profile": "coding"}, '["clawgit-main"]'),
        ({"profile": "messaging", "alsoAllow": ["cron"]}, '["cron", "clawgit-main"]'),
        ({"allow": ["read"]}, '["read", "clawgit-main"]'),
    ],
)
def test_where_openclaw_would_show_none_of_the_tools_it_is_told_with_the_command(home, tools, named):
    """An OpenClaw that was set up by 2026.7.1 has the profile "coding"."""
    home.configure({**json.loads(BARE), "tools": tools})
    found = home.became("connect")["plugin setting"]
    assert found["act"] == "installed"
    assert "has none of its tools" in found["note"]
    assert named in found["fix"]
    assert home.states() == every(PLUGIN, "installed")
    key = "allow" if "allow" in tools else "alsoAllow"
    values = host_json.parse(home.config.read_text())
    values["tools"][key] = json.loads(named)
    home.configure(values)
    assert "has none of its tools" not in json.dumps(home.clawgit("openclaw", "status"))


def test_where_others_would_see_the_skill_the_plugin_has_none(home):
    agents = {"entries": {"main": {"workspace": str(home.workspace)}, "work": {"workspace": "/nowhere"}}}
    home.configure({"meta": {"lastTouchedVersion": "2026.9.6"}, "agents": agents})
    before = home.outside()
    assert home.acts("connect") == every(PLUGIN, "installed")
    manifest = json.loads((home.state / "extensions/clawgit-main/openclaw.plugin.json").read_text())
    assert manifest["skills"] == []
    assert (home.workspace / "skills/clawgit/SKILL.md").exists()
    assert home.acts("disconnect") == every(PLUGIN, "removed")
    assert home.outside() == before


def test_a_plugin_that_is_switched_off_or_edited_is_told_and_left(new):
    new.clawgit("connect", "--yes")
    values = host_json.parse(new.config.read_text())
    values["plugins"]["entries"]["clawgit-main"]["enabled"] = False
    new.configure(values)
    index = new.state / "extensions/clawgit-main/index.js"
    index.write_text(index.read_text() + "// mine\n")
    assert new.states() == {"plugin": "edited", "plugin setting": "off", "skill": "installed"}
    assert new.acts("disconnect") == {"plugin": "left", "plugin setting": "left", "skill": "removed"}
    assert index.read_text().endswith("// mine\n")
