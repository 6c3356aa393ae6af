"""Undo reverts one change and keeps everything that came later."""

import pytest

from tests.promises.desk import Desk

MUTATION = (
    "workspace/undo.py",
    "    if not edits and (paths or not rows):",
    "    if False and not edits and (paths or not rows):",
)

LAMPS = "The lamps are rated at 400 watts."


def test_undo_without_a_name_reverts_the_newest_change(desk: Desk) -> None:
    before = desk.files()
    desk.run("remember", LAMPS)
    desk.run("undo")
    assert desk.files() == before


def test_undo_is_one_commit_and_can_be_undone(desk: Desk) -> None:
    desk.run("remember", LAMPS)
    after = desk.files()
    head = desk.head()
    undo = desk.run("undo")
    assert len(desk.commits(head)) == 1
    desk.run("undo", undo["change"])
    assert desk.files() == after


def test_later_changes_stay(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)["change"]
    desk.run("remember", "The boiler is serviced in March.")
    desk.append("MEMORY.md", "- The tap by the shed drips.\n")
    desk.run("undo", change)
    text = desk.read("MEMORY.md")
    assert "400 watts" not in text
    assert "boiler" in text
    assert "tap" in text


def test_any_prefix_that_is_unique_will_do(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)["change"]
    desk.run("undo", change[:6])
    assert "400 watts" not in desk.read("MEMORY.md")


def test_a_change_of_several_files_is_undone_whole(desk: Desk) -> None:
    before = desk.files()
    change = desk.run("correct", "not Tuesday evening, Thursday evening")["change"]
    assert "Thursday" in desk.read("MEMORY.md")
    desk.run("undo", change)
    assert desk.files()["MEMORY.md"] == before["MEMORY.md"]


def test_a_later_change_of_the_same_line_is_in_the_way_and_stays(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)["change"]
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace("400 watts", "450 W each"))
    desk.commit()
    answer = desk.refuse("undo", change, key="undo-conflict")
    assert answer.document["conflict"][0]["theirs"] is not None
    assert "450 W each" in desk.read("MEMORY.md")


def test_what_others_committed_can_be_undone_too(desk: Desk) -> None:
    before = desk.files()
    desk.append("memory/garden.md", "- The hose is blue.\n")
    desk.run("undo", desk.commit())
    assert desk.files() == before


def test_undo_of_what_is_undone_is_refused(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)["change"]
    desk.run("undo", change)
    desk.refuse("undo", change, key="undo-done")


def test_nothing_and_nonsense_are_refused(desk: Desk) -> None:
    desk.refuse("undo", "zzzzzzzz", key="change-unknown")
    desk.refuse("undo", key="undo-nothing")


def test_merges_and_the_first_change_are_refused(desk: Desk) -> None:
    adopted = desk.head()
    desk.git("checkout", "--quiet", "-b", "side")
    desk.append("memory/garden.md", "- The hose is blue.\n")
    desk.commit()
    desk.git("checkout", "--quiet", "main")
    desk.append("USER.md", "- Likes: tea\n")
    desk.commit()
    desk.git("merge", "--quiet", "--no-edit", "side")
    answer = desk.refuse("undo", desk.head(), key="undo-merge")
    desk.shell(answer.fix)
    desk.refuse("undo", adopted, key="undo-first")


def test_an_undo_follows_the_file_of_a_change(desk: Desk) -> None:
    desk.write("memory/roses.md", "# Roses\n\n- Roses are red.\n")
    desk.run("capture")
    change = desk.head()
    desk.git("mv", "memory/roses.md", "memory/yard.md")
    desk.commit("moved")
    desk.run("undo", change)
    assert "memory/yard.md" not in desk.files()


def test_what_began_the_history_stays(desk: Desk) -> None:
    first = desk.git("rev-list", "--max-parents=0", "HEAD").split()[0]
    before = desk.files()
    desk.refuse("undo", first, key="undo-first")
    assert desk.files() == before


@pytest.mark.parametrize("day", ["31 February", "32 January", "-3 days ago", "yesterday 18:00"])
def test_a_day_that_no_calendar_has_is_refused(desk: Desk, day: str) -> None:
    desk.refuse("log", "--since", day, key="date-invalid", code=2)
