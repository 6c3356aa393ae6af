"""Names that no other disk can have, places that are not looked at, and files that are ours by their names."""

import json
from pathlib import Path

import pytest

from tests.promises.desk import Desk

ODD = [
    "C:\\Users\\x\\plan.md",
    "\\\\server\\share\\plan.md",
    "d:notes.md",
    "..\\..\\plan.md",
    "memory/two\nlines.md",
    "memory/tab\t'quoted'!.md",
    "memory/garden \\plan.md",
    "memory/rooms. /plan.md",
    "memory/git~1/plan.md",
    "memory/caf\udce9.md",
    "memory/alt \udcfc/caf\udce9\x07.md",
]


def failing(desk: Desk) -> dict[str, str]:
    """Return the fix of each finding of doctor's, by its message."""
    return {one["message"]: one["fix"] for one in desk.call("doctor").document if not one["ok"] and one["fix"]}


def fixes(desk: Desk) -> set[str]:
    """Return every fix that doctor prints, also of what is only worth knowing."""
    return {one["fix"] for one in desk.call("doctor").document if one["fix"]}


@pytest.mark.parametrize("name", ODD)
def test_a_name_that_cannot_be_committed_has_one_fix_that_leads_to_a_commit(desk: Desk, name: str) -> None:
    desk.write(name, "- a plan\n")
    found = Desk(desk.root).run("adopt", "--dry-run", code=0) and None  # the workspace is managed: nothing to say
    (held,) = desk.run("capture")["held"]
    assert held["path"] == name
    assert held["fix"] in fixes(desk)
    assert "clawgit capture" not in fixes(desk)
    assert found is None
    desk.shell(held["fix"])
    assert not (desk.root / name).exists()
    assert desk.run("capture")["held"] == []
    assert desk.git("status", "--porcelain") == ""
    assert "- a plan" in desk.git("grep", "-h", "a plan", "HEAD")


def test_what_git_committed_under_such_a_name_gets_another_one(desk: Desk) -> None:
    desk.write("C:\\Users\\x\\plan.md", "- a plan\n")
    desk.commit()
    desk.append("C:\\Users\\x\\plan.md", "- more\n")
    (held,) = desk.run("capture")["held"]
    desk.shell(held["fix"])
    assert desk.run("capture")["held"] == []
    assert desk.git("status", "--porcelain") == ""
    assert "C:" not in desk.git("ls-files")


def test_two_names_that_come_to_one_lose_no_file(desk: Desk) -> None:
    desk.write("memory/a\nb.md", "- one\n")
    desk.write("memory/a\tb.md", "- two\n")
    for _ in range(2):
        for one in desk.run("capture")["held"]:
            desk.shell(f"{one['fix']} || true")
    assert desk.run("capture")["held"] == []
    assert {"- one", "- two"} <= set(desk.git("grep", "-h", "-e", "- one", "-e", "- two", "HEAD").splitlines())


@pytest.mark.parametrize(("name", "fits"), [("C:\\x\\plan.md", False), (":C:\\x\\plan.md", True)])
def test_the_report_of_adopt_names_what_capture_leaves_out_and_no_other(tmp_path: Path, name: str, fits: bool) -> None:  # noqa: FBT001
    desk = Desk.raw(tmp_path / "ws")
    desk.write(name, "- a plan\n")
    report = desk.run("adopt", str(desk.root))
    named = {one["path"] for one in report["report"]["odd"] if one["kind"] == "name"}
    assert named == (set() if fits else {name})
    assert {one["path"] for one in desk.run("capture")["held"]} == named
    assert (name in desk.git("ls-files", "-z")) == fits
