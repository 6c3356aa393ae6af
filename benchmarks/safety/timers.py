"""Which lines of an agent that works mostly by timers its owner is shown unasked, after a month.

    python benchmarks/safety/timers.py
    python benchmarks/safety/timers.py --days 5 --json

Twelve heartbeats a day in the session of the day, three timers with a session each, two turns of a stranger's in a
group, one of the owner's. Before it writes a line, a run of a timer looks at files of the workspace (40 %), runs a
command (30 %), fetches a page (15 %), reads a file that a stranger wrote (10 %) or repeats a line of it (5 %): made-up
shares, so each is a row of its own. The calls are reported as OpenClaw's plugin does. `on` and `off` are the setting
`trust_timers`. Exit 1 if a stranger's line is shown without the setting.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.store.calls import hash_line
from clawgit.workspace.line_writers import TRUST_TIMERS, list_withheld
from clawgit.workspace.workspace import open_workspace
from tests.promises.desk import FILES, Desk
from tests.promises.mcp_server import Server

DEEDS = {"workspace": 40, "exec": 30, "web_fetch": 15, "a stranger's file": 10, "a stranger's words": 5}
THEIRS = ("a stranger's", "a stranger's, repeated by a timer")
GUESTS = "memory/guests.md"
OWNER = {"session": "agent:main:main", "channel": "telegram", "sender": "1001", "owner": True}
STRANGER = {"session": "agent:main:telegram:group:-500", "channel": "telegram", "sender": "2002", "owner": False}


class Month:
    """The agent; `lines` is whose each line is, by its words."""

    def __init__(self, desk: Desk, server: Server) -> None:
        self.desk, self.server = desk, server
        self.rng = random.Random(0)
        self.lines: dict[str, str] = {}
        self.calls = 0

    def call(self, tool: str, session: str, requester: dict[str, Any], **more: Any) -> None:
        """Report a call that has ended."""
        self.calls += 1
        now = time.time()
        about = {"call": f"call_{self.calls}", "tool": tool, "session": session, "run": session}
        self.server.call("called", {**about, "started": now, "ended": now, **more}, requester)

    def write(self, session: str, requester: dict[str, Any], path: str, line: str, whose: str) -> None:
        """Have the agent append a line with its own tool."""
        before = self.desk.read(path) if (self.desk.root / path).exists() else ""
        self.desk.write(path, f"{before}- {line}\n")
        file = {"path": str(self.desk.root / path), "before": before or None, "after": f"{before}- {line}\n"}
        self.call("write", session, requester, files=[file])
        self.lines[line] = whose

    def run_timer(self, session: str, requester: dict[str, Any], path: str) -> None:
        """Take a turn of a timer: look at something, then write a line."""
        deed = self.rng.choices([*DEEDS], [*DEEDS.values()])[0]
        theirs = [line for line, whose in self.lines.items() if whose == THEIRS[0]]
        if deed.startswith("a stranger's"):
            self.call("read", session, requester, reads=str(self.desk.root / GUESTS))
        elif deed == "workspace":
            self.call("read", session, requester, reads=str(self.desk.root / "MEMORY.md"))
        else:
            self.call(deed, session, requester, params={"command": "git log"} if deed == "exec" else {})
        if deed == "a stranger's words" and theirs:
            line = f"{self.rng.choice(theirs)} It is said."
            self.write(session, requester, path, line, THEIRS[1])
        else:
            self.write(session, requester, path, f"Fact {self.calls} was found by a timer.", deed)

    def live(self, days: int) -> None:
        """Live so many days."""
        for day in range(days):
            journal = f"memory/2026-03-{day + 1:02}.md"
            for turn in range(2):
                self.write(f"group{day}", STRANGER, GUESTS, f"Guest {day}-{turn} likes tea.", THEIRS[0])
            main = f"main{day}"
            for beat in range(12):
                if self.rng.random() < 1 / 3:
                    self.run_timer(main, {"session": "agent:main:main", "trigger": "heartbeat"}, journal)
                if beat == 6:
                    self.write(main, OWNER, "MEMORY.md", f"The owner said {day}.", "the owner's")
            for job in range(3):
                key = f"agent:main:cron:job{job}"
                self.run_timer(f"cron{day}-{job}", {"session": key, "trigger": "cron"}, journal)


def count_shown(desk: Desk, lines: dict[str, str]) -> Counter[str]:
    """Return how many lines are not withheld, by whose they are."""
    with open_workspace(desk.root) as workspace:
        withheld = {name for copies in list_withheld(workspace).values() for name, _ in copies}
    return Counter(whose for line, whose in lines.items() if hash_line(f"- {line}") not in withheld)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results: dict[str, dict[str, int]] = defaultdict(dict)
    with tempfile.TemporaryDirectory(prefix="clawgit-timers-") as folder:
        os.environ |= {
            "HOME": folder,
            "XDG_STATE_HOME": f"{folder}/.state",
            "GIT_CONFIG_GLOBAL": f"{folder}/.gitconfig",
        }
        desk = Desk.adopt(Path(folder) / "ws", FILES)
        server = Server(desk.root, "--gateway", state=Path(folder))
        month = Month(desk, server)
        month.live(options.days)
        server.end()
        desk.run("capture")
        for value in ("off", "on"):
            desk.run("config", TRUST_TIMERS, value, terminal="y\n")
            for whose, count in count_shown(desk, month.lines).items():
                results[whose][f"shown, {value}"] = count
        for whose, count in Counter(month.lines.values()).items():
            results[whose]["written"] = count
    keep(results)
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        print(f"{'lines, by what their turn met before':<40}{'written':>10}{'shown, off':>12}{'shown, on':>12}")
        for whose, row in results.items():
            print(f"{whose:<40}", *(f"{row.get(name, 0):>11}" for name in ("written", "shown, off", "shown, on")))
    return int(any(results[whose].get("shown, off") for whose in THEIRS))


if __name__ == "__main__":
    sys.exit(main())
