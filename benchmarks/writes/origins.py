"""Whether `why` names the call, the turn and the message behind each line that the agent wrote in a real OpenClaw.

    python benchmarks/writes/origins.py                     60 turns; installs OpenClaw first, as `make live` does
    python benchmarks/writes/origins.py --without-plugin    what the transcripts alone tell
    python benchmarks/writes/origins.py --turns 12 --json

Two turns at a time, of six askers: the owner and a guest, each in private and in a group, a timer, a sub-agent of the
owner's. They write the same four files with every tool; an editor writes them beside. The scripted model knows the id
of the call that wrote each line. Wrong is a line of which `why` names another call or turn for certain; a line
of the editor's, any call that it was `reported` or `matched` with. Exit 1 with a wrong line.
"""

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
LIVE = Path(__file__).parents[2] / "tests/live"
sys.path.insert(0, str(LIVE))
import openclaw as live  # noqa: E402
from openclaw import MAIN, OpenClaw, until  # noqa: E402
from test_origins import GROUP, make_call  # noqa: E402

from benchmarks.lib.results import keep  # noqa: E402

ASKERS = ("owner", "owner in a group", "guest", "guest in a group", "timer", "sub-agent")
TURNS = dict(zip(ASKERS, ("operator", "operator", "others", "others", "cron", "subagent"), strict=True))
WAYS = ("write", "edit", "apply_patch", "echo", "sed", "git", "background", "script")
FILES = ("memory/ships.md", "memory/garden.md", "memory/people.md", "memory/2026-11-20.md")
PATIENCE = 600.0  # seconds, on a busy machine
Json = dict[str, object]


class Written(Struct):
    """A line, and the turn that was asked for it; `asker` is "editor" where no turn was."""

    path: str
    line: str
    asker: str
    way: str
    asked: str


def plan_turns(count: int) -> list[Written]:
    """Return the turns, whose lines have a name of their own."""
    turns = []
    for number in range(count):
        asker, way = ASKERS[number % len(ASKERS)], WAYS[(number + number // len(WAYS)) % len(WAYS)]
        path = FILES[(number // 2 + number * (number // 6 % 2)) % len(FILES)]
        turns.append(Written(path, f"- Berth {number} is new.", asker, way, f"[{number:03}] Note down berth {number}."))
    return turns


def describe_call(openclaw: OpenClaw, turn: Written) -> Json:
    """Return the call that the model answers the turn with."""
    text = (openclaw.workspace / turn.path).read_text()
    if turn.way == "sed":
        command = f"sed -i 's/{turn.line[2:].replace('new', 'old')}/{turn.line[2:]}/' {turn.path}"
    elif turn.way == "git":
        command = f"echo '{turn.line}' >> {turn.path} && git add -A && git commit -qm 'Note it.'"
    elif turn.way == "write":
        return {"name": "write", "arguments": {"path": turn.path, "content": f"{text}{turn.line}\n"}}
    else:
        return make_call(turn.way, turn.path, text.splitlines()[0], turn.line)
    return {"name": "exec", "arguments": {"command": command}}


def take_turn(openclaw: OpenClaw, turn: Written) -> None:
    """Have the turn, and wait until its call has ended."""
    with contextlib.suppress(AssertionError):  # a turn that OpenClaw gave up has written or it has not
        if turn.asker == "timer":
            openclaw.timer(turn.asked)
        elif turn.asker == "sub-agent":
            openclaw.say(f"Send somebody to berth {turn.line.split()[2]}, please.")
        else:
            session = GROUP if "group" in turn.asker else MAIN
            openclaw.say(turn.asked, session=session, guest="guest" in turn.asker)
        until(lambda: find_result(openclaw, turn))
        if turn.asker == "sub-agent":  # its report is a turn of its own, which a message of the owner's would join
            until(lambda: is_announced(openclaw, turn))


def find_step(openclaw: OpenClaw, turn: Written) -> int:
    """Return the number of the model's answer that called the tool, 0 without one."""
    steps = (number for number, item in enumerate(openclaw.requests(), 1) if item.step.get("for") == turn.asked)
    return next(steps, 0)


def find_result(openclaw: OpenClaw, turn: Written) -> bool:
    """Tell whether the model was given the result of the turn's call, whose id OpenClaw writes without `_`."""
    number = find_step(openclaw, turn)
    return bool(number) and any(f'"call{number}0"' in json.dumps(item.body) for item in openclaw.requests()[number:])


def is_announced(openclaw: OpenClaw, turn: Written) -> bool:
    """Tell whether the session that sent a sub-agent was told that it is done."""
    later = openclaw.requests()[find_step(openclaw, turn) :]
    return any("subagent_announce" in item.text("user") and turn.asked in item.text("user") for item in later)


def start(openclaw: OpenClaw, turns: list[Written], *, has_plugin: bool) -> None:
    openclaw.onboard()
    (openclaw.home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    for path in FILES:
        old = [f"- Berth {turn.line.split()[2]} is old." for turn in turns if turn.path == path and turn.way == "sed"]
        (openclaw.workspace / "memory").mkdir(exist_ok=True)
        (openclaw.workspace / path).write_text("\n".join([f"# {path}", "", *old, ""]))
    openclaw.clawgit("adopt", openclaw.workspace)
    if has_plugin:
        openclaw.clawgit("connect", "--yes")
        openclaw.be_patient()
    openclaw.start()
    openclaw.say("Hello.")


def take_turns(openclaw: OpenClaw, turns: list[Written], *, has_plugin: bool) -> list[Written]:
    """Have the turns, two at a time; return the lines that an editor wrote beside."""
    order, editors = random.Random(0), []
    for pair in zip(turns[::2], turns[1::2], strict=False):
        steps = []
        for turn in pair:
            call = {"when": turn.asked, "calls": [describe_call(openclaw, turn)], "for": turn.asked}
            if turn.asker == "sub-agent":
                spawn = {"name": "tool_call", "arguments": {"id": "sessions_spawn", "args": {"task": turn.asked}}}
                moment = f"Send somebody to berth {turn.line.split()[2]}, please."
                steps.append({"when": moment, "calls": [spawn]})
            steps.append(call)
        openclaw.model.answers(*steps)
        threads = [threading.Thread(target=take_turn, args=(openclaw, turn)) for turn in pair]
        for thread in threads:
            thread.start()
        if order.random() < 1 / 3:
            time.sleep(order.uniform(0, 2))
            line = f"- Editor {len(editors)} was here."
            path = order.choice(FILES)
            with (openclaw.workspace / path).open("a") as file:
                file.write(f"{line}\n")
            editors.append(Written(path, line, "editor", "editor", ""))
        for thread in threads:
            thread.join()
        if not has_plugin and order.random() < 1 / 3:
            openclaw.clawgit("capture")
    time.sleep(5)  # what runs in the background
    return editors


def judge(openclaw: OpenClaw, turn: Written) -> str:
    """Return what `why` tells of a line: "lost", "unknown", "wrong …", or how it knows the right call."""
    rows = (openclaw.workspace / turn.path).read_text().splitlines()
    if turn.line not in rows:
        return "lost"
    (row,) = openclaw.answered("why", f"{turn.path}:{rows.index(turn.line) + 1}")
    call = row["call"] or {"how": ""}
    right = (f"call_{find_step(openclaw, turn)}_0", TURNS.get(turn.asker))
    answer = str(call["how"] or "unknown")
    if answer == "while" and call["commands"] > 1:
        answer = "one of several commands"
    elif answer == "probably" and turn.asker != "editor" and (call["call"], call["turn"]) != right:
        answer = "probably another's"
    elif (
        call["how"]
        and (call["call"], call["turn"]) != right
        and (turn.asker != "editor" or answer not in ("while", "probably"))
    ):
        answer = f"wrong: {call}"
    elif call["how"] and turn.asker.startswith("owner") and turn.asked not in (call["question"] or ""):
        answer = "without its message"
    return answer


def measure(installed: Path, folder: Path, count: int, *, has_plugin: bool) -> Json:
    turns = plan_turns(count)
    openclaw = OpenClaw(installed, folder)
    with contextlib.closing(openclaw):
        start(openclaw, turns, has_plugin=has_plugin)
        lines = [*turns, *take_turns(openclaw, turns, has_plugin=has_plugin)]
        openclaw.clawgit("session", "import", "--all")
        openclaw.clawgit("capture")
        judged = [(turn, judge(openclaw, turn)) for turn in lines]
    agents = [answer for turn, answer in judged if turn.asker != "editor" and answer != "lost"]
    known_rows = sum(answer in ("reported", "matched", "probably", "while") for answer in agents)
    return {
        "lines of the agent's that survive": len(agents),
        "known, percent": round(100 * known_rows / len(agents), 1),
        "answers": dict(Counter(answer.partition(":")[0] for answer in agents)),
        "lines of an editor's": dict(Counter(a.partition(":")[0] for turn, a in judged if turn.asker == "editor")),
        "not known": [
            f"{turn.asker}, {turn.way}, {turn.line}: {answer}"
            for turn, answer in judged
            if answer.startswith(("wrong", "without", "one of", "probably a"))
            or (answer == "unknown" and turn.asker != "editor")
        ],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--without-plugin", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    live.PATIENCE = PATIENCE
    for name in [name for name in os.environ if name.startswith(("CLAWGIT_", "OPENCLAW_"))]:
        if name != "CLAWGIT_BENCH_FIGURES":
            del os.environ[name]
    result = subprocess.run([sys.executable, LIVE / "installation.py"], stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode:
        return result.returncode
    with tempfile.TemporaryDirectory(prefix="clawgit-origins-") as folder:
        results = measure(
            Path(result.stdout.strip()), Path(folder) / "live", options.turns, has_plugin=not options.without_plugin
        )
    keep(results)
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        for key, value in results.items():
            print(f"{key}: {value}")
    return int("wrong" in str(results))


if __name__ == "__main__":
    sys.exit(main())
