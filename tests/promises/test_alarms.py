"""A file that lost much of its text is an alarm, unless its owner or clawgit did it; nothing else is one."""

import time
from pathlib import Path

import pytest

from tests.promises.desk import Desk
from tests.promises.test_identity_by_origin import write_in_turn

MUTATION = ("findings/checks/loss_checks.py", "past.is_owners(path, version):", "len(versions) > 2:")
FACTS = [f"- Bed {number} holds {number * 7} plants.\n" for number in range(200)]


def list_alarms(desk: Desk) -> list[str]:
    """Return the alarms of `status`, which those of `doctor` are, too."""
    alarms = [row["message"] for row in desk.run("status")["alarms"]]
    rows = desk.call("doctor").document
    assert alarms == [row["message"] for row in rows if row["level"] == "alarm"]
    return alarms


def write_facts(desk: Desk, count: int) -> str:
    """Leave so many facts in the memory file, and return its text."""
    text = "# MEMORY.md\n\n" + "".join(FACTS[:count])
    desk.write("MEMORY.md", text)
    return text


@pytest.fixture
def full(desk: Desk) -> Desk:
    """Return a workspace with two hundred facts in its memory."""
    write_facts(desk, 200)
    desk.run("capture")
    return desk


def test_two_deletions_by_the_agent_are_one_alarm_with_a_way_back(full: Desk) -> None:
    for count in (122, 74):  # 39 percent each
        write_facts(full, count)
        full.commit("tidied up")
        full.run("capture")
    (alarm,) = list_alarms(full)
    assert "MEMORY.md lost 126 of 201 lines" in alarm
    full.shell(full.run("status")["alarms"][0]["fix"])
    assert full.read("MEMORY.md").count("- Bed") == 200
    assert list_alarms(full) == []


@pytest.mark.parametrize(("count", "is_alarm"), [(119, True), (122, False)])
def test_less_than_two_fifths_are_none(full: Desk, count: int, is_alarm: bool) -> None:
    write_facts(full, count)
    full.run("capture")
    assert bool(list_alarms(full)) == is_alarm


def test_one_long_line_hides_no_loss_of_many(full: Desk) -> None:
    for count in (150, 100):  # 25 and 33 percent
        text = write_facts(full, count)
        full.write("MEMORY.md", f"{text}- {'and so on ' * 1000}\n")
        full.commit("tidied up")
    (alarm,) = list_alarms(full)
    assert "MEMORY.md lost 99 of 201 lines" in alarm


def test_a_file_that_was_begun_anew_was_not_emptied(full: Desk) -> None:
    (full.root / "MEMORY.md").unlink()
    full.commit("tidied up")
    write_facts(full, 5)
    full.commit("begun anew")
    (alarm,) = list_alarms(full)
    assert "MEMORY.md was deleted, and begun anew, since " in alarm


def test_a_dismissed_loss_stays_so_while_the_file_grows(full: Desk) -> None:
    write_facts(full, 100)
    full.run("capture")
    full.run("trust", terminal="y\n")
    full.write("MEMORY.md", f"{write_facts(full, 100)}- Bed 300 is new.\n")
    full.run("capture")
    assert list_alarms(full) == []
    write_facts(full, 40)
    full.run("capture")
    (alarm,) = list_alarms(full)
    assert "MEMORY.md lost 160 of 201 lines" in alarm


def test_a_loss_before_the_approved_version_is_none(desk: Desk) -> None:
    soul = desk.read("SOUL.md")
    for count in (200, 20):
        desk.write("SOUL.md", soul + "".join(FACTS[:count]))
        desk.commit("tidied up")
    desk.run("trust", terminal="y\n")
    desk.write("SOUL.md", soul + "".join(FACTS[:21]))
    desk.commit("added")
    assert list_alarms(desk) == []


def test_an_undo_is_no_loss(desk: Desk) -> None:
    write_facts(desk, 200)
    desk.run("capture")
    commit = desk.head()
    desk.run("undo", commit)
    assert list_alarms(desk) == []


@pytest.mark.parametrize("owner", [True, False])
def test_what_the_owner_asked_for_is_no_alarm(full: Desk, tmp_path: Path, owner: bool) -> None:
    text = write_facts(full, 20)
    call = {"path": "MEMORY.md", "content": text}
    write_in_turn(full, tmp_path, call, owner=owner, words="Please shorten MEMORY.md.")
    full.run("capture")
    assert bool(list_alarms(full)) != owner


def test_what_the_owner_did_in_an_editor_is_no_alarm(full: Desk, tmp_path: Path) -> None:
    write_in_turn(full, tmp_path, {"path": "memory/garden.md", "content": full.read("memory/garden.md")}, owner=True)
    full.run("capture")
    time.sleep(3)  # clocks of git count whole seconds
    write_facts(full, 20)
    full.run("capture")
    assert list_alarms(full) == []


def test_a_dismissed_loss_that_happens_again_is_an_alarm_again(full: Desk) -> None:
    for _ in range(2):
        (full.root / "MEMORY.md").unlink()
        full.commit("gone")
        assert list_alarms(full)
        full.run("trust", terminal="y\n")
        assert list_alarms(full) == []
        full.run("restore", "MEMORY.md")


def test_the_alarm_reaches_back_before_the_first_cut(full: Desk) -> None:
    for count in (40, 0):
        write_facts(full, count) if count else full.write("MEMORY.md", "")
        full.commit("cut")
    (alarm,) = full.run("status")["alarms"]
    full.shell(alarm["fix"])
    assert full.read("MEMORY.md").count("- Bed") == 200


@pytest.mark.parametrize("count", [1, 4, 5])
def test_a_deleted_file_of_memory_is_never_silent(desk: Desk, count: int) -> None:
    paths = [f"memory/topics/bed {number}.md" for number in range(count)]
    for path in paths:
        desk.write(path, f"# {path}\n\n- {path} has roses.\n")
    desk.run("capture")
    for path in paths:
        (desk.root / path).unlink()
    (news,) = {finding["key"] for finding in desk.run("capture")["alarms"]}
    key = "memory-gone" if count < 5 else "alarm-files-gone"
    rows = [row for row in desk.call("doctor").document if row["key"] == key]
    assert news == key
    assert bool(desk.run("status")["alarms"]) == (count == 5)
    for row in rows:
        desk.shell(row["fix"])
    assert all((desk.root / path).exists() for path in paths)


@pytest.mark.parametrize("place", ["memory/beds.md", "attic/beds.md"])
def test_a_file_that_is_moved_is_not_lost(full: Desk, place: str) -> None:
    """`attic` is outside of clawgit's files: the answer names the place."""
    full.run("remember", "The lamps are rated at 400 watts.")
    (full.root / place).parent.mkdir(exist_ok=True)
    (full.root / "MEMORY.md").rename(full.root / place)
    answer = full.call("capture")
    assert (answer.document["items"], "went" in answer.err) == ([], False)
    assert ("attic/beds.md" in answer.err) == (place != "memory/beds.md")
    assert list_alarms(full) == [] or place != "memory/beds.md"
