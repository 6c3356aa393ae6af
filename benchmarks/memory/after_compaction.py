"""What is known after a compaction that OpenClaw did not flush, in a real OpenClaw, beside its own search of sessions.

    python benchmarks/memory/after_compaction.py TALKS WORK           waits for answers, an hour at most
    python benchmarks/memory/after_compaction.py TALKS WORK --rules   reads by rules alone

TALKS holds conversations in JSON: `turns` of what the operator and the agent say, and `settled` things, each with its
turn, a question for three weeks later, and words that an answer `must` have. Each conversation is had in a session of
its own, and compacted into a summary that says nothing; OpenClaw's own flush does not run. Then clawgit's agents read:
a prompt without an answer lies in WORK/asked, and is waited for until somebody puts its answer into WORK/answers, under
the same name. At the end each question is asked in a session of its own, with transcripts off as a source, and
WORK/result.json tells in which requests to the model the words stood.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parents[2] / "tests/live")]

import installation  # noqa: E402 - lies beside the stories
from openclaw import OpenClaw  # noqa: E402

from benchmarks.lib.recorded_voice import RecordedVoice  # noqa: E402
from benchmarks.lib.results import keep  # noqa: E402

Json = dict[str, Any]
AGENTS = ("recall-validator", "memory-miner", "soul-keeper")
OWN: dict[str, Json] = {"sessions_search": {}, "memory_search": {"corpus": "sessions"}}
SESSIONS = {"provider": "none", "sources": ["memory", "sessions"], "experimental": {"sessionMemory": True}}
QUIET = 15.0  # seconds without a change
PATIENCE = 3600.0  # seconds


class Compacted:
    """The conversations of a folder, in an OpenClaw of their own."""

    def __init__(self, talks: Path, work: Path, *, rules: bool) -> None:
        self.talks = [json.loads(item.read_text("utf-8")) for item in sorted(talks.glob("*.json"))]
        self.work, self.rules = work, rules
        self.openclaw = OpenClaw(installation.installed(), work / "openclaw")

    def have(self) -> None:
        """Say everything, and compact each conversation."""
        openclaw = self.openclaw
        openclaw.onboard()
        config = json.loads(openclaw.config.read_text())
        # The scripted model's summaries are no good ones.
        config["agents"]["defaults"]["compaction"] = {"qualityGuard": {"enabled": False}}
        config["memory"] = config.get("memory", {}) | {"search": SESSIONS}
        openclaw.config.write_text(json.dumps(config, indent=2))
        openclaw.connect()
        openclaw.be_patient()
        openclaw.start()
        for talk in self.talks:
            session = f"agent:main:dashboard:{talk['name']}"
            for turn in talk["turns"]:
                # OpenClaw also asks for a title of the chat, whose answer is none of these.
                openclaw.model.answers({"when": turn["operator"], "text": turn["agent"], "keep": True})
                openclaw.say(turn["operator"], session=session)
            openclaw.model.answers({"text": "They talked.", "keep": True})
            reply = openclaw.say("/compact", session=session).text
            assert reply.startswith(("⚙️ Compact", "⚙️ Auto-Compact", "Compaction finished")), reply
            openclaw.model.answers()
        self._settle()
        with contextlib.suppress(subprocess.TimeoutExpired):  # OpenClaw waits for a timer of its own, and is killed
            openclaw.stop()

    def _settle(self) -> None:
        """Wait until the flushes behind the compactions are through."""
        last, since = "", time.monotonic()
        while time.monotonic() - since < QUIET:
            time.sleep(1)
            now = self.openclaw.clawgit("log", "-n", "3")
            if now != last:
                last, since = now, time.monotonic()

    def read(self) -> None:
        """Let each agent read, as soon as answers are there."""
        from clawgit.cli.main import main  # noqa: PLC0415

        self.openclaw.clawgit("session", "import")
        voice = None if self.rules else RecordedVoice(self.work)
        end = time.monotonic() + PATIENCE
        for name in AGENTS:
            while time.monotonic() < end:
                with (
                    patch.dict(os.environ, self.openclaw.environ),
                    patch("clawgit.llm.voices.find_voice", lambda *_: voice),
                ):
                    main(["-C", str(self.openclaw.workspace), "run", name, "--apply"])
                if not list(self.open()):
                    break
                print(f"{name} waits for {', '.join(self.open())}", flush=True)
                while list(self.open()) and time.monotonic() < end:
                    time.sleep(2)

    def open(self) -> Iterator[str]:
        """Yield the names of the prompts that nobody answered."""
        for item in sorted((self.work / "asked").glob("*.txt")):
            if not (self.work / "answers" / item.name).exists():
                yield item.name

    def ask(self) -> Iterator[Json]:
        """Ask each question in a session of its own; yield where the words of its answer stood."""
        openclaw = self.openclaw
        openclaw.start()
        openclaw.openclaw("memory", "index", "--force")
        for talk in self.talks:
            for number, row in enumerate(talk["settled"], 1):
                openclaw.model.forget()
                calls = [{"id": name, "args": {"query": row["question"]} | more} for name, more in OWN.items()]
                steps = [{"name": "tool_call", "arguments": call} for call in calls]
                openclaw.model.answers({"when": row["question"], "calls": steps})
                question, *answered = openclaw.say(
                    row["question"], session=f"agent:main:dashboard:later-{talk['name']}-{number}"
                ).requests
                results = answered[-1].text("tool") if answered else ""
                yield {
                    "talk": talk["name"],
                    "gist": row["gist"],
                    "question": row["question"],
                    "prompt": self._has(question.text(), row["must"]),
                    "recalled": self._has(openclaw.recalled(question), row["must"]),
                    "own": self._has(results, row["must"]),
                    "shown": openclaw.recalled(question),
                    "found": results[:4000],
                }

    def _has(self, text: str, must: list[str]) -> bool:
        """Tell whether the words of an answer stand in a text, apart from what was asked so far."""
        for talk in self.talks:
            for row in talk["settled"]:
                text = text.replace(row["question"], "")
        return all(any(re.search(re.escape(word), text, re.IGNORECASE) for word in item.split("|")) for item in must)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("talks", type=Path, nargs="?")
    parser.add_argument("work", type=Path, nargs="?")
    parser.add_argument("--rules", action="store_true")
    options = parser.parse_args()
    if options.talks is None or options.work is None:
        print("nothing to read: TALKS and WORK name folders")
        return
    for name in [name for name in os.environ if name.startswith(("CLAWGIT_", "OPENCLAW_"))]:
        del os.environ[name]
    options.work.mkdir(parents=True, exist_ok=True)
    item = Compacted(options.talks, options.work.resolve(), rules=options.rules)
    try:
        item.have()
        shutil.copytree(item.openclaw.workspace, options.work / "flushed", symlinks=True)
        item.read()
        rows = list(item.ask())
        keep(rows)
        (options.work / "result.json").write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")
        answer = {key: sum(row[key] for row in rows) for key in ("prompt", "recalled", "own")}
        print(f"{len(rows)} settled: {answer}")
    finally:
        item.openclaw.close()


if __name__ == "__main__":
    main()
