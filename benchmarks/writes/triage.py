"""How long triage takes, beside Python's own `re` with the same patterns, and how often each pattern fires.

    python benchmarks/writes/triage.py                          in process, then as whole commands
    python benchmarks/writes/triage.py --conversations FILE     and on the turns of a file in LoCoMo's format
    python benchmarks/writes/triage.py --json

Wanted: p99 below a millisecond at 2 KB in process. The hostile
texts are 100 KB of what would make a backtracking engine, or a scanner of quotations, go over the text again and again.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.messages.triage import BUILT_IN, triage
from clawgit.workspace import bootstrap

PROSE = "We walked along the river and talked of nothing much; the evening was warm, and Ana laughed a lot. "
SIGNS = "No, it's Wednesday, not Tuesday. Don't forget the milk. "
TEXTS = {
    "200 characters": (PROSE * 3)[:200],
    "200, three signs": (SIGNS + PROSE * 3)[:200],
    "2 KB": (PROSE * 30)[:2048],
    "2 KB, signs": (SIGNS * 4 + PROSE * 30)[:2048],
    "2 KB, Chinese": ("我们沿着河边散步，聊了很久。不对，是周三，不是周二。" * 100)[:2048],  # noqa: RUF001
    "100 KB": (PROSE * 1100)[:102_400],
    "hostile: no, my": "no, my " * 14_600,
    "hostile: marks": "“" * 102_400,
    "hostile: it's": "it's " * 20_500,
    "hostile: not a,": "no, it's " + "not a, " * 14_600,
}


def percentiles(act: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return p50 and p99 in milliseconds."""
    act()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        act()
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.99)]


def with_re() -> Callable[[str], list[re.Match[str]]]:
    compiled = [re.compile(pattern.source, re.IGNORECASE) for pattern in BUILT_IN]
    return lambda text: [match for pattern in compiled for match in pattern.finditer(text)]


def in_process() -> Iterator[dict[str, object]]:
    other = with_re()
    for name, text in TEXTS.items():
        rounds = 2000 if len(text) < 10_000 else 60
        ours = percentiles(lambda text=text: triage(text, BUILT_IN), rounds)
        theirs = percentiles(lambda text=text: other(text), min(rounds, 300))
        yield {"text": name, "p50_ms": ours[0], "p99_ms": ours[1], "re_p50_ms": theirs[0], "re_p99_ms": theirs[1]}


def as_commands(rounds: int) -> Iterator[dict[str, object]]:
    command = str(Path(sys.executable).with_name("clawgit"))
    own = "```yaml\nheartbeat_custom_patterns:\n  - ship it\n  - {pattern: invoice \\d+, route: finance}\n```\n"
    with tempfile.TemporaryDirectory() as folder:
        space = Path(folder) / "ws"
        bootstrap.init(space).workspace.close()
        calls = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "python -c 'import click'": [sys.executable, "-c", "import click"],
            "clawgit triage: prose": [command, "triage", TEXTS["200 characters"], "--json"],
            "clawgit triage: a correction": [command, "triage", TEXTS["200, three signs"], "--json"],
            "clawgit triage: it is filed": [command, "triage", TEXTS["200, three signs"], "--act", "--json"],
            "clawgit triage: own patterns": [command, "triage", "please ship it", "--json"],
        }
        for name, call in calls.items():
            if "own patterns" in name:
                (space / "CONFIG.md").write_text(own)
            p50, p99 = percentiles(
                lambda call=call: subprocess.run(call, cwd=space, capture_output=True, check=True), rounds
            )
            yield {"command": name, "p50_ms": p50, "p99_ms": p99}


def firing(place: Path) -> dict[str, object]:
    """Return how often each pattern fires on the turns of conversations."""
    turns = [
        turn["text"]
        for sample in json.loads(place.read_text("utf-8"))
        for name, session in sample["conversation"].items()
        if re.fullmatch(r"session_\d+", name)
        for turn in session
    ]
    results = [triage(turn, BUILT_IN) for turn in turns]
    patterns = Counter(pattern for item in results for pattern in {match.pattern for match in item.matches})
    return {
        "turns": len(turns),
        "fired": sum(bool(item.matches) for item in results),
        "pairs": sum(item.pair is not None for item in results),
        "patterns": {pattern.source: patterns[pattern.source] for pattern in BUILT_IN if pattern.source.isascii()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=Path, metavar="FILE")
    parser.add_argument("--rounds", type=int, default=41, help="of each command")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    result: dict[str, object] = {"in_process": list(in_process()), "commands": list(as_commands(options.rounds))}
    if options.conversations:
        result["firing"] = firing(options.conversations)
    keep(result)
    if options.json:
        print(json.dumps(result, indent=2, ensure_ascii=False))
        return
    print(f"{'in process, ms':<30} {'p50':>9} {'p99':>9} {'re p50':>9} {'re p99':>9}")
    for row in result["in_process"]:
        print(
            f"{row['text']:<30} {row['p50_ms']:9.3f} {row['p99_ms']:9.3f} "
            f"{row['re_p50_ms']:9.3f} {row['re_p99_ms']:9.3f}"
        )
    print(f"\n{'whole commands, ms':<30} {'p50':>9} {'p99':>9}")
    for row in result["commands"]:
        print(f"{row['command']:<30} {row['p50_ms']:9.1f} {row['p99_ms']:9.1f}")
    if options.conversations:
        answer = result["firing"]
        print(f"\n{answer['turns']:,} turns: {answer['fired']} fired, {answer['pairs']} gave a pair")
        for source, count in answer["patterns"].items():
            print(f"{count:6}  {count / answer['turns']:7.3%}  {source}")


if __name__ == "__main__":
    main()
