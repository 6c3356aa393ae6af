"""What a reader makes of conversations: each is had in a workspace of its own, and read when it is over.

    python benchmarks/memory/talks.py TALKS WORK           has them, and reads as far as answers are recorded
    python benchmarks/memory/talks.py TALKS WORK --rules   reads by rules alone
    python benchmarks/memory/talks.py TALKS WORK --only NAME
    python benchmarks/memory/talks.py TALKS WORK --by-turns   takes answers to other prompts about the same turns
    python benchmarks/memory/talks.py TALKS WORK --agents A,B   these agents read, in this order; `night` is the reading
                                                                of the schedule, which serves all of them

TALKS holds conversations in JSON: `soul` and `memory` as they stood before, `sessions` of turns. Whatever the operator
says is looked at as it comes (`clawgit triage --act`); then each agent reads. A prompt without an answer lies in
WORK/NAME/asked; who puts its answer into WORK/NAME/answers, under the same name, and calls this again, goes on. At the
end WORK/NAME/result.json tells what came of it.
"""

import argparse
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import time_machine

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.recorded_voice import RecordedVoice

AGENTS = ("recall-validator", "memory-miner", "soul-keeper", "conflict-detector")
NIGHT = "night"
ROLES = {"operator": "user", "other": "user", "agent": "assistant", "tool": "toolResult"}
FEWEST_LETTERS = 3


class Conversation:
    """A conversation, and the workspace in which it is had."""

    def __init__(
        self, source: Path, folder: Path, *, rules: bool, by_turns: bool = False, agents: Sequence[str] = AGENTS
    ) -> None:
        self.said = json.loads(source.read_text("utf-8"))
        for turn in (turn for session in self.said["sessions"] for turn in session["turns"]):
            turn["by"] = turn["by"] if turn["by"] in ROLES else "other"
        self.folder, self.root, self.rules, self.agents = folder, folder / "ws", rules, agents
        self.voice = RecordedVoice(folder, strict=not by_turns)
        self.command = [sys.executable, str(Path(__file__).parents[1] / "lib/recorded_voice.py"), str(folder)]
        self.talks = folder / "oc/agents/main/sessions"
        self.environ = {"XDG_STATE_HOME": str(folder / "state"), "OPENCLAW_STATE_DIR": str(folder / "oc")}
        times = [turn["time"] for row in self.said["sessions"] for turn in row["turns"]]
        self.first, self.last = (datetime.fromisoformat(pick(times, key=datetime.fromisoformat)) for pick in (min, max))

    @property
    def operator_turns(self) -> int:
        return sum(turn["by"] == "operator" for row in self.said["sessions"] for turn in row["turns"])

    def clawgit(self, moment: datetime, *words: str, stdin: str = "") -> tuple[int, str, str]:
        """Type a command at a time; return its exit code and what it prints."""
        from clawgit.cli.main import main  # noqa: PLC0415

        output, err = io.StringIO(), io.StringIO()
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        zone = time_machine.travel(moment, tick=True)
        try:
            streams = (contextlib.redirect_stdout(output), contextlib.redirect_stderr(err))
            with patch.dict(os.environ, self.environ), zone, streams[0], streams[1]:
                code = main(["-C", str(self.root), *words])
        finally:
            sys.stdin = before
        return code, output.getvalue(), err.getvalue()

    # ---- what was said

    def have(self) -> None:
        """Make the workspace, and say everything."""
        shutil.rmtree(self.folder / "ws", ignore_errors=True)
        for name in ("oc", "state"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        self.talks.mkdir(parents=True)
        owned = {"agents": {"defaults": {"workspace": str(self.root)}}}
        (self.folder / "oc/openclaw.json").write_text(json.dumps(owned))
        self.root.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main", self.root], check=True)
        for name, value in (("user.name", self.said["operator"]), ("user.email", "operator@example.org")):
            subprocess.run(["git", "-C", self.root, "config", name, value], check=True)
        for name, lines in (("SOUL.md", self.said["soul"]), ("MEMORY.md", self.said["memory"])):
            title = [] if any(line.startswith("#") for line in lines) else ["# Memory"]
            (self.root / name).write_text("".join(f"{_write_line(line)}\n" for line in (*title, *lines)), "utf-8")
        start = self.first - timedelta(hours=1)
        self._must(start, "adopt")
        self._must(start, "config", "soul_policy", "evolve")
        self._pin(start)
        known_rows: dict[str, Any] = {}
        for session in self.said["sessions"]:
            self._session(session, known_rows)

    def _must(self, moment: datetime, *words: str, stdin: str = "") -> str:
        code, output, err = self.clawgit(moment, *words, stdin=stdin)
        if code not in (0, 3):
            raise SystemExit(f"{self.said['name']}: clawgit {' '.join(words)}: {code}\n{output}{err}")
        return output

    def _pin(self, moment: datetime) -> None:
        """Set the voice as an operator at a terminal does."""
        expected = {"llm": "rules" if self.rules else self.command}
        with patch("clawgit.cli.operator_input.is_interactive", lambda: True):
            for name, value in expected.items():
                self._must(moment, "config", name, value if isinstance(value, str) else json.dumps(value))

    def _session(self, session: dict[str, Any], known_rows: dict[str, Any]) -> None:
        """Have one session; what the operator says is looked at when triage knows a pattern in it."""
        from clawgit.messages.triage import read_patterns, triage  # noqa: PLC0415
        from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415

        name, kind = session["id"], session["kind"]
        file = self.talks / f"{name}.jsonl"
        start = datetime.fromisoformat(session["turns"][0]["time"])
        rows = [json.dumps({"type": "session", "version": 3, "id": name, "timestamp": _stamp(start)})]
        keys = {
            "direct": "agent:main:main",
            "cron": f"agent:main:cron:{name}",
            "group": f"agent:main:telegram:group:{name}",
        }
        with open_workspace(self.root) as workspace:
            results = read_patterns(workspace.config).patterns
        for number, turn in enumerate(session["turns"], 1):
            moment = datetime.fromisoformat(turn["time"])
            message = {
                "role": ROLES[turn["by"]],
                "content": [{"type": "text", "text": turn["text"]}],
                "timestamp": int(moment.timestamp() * 1000),
            }
            if kind == "group" and turn["by"] in ("operator", "other"):  # OpenClaw notes which words are its owner's
                message |= {"__openclaw": {"senderIsOwner": turn["by"] == "operator", "senderId": turn["by"]}}
            if turn["by"] == "tool":
                message |= {"toolCallId": "call_1", "toolName": "web_fetch", "isError": False}
            parent = f"{name}-{number - 1}" if number > 1 else None
            row = {"type": "message", "id": f"{name}-{number}", "parentId": parent, "timestamp": _stamp(moment)}
            rows.append(json.dumps(row | {"message": message}))
            file.write_text("".join(f"{item}\n" for item in rows))
            known_rows[keys[kind]] = {"sessionId": name, "updatedAt": int(moment.timestamp() * 1000), "chatType": kind}
            (self.talks / "sessions.json").write_text(json.dumps(known_rows))
            if turn["by"] == "operator" and kind == "direct" and triage(turn["text"], results).matches:
                self._must(moment, "session", "import")
                self._must(moment, "triage", "-", "--act", "--session", name, stdin=turn["text"])

    # ---- what is read

    def read(self) -> bool:
        """Let each agent read as far as answers are there; tell whether all is read."""
        moment = self.last + timedelta(hours=3)
        self._must(moment, "session", "import")
        for name in self.agents:
            voice = patch("clawgit.llm.voices.find_voice", lambda *_: None if self.rules else self.voice)
            with voice, patch("time.sleep"):
                words = ("schedule", "once", "memory-miner") if name == NIGHT else ("run", name, "--apply")
                code, output, err = self.clawgit(moment, *words, "--json")
            with (self.folder / "log.txt").open("a") as log:
                log.write(f"== {name}: {code}\n{output}\n{err}\n")
            if self.open():
                return False
        return True

    def asked(self) -> list[str]:
        return sorted(item.name for item in (self.folder / "asked").glob("*.txt"))

    def open(self) -> list[str]:
        return [item for item in self.asked() if not (self.folder / "answers" / item).exists()]

    def result(self) -> dict[str, Any]:
        """Return what came of it: the lines of the files before and after, what waits, what was asked of the voice."""
        moment = self.last + timedelta(hours=3)
        base = {_write_line(line).strip() for line in self.said["memory"]}
        lines = _bullets(self.root / "MEMORY.md")
        topics = sorted(item for item in self.root.glob("memory/*.md") if not item.stem[:1].isdecimal())
        proposals = json.loads(self.clawgit(moment, "soul", "proposals", "--json")[1] or "[]")
        prompts = [(self.folder / "asked" / item).read_text("utf-8") for item in self.asked()]
        from clawgit.text.tokens import count  # noqa: PLC0415

        agents = Counter("support" if "Judge each claim by its source" in item else "reading" for item in prompts)
        return {
            "name": self.said["name"],
            "operator_turns": self.operator_turns,
            "kept": [item for item in lines if item not in base],
            "topics": {item.name: _bullets(item) for item in topics},
            "gone": sorted(base - set(lines)),
            "soul": (self.root / "SOUL.md").read_text("utf-8"),
            "corrections": (self.root / "CORRECTIONS.md").read_text("utf-8")
            if (self.root / "CORRECTIONS.md").exists()
            else "",
            "waiting": proposals,
            "calls": dict(agents),
            "prompt_tokens": sum(map(count, prompts)),
        }


def _write_line(line: str) -> str:
    """Return a line of Markdown; what is neither a heading nor an item is made an item."""
    return f"\n{line}\n" if line.startswith("#") else line if line.startswith("- ") else f"- {line}"


def _bullets(file: Path) -> list[str]:
    return [item.strip() for item in file.read_text("utf-8").splitlines() if item.lstrip().startswith("- ")]


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("talks", type=Path, nargs="?")
    parser.add_argument("work", type=Path, nargs="?")
    parser.add_argument("--only", default="")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--by-turns", action="store_true")
    parser.add_argument("--agents", default=",".join(AGENTS))
    options = parser.parse_args()
    if options.talks is None or options.work is None:
        print("nothing to read: TALKS and WORK name folders")
        return
    for source in sorted(options.talks.glob("*.json")):
        if source.name.endswith(".labels.json") or options.only not in source.stem:
            continue
        folder, agents = (options.work / source.stem).resolve(), options.agents.split(",")
        item = Conversation(source, folder, rules=options.rules, by_turns=options.by_turns, agents=agents)
        if not item.root.exists():
            item.folder.mkdir(parents=True, exist_ok=True)
            item.have()
        if item.read():
            results = item.result()
            (item.folder / "result.json").write_text(json.dumps(results, ensure_ascii=False, indent=1), "utf-8")
            tokens = results["prompt_tokens"] / max(1, results["operator_turns"])
            topics = sum(map(len, results["topics"].values()))
            kept, calls = (
                f"{len(results['kept']):3} and {topics} by topic, of {results['operator_turns']} turns",
                results["calls"],
            )
            print(f"{source.stem:14} kept {kept}, calls {calls}, {tokens:.0f} tokens a turn", flush=True)
        else:
            print(f"{source.stem:14} waits for {len(item.open())} answers: {', '.join(item.open())}", flush=True)


if __name__ == "__main__":
    main()
