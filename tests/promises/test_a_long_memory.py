"""A memory file that is too long for every prompt is shortened by the command that doctor names, five lines a week."""

from pathlib import Path

from tests.promises.desk import FILES, Desk

MUTATION = ("agents/memory_compactor.py", "change.held or not is_asked", "not is_asked")


def test_lines_beyond_the_limit_are_proposed_in_an_adopted_workspace(tmp_path: Path) -> None:
    facts = "".join(f"- Bed {number} holds {number * 7} plants.\n" for number in range(250))
    desk = Desk.adopt(tmp_path / "ws", {**FILES, "MEMORY.md": f"# MEMORY.md\n\n## Garden\n\n{facts}"})
    (long,) = [row for row in desk.call("doctor").document if row["key"] == "memory-long"]
    desk.shell(f"{long['fix'].partition('#')[0].strip()} --apply")
    (item,) = [row for row in desk.run("inbox") if "MEMORY.md" in row["files"]]
    before = desk.read("MEMORY.md").splitlines()
    desk.run("accept", item["id"], terminal="y\n")
    left = set(before) - set(desk.read("MEMORY.md").splitlines())
    assert len(left) == 5
    assert left <= set(desk.read("memory/garden.md").splitlines())
