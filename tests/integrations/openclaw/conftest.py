"""A home with an OpenClaw in it, and a gateway that runs its hook."""

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from tests import moulds
from tests.messy.calls import call

PROGRAM = Path(sys.executable).with_name("clawgit")
PATIENCE = 120.0
CONFIG = """// mine
{
  meta: { lastTouchedVersion: '2026.7.1' }, // by the wizard
  "channels": {
    "telegram": { dmPolicy: "pairing", botToken: "${TELEGRAM_TOKEN}" },
    'discord': { dm: { policy: "open" } },
  },
  /* the end */
}
"""
GATEWAY = """
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
const { default: handler } = await import(pathToFileURL(process.argv[2]).href + "?t=1");
for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  const begun = performance.now();
  await handler(event);
  process.stdout.write(JSON.stringify({ event, took: performance.now() - begun }) + "\\n");
}
"""


def until(condition):
    """Wait for a condition, and return what it came to; a busy machine may take its time."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)
    return found


def picture(folder):
    """Everything below a folder: modes, links, bytes."""
    found = {}
    for place in sorted(folder.rglob("*")):
        data = place.readlink() if place.is_symlink() else place.read_bytes() if place.is_file() else None
        found[place.relative_to(folder).as_posix()] = (place.lstat().st_mode, data)
    return found


class Home:
    """A person's home: OpenClaw's state folder, its configuration, and the workspace of its agent."""

    def __init__(self, folder, workspace):
        self.folder, self.workspace = folder, workspace
        self.state = folder / ".openclaw"
        self.config = self.state / "openclaw.json"
        self.hook = self.state / "hooks/clawgit-main"
        self.skill = self.state / "skills/clawgit-main/SKILL.md"
        self.environ = os.environ | {
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder / ".local/state"),
            "PATH": f"{PROGRAM.parent}:/usr/bin:/bin",
        }
        self.configure(CONFIG)

    def configure(self, config):
        """Write the configuration: text as it is, else as JSON."""
        text = config if isinstance(config, str) else json.dumps(config, indent=2)
        self.config.write_bytes(text.encode())
        self.config.chmod(0o600)

    def clawgit(self, *words, code=0):
        """Run the command, which must end with `code`; return its document, or what it complained of."""
        done = self.run(*words)
        assert done.code == code, done.err + done.out
        document = done.document
        return document | {"stderr": done.err} if isinstance(document, dict) else document

    def run(self, *words):
        """Run the command."""
        with patch.dict(os.environ, self.environ):
            return call(self.workspace, *map(str, words), "--json", debug=False)

    def acts(self, *words):
        """Run install or uninstall; return what became of each part."""
        return {name: part["act"] for name, part in self.became(*words).items()}

    def became(self, *words):
        """Run install or uninstall, which ends with 3 where what it needs is left; return what is told of each part."""
        done = self.run(*words, *(["--yes"] if words[0] == "connect" else []))
        parts = {part["part"]: part for part in done.document["parts"]}
        needed = ("plugin", "plugin setting") if "plugin" in parts and "hook" not in parts else ("hook", "hook setting")
        needed = ("plugin", "plugin setting") if "plugin" in words else needed
        left = words[0] == "connect" and any(parts[name]["act"] == "left" for name in needed if name in parts)
        assert done.code == (3 if left else 0), done.err + done.out
        return parts

    def states(self):
        """Return how each part stands."""
        return {part["part"]: part["state"] for part in self.clawgit("status")["openclaw"]["parts"]}

    def outside(self):
        """Everything of OpenClaw's but the workspace, and what clawgit keeps beside the approvals."""
        state = {path: what for path, what in picture(self.state).items() if not path.startswith("workspace")}
        kept = [place.name for place in self.folder.rglob("openclaw.json") if self.state not in place.parents]
        return state, kept

    def inside(self):
        """The files of the workspace, git's own left out."""
        return {path: what for path, what in picture(self.workspace).items() if not path.startswith(".git/")}

    def git(self, *words):
        """Run git in the workspace."""
        done = subprocess.run(["git", *words], cwd=self.workspace, capture_output=True, text=True, check=True)
        return done.stdout

    def replace_program(self, script):
        """Have the installed hook call another program than clawgit."""
        place = self.folder / "bin/clawgit"
        place.parent.mkdir(exist_ok=True)
        place.write_text(script)
        place.chmod(0o755)
        self.set("program", str(place))
        return place

    def set(self, key, value):
        """Change what the installed hook is told."""
        place = self.hook / "settings.json"
        place.write_text(json.dumps(json.loads(place.read_text()) | {key: value}))


class Gateway:
    """A process of Node that hands events to the hook, as OpenClaw does."""

    def __init__(self, home, folder):
        self.home = home
        script = folder / "gateway.mjs"
        script.write_text(GATEWAY)
        self.process = subprocess.Popen(
            ["node", script, home.hook / "handler.js"],
            env=home.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.answers = queue.Queue()
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self):
        for line in self.process.stdout:
            self.answers.put(json.loads(line))

    def send(self, event):
        """Hand an event to the hook, and return the event as the hook left it, and the milliseconds it took."""
        self.process.stdin.write(json.dumps(event) + "\n")
        self.process.stdin.flush()
        answer = self.answers.get(timeout=PATIENCE)
        return answer["event"], answer["took"]

    def says(self, text, key="agent:main:main", **context):
        """Have a message arrive."""
        context = {"from": "telegram:7", "channelId": "telegram", "metadata": {"provider": "telegram"}} | context
        event = {"type": "message", "action": "received", "sessionKey": key, "messages": []}
        return self.send(event | {"context": {"content": text, **context}})

    def wakes(self, key="agent:main:main", files=({"name": "AGENTS.md", "path": "x", "content": "y"},)):
        """Wake the agent; return the files that the hook added, and the milliseconds it took."""
        context = {"workspaceDir": str(self.home.workspace), "bootstrapFiles": list(files), "sessionKey": key}
        event = {"type": "agent", "action": "bootstrap", "sessionKey": key, "messages": [], "context": context}
        answer, took = self.send(event)
        shown = answer["context"]["bootstrapFiles"]
        assert shown[: len(files)] == list(files)
        return shown[len(files) :], took

    def close(self, *, kill=False):
        """End it, as it would end by itself or at once; return what it complained of."""
        self.process.kill() if kill else self.process.stdin.close()
        assert self.process.wait(PATIENCE) == (-9 if kill else 0)
        self.listener.join()
        with self.process:
            return self.process.stderr.read()


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
def gateway(home, tmp_path):
    """Start a gateway with the hook in it; nothing is heard from it when it ends."""
    if shutil.which("node") is None:
        pytest.skip("node; get it: apt-get install nodejs")
    home.clawgit("connect", "--yes")
    home.set("contextWait", PATIENCE * 500)  # what the machine needs is not what is tried
    home.set("messageWait", PATIENCE * 500)
    started = []

    def start():
        started.append(Gateway(home, tmp_path))
        return started[-1]

    yield start
    for one in started:
        if one.process.returncode is None:
            assert one.close() == ""


@pytest.fixture
def installed(home):
    """A home of an OpenClaw that takes the plugin, with the plugin in it."""
    if shutil.which("node") is None:
        pytest.skip("node; get it: apt-get install nodejs")
    home.configure({"meta": {"lastTouchedVersion": "2026.9.6"}})
    home.hook = home.state / "extensions/clawgit-main"  # what `set` writes to
    home.clawgit("connect", "--yes")
    return home
