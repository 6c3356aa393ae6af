"""An agent's workspace, its OpenClaw, its clock, and everybody who works there."""

import json
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import anyio
import time_machine
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from clawgit.schedule import job_timetable, runner, runner_state
from clawgit.schedule.runner_state import find_runner_place
from tests.messy.calls import call
from tests.terminals import at_a_terminal

HERE = Path(__file__).resolve().parent
PATIENCE = 240.0

Turn = tuple[str, str]
"""Who speaks (`user`, `assistant`, `toolResult`), and what is said."""


class Day:
    """Everything happens at the time that the file `clock` says; the runner and the tools have their own processes."""

    def __init__(self, folder: Path, start: str) -> None:
        self.root, self.talks, self.clock = folder / "ws", folder / "oc/agents/main/sessions", folder / "clock"
        self.environ = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "OPENCLAW_STATE_DIR": str(folder / "oc")}
        self.talks.mkdir(parents=True)
        owned = {"agents": {"defaults": {"workspace": str(self.root)}}}
        (folder / "oc/openclaw.json").write_text(json.dumps(owned))
        self.said = folder / "said"
        self.runner: subprocess.Popen[bytes] | None = None
        self.at(start)

    # ---- the time

    @property
    def now(self) -> datetime:
        return datetime.fromisoformat(self.clock.read_text())

    def at(self, *times: str) -> None:
        """Let it become one time after the other, such as `2026-05-04T08:00`, or `09:30` of the same day.

        A runner that is at work has done what is due when this returns, so that nobody meets it by chance.
        """
        for when in times:
            full = when if "T" in when else f"{self.now:%Y-%m-%d}T{when}"
            fresh = self.clock.with_suffix(".new")
            fresh.write_text(f"{full}:00+00:00")
            fresh.replace(self.clock)
            if self.runner:
                self._await()

    # ---- the operator

    def clawgit(self, *words: str | Path, code: int = 0, stdin: str = "") -> str:
        """Type a command, and return what it prints."""
        if {"--hash", "reject"} & set(words):
            return self._decide(*words)
        with patch.dict(os.environ, self.environ), time_machine.travel(self.now, tick=True):
            done = call(self.root, *map(str, words), stdin=stdin, debug=False)
        assert done.code == code, (words, done.out, done.err)
        return done.out

    def _decide(self, *words: str | Path) -> str:
        """Who approves or rejects sits at a terminal."""
        command = [*self.command, "-C", self.root, *words]
        with at_a_terminal() as terminal:
            done = subprocess.run(
                command, stdin=terminal, env=self.environ, capture_output=True, encoding="utf-8", check=False
            )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def ask(self, *words: str | Path, code: int = 0, stdin: str = "") -> Any:
        """Type a command, and return its document."""
        return json.loads(self.clawgit(*words, "--json", code=code, stdin=stdin))

    @property
    def command(self) -> list[str]:
        return [sys.executable, str(HERE / "clocked.py"), str(self.clock)]

    # ---- the main agent, and whoever has an editor

    def git(self, *words: str) -> str:
        when = self.now.isoformat()
        done = subprocess.run(
            ["git", "-C", self.root, *words],
            env={**self.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert not done.returncode, (words, done.stdout, done.stderr)
        return done.stdout

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        os.utime(target, (self.now.timestamp(),) * 2)

    # ---- OpenClaw

    def talk(self, session: str, chat: str, *turns: Turn) -> None:
        """Append to a transcript, and list its session, as OpenClaw does; chat is `direct` or `group`."""
        file, listed = self.talks / f"{session}.jsonl", self.talks / "sessions.json"
        before = file.read_text().splitlines() if file.exists() else []
        head = {"type": "session", "version": 3, "id": session, "timestamp": self._stamp(self.now)}
        rows = before or [json.dumps(head)]
        for role, text in turns:
            number, at = len(rows), self.now + timedelta(seconds=len(rows))
            parent = f"{session}-{number - 1}" if number > 1 else None
            message = {
                "role": role,
                "content": [{"type": "text", "text": text}],
                "timestamp": int(at.timestamp() * 1000),
            }
            if role == "toolResult":
                message |= {"toolCallId": "call_1", "toolName": "web_fetch", "isError": False}
            row = {"type": "message", "id": f"{session}-{number}", "parentId": parent, "timestamp": self._stamp(at)}
            rows.append(json.dumps(row | {"message": message}))
        file.write_text("".join(f"{row}\n" for row in rows))
        known = json.loads(listed.read_text()) if listed.exists() else {}
        key = "agent:main:main" if chat == "direct" else f"agent:main:telegram:{chat}:{session}"
        known[key] = {"sessionId": session, "updatedAt": int(self.now.timestamp() * 1000), "chatType": chat}
        listed.write_text(json.dumps(known))

    @staticmethod
    def _stamp(moment: datetime) -> str:
        return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def hear(self, session: str, text: str, chat: str = "direct") -> Any:
        """Let a message arrive: it is written down, and the hook has it looked at. Return what comes of it."""
        self.talk(session, chat, ("user", text))
        whose = "operator" if chat == "direct" else "untrusted"
        return self.ask("triage", "-", "--act", "--origin", whose, stdin=text)

    def tools(self, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
        """Call tools of the server, one after the other, as the main agent does; return their documents."""
        server = StdioServerParameters(
            command=self.command[0], args=[*self.command[1:], "-C", str(self.root), "mcp"], env=self.environ
        )

        async def run() -> list[Any]:
            async with Client(stdio_client(server)) as client:
                return [(await client.call_tool(*one)).structured_content for one in calls]

        return anyio.run(run)

    # ---- the runner

    def start(self) -> None:
        with self.said.open("a") as said:
            command = [sys.executable, str(HERE / "running.py"), str(self.root), str(self.clock)]
            self.runner = subprocess.Popen(command, env=self.environ, stdout=said, stderr=said)
        self._await()

    def end(self, number: int = signal.SIGTERM) -> None:
        if self.runner:
            self.runner.send_signal(number)
            self.runner.wait(PATIENCE)
            self.runner = None

    def _await(self) -> None:
        assert self.runner
        deadline = time.monotonic() + PATIENCE
        while not self._settled():
            assert self.runner.poll() is None, self.said.read_text()
            assert time.monotonic() < deadline, self.said.read_text()
            time.sleep(0.05)

    def _settled(self) -> bool:
        """Tell whether nothing is due any more."""
        here = find_runner_place(self.root, self.environ)
        found, known = runner.read_plan(here, self.environ), runner_state.load(here.state)
        rows = [(row, known.get(row.job)) for row in found.rows if row.when]
        return all(one and row.when and job_timetable.due(row.when, one, self.now, UTC) is None for row, one in rows)

    def came_to(self) -> dict[str, str]:
        """Return what the last run of each job came to."""
        return {one["job"]: one["last"]["result"] for one in self.ask("schedule", "status") if one["last"]}
