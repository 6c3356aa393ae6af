"""`openclaw doctor --fix` moves HEARTBEAT.md and TOOLS.md: no alarm, its name, and no fix that undoes it.

The bytes are those of OpenClaw 2026.9.6 (tests/live/test_files.py has its doctor write them).
"""

from pathlib import Path

import pytest

from tests.promises.desk import FILES, Desk

MUTATION = ("openclaw/blank_forms.py", "    if path in file_roles.MAY_GO:", "    if not path:")

TOOLS = "# TOOLS.md - Local Notes\n\n## Cameras\n\n- The gate camera is called heron.\n- Never restart the pump.\n"
HEARTBEAT = "# HEARTBEAT.md\n\n- Look at the greenhouse thermometer.\n- Never wake anybody at night.\n"
MERGED = FILES["AGENTS.md"] + "\n## Tools\n\n### Local notes (migrated from TOOLS.md)\n\n" + TOOLS


@pytest.fixture
def adopted_desk(tmp_path: Path) -> Desk:
    """Return an adopted workspace with both files filled in."""
    return Desk.adopt(tmp_path / "ws", {**FILES, "TOOLS.md": TOOLS, "HEARTBEAT.md": HEARTBEAT})


def wrong(desk: Desk) -> list[object]:
    desk.run("capture")
    status = desk.run("status")
    checks = [row for row in desk.call("doctor").document if not row["ok"] and "restore" in row["fix"]]
    return [*status["alarms"], *status["untrusted"], *checks, *desk.run("inbox")]


def test_notes_go_into_the_rules_and_the_checklist_goes(adopted_desk: Desk) -> None:
    adopted_desk.write("AGENTS.md", MERGED)
    for path in ("TOOLS.md", "HEARTBEAT.md"):
        (adopted_desk.root / path).unlink()
    assert adopted_desk.run("status")["alarms"] == []
    assert wrong(adopted_desk) == []
    last = adopted_desk.run("log")[0]
    assert (last["author"], last["files"]) == ("openclaw doctor", ["AGENTS.md", "HEARTBEAT.md", "TOOLS.md"])
    assert "restore" not in str(adopted_desk.run("digest"))


def test_it_may_be_captured_in_between(adopted_desk: Desk) -> None:
    adopted_desk.write("AGENTS.md", MERGED)
    assert wrong(adopted_desk) == []
    (adopted_desk.root / "TOOLS.md").unlink()
    assert wrong(adopted_desk) == []
    assert adopted_desk.run("log")[0]["author"] == "openclaw doctor"


@pytest.mark.parametrize("text", ["", "\n", "# HEARTBEAT.md\n"])
def test_a_checklist_is_emptied(adopted_desk: Desk, text: str) -> None:
    adopted_desk.write("HEARTBEAT.md", text)
    assert wrong(adopted_desk) == []


def test_notes_that_nobody_wrote_just_go(tmp_path: Path) -> None:
    blank = Path(__file__).with_name("blank_forms") / "spring/TOOLS.md"
    desk = Desk.adopt(tmp_path / "ws", {**FILES, "TOOLS.md": blank.read_text("utf-8")})
    (desk.root / "TOOLS.md").unlink()
    assert wrong(desk) == []


def test_notes_that_are_nowhere_else_are_missed(adopted_desk: Desk) -> None:
    (adopted_desk.root / "TOOLS.md").unlink()
    assert wrong(adopted_desk) != []
    assert adopted_desk.run("log")[0]["author"] == "unknown"


def test_rules_that_go_with_the_notes_are_missed(adopted_desk: Desk) -> None:
    adopted_desk.write("AGENTS.md", MERGED.replace("- Never restart the pump.\n", ""))
    (adopted_desk.root / "TOOLS.md").unlink()
    assert wrong(adopted_desk) != []
