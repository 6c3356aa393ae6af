"""An OpenClaw of our own: a home, a workspace, a scripted model, a gateway, a chat client."""

import contextlib
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import installation
import pytest
from model import NAME, Json, Model, Request

from clawgit.messages import triage
from clawgit.store.database import StateStore

_TRIES, _PAUSE = 60, 0.5
CLAWGIT = Path(sys.executable).with_name("clawgit")
CHAT = Path(__file__).with_name("chat.cjs")
TOKEN = "token-of-a-test"
MAIN = "agent:main:main"
PATIENCE = 120.0  # seconds for anything: a busy machine may take its time
CONTEXT_WAIT = 8  # seconds that a turn waits for a context at most
STATED = "The staging server is called heron and listens on port 8443."
PASSES = json.dumps({"operations": [{"act": "add", "turns": [1], "text": STATED, "tag": "knowledge"}]})
"""What a model has to answer to be believed (`clawgit model --test`)."""
BREAKABLE = """#!/bin/sh
case "$1 $(cat {mode})" in
    "-C hangs") exec sleep 1000 ;;
    "-C dies") exit 1 ;;
    "-C floods") exec yes '{{"jsonrpc": "2.0", "method": "flood"}}' ;;
esac
exec {program} "$@"
"""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a turn: `text` is the answer, `took` the seconds, `requests` what the model was asked for it.

    `begun` is when the message was sent, in seconds of the epoch.
    """

    text: str
    took: float
    requests: list[Request]
    begun: float = 0.0

    @property
    def request(self) -> Request:
        """The first request: the one with the message itself."""
        return self.requests[0]


class OpenClaw:
    """One person's OpenClaw. Everything it writes lies below `folder`; everything it starts is ended by `close`."""

    def __init__(self, installed: Path, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.state = self.home / ".openclaw"
        self.config = self.state / "openclaw.json"
        self.workspace = self.state / "workspace"
        self.log = folder / "gateway.log"
        temporary = folder / "tmp"
        for place in (self.home, temporary):
            place.mkdir(parents=True, mode=0o700)
        self.environ = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")} | {
            "HOME": str(self.home),
            "TMPDIR": str(temporary),
            "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
            "OPENCLAW_PACKAGED_COMPILE_CACHE_RESPAWNED": "1",  # it would start itself again for a cache of its own
            "OPENCLAW_NO_AUTO_UPDATE": "1",  # nothing is asked of the network
            "OPENCLAW_DISABLE_BONJOUR": "1",
            "OPENCLAW_NO_RESPAWN": "1",  # the process that was started is the gateway
        }
        self.use(installed)
        self.model = Model()
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def use(self, installed: Path) -> None:
        """Go on with this installation, which may be another version; the gateway does not run."""
        self.installed = installed
        bins = [CLAWGIT.parent, installation.node(installed).parent, installed / "node_modules/.bin"]
        self.environ["PATH"] = ":".join(map(str, [*bins, "/usr/bin", "/bin"]))
        self.environ["NODE_COMPILE_CACHE"] = str(installed / "compiled")

    # --- commands

    def openclaw(self, *arguments: object, patience: float = PATIENCE) -> str:
        """Run a command of OpenClaw, which must succeed; return its output."""
        node, program = installation.node(self.installed), installation.openclaw(self.installed)
        return self._run([node, program, *arguments], 0, patience)

    def clawgit(self, *arguments: object, code: int = 0) -> str:
        """Run clawgit on the workspace, which must end with `code`; return its output."""
        return self._run([CLAWGIT, "-C", self.workspace, *arguments], code, PATIENCE)

    def answered(self, *arguments: object, code: int = 0) -> Any:
        """Run clawgit with --json, and return its document."""
        return json.loads(self.clawgit(*arguments, "--json", code=code))

    def _run(self, command: list[object], code: int, patience: float) -> str:
        result = subprocess.run(
            [str(word) for word in command],
            cwd=self.home,
            env=self.environ | {"OPENCLAW_GATEWAY_PORT": str(self.port or 1)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=patience,
        )
        assert result.returncode == code, f"{command}: exit {result.returncode}\n{result.stderr}{result.stdout}"
        return result.stdout

    def onboard(self) -> None:
        """Set it up as its own wizard does, without a question."""
        self.state.mkdir(mode=0o700)
        self.config.write_text(json.dumps({"logging": {"file": str(self.folder / "openclaw.log")}}))  # else in /tmp
        model = {"base-url": self.model.address, "model-id": NAME, "provider-id": "loopback", "api-key": "none"}
        words = [word for name, value in model.items() for word in (f"--custom-{name}", value)]
        gateway = ["--gateway-bind", "loopback", "--gateway-auth", "token", "--gateway-token", TOKEN]
        skipped = [f"--skip-{part}" for part in ("daemon", "channels", "skills", "search", "ui", "health")]
        self.openclaw(
            *("onboard", "--non-interactive", "--accept-risk", "--mode", "local", "--auth-choice", "custom-api-key"),
            *("--custom-compatibility", "openai", "--custom-text-input", "--no-install-daemon"),
            *words,
            *gateway,
            *skipped,
        )

    def reset(self) -> None:
        """Go back to the moment when it was set up; the gateway does not run."""
        for left in reversed(range(_TRIES)):  # a child of the gateway's may write once more
            shutil.rmtree(self.home, ignore_errors=bool(left))
            try:
                shutil.copytree(self.folder / "onboarded", self.home, symlinks=True)
                break
            except OSError:
                if not left:
                    raise
                time.sleep(_PAUSE)
        self.log.write_bytes(b"")
        self.model.forget()

    def connect(self) -> None:
        """Have clawgit adopt the workspace, and install itself into OpenClaw, which takes it up when it starts."""
        self.clawgit("adopt", self.workspace)
        self.clawgit("connect", "--yes")

    def keeps(self, path: str, text: str) -> None:
        """Have clawgit keep a file of memory that OpenClaw does not show by itself, as it shows MEMORY.md."""
        place = self.workspace / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)
        self.clawgit("capture")

    def be_patient(self) -> None:
        """Let it wait for clawgit on a busy machine, and call a clawgit that `breaks` can break."""
        places = (".local/state/clawgit", ".openclaw")
        (settings,) = (path for place in places for path in self.home.glob(f"{place}/*/clawgit-main/settings.json"))
        config = json.loads(settings.read_text("utf-8"))
        program, mode = self.folder / "clawgit", self.folder / "mode"
        mode.write_text("well")
        program.write_text(BREAKABLE.format(mode=shlex.quote(str(mode)), program=shlex.quote(str(CLAWGIT))))
        program.chmod(0o700)
        waits = {"contextWait": CONTEXT_WAIT * 1000, "messageWait": PATIENCE * 500}
        settings.write_text(json.dumps(config | waits | {"program": str(program)}))

    @property
    def broken(self) -> bool:
        return (self.folder / "mode").read_text() != "well"

    def breaks(self, fault: str) -> None:
        """End the clawgit that the plugin keeps open; the next one hangs, dies, floods, or is well."""
        (self.folder / "mode").write_text(fault)
        for process, words in self.processes().items():
            if "mcp --gateway" in words or words.startswith(("sleep ", "yes ")):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    # --- the gateway

    def start(self) -> None:
        for _ in range(3):
            self.port = free_port()
            node, program = installation.node(self.installed), installation.openclaw(self.installed)
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    [node, program, "gateway", "run"],
                    cwd=self.home,
                    env=self.environ | {"OPENCLAW_GATEWAY_PORT": str(self.port)},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            if self._answers():
                return
        pytest.fail("the gateway ended while it started\n" + self.log.read_text("utf-8", "replace")[-2000:])

    def _answers(self) -> bool:
        end = time.monotonic() + PATIENCE
        assert self.process
        while time.monotonic() < end:
            if self.process.poll() is not None:  # somebody was faster with the port, or it does not like something
                return False
            with contextlib.suppress(OSError, urllib.error.URLError):
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).close()
                return True
            time.sleep(0.1)
        pytest.fail("the gateway did not come up\n" + self.log.read_text("utf-8", "replace")[-2000:])

    def stop(self, kind: signal.Signals = signal.SIGTERM) -> None:
        if self.process is None:
            return
        process, self.process, self.port = self.process, None, 0
        process.send_signal(kind)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            pytest.fail("the gateway did not end\n" + self.log.read_text("utf-8", "replace")[-4000:])

    def stop_in_a_turn(self, message: str, kind: signal.Signals, pause: float) -> None:
        """End the gateway while the model thinks `pause` seconds about a message; nothing of it is lost, or changed."""

        def turn() -> None:
            with contextlib.suppress(AssertionError):
                self.say(message)

        self.model.answers({"when": message, "pause": pause, "text": "Too late."})
        client = threading.Thread(target=turn, daemon=True)
        client.start()
        until(lambda: any(message in request.text("user") for request in self.requests()))
        before = {place: place.read_bytes() for place in self.workspace.glob("*.md")}
        self.stop(kind)
        client.join()
        until(lambda: message in self.flags())  # what was being looked at is finished
        until(lambda: not self.processes())  # what a killed gateway leaves owns its database for a moment
        assert {place: place.read_bytes() for place in self.workspace.glob("*.md")} == before
        subprocess.run(["git", "fsck", "--strict"], cwd=self.workspace, capture_output=True, check=True)
        self.model.answers()

    def handlers(self) -> int:
        return int(until(lambda: re.findall(r"loaded (\d+) internal hook handlers?", self.log.read_text()))[-1])

    # --- turns

    def recalled(self, request: Request) -> str:
        """Return clawgit's addition to a request, behind the conversation."""
        return request.text("user").rpartition("<relevant-memories>")[2].partition("</relevant-memories>")[0]

    def call(self, method: str, **params: Any) -> Json:
        return self._chat({"method": method, "params": params})["answer"]

    def say(self, text: str, *, session: str = MAIN, guest: bool = False) -> Reply:
        """Write a message in the web chat, as the operator or a guest does; return once the turn is over."""
        request_count = len(self.model.requests())
        answer = self._chat({"say": text, "session": session, "guest": guest})
        for _ in range(5):  # OpenClaw's own: state of a killed gateway, or the report of a sub-agent at the same moment
            if not any(words in str(answer.get("error")) for words in ("ContentionError", "session rebound")):
                break
            time.sleep(2)
            answer = self._chat({"say": text, "session": session, "guest": guest})
        assert answer["state"] == "final", answer
        return Reply(answer["reply"], answer["took"], self.model.requests()[request_count:], answer["begun"])

    def timer(self, text: str) -> Request:
        """Have a turn of a timer with `text`; return its request to the model."""
        job = self.call(
            "cron.add",
            name="story",
            schedule={"kind": "at", "at": (datetime.now(UTC) + timedelta(days=1)).isoformat()},
            sessionTarget="isolated",
            wakeMode="now",
            payload={"kind": "agentTurn", "message": text},
            delivery={"mode": "none"},
        )
        self.call("cron.run", id=job["id"], mode="force")
        return until(lambda: next((request for request in self.requests() if text in request.text("user")), None))

    def agent(self, text: str, *options: str) -> Reply:
        """Have a turn from the command line."""
        request_count, start = len(self.model.requests()), time.monotonic()
        answer = json.loads(self.openclaw("agent", "--agent", "main", "--message", text, "--json", *options))
        reply_text = "".join(part.get("text") or "" for part in answer.get("result", answer)["payloads"])
        return Reply(reply_text, time.monotonic() - start, self.model.requests()[request_count:])

    def _chat(self, wish: Json) -> Json:
        place = {"port": self.port, "token": TOKEN, "folder": str(self.installed), "patience": PATIENCE}
        result = subprocess.run(
            [installation.node(self.installed), CHAT],
            env=self.environ,
            input=json.dumps(place | wish),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE + 30,
        )
        assert result.returncode == 0, result.stderr + result.stdout + self.log.read_text("utf-8", "replace")[-2000:]
        return json.loads(result.stdout)

    @property
    def lends(self) -> Path:
        """The socket over which the gateway lends its model, from a while after it answers on."""
        return self.workspace / ".git/clawgit/model.sock"

    def lent(self) -> None:
        """Wait until the gateway lends its model."""
        until(self.lends.exists)

    def flags(self) -> list[str]:
        return [flag.text for flag in triage.list_flags(StateStore(self.workspace / ".git/clawgit"))]

    def requests(self) -> list[Request]:
        return self.model.requests()

    # --- the end

    def processes(self) -> dict[int, str]:
        home = f"\0HOME={self.home}\0".encode()
        commands = {}
        for place in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if home in b"\0" + (place / "environ").read_bytes():
                    commands[int(place.name)] = (place / "cmdline").read_text("utf-8", "replace").replace("\0", " ")
        return commands

    def close(self) -> dict[int, str]:
        """End everything; return the processes that did not end with the gateway, and were killed."""
        try:
            self.stop()
        finally:
            self.model.close()
            end = time.monotonic() + 15
            while (left := self.processes()) and time.monotonic() < end:
                time.sleep(0.1)
            for process in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self._remove_locks()
        return left

    def _remove_locks(self) -> None:
        """Remove the empty files in /tmp that OpenClaw locks its databases by: they are named after our folder."""
        locks = Path(f"/tmp/openclaw-state-locks-{os.getuid()}")
        for database in self.state.rglob("*.sqlite"):
            name = hashlib.sha256(str(database.resolve()).encode()).hexdigest()[:8]
            for lock in locks.glob(f"*.{name}.lock.sqlite"):
                lock.unlink()


def until(condition: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.1)
    return value


def free_port() -> int:
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
