"""OpenClaw's own installer connects; its former configuration comes back to the byte."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from clawgit.connect import written_files
from clawgit.resources import resource
from tests.promises.desk import COMMAND, Desk
from tests.promises.mcp_server import Server
from tests.promises.test_nobody_elses_words import OWNER

MUTATION = ("connect/openclaw_config.py", "        return record.original, ()", "        pass")
PLUGIN = resource("hooks") / "openclaw-plugin"
COMMENT = "// mine\n"
CONFIG = f"""{COMMENT}{{
  "meta": {{ "lastTouchedVersion": "2026.9.6" }},
  "plugins": {{ "entries": {{ "other": {{ "enabled": true }} }} }}
}}
"""
STUB = f"""#!{sys.executable}
# Takes the options of OpenClaw 2026.9.6, and writes the configuration as it does: anew, without comments.
import json, os, sys
from pathlib import Path

verb, options, name = sys.argv[2], set(sys.argv[3:-1]), sys.argv[-1]
home = Path(os.environ["HOME"])
with (home / "calls").open("a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
if (home / "broken").exists():
    sys.exit("Something is wrong.")
place = home / ".openclaw/openclaw.json"
values = json.loads(place.read_text().removeprefix({COMMENT!r}))
plugins = values.setdefault("plugins", {{}})
entries = plugins.setdefault("entries", {{}})
if verb == "install":
    assert options == {{"--link", "--force", "--accept-capabilities"}}, options
    name, folder = json.loads((Path(name) / "openclaw.plugin.json").read_text())["id"], name
    paths = plugins.setdefault("load", {{}}).setdefault("paths", [])
    paths += [] if folder in paths else [folder]
    entries.setdefault(name, {{}})["enabled"] = True
    if "allow" in plugins:
        plugins["allow"].append(name)
else:
    assert (verb, options) == ("uninstall", {{"--force"}}), sys.argv
    plugins.pop("load", None)
    entries[name] = {{"enabled": False}}
values["meta"]["lastTouchedAt"] = "2026-11-27"
place.write_text(json.dumps(values, indent=2))
"""


class Home:
    """A person's home with an OpenClaw in it, and its agent in the workspace."""

    def __init__(self, folder: Path, desk: Desk) -> None:
        self.folder, self.desk = folder, desk
        self.config = folder / ".openclaw/openclaw.json"
        self.config.write_text(CONFIG)
        self.program = folder / "bin/openclaw"
        self.program.parent.mkdir()
        self.program.write_text(STUB)
        self.program.chmod(0o755)

    def calls(self) -> list[list[str]]:
        """Return how OpenClaw was called since the last look."""
        place = self.folder / "calls"
        lines = place.read_text().splitlines() if place.exists() else []
        place.unlink(missing_ok=True)
        return [json.loads(line) for line in lines]

    def values(self) -> dict[str, object]:
        """Return the values of the configuration, as OpenClaw wrote it."""
        return dict(json.loads(self.config.read_text().removeprefix(COMMENT)))

    def linked(self) -> list[Path]:
        """Return the rendered copies of the plugin."""
        return [place.parent for place in (self.folder / ".local").rglob("openclaw.plugin.json")]

    def state(self) -> str:
        """Return how the connection is, as `status` says."""
        return str(self.desk.run("status")["openclaw"]["state"])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Return a home with an OpenClaw on PATH."""
    desk = Desk.adopt(tmp_path / ".openclaw/workspace")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("OPENCLAW_CLI_PATH", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".local/state"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{COMMAND.parent}:/usr/bin:/bin")
    return Home(tmp_path, desk)


def test_nothing_is_done_without_consent(home: Home) -> None:
    before = home.config.read_bytes()
    for words in (["connect"], ["connect", "openclaw"], ["openclaw", "install"]):
        answer = home.desk.refuse(*words, key="terminal-needed")
    home.desk.refuse("connect", key="not-confirmed", terminal="n\n")
    planned = home.desk.run("connect", "--dry-run")
    assert "clawgit_search" in str(planned["asks"])
    assert "allowConversationAccess" in str(planned["asks"])
    assert (home.config.read_bytes(), home.linked(), home.calls()) == (before, [], [])
    home.desk.shell(answer.fix)
    assert home.linked()


def test_the_installer_is_called_and_every_byte_comes_back(home: Home) -> None:
    document = home.desk.run("connect", terminal="y\n")
    (folder,) = home.linked()
    install = ["plugins", "install", "--link", "--force", "--accept-capabilities", str(folder)]
    assert home.calls() == [install]
    assert document["runs"] == [str(home.program), *install]
    assert not (home.folder / ".openclaw/extensions").exists()
    plugins = home.values()["plugins"]
    entry = {"enabled": True, "hooks": {"allowConversationAccess": True}}
    assert plugins == {"entries": {"other": {"enabled": True}, folder.name: entry}, "load": {"paths": [str(folder)]}}
    assert home.config.read_text().startswith(COMMENT)
    home.desk.run("connect")  # nothing is to do, so nobody is asked
    assert home.calls() == []

    home.config.write_text(json.dumps(home.values() | {"wizard": {}}))  # as OpenClaw does whenever it sets a value
    home.desk.run("disconnect")
    assert home.calls() == [["plugins", "uninstall", "--force", folder.name]]
    assert home.config.read_text() == CONFIG
    assert home.linked() == []


def test_a_list_of_plugins_is_the_installers_to_fill_and_is_given_back(home: Home) -> None:
    text = CONFIG.replace('"entries":', '"allow": ["other"], "entries":')
    home.config.write_text(text)
    home.desk.run("connect", "--yes")
    assert "clawgit-main" in str(home.values()["plugins"]["allow"])  # type: ignore[index]
    home.desk.run("disconnect")
    assert home.config.read_text() == text


def test_a_copy_that_differs_is_renewed_and_an_older_place_is_left(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.environ["PATH"].split(":", 1)[1])
    home.desk.run("connect", "--yes")  # without the program: by openclaw.json alone
    assert home.calls() == []
    (folder,) = home.linked()
    home.desk.run("disconnect")
    extension = home.folder / ".openclaw/extensions/clawgit-main"
    extension.mkdir(parents=True)
    (extension / "index.js").write_bytes(
        written_files.stamp_template((PLUGIN / "index.js").read_bytes())
    )  # of clawgit 0.2
    monkeypatch.setenv("OPENCLAW_CLI_PATH", str(home.program))
    home.desk.run("connect", "--yes")
    assert not list(extension.rglob("*.js"))
    home.calls()

    settings = json.loads((folder / "settings.json").read_text())
    agents = {name: {"workspace": str(home.desk.root)} for name in ("main", "work")}
    home.config.write_text(
        home.config.read_text().replace('"meta":', f'"agents": {{"entries": {json.dumps(agents)}}}, "meta":')
    )
    assert home.state() == "outdated"
    home.desk.run("connect", "--yes")
    assert json.loads((folder / "settings.json").read_text())["agents"] == [*settings["agents"], "work"]
    assert len(home.calls()) == 1


def test_other_paths_of_plugins_stay(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.environ["PATH"].split(":", 1)[1])
    text = CONFIG.replace('"entries":', '"load": {"paths": ["/srv/other"]}, "entries":')
    home.config.write_text(text)
    home.desk.run("connect", "--yes")
    (folder,) = home.linked()
    paths = ["/srv/other", str(folder)]
    assert home.values()["plugins"]["load"] == {"paths": paths}  # type: ignore[index]
    values = home.values() | {"tools": {"profile": "full"}}
    values["plugins"]["load"]["paths"].append("/srv/third")  # type: ignore[index]
    home.config.write_text(json.dumps(values))
    home.desk.run("disconnect")
    plugins = {"load": {"paths": ["/srv/other", "/srv/third"]}, "entries": {"other": {"enabled": True}}}
    assert home.values() == {**values, "plugins": plugins}


def test_where_the_installer_fails_all_is_as_before(home: Home) -> None:
    (home.folder / "broken").touch()
    home.desk.refuse("connect", "--yes", key="program-failed")
    assert home.config.read_text() == CONFIG
    assert home.linked() == []


def test_connected_is_said_once_the_plugin_was_here(home: Home) -> None:
    assert home.state() == "missing"
    home.desk.run("connect", "--yes")
    assert home.state() == "installed"
    server = Server(home.desk.root, "--gateway")
    server.call("context", {"query": "hi", "session": "chat"}, OWNER)
    server.call("context", {"query": "hi", "session": "chat", "missed": 2}, OWNER)
    server.end()
    openclaw = home.desk.run("status")["openclaw"]
    assert openclaw["state"] == "connected"
    assert openclaw["seen"]
    assert (openclaw["unanswered"], openclaw["turns"]) == (2, 4)
    home.desk.run("connect", "--yes")
    assert home.desk.run("status")["openclaw"]["state"] == "connected"
    home.desk.run("disconnect")
    assert home.state() == "missing"


def test_without_systemd_and_cron_openclaw_is_the_timer(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    git = shutil.which("git")
    assert git
    home.program.with_name("git").symlink_to(git)
    monkeypatch.setenv("PATH", str(home.program.parent))
    assert home.desk.refuse("schedule", "install", key="timer-missing").fix.endswith("--with openclaw --apply")
