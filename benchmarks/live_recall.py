"""Whether what was said days ago is before the model when it is asked for, in a real OpenClaw.

    python benchmarks/live_recall.py --data FOLDER [--questions 100] [--conversation 0] [--json]

FOLDER holds conversations and questions as benchmarks/retrieval.py reads them. One of them was had with the agent, a
session a day, over the last thirty days, and lies in OpenClaw's folder of sessions; the miner has read it. Each
question is then asked in the web chat. Its evidence counts where the words of every turn that answers it stand in what
the model is sent; "part" where those of one do. Asked in the same run: OpenClaw alone; with clawgit as it is installed,
where the words are found if the miner kept them; with conversations searched as well (`sources` in CONFIG.md); and with
the days written down in the agent's journals.
"""

import argparse
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests/live"))

import installation  # noqa: E402
from openclaw import OpenClaw  # noqa: E402 - not the benchmark of that name

WAYS = ("OpenClaw alone", "clawgit", "clawgit, conversations searched", "clawgit, journals")
DAYS = 30
DAY = 24 * 3600
SEED = 21


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the words of the turns that answer it."""

    text: str
    evidence: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--conversation", type=int, default=0, help="which of those that the data hold")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.data is None:
        print("nothing to ask: --data FOLDER names the conversations")
        return
    (source,) = sorted(given.data.glob("*.json"))[:1]
    conversation = json.loads(source.read_text("utf-8"))[given.conversation]
    asked = questions(conversation)
    asked = random.Random(SEED).sample(asked, min(given.questions, len(asked)))
    rows = {}
    if not given.json:
        print(f"{len(asked)} questions of {conversation['sample_id']}, answered 1 to {DAYS} days before")
    for way in WAYS:
        rows[way] = row = run(way, conversation, asked)
        if not given.json:
            print(
                f"{way:32} all evidence {row['all']:3}   part {row['part']:3}   turn {row['p50']:.2f} s (median)",
                flush=True,
            )
    if given.json:
        print(json.dumps(rows))


def questions(conversation: dict[str, Any]) -> list[Question]:
    """Return what is asked about a conversation, without what it does not answer."""
    turns = {turn["dia_id"]: turn["text"] for session in sessions(conversation) for turn in session}
    found = []
    for one in conversation["qa"]:
        names = re.findall(r"D\d+:\d+", " ".join(map(str, one.get("evidence") or [])))
        if one["category"] != 5 and names and all(name in turns for name in names):
            found.append(Question(one["question"], tuple(plain(turns[name]) for name in names)))
    return found


def sessions(conversation: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    talk = conversation["conversation"]
    for number in range(1, len(talk)):
        if turns := talk.get(f"session_{number}"):
            yield turns


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def run(way: str, conversation: dict[str, Any], asked: list[Question]) -> dict[str, float]:
    """Ask everything, and return how often the evidence was before the model."""
    folder = Path(tempfile.mkdtemp(prefix="clawgit-live-"))
    openclaw = OpenClaw(installation.installed(), folder)
    try:
        openclaw.onboard()
        talked(openclaw, conversation)
        if "journals" in way:
            noted(openclaw, conversation)
        if "clawgit" in way:
            openclaw.connect()
            openclaw.be_patient()
            openclaw.clawgit("session", "import", openclaw.state / "agents/main/sessions")
            openclaw.clawgit("run", "memory-miner", "--apply")
        if "searched" in way:
            openclaw.clawgit("config", "set", "sources", "[memory, sessions]")
        openclaw.start()
        openclaw.say("Hello.")
        whole = part = 0
        took = []
        for one in asked:
            reply = openclaw.say(one.text)
            sent = plain(reply.request.text())
            held = [words in sent for words in one.evidence]
            whole, part = whole + all(held), part + any(held)
            took.append(reply.took)
        return {"all": whole, "part": part, "questions": len(asked), "p50": sorted(took)[len(took) // 2]}
    finally:
        openclaw.close()
        shutil.rmtree(folder, ignore_errors=True)


def noted(openclaw: OpenClaw, conversation: dict[str, Any]) -> None:
    """Write the conversation into the agent's journals, a line a turn."""
    for number, turns in enumerate(found := list(sessions(conversation))):
        day = f"{datetime.fromtimestamp(begun(number, len(found)), UTC):%Y-%m-%d}"
        lines = "".join(f"- {turn['speaker']}: {' '.join(turn['text'].split())}\n" for turn in turns)
        place = openclaw.workspace / f"memory/{day}.md"
        place.parent.mkdir(exist_ok=True)
        with place.open("a", encoding="utf-8") as file:
            file.write(f"# {day}\n\n{lines}" if not file.tell() else f"\n{lines}")


def begun(number: int, count: int) -> float:
    """Return when the session of this number was, in seconds of the epoch: the last one a day ago."""
    return time.time() - DAY * (DAYS - number * (DAYS - 1) / max(1, count - 1))


def talked(openclaw: OpenClaw, conversation: dict[str, Any]) -> None:
    """Write the conversation into OpenClaw's folder as had over the last days, the first speaker being the operator."""
    found = list(sessions(conversation))
    operator = conversation["conversation"]["speaker_a"]
    folder = openclaw.state / "agents/main/sessions"
    folder.mkdir(parents=True, exist_ok=True)
    for number, turns in enumerate(found):
        start = int(begun(number, len(found)) * 1000)
        name = f"talk-{number:02}"
        rows: list[dict[str, Any]] = [{"type": "session", "version": 3, "id": name, "timestamp": start}]
        for at, turn in enumerate(turns, 1):
            role = "user" if turn["speaker"] == operator else "assistant"
            message = {"role": role, "content": turn["text"], "timestamp": start + at * 60_000}
            parent = f"{name}-{at - 1}" if at > 1 else None
            rows.append({"type": "message", "id": f"{name}-{at}", "parentId": parent, "message": message})
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
