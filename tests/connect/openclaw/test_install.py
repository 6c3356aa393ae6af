"""Installed parts go again without a trace; parts that somebody changed stay."""

import json
import re
import shlex

import pytest

from clawgit.openclaw import openclaw_files as host_json
from tests.amounts import amount

from .conftest import CONFIG

BARE = '{\n  "meta": {\n    "lastTouchedVersion": "2026.9.6"\n  }\n}\n'
PARTS = ("plugin", "plugin setting")


def make_parts(state):
    return dict.fromkeys(PARTS, state)


@pytest.mark.parametrize(
    "config",
    [CONFIG, "\ufeff" + CONFIG.replace("\n", "\r\n"), BARE],
    ids=["commented", "of Windows", "bare"],
)
def test_install_and_uninstall_leave_no_trace(home, config):
    home.configure(config)
    outside, inside, head = home.outside(), home.inside(), home.git("rev-parse", "HEAD^{tree}")
    assert home.states() == make_parts("missing")
    assert home.acts("connect", "--dry-run") == make_parts("installed")
    assert (home.outside(), home.inside()) == (outside, inside)
    assert home.acts("connect") == make_parts("installed")
    assert home.states() == make_parts("installed")
    assert home.config.stat().st_mode & 0o777 == 0o600
    before = host_json.parse_json5(config.removeprefix("\ufeff"))
    after = host_json.parse_json5(home.config.read_text("utf-8-sig"))
    entry = {"enabled": True, "hooks": {"allowConversationAccess": True}}
    assert after["plugins"]["entries"]["clawgit-main"] == entry
    assert json.loads((home.plugin / "openclaw.plugin.json").read_text())["skills"] == ["./skills"]
    assert "`clawgit_search`" in home.skill.read_text()
    assert after["meta"] == before["meta"]
    state_before = home.outside(), home.inside(), home.git("rev-parse", "HEAD")
    assert home.acts("connect") == make_parts("kept")
    assert (home.outside(), home.inside(), home.git("rev-parse", "HEAD")) == state_before
    assert home.acts("disconnect") == make_parts("removed")
    assert (home.outside(), home.inside(), home.git("rev-parse", "HEAD^{tree}")) == (outside, inside, head)
    assert home.git("status", "--porcelain") == ""
    assert home.acts("disconnect") == make_parts("kept")


def test_what_somebody_changed_stays_and_is_named(home):
    home.clawgit("connect", "--yes")
    (home.plugin / "index.js").write_text((home.plugin / "index.js").read_text() + "// mine\n")
    skill = home.skill
    skill.write_text(skill.read_text() + "\nMine.\n")
    values = host_json.parse_json5(home.config.read_text())
    values["plugins"]["entries"]["clawgit-main"]["config"] = {"mine": 1}
    values["plugins"]["entries"]["other"] = {"enabled": True}
    home.configure(values)
    assert home.states() == {"plugin": "edited", "plugin setting": "edited"}
    before = home.outside()[0], home.inside()
    assert home.acts("connect") == make_parts("left")
    assert (home.outside()[0], home.inside()) == before
    assert home.acts("disconnect") == make_parts("left")
    left = json.loads(home.config.read_text())
    assert left["plugins"]["entries"]["clawgit-main"]["config"] == {"mine": 1}
    assert left["plugins"]["entries"]["other"] == {"enabled": True}
    assert {place.name for place in home.plugin.iterdir()} == {"index.js", "skills"}
    assert skill.read_text().endswith("\nMine.\n")


def test_what_is_somebody_elses_is_not_touched(home):
    home.plugin.mkdir(parents=True)
    (home.plugin / "index.js").write_text("export default () => {};\n")
    skill = home.skill
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: clawgit\n---\n\nMine.\n")
    outside, inside = home.outside()[0], home.inside()
    for words in ("connect", "disconnect"):
        assert home.acts(words)["plugin"] == "left"
    assert home.inside() == inside
    assert home.outside()[0] == outside
    assert "clawgit-main" not in host_json.parse_json5(home.config.read_text()).get("plugins", {})


NOW = {"meta": {"lastTouchedVersion": "2026.9.6"}}


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("{ broken", "cannot be read at line 1"),
        (None, "does not exist"),
        ("read-only", "may not be written: it is read-only"),
        ({**NOW, "$include": "./base.json"}, "includes another"),
        ({**NOW, "plugins": {"$include": "./base.json"}}, "at plugins"),
        ({**NOW, "plugins": {"entries": {"clawgit-main": 1}}}, "says something else at"),
        ({**NOW, "plugins": {"enabled": False}}, "OpenClaw loads no plugin at all"),
        ({**NOW, "plugins": {"deny": ["clawgit-main", "x"]}}, "plugins.deny names it"),
        ({**NOW, "plugins": {"allow": ["memory-core"]}}, "plugins.allow names all that OpenClaw loads"),
    ],
)
def test_where_an_edit_is_not_safe_or_of_no_use_the_command_of_openclaw_is_told(home, config, words):
    home.configure(NOW if config in (None, "read-only") else config)
    (home.state / "base.json").write_text("{}")
    if config is None:
        home.config.unlink()
    elif config == "read-only":
        home.config.chmod(0o444)
    before = None if config is None else (home.config.read_bytes(), home.config.stat().st_mode)
    for _ in range(2):
        left = home.became("connect")["plugin setting"]
        assert (left["act"], words in left["note"]) == ("left", True)
        assert left["fix"].startswith("openclaw config set plugins.")
    home.acts("disconnect")
    assert before == (None if config is None else (home.config.read_bytes(), home.config.stat().st_mode))
    assert home.config.exists() == (config is not None)
    assert not home.plugin.exists()


@pytest.mark.parametrize("words", [("connect", "--yes"), ("disconnect",)])
@pytest.mark.parametrize("failing_step", list(range(1, 9))[amount(0, 1) :: amount(1, 3)])
def test_a_failure_half_way_leaves_everything_as_it_was(home, monkeypatch, words, failing_step):
    """The disk is full at the n-th write."""
    from clawgit.git import worktree_files  # noqa: PLC0415

    if words == ("disconnect",):
        home.clawgit("connect", "--yes")
    before = home.outside(), home.inside(), home.git("rev-parse", "HEAD")
    writes = iter(range(1, 100))
    put = worktree_files.replace_file

    def failing(place, data, mode=None):
        if next(writes) == failing_step:
            raise OSError(28, "No space left on device", str(place))
        put(place, data, mode)

    monkeypatch.setattr(worktree_files, "replace_file", failing)
    assert home.run(*words).code == 1
    assert (home.outside(), home.inside(), home.git("rev-parse", "HEAD")) == before


def test_ejecting_takes_the_connection_along(home):
    outside = home.outside()
    home.clawgit("connect", "--yes")
    home.clawgit("eject", "--yes")
    assert home.outside()[0] == outside[0]
    assert not (home.workspace / "skills").exists()


def test_the_examples_of_the_skill_work(home):
    home.clawgit("connect", "--yes")
    home.clawgit("memory", "add", "The deploy day is Monday.", "--tag", "knowledge")
    name = home.clawgit("memory", "list")[0]["id"]
    text = home.skill.read_text()
    commands = [
        command for command in re.findall(r"`(clawgit [^`]*)`", text) if " correct " in command or " search " in command
    ]
    assert len(commands) == 2
    for command in commands:
        home.clawgit(
            *shlex.split(command.replace("ID", name))[1:] if "--json" not in command else shlex.split(command)[1:-1]
        )
    assert "The deploy day is Tuesday." in [row["text"] for row in home.clawgit("memory", "list")]


def test_agents_of_other_workspaces_are_not_shown_the_skill(home):
    agents = {"entries": {"main": {"workspace": str(home.workspace)}, "work": {"workspace": "/nowhere"}}}
    home.configure({**NOW, "agents": agents})
    before = home.outside(), home.inside()
    assert home.acts("connect") == make_parts("installed")
    assert json.loads((home.plugin / "openclaw.plugin.json").read_text())["skills"] == []
    assert home.inside() == before[1]
    assert home.acts("disconnect") == make_parts("removed")
    assert (home.outside(), home.inside()) == before


def test_an_openclaw_that_is_too_old_is_refused(home):
    home.configure({"meta": {"lastTouchedVersion": "2026.7.1"}})
    before = home.outside()
    refusal = home.clawgit("connect", "--yes", code=1)
    assert refusal["key"] == "openclaw-version"
    assert home.outside() == before
