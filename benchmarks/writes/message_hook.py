"""How long a message to OpenClaw takes until it is a commit, and until the agent is shown what came of it.

    python benchmarks/writes/message_hook.py            needs node
    python benchmarks/writes/message_hook.py --json

In a home of its own, with the hook as `clawgit connect` puts it there, in a real Node. Each message corrects
another memory; the agent is woken at once, as OpenClaw does in the same turn, and the clock runs until it is shown the
true value. Beside it the same is done from a shell: `clawgit triage --act`, then `clawgit context`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep

PROGRAM = Path(sys.executable).with_name("clawgit")
ROUNDS = 20
LATEST = 60.0
SHARE = "first context shows it, percent"
NAMES = [f"{one}{two}" for one in ("Har", "Bel", "Mon", "Tor", "Kal") for two in ("vik", "dane", "tosa", "rim")]
GATEWAY = """
import { createInterface } from "node:readline";
const { default: handler } = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  const begun = performance.now();
  await handler(event);
  console.log(JSON.stringify({ context: event.context, took: performance.now() - begun }));
}
"""


class Home:
    """A home with an OpenClaw whose agent remembers twenty things that are wrong."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = folder / ".openclaw/workspace"
        self.environ = os.environ | {"HOME": str(folder), "XDG_STATE_HOME": str(folder / ".state")}
        self.workspace.mkdir(parents=True)
        (folder / ".openclaw/openclaw.json").write_text('{"meta": {"lastTouchedVersion": "2026.7.1"}}')
        self.clawgit("init", self.workspace)
        for name in NAMES:
            self.clawgit("-C", self.workspace, "memory", "add", wrong(name))
        self.clawgit("-C", self.workspace, "connect", "--yes")

    def clawgit(self, *words: str | Path, stdin: str = "") -> str:
        """Run clawgit, which must not fail."""
        done = subprocess.run(
            [PROGRAM, *words], env=self.environ, input=stdin, capture_output=True, text=True, check=True
        )
        return done.stdout

    def memory(self) -> str:
        """Return what is remembered."""
        return (self.workspace / "MEMORY.md").read_text()

    def head(self) -> str:
        """Return the newest commit."""
        return (self.workspace / ".git/refs/heads/main").read_text()

    @contextmanager
    def gateway(self) -> Iterator[Callable[[dict], dict]]:
        """Give what hands an event to the hook, in a Node of its own."""
        script = self.folder / "gateway.mjs"
        script.write_text(GATEWAY)
        hook = (self.folder / ".openclaw/hooks/clawgit-main/handler.js").as_uri()
        pipe = subprocess.PIPE
        with subprocess.Popen(["node", script, hook], env=self.environ, stdin=pipe, stdout=pipe, text=True) as node:

            def send(event: dict) -> dict:
                assert node.stdin
                assert node.stdout
                node.stdin.write(json.dumps(event) + "\n")
                node.stdin.flush()
                return json.loads(node.stdout.readline())

            yield send
            node.stdin.close()


def wrong(name: str) -> str:
    return f"The review of {name} is on Monday."


def right(name: str) -> str:
    return f"The review of {name} is on Thursday."


def said(name: str) -> str:
    return f"No, the review of {name} is on Thursday, not Monday."


def received(name: str) -> dict:
    context = {"from": "telegram:7", "channelId": "telegram", "content": said(name)}
    return {"type": "message", "action": "received", "sessionKey": "agent:main:main", "context": context}


def woken(home: Home) -> dict:
    files = [{"name": "AGENTS.md", "path": "AGENTS.md", "content": "x", "missing": False}]
    context = {"workspaceDir": str(home.workspace), "bootstrapFiles": files}
    return {"type": "agent", "action": "bootstrap", "sessionKey": "agent:main:main", "context": context}


def waited(condition: Callable[[], bool], begun: float) -> float:
    """Return the milliseconds from `begun` until a condition holds."""
    while not condition():
        if time.perf_counter() - begun > LATEST:
            return float("inf")
        time.sleep(0.001)
    return (time.perf_counter() - begun) * 1000


def through_the_hook(home: Home, names: list[str]) -> Iterator[dict[str, float]]:
    with home.gateway() as send:
        for name in names:
            head, begun = home.head(), time.perf_counter()
            row = {"OpenClaw waits for the message": send(received(name))["took"]}
            first = send(woken(home))
            row["OpenClaw waits for the context"] = first["took"]
            row[SHARE] = 100.0 * shows(first, name)
            row["message to context"] = waited(lambda name=name: shows(send(woken(home)), name), begun)
            if shows(first, name):
                row["message to context"] = row["OpenClaw waits for the message"] + first["took"]
            assert right(name) in home.memory()
            assert home.head() != head
            yield row


def shows(answer: dict, name: str) -> bool:
    return any(right(name) in file["content"] for file in answer["context"]["bootstrapFiles"])


def to_commit(home: Home, names: list[str]) -> Iterator[dict[str, float]]:
    with home.gateway() as send:
        for name in names:
            head, begun = home.head(), time.perf_counter()
            send(received(name))
            yield {"message to commit": waited(lambda head=head: home.head() != head, begun)}


def by_hand(home: Home, names: list[str]) -> Iterator[dict[str, float]]:
    for name in names:
        begun = time.perf_counter()
        home.clawgit("-C", home.workspace, "triage", "-", "--act", stdin=said(name))
        acted = time.perf_counter()
        home.clawgit("-C", home.workspace, "context", "-", "--shown", "SOUL.md", stdin=said(name))
        yield {"shell: triage --act": (acted - begun) * 1000, "shell: context": (time.perf_counter() - acted) * 1000}


def table(rows: list[dict[str, float]]) -> Iterator[dict[str, object]]:
    for what in rows[0]:
        values = sorted(row[what] for row in rows)
        middle = statistics.mean if what == SHARE else statistics.median
        yield {"what": what, "p50": middle(values), "p95": values[int(len(values) * 0.95)], "n": len(values)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = []
    for measure in (to_commit, through_the_hook, by_hand):
        with tempfile.TemporaryDirectory() as folder:
            found += table(list(measure(Home(Path(folder)), NAMES[:ROUNDS])))
    keep(found)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'milliseconds':<34}{'p50':>10}{'p95':>10}{'n':>5}")
    for row in found:
        print(f"{row['what']:<34}{row['p50']:>10.1f}{row['p95']:>10.1f}{row['n']:>5}")


if __name__ == "__main__":
    main()
