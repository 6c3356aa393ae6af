"""Two machines share one memory: each has the memories of both, and no removed line comes back."""

from pathlib import Path

import pytest

from tests.promises.desk import IDENTITY, Desk
from tests.promises.mcp_server import Server
from tests.promises.test_a_strangers_words import LAMPS, STRANGER, WATTS, write
from tests.promises.test_the_inbox import CONTRADICTION, NEWER

MUTATION = ("sync/control_files.py", '    if rule == "control" or explain_name(path)', "    if explain_name(path)")

pytestmark = pytest.mark.slow


@pytest.fixture
def pair(desk: Desk, tmp_path: Path) -> tuple[Desk, Desk]:
    remote = tmp_path / "remote.git"
    desk.git("init", "--quiet", "--bare", "-b", "main", str(remote))
    desk.git("remote", "add", "origin", str(remote))
    desk.git("push", "--quiet", "origin", "main")
    desk.run("sync")
    other = Desk(tmp_path / "other")
    desk.shell(f"clawgit init '{other.root}' --from '{remote}'")
    with (other.root / ".git/config").open("a") as config:
        config.write(IDENTITY)
    return desk, other


def exchange(*machines: Desk) -> None:
    """Let every machine sync twice, so that all have everything."""
    for machine in machines * 2:
        assert machine.call("sync").code in (0, 3)


def test_memories_of_both_are_on_both(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    first.run("remember", "The lamps are rated at 400 watts.")
    second.run("remember", "The boiler is serviced in March.")
    exchange(*pair)
    for machine in pair:
        assert "400 watts" in machine.read("MEMORY.md")
        assert "boiler" in machine.read("MEMORY.md")
    assert first.read("MEMORY.md") == second.read("MEMORY.md")


def test_a_removed_line_does_not_come_back(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    first.write("memory/garden.md", "# Garden\n\n- The hose is green.\n")
    first.commit()
    shed = "- The shed is locked.\n"
    second.append("memory/garden.md", shed)
    second.commit()
    exchange(*pair)
    for machine in pair:
        assert "permanent rose" not in machine.read("memory/garden.md")
        assert shed in machine.read("memory/garden.md")


def test_journals_that_the_other_machine_archived_are_not_lost(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    first.write("memory/2025-01-05.md", "# 2025-01-05\n\n- The hose is green.\n")
    first.run("capture")
    exchange(*pair)
    second.run("memory", "compact", "--apply", "--remove")
    exchange(*pair)
    assert not (first.root / "memory/2025-01-05.md").exists()
    assert [row for row in first.call("doctor").document if "memory/2025-01-05.md" in str(row)] == []
    (path,) = (path for path in first.files() if "archive/" in path and "hose" in first.read(path))
    first.write(path, first.read(path).replace("- The hose is green.\n", ""))
    assert [row for row in first.call("doctor").document if "memory/2025-01-05.md" in str(row)]


def test_a_correction_holds_on_both(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    first.run("correct", "not Tuesday evening, Thursday evening")
    exchange(*pair)
    assert "Thursday evening" in second.read("MEMORY.md")
    assert len(second.run("corrections")) == 1


def test_a_correction_of_another_machine_holds_without_its_record(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    first.run("remember", "The alarm code of the shed is 4711.")
    first.run("correct", "The alarm code of the shed is 4712, not 4711.")
    exchange(*pair)
    second.write("CORRECTIONS.md", "# Corrections\n")
    second.run("capture")
    assert [item["kind"] for item in second.run("inbox")] == ["restore"]
    second.refuse(
        "memory", "add", "--origin", "agent", "The alarm code of the shed is 4711.", key="correction-contradicted"
    )


def test_of_two_corrections_the_one_that_was_decided_for_holds(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    for machine, evening in ((first, "Thursday"), (second, "Friday")):
        machine.run("correct", f"not Tuesday evening, {evening} evening")
    exchange(*pair)
    (item,) = first.run("inbox")
    first.run("accept", item["id"], "--only", "2")
    exchange(*pair)
    for machine in pair:
        (loser,) = {"Thursday", "Friday"} - set(machine.read("MEMORY.md").split())
        rows = [row for row in machine.run("context", "When do deploys happen?")["text"].splitlines() if "(not:" in row]
        assert rows
        assert all(f"on {loser}" not in row.partition("(not:")[0] for row in rows)


def test_a_redo_leaves_the_undo_of_another_machine(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    second.run("remember", "The lamps are rated at 400 watts.")
    second.run("undo")
    exchange(*pair)
    first.refuse("undo", "--redo", key="undo-nothing")
    first.run("remember", "The boiler is serviced in March.")
    first.run("undo")
    second.run("remember", "The hose is ten metres long.")
    second.run("undo")
    exchange(*pair)
    first.run("undo", "--redo")
    assert "boiler" in first.read("MEMORY.md")
    assert "hose is ten" not in first.read("MEMORY.md")


def test_the_newest_undo_of_another_machine_is_named(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    for words in ("The lamps are rated at 400 watts.", "The hose is ten metres long."):
        second.run("remember", words)
        second.run("undo")
    exchange(*pair)
    first.shell(first.refuse("undo", "--redo", key="undo-nothing").fix)
    assert "hose is ten" in first.read("MEMORY.md")
    assert "lamps" not in first.read("MEMORY.md")


def test_programs_wait_until_they_are_accepted(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    first.write("skills/deploy/run.sh", "#!/bin/sh\necho deployed\n")
    (first.root / "skills/deploy/run.sh").chmod(0o755)
    first.commit()
    exchange(*pair)
    place = second.root / "skills/deploy/run.sh"
    assert not place.exists()
    (item,) = second.run("soul", "proposals")
    assert item["kind"] == "sync"
    second.run("accept", item["id"], terminal="y\n")
    assert place.stat().st_mode & 0o111
    first.write("skills/deploy/run.sh", "#!/bin/sh\necho deployed again\n")
    first.commit()
    exchange(*pair)
    second.run("accept", second.run("soul", "proposals")[0]["id"], terminal="y\n")
    assert "again" in place.read_text()
    assert place.stat().st_mode & 0o111
    assert second.git("status", "--porcelain") == ""


def test_a_machine_that_ejected_takes_nobody_along(pair: tuple[Desk, Desk]) -> None:
    first, second = pair
    second.run("eject", "--yes")
    second.git("push", "--quiet", "origin", "HEAD:main")
    first.call("sync")
    first.run("remember", "The lamps are rated at 400 watts.")
    assert (first.root / ".clawgit/format").exists()


@pytest.fixture
def contradiction(pair: tuple[Desk, Desk]) -> str:
    """Return the id of an item that waits on both machines: two lines that contradict each other."""
    first, second = pair
    first.append("MEMORY.md", f"- {NEWER}\n")
    first.write("CONFLICTS.md", CONTRADICTION)
    first.commit()
    exchange(first, second)
    ids = [[item["id"] for item in machine.run("inbox")] for machine in pair]
    assert ids[0] == ids[1]
    return str(ids[0][0])


def test_an_item_that_both_decide_alike_is_decided(pair: tuple[Desk, Desk], contradiction: str) -> None:
    for machine in pair:
        machine.run("accept", contradiction, "--only", "2")
    exchange(*pair)
    for machine in pair:
        assert machine.run("inbox") == []
        assert NEWER in machine.read("MEMORY.md")
        assert "Tuesday evening" not in machine.read("MEMORY.md")


def test_an_item_that_both_decide_otherwise_is_asked_again(pair: tuple[Desk, Desk], contradiction: str) -> None:
    for number, machine in enumerate(pair, 1):
        machine.run("accept", contradiction, "--only", str(number))
    exchange(*pair)
    for machine in pair:
        assert [item["id"] for item in machine.run("inbox")] == [contradiction]
    pair[0].run("accept", contradiction, "--only", "2")
    exchange(*pair)
    for machine in pair:
        assert machine.run("inbox") == []
        assert NEWER in machine.read("MEMORY.md")
    assert pair[0].read("MEMORY.md") == pair[1].read("MEMORY.md")


@pytest.mark.parametrize("rewords", [True, False], ids=["reworded", "as the other"])
def test_a_question_of_two_wordings_waits_until_one_of_them_is_chosen(pair: tuple[Desk, Desk], rewords: bool) -> None:
    for machine, hours in zip(pair, ("six", "eight"), strict=True):
        machine.write(
            "memory/garden.md", machine.read("memory/garden.md").replace("is green", f"is {hours} metres long")
        )
        machine.commit()
    exchange(*pair)
    one = pair[0]
    (item,) = one.run("inbox", "--kind", "conflict")
    first, second = (choice["text"] for choice in one.run("show", item["id"])["choices"])
    text = f"{first[:-1]}, and leaks." if rewords else second
    one.write("memory/garden.md", one.read("memory/garden.md").replace(first, text))
    one.run("capture")
    one.run("run", "conflict-detector", "--apply")
    assert [row["id"] for row in one.run("inbox")] == ([item["id"]] if rewords else [])
    if rewords:
        one.run("accept", item["id"], "--only", "2")
        assert {text, second} <= {row.removeprefix("- ") for row in one.read("memory/garden.md").splitlines()}
        assert one.run("inbox") == []


def test_a_correction_wins_over_a_later_edit_of_another_machine(pair: tuple[Desk, Desk]) -> None:
    first, other = pair
    first.run("remember", "The spare key is in drawer 1.")
    first.call("sync")
    other.call("sync")
    first.run("correct", "The spare key is in drawer 7, not drawer 1.")
    first.call("sync")
    other.write("MEMORY.md", other.read("MEMORY.md").replace("drawer 1", "drawer 8"))
    other.call("sync")
    first.call("sync")
    assert "drawer 7" in first.read("MEMORY.md")
    assert "drawer 8" not in first.read("MEMORY.md")
    assert first.read("MEMORY.md") == other.read("MEMORY.md")


def test_a_remote_whose_head_names_no_branch_is_cloned(desk: Desk, tmp_path: Path) -> None:
    desk.git("init", "-q", "--bare", "-b", "master", str(tmp_path / "hub.git"))
    desk.git("remote", "add", "hub", str(tmp_path / "hub.git"))
    desk.run("sync", "--remote", "hub")
    desk.run("init", str(tmp_path / "second"), "--from", str(tmp_path / "hub.git"))
    assert (tmp_path / "second/MEMORY.md").read_text() == desk.read("MEMORY.md")


def test_words_of_a_strangers_are_not_vouched_for_by_a_mention_of_other_words(
    pair: tuple[Desk, Desk], tmp_path: Path
) -> None:
    first, second = pair
    first.run("remember", LAMPS)
    exchange(*pair)
    server = Server(first.root, "--gateway", state=tmp_path)
    first.write("MEMORY.md", first.read("MEMORY.md").replace(LAMPS, ""))
    write(first, server, STRANGER, "MEMORY.md", f"- {LAMPS[:-1]}, and Zora has them. #knowledge", 1)
    second.run("remember", LAMPS)  # once more
    exchange(*pair)
    assert "Zora" in second.read("MEMORY.md")
    for machine in pair:
        assert "Zora" not in machine.run("context", WATTS, "--turn", "--shown", "SOUL.md")["text"]
    server.end()
