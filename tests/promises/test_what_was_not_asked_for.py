"""Statements of the operator without a request wait in the inbox only without a model."""

import sys
from pathlib import Path

import pytest

from tests.promises.desk import Desk
from tests.promises.test_rules_write_no_lesson import talk, text

MUTATION = (
    "agents/inbox_items.py",
    "    if voices.choose(workspace.config.value, os.environ, workspace.store).voice is None:",
    "    if True:",
)

SAID = "The contract with the mill is signed for 3 years."


@pytest.mark.parametrize("has_model", [False, True])
def test_a_statement_is_a_candidate_only_where_no_model_reads(desk: Desk, tmp_path: Path, has_model: bool) -> None:
    if has_model:
        desk.run("config", "llm", f"[{sys.executable}, -c, pass]", terminal="")
    talk(desk, tmp_path, [text("user", SAID)])
    titles = [item["title"] for item in desk.run("inbox")]
    assert titles == ([] if has_model else [SAID])


def test_a_statement_is_a_candidate_once_its_speaker_is_known(desk: Desk, tmp_path: Path) -> None:
    place = tmp_path / "talk.jsonl"
    talk(desk, tmp_path, [{**text("user", SAID), "__openclaw": {"senderIsOwner": False, "senderId": "5"}}])
    assert desk.run("inbox") == []
    place.write_text(place.read_text().replace('"senderIsOwner": false', '"senderIsOwner": true'))
    desk.run("session", "import", str(place))
    assert [item["title"] for item in desk.run("inbox")] == [SAID]


def test_a_correction_that_waits_is_no_candidate_as_well(desk: Desk, tmp_path: Path) -> None:
    desk.run("remember", "We chose ArchiCAD over Revit in March 2026.")
    talk(desk, tmp_path, [text("user", "Actually, it's ArchiCAD 28 now, since last week.")])
    desk.run("inbox")
    desk.run("run", "recall-validator", "--apply")
    (item,) = desk.run("inbox")
    assert item["kind"] == "correction"
    desk.run("accept", item["id"], "--only", "1", "--text", "We use ArchiCAD 28.")
    assert (desk.run("inbox"), "- Source: session:" in desk.read("CORRECTIONS.md")) == ([], True)


PARKING = "The parking permit costs 120 euros a year."


def test_the_rest_of_a_message_that_corrected_something_is_a_candidate(desk: Desk, tmp_path: Path) -> None:
    desk.run("remember", "The standup is on Monday at 9:00.")
    talk(desk, tmp_path, [text("user", f"No, the standup is on Tuesday at 9:00, not Monday. {PARKING}")])
    desk.run("run", "recall-validator", "--apply")
    assert "Tuesday" in desk.read("MEMORY.md")
    assert [item["title"] for item in desk.run("inbox")] == [PARKING]


def test_a_refused_request_is_one_item(desk: Desk, tmp_path: Path) -> None:
    desk.run("remember", "The standup is on Monday at 9:00.")
    desk.run("correct", "the standup is on Tuesday, not Monday")
    talk(desk, tmp_path, [text("user", "remember that the standup is on Monday at 9:00")])
    desk.run("inbox")
    desk.run("run", "memory-miner", "--apply")
    assert [item["title"] for item in desk.run("inbox", "--kind", "candidate")] == ["the standup is on Monday at 9:00"]
