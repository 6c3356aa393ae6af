"""Two machines share one memory: what either learnt is on both, and nothing that was removed comes back."""

from pathlib import Path

import pytest

from tests.promises.desk import IDENTITY, Desk

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
    """Let every machine sync twice, so that all have what all had."""
    for machine in machines * 2:
        assert machine.call("sync").code in (0, 3)


def test_memories_of_both_are_on_both(pair: tuple[Desk, Desk]) -> None:
    one, two = pair
    one.run("remember", "The lamps are rated at 400 watts.")
    two.run("remember", "The boiler is serviced in March.")
    exchange(*pair)
    for machine in pair:
        assert "400 watts" in machine.read("MEMORY.md")
        assert "boiler" in machine.read("MEMORY.md")
    assert one.read("MEMORY.md") == two.read("MEMORY.md")


def test_a_removed_line_does_not_come_back(pair: tuple[Desk, Desk]) -> None:
    one, two = pair
    one.write("memory/garden.md", "# Garden\n\n- The hose is green.\n")
    one.commit()
    shed = "- The shed is locked.\n"
    two.append("memory/garden.md", shed)
    two.commit()
    exchange(*pair)
    for machine in pair:
        assert "permanent rose" not in machine.read("memory/garden.md")
        assert shed in machine.read("memory/garden.md")


def test_a_correction_holds_on_both(pair: tuple[Desk, Desk]) -> None:
    one, two = pair
    one.run("correct", "not Tuesday evening, Thursday evening")
    exchange(*pair)
    assert "Thursday evening" in two.read("MEMORY.md")
    assert len(two.run("corrections")) == 1


def test_programs_wait_until_they_are_accepted(pair: tuple[Desk, Desk]) -> None:
    one, two = pair
    one.write("skills/deploy/run.sh", "#!/bin/sh\necho deployed\n")
    (one.root / "skills/deploy/run.sh").chmod(0o755)
    one.commit()
    exchange(*pair)
    place = two.root / "skills/deploy/run.sh"
    assert not place.exists()
    (item,) = two.run("soul", "proposals")
    assert item["kind"] == "sync"
    two.run("accept", item["id"], terminal="y\n")
    assert place.stat().st_mode & 0o111
    one.write("skills/deploy/run.sh", "#!/bin/sh\necho deployed again\n")
    one.commit()
    exchange(*pair)
    two.run("accept", two.run("soul", "proposals")[0]["id"], terminal="y\n")
    assert "again" in place.read_text()
    assert place.stat().st_mode & 0o111
    assert two.git("status", "--porcelain") == ""


def test_a_machine_that_ejected_takes_nobody_along(pair: tuple[Desk, Desk]) -> None:
    one, two = pair
    two.run("eject", "--yes")
    two.git("push", "--quiet", "origin", "HEAD:main")
    one.call("sync")
    one.run("remember", "The lamps are rated at 400 watts.")
    assert (one.root / ".clawgit/format").exists()
