"""What becomes of lines with an old value, in worlds where the operator corrects a fact in passing.

    python benchmarks/memory/correction_worlds.py WORK --rules   without a model
    python benchmarks/memory/correction_worlds.py WORK           with one, as far as answers are recorded
    python benchmarks/memory/correction_worlds.py WORK --only choir-date --show
    python benchmarks/memory/correction_worlds.py WORK --rules --worlds corpora/corrections.worlds.second.json

A world of corpora/corrections.worlds.json has memory files, a conversation with one correction, the lines that say the
old value, and lines that only look alike. A prompt without an answer lies in WORK/WORLD/asked; who puts its answer into
WORK/WORLD/answers, under the same name, and calls this again, goes on. A line with the old value is mended if it is
not there any more, withheld if it is there and is not served, waits if an open item has it, else it is served.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.recorded_voice import RecordedVoice
from benchmarks.memory.talks import Conversation

WORLDS = Path(__file__).parents[2] / "corpora/corrections.worlds.json"
BEGIN = datetime(2026, 11, 27, 8, tzinfo=UTC)


class World(Conversation):
    """A world, and the workspace in which its conversation is had."""

    def __init__(self, world: dict[str, Any], folder: Path, answers: Path, *, rules: bool) -> None:
        turns = [
            {**turn, "time": (BEGIN + timedelta(minutes=number)).isoformat()}
            for number, turn in enumerate(world["turns"])
        ]
        text = {"name": world["id"], "operator": "The Operator", "soul": ["# SOUL"], "memory": []}
        source = folder / "world.json"
        source.write_text(json.dumps({**text, "sessions": [{"id": "d1", "kind": "direct", "turns": turns}]}), "utf-8")
        super().__init__(source, folder, rules=rules, agents=("recall-validator", "memory-miner"))
        self.world, self.voice, self._answers = world, RecordedVoice(answers), answers

    def open(self) -> list[str]:
        """Return the prompts without an answer."""
        question = sorted(place.name for place in (self._answers / "asked").glob("*.txt"))
        return [name for name in question if not (self._answers / "answers" / name).exists()]

    def _must(self, moment: datetime, *words: str, stdin: str = "") -> str:
        if words == ("adopt",):
            for path, text in self.world["files"].items():
                place = self.root / path
                place.parent.mkdir(exist_ok=True)
                place.write_text(text, "utf-8")
        return super()._must(moment, *words, stdin=stdin)

    def judge(self) -> tuple[list[tuple[str, str]], list[str]]:
        """Return each line with the old value and its fate, and what else is not as it was."""
        moment = self.last + timedelta(hours=3)
        rows = json.loads(self.clawgit(moment, "memory", "list", "--json")[1])
        served = {(row["path"], _flat(row["text"])) for row in rows if row["status"] == "live"}
        items = json.loads(self.clawgit(moment, "inbox", "--json")[1] or "[]")
        output = [json.loads(self.clawgit(moment, "show", item["id"], "--json")[1]) for item in items]
        waiting = _flat(json.dumps(output, ensure_ascii=False))
        fates = []
        for path, line in self.world["wrong_lines"]:
            is_there = line in (self.root / path).read_text("utf-8").splitlines()
            text = _flat(line.lstrip("-*| ").rstrip("| "))
            is_served = path == "USER.md" or any(path == item and text in words for item, words in served)
            waits = text.replace('"', '\\"') in waiting
            fate = "mended" if not is_there else "waits" if waits else "served" if is_served else "withheld"
            fates.append((fate, f"{path}: {line}"))
        changed = [
            f"look-alike changed: {path}: {line}"
            for path, line in self.world["look_alikes"]
            if line not in (self.root / path).read_text("utf-8").splitlines()
        ]
        for path, before in self.world["files"].items():
            now = (self.root / path).read_text("utf-8").splitlines()
            changed += [f"new: {path}: {line}" for line in now if line.strip() and line not in before.splitlines()]
        return fates, changed


def _flat(text: str) -> str:
    return " ".join(text.split())


def main() -> None:
    """Measure every world."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, nargs="?")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--worlds", type=Path, default=WORLDS)
    options = parser.parse_args()
    if options.work is None:
        print("nothing to read: WORK names a folder")
        return
    apart()
    counts: Counter[str] = Counter()
    for world in json.loads(options.worlds.read_text("utf-8")):
        if options.only not in world["id"]:
            continue
        with tempfile.TemporaryDirectory(prefix="clawgit-worlds-") as home:
            item = World(world, Path(home), (options.work / world["id"]).resolve(), rules=options.rules)
            item.have()
            item.read()
            fates, changed = item.judge()
            open_prompts = [] if options.rules else item.open()
        counts.update(fate for fate, _ in fates)
        counts["look-alikes changed"] += sum(row.startswith("look-alike") for row in changed)
        if open_prompts:
            print(f"{world['id']}: no answer yet to {', '.join(open_prompts)}")
        for row in (*(f"{fate}: {line}" for fate, line in fates), *changed) if options.show else ():
            print(f"{world['id']}: {row}")
    print(dict(counts))


if __name__ == "__main__":
    main()
