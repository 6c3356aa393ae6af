"""A home with an OpenClaw in it."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from clawgit.workspace.approvals import TrustStore
from tests import moulds
from tests.messy.calls import call

PROGRAM = Path(sys.executable).with_name("clawgit")
PATIENCE = 120.0
CONFIG = """// mine
{
  meta: { lastTouchedVersion: '2026.9.6' }, // by the wizard
  "channels": {
    "telegram": { dmPolicy: "pairing", botToken: "${TELEGRAM_TOKEN}" },
    'discord': { dm: { policy: "open" } },
  },
  /* the end */
}
"""


def until(condition):
    end = time.monotonic() + PATIENCE
    while not (result := condition()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)
    return result


def picture(folder):
    """Everything below a folder: modes, links, bytes."""
    contents = {}
    for place in sorted(folder.rglob("*")):
        data = place.readlink() if place.is_symlink() else place.read_bytes() if place.is_file() else None
        contents[place.relative_to(folder).as_posix()] = (place.lstat().st_mode, data)
    return contents


class Home:
    """A person's home: OpenClaw's state folder, its configuration, and the workspace of its agent."""

    def __init__(self, folder, workspace):
        self.folder, self.workspace = folder, workspace
        self.state = folder / ".openclaw"
        self.config = self.state / "openclaw.json"
        self.environ = os.environ | {
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder / ".local/state"),
            "PATH": f"{PROGRAM.parent}:/usr/bin:/bin",
        }
        self.configure(CONFIG)

    @property
    def plugin(self):
        """The folder of the plugin, beside the approvals."""
        return TrustStore(self.workspace / ".git", self.environ).folder / "clawgit-main"

    @property
    def skill(self):
        return self.plugin / "skills/clawgit-main/SKILL.md"

    def configure(self, config):
        text = config if isinstance(config, str) else json.dumps(config, indent=2)
        self.config.write_bytes(text.encode())
        self.config.chmod(0o600)

    def clawgit(self, *words, code=0):
        """Run the command, which must end with `code`; return its document, or its error."""
        result = self.run(*words)
        assert result.code == code, result.err + result.out
        document = result.document
        return document | {"stderr": result.err} if isinstance(document, dict) else document

    def run(self, *words):
        with patch.dict(os.environ, self.environ):
            return call(self.workspace, *map(str, words), "--json", debug=False)

    def acts(self, *words):
        """Run install or uninstall; return the outcome of each part."""
        return {name: part["act"] for name, part in self.became(*words).items()}

    def became(self, *words):
        """Run install or uninstall, which ends with 3 if a part that it needs is left; return the report of each."""
        result = self.run(*words, *(["--yes"] if words[0] == "connect" else []))
        parts = {part["part"]: part for part in result.document["parts"]}
        required = ("plugin", "plugin setting")
        left = words[0] == "connect" and any(parts[name]["act"] == "left" for name in required)
        assert result.code == (3 if left else 0), result.err + result.out
        return parts

    def states(self):
        return {part["part"]: part["state"] for part in self.clawgit("status")["openclaw"]["parts"]}

    def outside(self):
        """Everything of OpenClaw's but the workspace, and clawgit's files beside the approvals."""
        state = {path: value for path, value in picture(self.state).items() if not path.startswith("workspace")}
        paths = [place.name for place in self.folder.rglob("openclaw.json") if self.state not in place.parents]
        return state, paths

    def inside(self):
        """The files of the workspace, git's own left out."""
        return {path: value for path, value in picture(self.workspace).items() if not path.startswith(".git/")}

    def git(self, *words):
        result = subprocess.run(["git", *words], cwd=self.workspace, capture_output=True, text=True, check=True)
        return result.stdout

    def replace_program(self, script):
        """Have the installed plugin call another program than clawgit."""
        place = self.folder / "bin/clawgit"
        place.parent.mkdir(exist_ok=True)
        place.write_text(script)
        place.chmod(0o755)
        self.set("program", str(place))
        return place

    def set(self, key, value):
        place = self.plugin / "settings.json"
        place.write_text(json.dumps(json.loads(place.read_text()) | {key: value}))


@pytest.fixture(scope="session")
def homely(tmp_path_factory):
    """A home as `home` gives it, made once."""
    from clawgit.workspace.bootstrap import init  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("home")
    workspace = folder / ".openclaw/workspace"
    workspace.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", "-b", "main", "--template=", workspace], check=True)
    with (workspace / ".git/config").open("a") as config:
        config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n[commit]\n\tgpgSign = false\n")
    init(workspace).workspace.close()
    return folder


@pytest.fixture
def home(homely, tmp_path):
    """A home with an OpenClaw in it; its name has a space, a quote and a letter beyond ASCII."""
    folder = moulds.copied(homely, tmp_path / "höme 'of")
    return Home(folder, folder / ".openclaw/workspace")


@pytest.fixture
def installed(home):
    """A home of an OpenClaw that takes the plugin, with the plugin in it."""
    if shutil.which("node") is None:
        pytest.skip("node; get it: apt-get install nodejs")
    home.clawgit("connect", "--yes")
    return home


class Gateway:
    """A process of Node that runs a script with the plugin."""

    SCRIPT = ""

    def __init__(self, home, folder):
        self.home = home
        place = folder / "gateway.mjs"
        place.write_text(self.SCRIPT)
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen(["node", place, home.plugin / "index.js"], env=home.environ, text=True, **pipes)

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0
        with self.process:
            assert self.process.stderr.read() == ""


@pytest.fixture
def start(installed, tmp_path):
    """Start gateways of a class; those that are not closed are closed at the end."""
    started = []

    def go(kind):
        started.append(kind(installed, tmp_path))
        return started[-1]

    yield go
    for server in started:
        if server.process.returncode is None:
            server.close()
