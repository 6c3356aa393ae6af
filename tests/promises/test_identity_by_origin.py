"""Under `evolve` the origin of an edit of the identity decides whether it lands, not its words."""

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from tests.promises.desk import Desk

MUTATION = (
    "workspace/identity_policy.py",
    "    if not all(map(line_writers.trusts, calls)):",
    "    if not calls:",
)

LINE = "- Answer in one sentence.\n"


def write_in_turn(
    desk: Desk, folder: Path, call: dict[str, Any], *, owner: bool, words: str = "Please answer shorter."
) -> None:
    """Have the agent write a file just now, in a turn of the owner's or of somebody else's."""
    record = {"role": "user", "content": words, "provenance": {"kind": "external_user"}}
    record["__openclaw"] = {"senderIsOwner": owner, "senderId": "2002"}
    part = {"type": "toolCall", "id": "call_1", "name": "write", "arguments": call}
    rows: list[dict[str, Any]] = [{"type": "session", "version": 3, "id": "7b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c02"}]
    for number, message in enumerate((record, {"role": "assistant", "content": [part]})):
        moment = time.time() - 60 * (1 - number)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(moment))
        message_record = {**message, "timestamp": round(moment * 1000)}
        rows.append({"type": "message", "id": f"b{number:07d}", "timestamp": stamp, "message": message_record})
    place = folder / "now.jsonl"
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))
    desk.run("session", "import", str(place))


def edit(desk: Desk, path: str) -> dict[str, str]:
    """Add a line on the disk, and return the arguments of the call that did it."""
    desk.append(path, LINE)
    return {"path": path, "content": desk.read(path)}


@pytest.mark.parametrize("path", ["SOUL.md", "AGENTS.md"])
def test_an_edit_that_somebody_else_had_made_goes_back_and_waits(desk: Desk, tmp_path: Path, path: str) -> None:
    before = desk.read(path)
    write_in_turn(desk, tmp_path, edit(desk, path), owner=False)
    desk.run("capture")
    assert desk.read(path) == before
    (item,) = [row for row in desk.run("inbox") if row["kind"] == "identity"]
    assert "Answer in one sentence" in item["title"]
    desk.run("accept", item["id"], terminal="y\n")
    assert LINE in desk.read(path)
    desk.run("capture")
    assert LINE in desk.read(path)


@pytest.mark.parametrize("policy", ["evolve", "review"])
@pytest.mark.parametrize("parents", [(), ("HEAD^",)])
def test_an_edit_in_a_commit_that_names_clawgit_goes_back(
    desk: Desk, tmp_path: Path, policy: str, parents: tuple[str, ...]
) -> None:
    desk.run("trust", terminal="y\n")
    desk.run("config", "soul_policy", policy, terminal="y\n")
    before = desk.read("SOUL.md")
    write_in_turn(desk, tmp_path, edit(desk, "SOUL.md"), owner=False)
    desk.forge("Origin: operator", *parents)
    desk.run("capture")
    assert desk.read("SOUL.md") == before
    assert [item["kind"] for item in desk.run("inbox")] == ["identity"]


@pytest.mark.parametrize("place", ["lost state", "clone"])
def test_a_forged_commit_goes_back_where_no_record_was_left(desk: Desk, tmp_path: Path, place: str) -> None:
    if place == "clone":
        desk.git("clone", "--quiet", ".", str(tmp_path / "clone"))
        desk = Desk(tmp_path / "clone")
    else:
        shutil.rmtree(desk.root / ".git/clawgit")
    desk.run("capture")
    before = desk.read("SOUL.md")
    write_in_turn(desk, tmp_path, edit(desk, "SOUL.md"), owner=False)
    desk.forge("Origin: operator")
    desk.run("capture")
    assert desk.read("SOUL.md") == before


def test_an_edit_that_goes_back_is_reported(desk: Desk, tmp_path: Path) -> None:
    for _ in range(2):  # the second time it was rejected before, and opens no item
        write_in_turn(desk, tmp_path, edit(desk, "SOUL.md"), owner=False)
        assert "SOUL.md" in desk.call("capture").err
        for item in desk.run("inbox"):
            desk.run("reject", item["id"], terminal="y\n")
    write_in_turn(desk, tmp_path, edit(desk, "SOUL.md"), owner=False)
    answer = desk.call("soul", "edit", "--add", "Be kind.", "--section", "Core", "--why", "so")
    assert "SOUL.md" in answer.err


def test_a_folder_in_the_place_of_a_file_is_its_deletion(desk: Desk) -> None:
    (desk.root / "SOUL.md").unlink()
    desk.write("SOUL.md/notes.md", "A note.\n")
    assert desk.run("capture")["files"] == ["SOUL.md"]


def test_an_edit_that_the_owner_had_made_lands(desk: Desk, tmp_path: Path) -> None:
    write_in_turn(desk, tmp_path, edit(desk, "SOUL.md"), owner=True)
    desk.run("capture")
    assert LINE in desk.at("HEAD", "SOUL.md")


def test_an_edit_without_a_call_lands(desk: Desk, tmp_path: Path) -> None:
    call = {"path": "memory/garden.md", "content": desk.read("memory/garden.md")}
    write_in_turn(desk, tmp_path, call, owner=False)
    desk.append("SOUL.md", LINE)
    desk.run("capture")
    assert LINE in desk.at("HEAD", "SOUL.md")
