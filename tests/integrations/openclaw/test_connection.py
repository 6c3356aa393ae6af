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


def test_where_openclaw_is_too_old_the_hook_is_installed_and_the_plugin_refused(home):
    assert home.acts("connect")["hook"] == "installed"
    refused = home.clawgit("connect", "--yes", "--with", "plugin", code=1)
    assert "it needs OpenClaw 2026.9.6" in refused["error"]
    assert refused["fix"] == "clawgit connect --with hook"


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
