"""Pairs of workspaces, a thousand in the long runs, that differ in private lines alone: others cannot tell them apart.

Each pair comes from the one before by random edits of each side: lines added, reworded and removed, files deleted and
restored, corrections, memories, conversations; captured or not. Then somebody else asks.
"""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from tests.amounts import amount
from tests.promises.desk import FILES, Desk
from tests.promises.mcp_server import Server
from tests.promises.test_nobody_elses_words import DAY, HOURS, OTHERS, SHARED
from tests.promises.test_rules_write_no_lesson import talk, text

MUTATION = (
    "sessions/envelope.py",
    '        if not requester.owner or (kind == "unknown" and not own):',
    '        if kind == "unknown" and not own:',
)

GROUPS = amount(4, 2)
PAIRS = amount(1_000, 60)
NAMES = [
    "heron",
    "egret",
    "Lisbon",
    "Porto",
    "Ana",
    "Marek",
    "staging",
    "barn",
    "vault",
    "invoice",
    "orchid",
    "4711",
    "1312",
    "Friday",
    "Monday",
]
LINES = (
    "The {} server is called {}.",
    "{} flies on {}. #event",
    "The {} code is {}.",
    "Deploys of {} happen on {}.",
    "{} must never hear of {}.",
    "| {} | {} |",
)
PLACES = ("MEMORY.md", "USER.md", f"memory/{DAY}.md", "memory/projects.md", f"memory/{DAY}-handoff.md")
QUESTIONS = (
    "What is the {} server called?",
    "When does {} fly to {}?",
    "Do you remember what we said about {} and {}?",
    "Where is my {}?",
    "thanks, {}",
)
WHO = {
    speaker: requester
    for speaker, requester in OTHERS.items()
    if speaker != "the owner's name without the flag"  # that requester is never told the flag, and answered as before
}


def filled(rng: random.Random, sentence: str) -> str:
    return sentence.format(*rng.sample(NAMES, 2))


def edit(desk: Desk, rng: random.Random, folder: Path) -> None:
    """Change something private in one workspace."""
    place = rng.choice(PLACES)
    lines = desk.read(place).splitlines() if (desk.root / place).exists() else ["# Notes", ""]
    spot = rng.randrange(1, len(lines) + 1)
    new = f"- {filled(rng, rng.choice(LINES))}"
    match rng.choice(("add", "add", "reword", "remove", "delete", "remember", "correct", "talk")):
        case "add":
            lines.insert(spot, new)
        case "reword":
            lines[spot - 1 :] = [new, *lines[spot:]]
        case "remove":
            del lines[spot:]
        case "delete" if place != "MEMORY.md":
            (desk.root / place).unlink(missing_ok=True)
            return
        case "remember":
            desk.call("remember", new.removeprefix("- "))
            return
        case "correct":
            desk.call("correct", "not {}, {}".format(*rng.sample(NAMES, 2)))
            return
        case "talk":
            talk(desk, folder, [text("user", f"Please remember: {filled(rng, rng.choice(LINES))}")])
            return
    desk.write(place, "\n".join(lines) + "\n")
    if rng.random() < 1 / 2:
        desk.call("capture")


def call(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """Return a tool and its arguments, as anybody may call it."""
    question, word = filled(rng, rng.choice(QUESTIONS)), rng.choice(NAMES)
    return rng.choice(
        [
            ("context", {"query": question}),
            ("context", {"text": f"user: {question}"}),
            ("recall", {"query": question}),
            ("recall", {"query": word, "deleted": True}),
            ("recall", {"query": word, "asOf": time.strftime("%Y-%m-%d")}),
            ("memory_search", {"query": question, "corpus": "all"}),
            ("memory_get", {"path": rng.choice((*PLACES, "CORRECTIONS.md", "docs/none.md", SHARED))}),
            ("memory_why", {"path": rng.choice(PLACES), "line": rng.randrange(1, 9)}),
            ("memory_correct", {"text": filled(rng, "not {}, {}")}),
            ("soul_propose", {"act": "add", "new": filled(rng, LINES[0]), "why": "y", "file": "USER.md"}),
            ("soul_log", {"file": "USER.md"}),
            ("listens", {}),
            ("inbox", {}),
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(GROUPS))
def test_others_cannot_tell_two_workspaces_apart(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    desks, servers = [], []
    for number in range(2):
        folder = tmp_path / f"world{number}"
        desk = Desk.adopt(folder / "ws", {**FILES, SHARED: HOURS})
        desk.run("config", "shared_files", "['docs/*.md']", terminal="y\n")
        state = folder / ".openclaw"
        state.mkdir()
        agents = {"agents": {"entries": {"main": {"workspace": str(desk.root)}}}}
        (state / "openclaw.json").write_text(json.dumps(agents | {"commands": {"ownerAllowFrom": ["telegram:1001"]}}))
        desks.append(desk)
        servers.append(Server(desk.root, "--gateway", state=state))
    different = 0
    for _ in range(PAIRS // GROUPS):
        for desk in desks:
            edit(desk, rng, tmp_path)
        speaker, (tool, arguments) = rng.choice(list(WHO)), call(rng)
        answers = [server.call(tool, arguments, WHO[speaker]) for server in servers]
        assert answers[0] == answers[1], (speaker, tool, arguments)
        different += len({desk.read("MEMORY.md") for desk in desks}) - 1
    for server in servers:
        server.end()
    assert different > PAIRS // GROUPS // 2
