"""A kill at any point of a write loses nothing: the change is there as a whole or not at all, and work goes on."""

import itertools

import pytest

from tests.promises.desk import Desk
from tests.promises.steps import run_and_kill

MUTATION = (
    "git/redo_log.py",
    "        repo.raw.references.create(reference(repo), pygit2.Oid(hex=work.tip), force=True)",
    "        pass",
)

LAMPS = "The lamps are rated at 400 watts."
HAND = "- The tap by the shed drips.\n"
POINTS = 5
"""A write has more points than that."""
WRITES = {
    "memory": ("remember", LAMPS),
    "identity": ("soul", "edit", "--add", LAMPS, "--section", "Core", "--why", "Asked for."),
    "new file": ("journal", "add", LAMPS),
    "undo": ("undo",),
    "capture": ("capture",),
}


@pytest.mark.parametrize("dirty", [False, True], ids=["clean", "edited by hand"])
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_every_point_of_a_write(desk: Desk, write: tuple[str, ...], dirty: bool) -> None:
    desk.run("remember", "The boiler is serviced in March.")
    for number in itertools.count():
        desk.append("AGENTS.md", f"- Rule {number}.\n")
        if dirty:
            desk.append("MEMORY.md", f"- Note {number} by hand.\n")
        head = desk.head()
        killed = run_and_kill(desk, number, *write)
        if write == ("undo",):  # what was killed takes the last line now, and this would be added behind it
            desk.call("remember", f"Number {number} is a number.")
        desk.run("remember", f"Number {number} is a number.")
        desk.run("capture")
        assert desk.git("fsck", "--no-dangling", "--no-progress") == ""
        assert desk.git("merge-base", "--is-ancestor", head, "HEAD") == ""
        assert desk.git("status", "--porcelain") == ""
        assert all(f"Rule {one}." in desk.read("AGENTS.md") for one in range(number + 1))
        assert all(f"Note {one} by hand." in desk.read("MEMORY.md") for one in range(number + 1) if dirty)
        assert list((desk.root / ".git").glob("**/*.lock")) == []
        if not killed:
            break
    assert number > POINTS
    if write[0] not in ("undo", "capture"):
        assert any(LAMPS in data.decode() for data in desk.files().values())


def test_a_change_that_was_acknowledged_is_there(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)
    assert LAMPS in desk.at(change["commit"], "MEMORY.md")
    assert desk.git("branch", "--contains", change["commit"]).split() == ["*", "main"]
