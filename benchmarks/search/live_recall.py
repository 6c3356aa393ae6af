"""Whether what was said days ago is before the model when it is asked for, in a real OpenClaw.

    python benchmarks/search/live_recall.py --data FOLDER [--questions 100] [--conversation 0] [--voice FOLDER] [--json]

FOLDER holds conversations and questions as benchmarks/search/retrieval.py reads them. One of them was had with the
agent, about a session a day, over the last thirty days, and lies in OpenClaw's folder of sessions; the miner has read
it. Each question is then asked in the web chat. Its evidence counts where the words of every turn that answers it stand
in what the model is sent; "part" where those of one do. A turn also counts as "kept" where a memory stands there that
cites it: the memory says something of the turn, which need not be what is asked for. Asked in the same run: OpenClaw
alone; with clawgit as it is installed; with a model that reads for the miner; with conversations searched as well
(`sources` in CONFIG.md); and with the days written down in the agent's journals.

The model answers from the folder of `--voice`, as benchmarks/lib/recorded_voice.py does. Its prompts name days, so
that answers serve on the day on which they were written.
"""

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tests/live")]

import installation  # noqa: E402
from openclaw import OpenClaw  # noqa: E402

from benchmarks.lib.recorded_voice import RecordedVoice  # noqa: E402
from benchmarks.lib.results import keep  # noqa: E402
from clawgit.cli.main import main as clawgit  # noqa: E402

WAYS = (
    "OpenClaw alone",
    "clawgit",
    "clawgit, read by a model",
    "clawgit, conversations searched",
    "clawgit, journals",
)
DAYS = 30
DAY = 24 * 3600
SEED = 21


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the turns that answer it: the event of each, and its words."""

    text: str
    evidence: tuple[tuple[str, str], ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--conversation", type=int, default=0, help="which of those that the data hold")
    parser.add_argument("--voice", type=Path, help="a folder with what a model answers for the miner")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.data is None:
        print("nothing to ask: --data FOLDER names the conversations")
        return
    (source,) = sorted(options.data.glob("*.json"))[:1]
    conversation = json.loads(source.read_text("utf-8"))[options.conversation]
    question = questions(conversation)
    question = random.Random(SEED).sample(question, min(options.questions, len(question)))
    rows = {}
    if not options.json:
        print(f"{len(question)} questions of {conversation['sample_id']}, answered 1 to {DAYS} days before")
    for way in WAYS:
        if "model" in way and options.voice is None:
            continue
        rows[way] = row = run(way, conversation, question, options.voice)
        if not options.json:
            print(f"{way:32} {'   '.join(f'{name} {value}' for name, value in row.items())}", flush=True)
    keep(rows)
    if options.json:
        print(json.dumps(rows))


def questions(conversation: dict[str, Any]) -> list[Question]:
    """Return what is asked about a conversation, without what it does not answer."""
    turns = {
        turn["dia_id"]: (event(number, index), plain(turn["text"]))
        for number, session in enumerate(sessions(conversation))
        for index, turn in enumerate(session, 1)
    }
    results = []
    for row in conversation["qa"]:
        names = re.findall(r"D\d+:\d+", " ".join(map(str, row.get("evidence") or [])))
        if row["category"] != 5 and names and all(name in turns for name in names):
            results.append(Question(row["question"], tuple(turns[name] for name in names)))
    return results


def event(number: int, at: int) -> str:
    """Return the name of a turn, counted from 1, in a session, counted from 0."""
    return f"talk-{number:02}-{at}"


def sessions(conversation: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    talk = conversation["conversation"]
    for number in range(1, len(talk)):
        if turns := talk.get(f"session_{number}"):
            yield turns


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def run(way: str, conversation: dict[str, Any], questions: list[Question], voice: Path | None) -> dict[str, float]:
    """Ask everything, and return how often the evidence was before the model."""
    folder = Path(tempfile.mkdtemp(prefix="clawgit-live-"))
    openclaw = OpenClaw(installation.installed(), folder)
    kept: dict[str, list[str]] = {}
    try:
        openclaw.onboard()
        talked(openclaw, conversation)
        if "journals" in way:
            noted(openclaw, conversation)
        if "clawgit" in way:
            openclaw.connect()
            openclaw.be_patient()
        openclaw.start()  # it takes the conversations into its database
        if "clawgit" in way:
            openclaw.clawgit("session", "import")
            mine(openclaw.workspace, openclaw.environ, voice if "model" in way else None)
            kept = citing(openclaw.workspace)
        if "searched" in way:
            openclaw.clawgit("config", "sources", "[memory, sessions]")
        openclaw.say("Hello.")
        counts = dict.fromkeys(("all", "part", "all kept", "part kept"), 0)
        took = []
        for item in questions:
            reply = openclaw.say(item.text)
            sent = plain(reply.request.text())
            held = [words in sent for _, words in item.evidence]
            answer = [
                here or any(line in sent for line in kept.get(name, ()))
                for here, (name, _) in zip(held, item.evidence, strict=True)
            ]
            for name, group in (("", held), (" kept", answer)):
                counts[f"all{name}"] += all(group)
                counts[f"part{name}"] += any(group)
            took.append(reply.took)
        cuts = statistics.quantiles(took, n=20, method="inclusive")
        return {"of": len(questions), **counts, "p50": round(cuts[9], 2), "p95": round(cuts[18], 2)}
    finally:
        openclaw.close()
        shutil.rmtree(folder, ignore_errors=True)


def mine(workspace: Path, environ: Mapping[str, str], voice: Path | None) -> None:
    """Have the miner read everything, by rules or with a recorded voice. Exits where an answer is missing."""
    results = None if voice is None else RecordedVoice(voice, strict=False)
    environment, voiced = (
        patch.dict(os.environ, environ, clear=True),
        patch("clawgit.llm.voices.find_voice", lambda *_: results),
    )
    with environment, voiced, contextlib.redirect_stdout(sys.stderr):
        clawgit(["-C", str(workspace), "run", "memory-miner", "--apply"])
    if voice is None:
        return
    answered = {item.name for item in (voice / "answers").glob("*.txt")}
    if missing := {item.name for item in (voice / "asked").glob("*.txt")} - answered:
        sys.exit(
            f"no answer yet: {', '.join(sorted(missing))} in {voice / 'asked'}, to be answered in {voice / 'answers'}"
        )


def citing(workspace: Path) -> dict[str, list[str]]:
    """Return the plain words of the memories that were added, by the turn that each of them cites."""
    log = ["git", "log", "--reverse", "--format=%x00%B", "-p", "-U0", "--", "MEMORY.md", "memory"]
    text = subprocess.run(log, cwd=workspace, capture_output=True, text=True, check=True).stdout
    results = defaultdict(list)
    for commit in text.split("\0"):
        lines = [
            plain(re.sub(r"#\w+|<!--.*?-->", "", item)) for item in re.findall(r"^\+- (.+)$", commit, re.MULTILINE)
        ]
        for name in dict.fromkeys(re.findall(r"\btalk-\d+-\d+\b", commit)):
            results[name] += lines
    return results


def noted(openclaw: OpenClaw, conversation: dict[str, Any]) -> None:
    """Write the conversation into the agent's journals, a line a turn."""
    for number, turns in enumerate(results := list(sessions(conversation))):
        day = f"{datetime.fromtimestamp(begun(number, len(results)), UTC):%Y-%m-%d}"
        lines = "".join(f"- {turn['speaker']}: {' '.join(turn['text'].split())}\n" for turn in turns)
        place = openclaw.workspace / f"memory/{day}.md"
        place.parent.mkdir(exist_ok=True)
        with place.open("a", encoding="utf-8") as file:
            file.write(f"# {day}\n\n{lines}" if not file.tell() else f"\n{lines}")


def begun(number: int, count: int) -> float:
    """Return when the session of this number was, in seconds of the epoch: noon of a day, the last one yesterday's."""
    today = time.time() // DAY * DAY
    return today + DAY / 2 - DAY * int(DAYS - number * (DAYS - 1) / max(1, count - 1))


def talked(openclaw: OpenClaw, conversation: dict[str, Any]) -> None:
    """Write the conversation into OpenClaw's folder as had over the last days, the first speaker being the operator."""
    results = list(sessions(conversation))
    operator = conversation["conversation"]["speaker_a"]
    folder = openclaw.state / "agents/main/sessions"
    folder.mkdir(parents=True, exist_ok=True)
    for number, turns in enumerate(results):
        start = int(begun(number, len(results)) * 1000)
        name = f"talk-{number:02}"
        rows: list[dict[str, Any]] = [{"type": "session", "version": 3, "id": name, "timestamp": start}]
        for index, turn in enumerate(turns, 1):
            role = "user" if turn["speaker"] == operator else "assistant"
            message = {"role": role, "content": turn["text"], "timestamp": start + index * 60_000}
            parent = event(number, index - 1) if index > 1 else None
            rows.append({"type": "message", "id": event(number, index), "parentId": parent, "message": message})
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
