"""How fast whole conversations become memories, and how much memory of the machine that takes.

    python benchmarks/memory/mined.py --data FOLDER                    100,000 messages, of a folder with convert.py
    python benchmarks/memory/mined.py --data FOLDER --messages 10000 --json

The conversations are repeated, each time a year later and with other numbers in some sentences, until there are enough
messages. A run looks at 20,000; there are as many runs as that takes, each a process of its own. One more, which reads
all of it again, must add nothing.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from datetime import UTC
from itertools import count, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.conversations import Turn, turns
from benchmarks.lib.results import keep
from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, hash_words
from clawgit.workspace.bootstrap import init

RUN = """
import json, resource, sys, time
from functools import partial
from pathlib import Path
from clawgit.agents import reading_run, running
from clawgit.sessions import chat_store
from clawgit.workspace.workspace import open_workspace
begun, start = time.perf_counter(), 0.0 if sys.argv[2] == "again" else None
with open_workspace(Path(sys.argv[1])) as workspace, chat_store.open_chat_store(workspace.store, {}) as store:
    workspace.conversations = store.turn
    done = reading_run.read(workspace, store, "memory-miner", None, start=start)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({
    "read": done.read, "learnt": len(done.verdicts), "commits": len(done.applied),
    "seconds": time.perf_counter() - begun, "peak_mb": peak,
}))
"""
YEAR = 365 * 86_400.0
_BATCH = 2_000


def said(every: list[Turn], messages: int) -> dict[str, list[Event]]:
    """Return so many messages by session."""
    results: dict[str, list[Event]] = {}
    years = ((year, turn) for year in count() for turn in every)
    for number, (year, turn) in enumerate(islice(years, messages)):
        moment = turn.said.replace(tzinfo=UTC).timestamp() + year * YEAR + number % 1000
        text = turn.text if (number + year) % 7 else f"{turn.text} It was number {number} of {year}."
        session = f"{turn.conversation}-{year}-{turn.said:%Y%m%d}"
        item = Event(
            f"e{number}", "", number, moment, "user", "operator", text, moment, digest=hash_words("user", text)
        )
        results.setdefault(session, []).append(item)
    return results


def workspace(place: Path, talk: dict[str, list[Event]]) -> Path:
    """Make a workspace in which all this was said."""
    subprocess.run(["git", "init", "--quiet", "-b", "main", str(place)], check=True)
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        subprocess.run(["git", "-C", str(place), "config", key, value], check=True)
    product = init(place).workspace
    with chat_store.open_chat_store(product.store, {}) as store:
        for name, events in talk.items():
            session = Session(name, "main", f"agent:main:{name}", "direct", "", events[0].at)
            store.meet(session)
            store.take(session, "file", events, name, {})
    product.close()
    return place


def ran(place: Path, how: str) -> dict[str, float]:
    """Run the miner in a process of its own."""
    result = subprocess.run([sys.executable, "-c", RUN, str(place), how], capture_output=True, text=True, check=True)
    results: dict[str, float] = json.loads(result.stdout)
    return results


def main() -> int:
    """Measure, and print."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--messages", type=int, default=100_000)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="clawgit-mined-") as folder:
        talk = said(turns(chosen.data, Path(folder) / "talk"), chosen.messages)
        place = workspace(Path(folder) / "ws", talk)
        runs = []
        while not runs or runs[-1]["read"]:
            runs.append(ran(place, "on"))
        again = ran(place, "again")
        size = (place / "MEMORY.md").stat().st_size
    total = {name: sum(item[name] for item in runs) for name in ("read", "learnt", "commits", "seconds")}
    results = {
        **total,
        "messages_a_second": total["read"] / total["seconds"],
        "peak_mb": max(row["peak_mb"] for row in runs),
        "memory_file_kb": size / 1024,
        "again_learnt": again["learnt"],
        "again_seconds": again["seconds"],
    }
    keep(results)
    if chosen.json:
        print(json.dumps(results, indent=2))
    else:
        for name, value in results.items():
            print(f"{name:<18} {value:>12,.1f}")
    return int(bool(again["learnt"]))


if __name__ == "__main__":
    apart()
    raise SystemExit(main())
