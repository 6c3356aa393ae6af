"""The command line, the page, MCP and the digest show the same items, whatever came and was decided."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clawgit.web.web_site import Answer
from tests.promises.mcp_server import Server
from tests.web.conftest import Browser

Commands = Callable[..., Answer]


def propose_rule(commands: Commands, space: Path, number: int) -> None:
    commands("soul edit", f"Rule {number}.", add=True, section="Vibe", why="asked for", propose=True)


def lose_memory(commands: Commands, space: Path, number: int) -> None:
    """Have somebody delete lines that clawgit wrote."""
    for lamp in range(3):
        commands("remember", f"Lamp {lamp} of hall {number} is rated at {lamp}{number}0 watts.")
    place = space / "MEMORY.md"
    rows = place.read_text().splitlines(keepends=True)
    place.write_text("".join(row for row in rows if f"of hall {number}" not in row))
    commands("capture")


def edit_soul(commands: Commands, space: Path, number: int) -> None:
    """Edit the soul on disk, which waits under `review`."""
    with (space / "SOUL.md").open("a") as file:
        file.write(f"- Edit {number}.\n")
    commands("capture")


def reject_one(commands: Commands, space: Path, number: int) -> None:
    rows = commands("inbox").rows
    if rows:
        commands("reject", rows[number % len(rows)]["id"])


def read_faces(commands: Commands, browser: Browser, root: Path) -> dict[str, list[str]]:
    """Return the ids of the items as each face has them, in its order; the digest has those of one kind together."""
    page, server = browser.json("inbox"), Server(root)
    try:
        answer: Any = json.loads(server.call("inbox", {}))["result"]["structuredContent"]
    finally:
        server.end()
    digest = list[str]()
    for row in commands("digest").record["waiting"]:
        if row["command"].startswith("clawgit show "):
            digest.append(row["command"].split()[-1])
        elif row["command"].startswith("clawgit inbox --kind "):
            some = [item["id"] for item in commands("inbox", kind=row["command"].split()[-1]).rows]
            assert row["text"].startswith(f"{len(some)} items ")
            digest += some
    return {
        "page": [item["id"] for item in page["parts"]["inbox"]],
        "mcp": [item["id"] for item in answer["items"]],
        "digest": digest,
    }


@pytest.mark.parametrize("seed", range(3))
def test_all_faces_have_the_same_items(commands: Commands, browser: Browser, space: Path, seed: int) -> None:
    chosen = random.Random(seed)
    commands("config", "soul_policy", "review")
    steps = [propose_rule, lose_memory, edit_soul, reject_one]
    for number in range(2):
        for step in chosen.sample(steps, 3):
            step(commands, space, number + 3)
        shown = [item["id"] for item in commands("inbox").rows]
        assert shown
        faces = read_faces(commands, browser, space)
        assert faces["page"] == faces["mcp"] == shown
        assert set(faces["digest"]) == set(shown)  # an alarm about one of them names it, too
        assert commands("status").record["inbox"] == len(shown)
