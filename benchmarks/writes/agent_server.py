"""What the server for agents costs: starting, each tool cold and warm, memory; beside the same commands.

    python benchmarks/writes/agent_server.py                          1,000 and 10,000 chunks
    python benchmarks/writes/agent_server.py --sizes 1000 --json

One client over stdio, one call after the other; the commands are processes of their own. Wanted: a warm search faster
than the command by far, and no more than 150 MB.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from benchmarks.scale import index_size

PROGRAM = str(Path(sys.executable).with_name("clawgit"))
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
ROUNDS = 15
SOUL = "# Soul\n\n## Vibe\n\n- Calm and plain.\n"


class Server:
    """A server at the other end of two pipes."""

    def __init__(self, root: Path) -> None:
        command = [PROGRAM, "-C", str(root), "mcp"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.number = 0
        self.ask("initialize", HELLO)
        self.say({"method": "notifications/initialized"})

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return what a request is answered with."""
        self.number += 1
        self.say({"id": self.number, "method": method, "params": params})
        return dict(json.loads(self.process.stdout.readline())["result"])

    def call(self, tool: str, **arguments: object) -> None:
        """Call a tool, which must succeed."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if result["isError"]:
            raise SystemExit(f"{tool}: {result['content'][0]['text']}")

    def memory(self) -> dict[str, float]:
        """Return the megabytes that the process holds, and the most that it ever held."""
        rows = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        results = {row.split(":")[0]: int(row.split()[1]) / 1024 for row in rows if row.startswith(("VmRSS", "VmHWM"))}
        return {"mb": round(results["VmRSS"], 1), "peak_mb": round(results["VmHWM"], 1)}

    def end(self) -> None:
        """Leave, and wait until the server has."""
        self.process.stdin.close()
        self.process.wait()


def calls(questions: list[str]) -> dict[str, Callable[[int], dict[str, object]]]:
    """Return the arguments of each tool for a round."""
    return {
        "memory_search": lambda number: {"query": questions[number % len(questions)]},
        "memory_get": lambda _: {"path": "MEMORY.md"},
        "memory_why": lambda _: {"path": "SOUL.md", "line": 5},
        "context": lambda number: {"text": questions[number % len(questions)]},
        "soul_log": lambda _: {},
        "memory_add": lambda number: {"text": f"Kept in round {number}."},
        "memory_correct": lambda number: {"text": f"It is {number}, not {number + 1}."},
        "soul_propose": lambda n: {"act": "add", "text": f"Rule {n}.", "section": "Vibe", "why": "asked for"},
    }


COMMANDS = {
    "memory_search": lambda questions: ["search", questions, "--json"],
    "memory_get": lambda _: ["memory", "get", "MEMORY.md", "--json"],
    "memory_why": lambda _: ["why", "SOUL.md:5", "--json"],
    "soul_log": lambda _: ["soul", "log", "-n", "10", "--json"],
}


def milliseconds(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return round((time.perf_counter() - started) * 1000, 1)


def command(root: Path, words: list[str]) -> dict[str, float]:
    """Return what a command takes, and the most memory that it held."""
    run = [PROGRAM, "-C", str(root), *words]
    took = [milliseconds(lambda: subprocess.run(run, check=True, capture_output=True)) for _ in range(5)]
    child = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return {"command_ms": statistics.median(took), "command_mb": round(usage.ru_maxrss / 1024, 1)}


def measured(chunks: int, work: Path) -> dict[str, Any]:
    root = work / str(chunks)
    question = index_size.written(root, chunks)
    (root / "SOUL.md").write_text(SOUL)
    index_size.called(root, "adopt")
    index_size.called(root, "memory", "index")
    servers: list[Server] = []
    starts = [milliseconds(lambda: servers.append(Server(root))) for _ in range(3)]
    for server in servers[1:]:
        server.end()
    server = servers[0]
    results: dict[str, Any] = {
        "chunks": chunks,
        "start_ms": statistics.median(starts),
        "idle_mb": server.memory()["mb"],
    }
    tools: dict[str, dict[str, float]] = {}
    for name, given in calls(question).items():
        took = [milliseconds(lambda n=n: server.call(name, **given(n))) for n in range(ROUNDS)]  # noqa: B023 - at once
        tools[name] = {"first_ms": took[0], "warm_ms": statistics.median(took[1:]), "worst_ms": max(took[1:])}
    for name, words in COMMANDS.items():
        tools[name] |= command(root, words(question[0]))
    server_memory = server.memory()
    server.end()
    return results | server_memory | {"tools": tools}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clawgit-mcp-") as folder:
        os.environ |= {"HOME": folder, "XDG_STATE_HOME": f"{folder}/state"}
        results = [measured(size, Path(folder)) for size in options.sizes]
    keep(results)
    if options.json:
        print(json.dumps(results, indent=2))
        return
    for row in results:
        print(
            f"\n{row['chunks']:,} chunks: up in {row['start_ms']:.0f} ms; {row['idle_mb']} MB at first, "
            f"{row['mb']} MB after all calls, {row['peak_mb']} MB at most"
        )
        print(f"{'tool':<16}{'first':>8}{'warm':>8}{'worst':>8}   command")
        for name, took in row["tools"].items():
            beside = f"   {took['command_ms']:>6.0f} ms {took['command_mb']:>6} MB" if "command_ms" in took else ""
            print(f"{name:<16}{took['first_ms']:>8.1f}{took['warm_ms']:>8.1f}{took['worst_ms']:>8.1f}{beside}")


if __name__ == "__main__":
    main()
