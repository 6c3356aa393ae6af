"""How fast conversations are brought into the chat store, and how much memory that takes.

    python benchmarks/memory/sessions.py                        100,000 messages, into SQLite and into PostgreSQL
    python benchmarks/memory/sessions.py --messages 10000 --large 20 --json

Each import is a process of its own, whose peak memory is told; the second one must add nothing. PostgreSQL runs on a
throwaway cluster that syncs to disk. `--large` reads a transcript of so many MB, beside one of a tenth.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/sessions"), str(ROOT)]
from postgres import programs, throwaway  # noqa: E402

from benchmarks.lib.results import keep  # noqa: E402

IMPORT = """
import json, resource, sys, time
from pathlib import Path
from clawgit.sessions import chat_store, openclaw_sessions, session_import
begun = time.perf_counter()
with chat_store.open_chat_store(Path("/nowhere"), {chat_store.VARIABLE: sys.argv[1]}) as store:
    done = session_import.Importer(store).bring(openclaw_sessions.list_transcripts_at(Path(sys.argv[2])), "main")
took = time.perf_counter() - begun
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"new": done.new, "seconds": took, "peak_mb": peak}))
"""
WORDS = "We talked about the harbour, the price of fish and the boat that Ana wants to buy before the summer ends. "


def transcript(place: Path, messages: int, words: int = 1) -> Path:
    """Write a transcript of one branch; the agent answers each turn."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("w", encoding="utf-8") as file:
        file.write(
            json.dumps({"type": "session", "version": 3, "id": place.stem, "timestamp": 1_777_881_600_000}) + "\n"
        )
        for number in range(messages):
            role, moment = ("user", "assistant")[number % 2], 1_777_881_600_000 + number * 1000
            parts = [{"type": "text", "text": f"{number}: {WORDS * words}"}]
            line = {
                "type": "message",
                "id": f"{number:08x}",
                "parentId": f"{number - 1:08x}" if number else None,
                "timestamp": moment,
                "message": {"role": role, "content": parts, "timestamp": moment},
            }
            file.write(json.dumps(line) + "\n")
    return place


def brought(url: str, place: Path) -> dict[str, float]:
    """Import in a process of its own."""
    result = subprocess.run([sys.executable, "-c", IMPORT, url, str(place)], capture_output=True, text=True, check=True)
    results: dict[str, float] = json.loads(result.stdout)
    return results


def stores(folder: Path, messages: int) -> Iterator[dict[str, object]]:
    source = folder / "agents/main/sessions"
    for number in range(10):
        transcript(source / f"session{number}.jsonl", messages // 10)
    yield compared("SQLite", f"sqlite://{folder}/chat.db", source)
    if (place := programs()) is None:
        print("PostgreSQL is not installed: apt-get install postgresql", file=sys.stderr)
        return
    with throwaway(place, durable=True) as address:
        yield compared("PostgreSQL", address, source)


def compared(name: str, url: str, source: Path) -> dict[str, object]:
    first, second = brought(url, source), brought(url, source)
    return {
        "store": name,
        "messages": first["new"],
        "seconds": first["seconds"],
        "rate": first["new"] / first["seconds"],
        "peak_mb": first["peak_mb"],
        "second_new": second["new"],
        "second_seconds": second["seconds"],
    }


def large(folder: Path, megabytes: int) -> Iterator[dict[str, object]]:
    for size in (megabytes // 10, megabytes):
        place = transcript(folder / f"large{size}.jsonl", size * 1000, 8)
        results = brought(f"sqlite://{folder}/large{size}.db", place)
        with place.open("a") as file:
            file.write('{"type":"message","id":"last","parentId":null,"message":{"role":"user","content":"more"}}\n')
        start = time.perf_counter()
        more = brought(f"sqlite://{folder}/large{size}.db", place)
        yield {
            "mb": place.stat().st_size / 1e6,
            "seconds": results["seconds"],
            "peak_mb": results["peak_mb"],
            "one_more": more["new"],
            "one_more_seconds": time.perf_counter() - start,
        }
        place.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--large", type=int, default=200, metavar="MB")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = {
            "stores": list(stores(Path(folder), options.messages)),
            "large": list(large(Path(folder), options.large)),
        }
    keep(result)
    if options.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{'store':<12} {'messages':>9} {'s':>7} {'per s':>8} {'peak MB':>8} {'again: new':>11} {'s':>6}")
    for row in result["stores"]:
        print(
            f"{row['store']:<12} {row['messages']:9,} {row['seconds']:7.1f} {row['rate']:8,.0f} {row['peak_mb']:8.0f} "
            f"{row['second_new']:11} {row['second_seconds']:6.2f}"
        )
    print(f"\n{'transcript, MB':<15} {'s':>7} {'peak MB':>8} {'one more: new':>14} {'s':>6}")
    for row in result["large"]:
        print(
            f"{row['mb']:15.0f} {row['seconds']:7.1f} {row['peak_mb']:8.0f} "
            f"{row['one_more']:14} {row['one_more_seconds']:6.2f}"
        )


if __name__ == "__main__":
    main()
