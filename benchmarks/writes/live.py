"""What clawgit adds to the turns of a real OpenClaw: a fresh context, milliseconds, and what a cache can keep.

    python benchmarks/writes/live.py            installs OpenClaw first, as `make live` does
    python benchmarks/writes/live.py --turns 500 --json

Two gateways run side by side, one with clawgit and one without, each with a scripted model. A turn asks for one of 300
facts that clawgit remembers and OpenClaw does not show by itself; it is taken in both, in turn the one and the other
first. A conversation has 25 turns. The plugin waits as long as it does when it is installed. In each turn the agent
writes a file with its own tool; `a tool call` is the time from the model's answer to its next request.
"""

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

LIVE = Path(__file__).parents[2] / "tests/live"
sys.path.insert(0, str(LIVE))
import openclaw  # noqa: E402
from model import Request, words  # noqa: E402
from openclaw import OpenClaw  # noqa: E402

from benchmarks.lib.results import keep  # noqa: E402

FACTS = 300
THINGS = ("oscilloscope", "invoice printer", "laminator", "espresso machine", "plotter")
CONVERSATION = 25


def fact(room: int) -> tuple[str, str]:
    thing, floor = THINGS[room % 5], room // 5
    return f"Room {room} holds the {thing} of floor {floor}.", f"Which room holds the {thing} of floor {floor}?"


def start(results: OpenClaw, *, ours: bool) -> None:
    results.onboard()
    if ours:
        results.connect()
        rooms = results.workspace / "memory/rooms.md"
        rooms.parent.mkdir(exist_ok=True)
        rooms.write_text("# Rooms\n\n" + "".join(f"- {fact(room)[0]}\n" for room in range(FACTS)))
        results.clawgit("capture")
    results.start()
    for _ in range(3):
        results.say("Hello.")


def spoken(request: Request) -> str:
    """Return a request as a provider caches it: the tools, then the messages."""
    tools = json.dumps(request.body.get("tools", []))
    return tools + "".join(f"\0{row['role']}\n{words(row)}" for row in request.body["messages"])


def shared(before: Request, after: Request) -> tuple[int, float]:
    """Return how many characters of a request the next one begins with, and which share of it."""
    item, second = spoken(before), spoken(after)
    is_same = next(
        (index for index, (a, b) in enumerate(zip(item, second, strict=False)) if a != b), min(len(item), len(second))
    )
    return is_same, is_same / len(item)


def spread(values: Sequence[float], digits: int = 0) -> dict[str, float]:
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return {"p50": round(statistics.median(values), digits), "p95": round(cuts[18], digits), "n": len(values)}


def measured(with_it: OpenClaw, without: OpenClaw, turns: int) -> dict[str, object]:
    """Take the turns, and return what they came to."""
    took: dict[str, list[float]] = {"with": [], "without": []}
    kept: dict[str, list[float]] = {"with": [], "without": []}
    called: dict[str, list[float]] = {"with": [], "without": []}
    loads = []
    last: dict[str, Request] = {}
    pairs = [("with", with_it), ("without", without)]
    fresh, lengths = 0, []
    order = random.Random(0)
    for turn in range(turns):
        if turn % CONVERSATION == 0:
            last.clear()
            for _, item in pairs:
                item.say("/new")
                item.say("Good morning.")
        answer, question = fact(order.randrange(FACTS))
        for name, item in pairs if turn % 2 else pairs[::-1]:
            write = {"path": f"notes/{turn}.md", "content": f"- Note {turn}.\n"}
            item.model.answers({"when": question, "calls": [{"name": "write", "arguments": write}]})
            reply = item.say(question)
            called[name].append((reply.requests[1].at - reply.request.at) * 1000)
            loads.append(os.getloadavg()[0])
            took[name].append((reply.request.at - reply.begun) * 1000)
            if name in last:
                kept[name].append(shared(last[name], reply.request)[1] * 100)
            last[name] = reply.request
            if name == "with":
                output = reply.request.text("user").rpartition("<relevant-memories>")[2]
                fresh += answer in output
                lengths.append(len(output.partition("</relevant-memories>")[0]))
    addition, added_to_calls = (
        [a - b for a, b in zip(source["with"], source["without"], strict=True)] for source in (took, called)
    )
    return {
        "openclaw": openclaw.installation.OPENCLAW,
        "turns with a fresh context, percent": round(100 * fresh / turns, 1),
        "n": turns,
        "message to request, milliseconds": {name: spread(values) for name, values in took.items()},
        "added, milliseconds": spread(addition),
        "a tool call, milliseconds": {name: spread(values) for name, values in called.items()},
        "added to a tool call, milliseconds": spread(added_to_calls),
        "turns without an answer of clawgit's": with_it.answered("status")["openclaw"]["unanswered"],
        "load": spread(loads, 1),
        "common with the request before, percent of it": {name: spread(values, 1) for name, values in kept.items()},
        "characters of a context": spread([float(item) for item in lengths]),
        "tools with clawgit": sorted(set(last["with"].tools) - set(last["without"].tools)),
        "tools without": len(last["without"].tools),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith(("CLAWGIT_", "OPENCLAW_"))]:
        del os.environ[name]
    result = subprocess.run([sys.executable, LIVE / "installation.py"], stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode:
        sys.exit(result.returncode)
    with tempfile.TemporaryDirectory(prefix="clawgit-live-") as folder, contextlib.ExitStack() as index_store:
        pair = [OpenClaw(Path(result.stdout.strip()), Path(folder) / name) for name in ("with", "without")]
        for item in pair:
            index_store.callback(item.close)
        for item in pair:
            start(item, ours=item is pair[0])
        results = measured(*pair, options.turns)
    keep(results)
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        for key, value in results.items():
            print(f"{key}: {value}")


if __name__ == "__main__":
    main()
