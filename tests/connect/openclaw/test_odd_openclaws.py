"""An OpenClaw that cannot be connected as usual: what is told, and what stays as it was."""

import pytest

NOW = {"meta": {"lastTouchedVersion": "2026.9.6"}}


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
