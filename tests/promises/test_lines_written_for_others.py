"""Lines that somebody else had the agent write are not added to the owner's turn: neither the line nor its words."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_memory_place import records
from tests.promises.desk import Desk
from tests.promises.test_rules_write_no_lesson import talk, text

MUTATION = (
    "workspace/line_writers.py",
    "            return next((call for call in (writer.call, *writer.commands) if not self.trusts(call)), None)",
    "            return None",
)

WELL = "The pump of the deep well is switched off at night."
QUESTION = "When is the pump of the deep well switched off?"
CALLS: dict[str, dict[str, Any]] = {
    "write": {"path": "memory/garden.md", "content": f"# Garden\n\n- The hose is green.\n- {WELL}\n"},
    "edit": {"path": "memory/garden.md", "edits": [{"oldText": "green.", "newText": f"green.\n- {WELL}"}]},
    "apply_patch": {"input": f"*** Update File: memory/garden.md\n@@\n - The hose is green.\n+- {WELL}\n"},
    "exec": {"command": f"echo '- {WELL}' >> memory/garden.md"},
}


def call_in_turn(desk: Desk, folder: Path, tool: str, call: dict[str, Any], *, owner: bool) -> None:
    """Have the agent call a tool in a turn of the owner's, or of somebody else's; the file is saved before."""
    record = {**text("user", "Please note that."), "__openclaw": {"senderIsOwner": owner, "senderId": "2002"}}
    part = {"type": "toolCall", "id": "call_1", "name": tool, "arguments": call}
    talk(desk, folder, [record, {"role": "assistant", "content": [part]}])


def read_addition(desk: Desk, question: str = QUESTION) -> str:
    words: str = desk.run("context", question, "--turn")["text"]
    return words


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("committed", [True, False], ids=["captured", "on disk"])
def test_a_line_of_somebody_elses_call_is_not_added(desk: Desk, tmp_path: Path, tool: str, committed: bool) -> None:
    desk.append("memory/garden.md", f"- {WELL}\n")
    if committed:
        desk.run("capture")
    call_in_turn(desk, tmp_path, tool, CALLS[tool], owner=True)
    assert WELL in read_addition(desk)
    call_in_turn(desk, tmp_path, tool, CALLS[tool], owner=False)
    assert WELL not in read_addition(desk)
    assert WELL in json.dumps(desk.run("search", QUESTION))


@pytest.mark.parametrize("answer", ["Command still running (session kind-slug, pid 14824).", "(no output)"])
def test_a_command_that_goes_on_in_the_background_may_still_have_written(
    desk: Desk, tmp_path: Path, answer: str
) -> None:
    record = {**text("user", "Please note that."), "__openclaw": {"senderIsOwner": False, "senderId": "2002"}}
    part = {"type": "toolCall", "id": "call_1", "name": "exec", "arguments": {"command": "./notes.sh"}}
    result = {**text("toolResult", answer), "toolCallId": "call_1", "toolName": "exec"}
    talk(desk, tmp_path, [record, {"role": "assistant", "content": [part]}, result])
    desk.append("memory/garden.md", f"- {WELL}\n")
    desk.run("capture")
    assert (WELL in read_addition(desk)) == (answer == "(no output)")


def test_no_command_is_named_for_lines_that_were_there_first(desk: Desk, tmp_path: Path) -> None:
    call_in_turn(desk, tmp_path, "exec", {"command": "./notes.sh"}, owner=True)
    (line,) = desk.run("why", "MEMORY.md:3")
    assert line["call"]["how"] == ""


def test_a_word_that_somebody_else_exchanged_is_not_added(desk: Desk, tmp_path: Path) -> None:
    desk.write("memory/garden.md", f"# Garden\n\n- {WELL.replace('night', 'noon, as Zora wants')}\n")
    call = {"path": "memory/garden.md", "oldText": "night", "newText": "noon, as Zora wants"}
    call_in_turn(desk, tmp_path, "edit", call, owner=False)
    assert "Zora" not in read_addition(desk)


@pytest.mark.parametrize("owner", [True, False])
@pytest.mark.parametrize("committed", [True, False], ids=["captured", "on disk"])
def test_a_word_of_the_owners_line_that_somebody_else_exchanged_is_not_added(
    desk: Desk, tmp_path: Path, committed: bool, owner: bool
) -> None:
    desk.run("remember", WELL)
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace("at night", "at noon, as Zora wants"))
    if committed:
        desk.run("capture")
    call = {"path": "MEMORY.md", "oldText": "night", "newText": "noon, as Zora wants"}
    call_in_turn(desk, tmp_path, "edit", call, owner=owner)
    text = desk.run("context", QUESTION, "--turn", "--shown", "SOUL.md")["text"]
    assert ("Zora" in text) == owner


@pytest.mark.parametrize("path", ["memory/garden.md", "memory/well.md"])
def test_a_correction_of_a_value_does_not_trust_the_rest_of_somebody_elses_line(
    desk: Desk, tmp_path: Path, path: str
) -> None:
    words, question = "as Zora says", "How long is the hose of the well?"
    line = f"The hose of the deep well is 30 metres long, {words}."
    desk.append("memory/garden.md", f"- {line}\n")
    desk.run("capture")
    call = {"path": "memory/garden.md", "edits": [{"oldText": "green.", "newText": f"green.\n- {line}"}]}
    call_in_turn(desk, tmp_path, "edit", call, owner=False)
    if path != "memory/garden.md":
        desk.write(path, f"# Well\n\n- {line}\n")
        desk.run("capture")
    desk.call("correct", "The hose of the deep well is 40 metres long, not 30 metres.")
    assert line in desk.read("memory/garden.md")
    assert (words in read_addition(desk, question)) == (path != "memory/garden.md")
    (item,) = desk.run("inbox", "--kind", "correction")
    desk.run("accept", item["id"])
    assert line.replace("30", "40") in desk.read("memory/garden.md")
    assert words in read_addition(desk, question)


def test_what_was_there_before_somebody_wrote_the_file_anew_is_added(desk: Desk, tmp_path: Path) -> None:
    desk.append("memory/garden.md", f"- {WELL}\n")
    desk.git("add", "-A")
    desk.git("-c", "user.name=Ines", "commit", "-qm", "before", "--date", "2026-01-01T00:00:00Z")
    desk.run("capture")
    content = f"{desk.read('memory/garden.md')}- The well of the neighbour is deep.\n"
    desk.write("memory/garden.md", content)
    call_in_turn(desk, tmp_path, "write", {"path": "memory/garden.md", "content": content}, owner=False)
    assert WELL in read_addition(desk)
    question = "Is the well of the neighbour deep?"
    assert "neighbour" not in read_addition(desk, question)


@pytest.mark.parametrize("owner", [True, False])
def test_what_is_due_by_somebody_elses_word_is_not_added(desk: Desk, tmp_path: Path, owner: bool) -> None:
    desk.append("MEMORY.md", f"- Pay the bill of Zora ({datetime.now(UTC).date()}). #event\n")
    call = {"path": "MEMORY.md", "content": desk.read("MEMORY.md")}
    call_in_turn(desk, tmp_path, "write", call, owner=owner)
    assert ("Zora" in read_addition(desk, "hi")) == owner


def test_of_a_file_that_openclaw_withholds_the_owners_words_alone_are_added(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(desk, tmp_path, [text("user", "Please remember: the lamps of the greenhouse are rated at 400 watts.")])
    desk.run("run", "memory-miner", "--apply")
    desk.append("MEMORY.md", f"- {WELL}\n")
    desk.run("capture")
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for writer, is_added in (("agent", True), ("untrusted", False)):
        records(desk.root, home, MEMORY=writer).touch()
        assert (WELL in desk.run("context", QUESTION, "--turn", "--shown", "SOUL.md")["text"]) == is_added
        lamps = desk.run("context", "How are the lamps of the greenhouse rated?", "--turn", "--shown", "SOUL.md")
        assert "400 watts" in lamps["text"]
        (home / ".openclaw/state/openclaw.sqlite").unlink()
