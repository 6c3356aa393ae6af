"""An OpenClaw that cannot be connected as usual: what is told, and what stays as it was."""

import json
import shutil

import pytest

from clawgit.workspace.host import openclaw_files as host_json

from .conftest import CONFIG

NOW = {"meta": {"lastTouchedVersion": "2026.9.6"}}
PARTS = ("plugin", "plugin setting", "skill")


def entry(home):
    return host_json.parse(home.config.read_text()).get("plugins", {}).get("entries", {}).get("clawgit-main")


def test_without_any_openclaw_nothing_is_done(home, repo):
    shutil.rmtree(home.state)
    home.workspace = repo
    (repo / "SOUL.md").write_text("# Soul\n")
    refused = home.clawgit("connect", "--yes", code=1)
    assert str(home.state) in refused["error"]
    assert refused["fix"] == "openclaw onboard"
    assert not home.state.exists()


def test_an_openclaw_without_a_workspace_is_told_where_it_would_work(home, repo):
    shutil.rmtree(home.workspace)
    home.configure(NOW)
    home.workspace = repo
    (repo / "SOUL.md").write_text("# Soul\n")
    outside = home.outside()
    refused = home.clawgit("connect", "--yes", code=1)
    assert f"no agent of OpenClaw works in {repo}, only main in {home.state}/workspace" in refused["error"]
    assert refused["fix"].startswith("openclaw config set agents.defaults.workspace ")
    assert home.outside() == outside


def test_two_agents_of_one_workspace_share_one_plugin(home):
    place = str(home.workspace)
    home.configure({**NOW, "agents": {"entries": {"main": {"workspace": place}, "work": {"workspace": place}}}})
    outside = home.outside()
    assert home.acts("connect") == dict.fromkeys(PARTS, "installed")
    assert [one.name for one in (home.state / "extensions").iterdir()] == ["clawgit-main"]
    settings = json.loads((home.state / "extensions/clawgit-main/settings.json").read_text())
    assert (settings["agents"], settings["first"]) == (["main", "work"], True)
    assert home.clawgit("openclaw", "status")["agents"] == ["main", "work"]
    assert home.acts("disconnect") == dict.fromkeys(PARTS, "removed")
    assert home.outside() == outside


def untouched(home, words):
    """Install and uninstall; the configuration keeps every byte, and the command that OpenClaw itself has is told."""
    before = home.config.read_bytes(), home.config.stat().st_mode
    left = home.became("connect")["plugin setting"]
    assert left["act"] == "left"
    assert words in left["note"]
    assert left["fix"].startswith("openclaw config set plugins.")
    assert (home.config.read_bytes(), home.config.stat().st_mode) == before
    assert home.states()["plugin setting"] in ("missing", "unfit")
    home.acts("disconnect")
    assert (home.config.read_bytes(), home.config.stat().st_mode) == before
    assert not (home.state / "extensions").exists()


def test_a_read_only_configuration_stays(home):
    home.configure(NOW)
    home.config.chmod(0o444)
    untouched(home, "may not be written: it is read-only")


def test_one_that_lies_read_only_elsewhere_stays(home):
    home.configure(NOW)
    store = home.folder / "store.json"
    home.config.rename(store)
    store.chmod(0o444)
    home.config.symlink_to(store)
    untouched(home, "store.json may not be written: it is read-only")
    assert home.config.is_symlink()


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({**NOW, "$include": "./base.json"}, "includes another"),
        ({**NOW, "plugins": {"$include": "./base.json"}}, "at plugins"),
        ({**NOW, "plugins": {"entries": {"clawgit-main": {"enabled": True}}}}, "says something else at"),
        ({**NOW, "plugins": {"enabled": False}}, "OpenClaw loads no plugin at all"),
        ({**NOW, "plugins": {"deny": ["clawgit-main", "x"]}}, "plugins.deny names it"),
        ({**NOW, "plugins": {"allow": ["memory-core"]}}, "plugins.allow names all that OpenClaw loads"),
    ],
)
def test_what_the_operator_decided_otherwise_stays(config, words, home):
    (home.state / "base.json").write_text("{}")
    home.configure(config)
    if "entries" in config.get("plugins", {}):
        before = home.config.read_bytes()
        left = home.became("connect")["plugin setting"]
        assert (left["act"], words in left["note"]) == ("left", True)
        assert home.config.read_bytes() == before
        return
    untouched(home, words)


def test_an_older_openclaw_of_which_nothing_tells_the_version_gets_the_hook_and_no_server(home):
    home.configure({})
    parts = home.became("connect")
    assert (parts["hook"]["act"], parts["hook setting"]["act"]) == ("installed", "installed")
    assert "may not know MCP servers" in parts["mcp server"]["note"]
    assert host_json.parse(home.config.read_text()).keys() == {"hooks"}


def test_comments_stay_and_what_is_broken_is_named_by_its_line(home):
    home.configure(CONFIG.replace("2026.7.1", "2026.9.6"))
    assert home.acts("connect") == dict.fromkeys(PARTS, "installed")
    assert "// by the wizard" in home.config.read_text()
    assert "/* the end */" in home.config.read_text()
    home.configure("{\n  broken\n")
    left = home.became("connect")
    assert "cannot be read at line" in next(one["note"] for one in left.values() if "setting" in one["part"])
    assert home.config.read_text() == "{\n  broken\n"


MEMORIES = {
    "slots": {"memory": "memory-lancedb", "contextEngine": "lossless"},
    "entries": {
        "memory-lancedb": {"enabled": True, "config": {"autoRecall": True}},
        "memory-core": {"enabled": False},
        "active-memory": {"enabled": True},
    },
}


def test_other_memory_plugins_stay_as_they_are(home):
    home.configure({**NOW, "plugins": MEMORIES})
    outside = home.outside()
    assert home.acts("connect") == dict.fromkeys(PARTS, "installed")
    plugins = host_json.parse(home.config.read_text())["plugins"]
    assert plugins.pop("slots") == MEMORIES["slots"]
    assert {name: one for name, one in plugins["entries"].items() if name != "clawgit-main"} == MEMORIES["entries"]
    manifest = json.loads((home.state / "extensions/clawgit-main/openclaw.plugin.json").read_text())
    assert manifest.get("kind") not in ("memory", "context-engine")
    assert home.acts("disconnect") == dict.fromkeys(PARTS, "removed")
    assert home.outside() == outside
