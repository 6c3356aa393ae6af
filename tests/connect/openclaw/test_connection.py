"""The plugin comes and goes."""

import json

import pytest

from clawgit.connect import openclaw_target
from clawgit.openclaw import openclaw_files as host_json
from clawgit.resources import resource

NEW = '// mine\n{ meta: {lastTouchedVersion: "2026.9.6"}, /* x */ plugins: {entries: {other: {enabled: true}}} }\n'
BARE = '{\n  "meta": {\n    "lastTouchedVersion": "2026.9.6"\n  }\n}\n'
PLUGIN = ("plugin", "plugin setting")


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
        *(place.name for place in (resource("hooks") / "openclaw-plugin").iterdir()),
        openclaw_target.SETTINGS,
        "skills",
    }
    assert json.loads((folder / "openclaw.plugin.json").read_text())["skills"] == ["./skills"]
    assert "`clawgit_search`" in (folder / "skills/clawgit-main/SKILL.md").read_text()
    assert new.states() == every(PLUGIN, "installed")
    assert new.acts("connect") == every(PLUGIN, "kept")
    assert new.inside() == before[1]
    assert new.acts("disconnect") == every(PLUGIN, "removed")
    assert (new.outside(), new.inside(), new.git("rev-parse", "HEAD")) == before


def test_agents_of_other_workspaces_are_not_shown_the_skill(home):
    values = json.loads(BARE)
    values["agents"] = {"entries": {"main": {"workspace": str(home.workspace)}, "work": {"workspace": "/nowhere"}}}
    home.configure(values)
    before = home.outside(), home.inside()
    assert home.acts("connect") == every(PLUGIN, "installed")
    assert json.loads((home.plugin / "openclaw.plugin.json").read_text())["skills"] == []
    assert home.inside() == before[1]
    assert home.acts("disconnect") == every(PLUGIN, "removed")
    assert (home.outside(), home.inside()) == before


def test_an_openclaw_that_is_too_old_is_refused(home):
    home.configure(NEW.replace("2026.9.6", "2026.7.1"))
    before = home.outside()
    refused = home.clawgit("connect", "--yes", code=1)
    assert refused["key"] == "openclaw-version"
    assert "2026.9.5" in refused["error"]
    assert home.outside() == before


def test_a_plugin_that_is_switched_off_or_edited_is_told_and_left(new):
    new.clawgit("connect", "--yes")
    values = host_json.parse(new.config.read_text())
    values["plugins"]["entries"]["clawgit-main"]["enabled"] = False
    new.configure(values)
    index = new.state / "extensions/clawgit-main/index.js"
    index.write_text(index.read_text() + "// mine\n")
    assert new.states() == {"plugin": "edited", "plugin setting": "off"}
    assert new.acts("disconnect") == {"plugin": "left", "plugin setting": "left"}
    assert index.read_text().endswith("// mine\n")
