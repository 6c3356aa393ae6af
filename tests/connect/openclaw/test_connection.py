"""To whom the plugin is offered."""

import json

MANAGED = {"meta": {"lastTouchedVersion": "2026.9.6"}}
PARTS = ("plugin", "plugin setting")


def test_agents_of_other_workspaces_are_not_shown_the_skill(home):
    values = dict(MANAGED)
    values["agents"] = {"entries": {"main": {"workspace": str(home.workspace)}, "work": {"workspace": "/nowhere"}}}
    home.configure(values)
    before = home.outside(), home.inside()
    assert home.acts("connect") == dict.fromkeys(PARTS, "installed")
    assert json.loads((home.plugin / "openclaw.plugin.json").read_text())["skills"] == []
    assert home.inside() == before[1]
    assert home.acts("disconnect") == dict.fromkeys(PARTS, "removed")
    assert (home.outside(), home.inside()) == before


def test_an_openclaw_that_is_too_old_is_refused(home):
    home.configure({"meta": {"lastTouchedVersion": "2026.7.1"}})
    before = home.outside()
    refused = home.clawgit("connect", "--yes", code=1)
    assert refused["key"] == "openclaw-version"
    assert home.outside() == before
