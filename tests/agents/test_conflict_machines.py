"""What two machines decide about one conflict is all there after git merged them."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgit.agents.conflict_detector import ConflictDetector
from clawgit.agents.running import View, apply
from clawgit.memory import conflicts as conflict_decisions
from clawgit.text.conflict import Conflict, conflicts
from clawgit.workspace import memory
from clawgit.workspace.text_merges import merge_text

from .talk import Talk

OLD, NEW = "The relay listens on port 8080.", "The relay listens on port 9090."


@pytest.fixture
def machines(talk: Talk, tmp_path: Path) -> Iterator[tuple[Talk, Talk]]:
    """Two clones of a workspace in which one conflict is open."""
    for text in (OLD, NEW):
        talk.workspace.apply(memory.add(talk.workspace, text).change)
    apply(ConflictDetector(), talk.workspace)
    subprocess.run(["git", "clone", "--quiet", talk.root, tmp_path / "other"], check=True)
    for name, value in (("user.name", "Bo"), ("user.email", "bo@example.org")):
        subprocess.run(["git", "config", name, value], cwd=tmp_path / "other", check=True)
    with Talk(tmp_path / "other") as other:
        yield talk, other


def decide(machine: Talk, winner: conflict_decisions.Keep) -> None:
    machine.workspace.apply(conflict_decisions.keep(View(machine.workspace), one(machine), winner))


def one(machine: Talk) -> Conflict:
    (found,) = conflicts(machine.text("CONFLICTS.md"))
    return found


def pulled(machine: Talk) -> list[str]:
    """Pull as git does it; return the files that git leaves to be merged, now merged as clawgit merges them."""
    pull = ["git", "pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main"]
    subprocess.run(pull, cwd=machine.root, check=False, capture_output=True)
    left = machine.git("diff", "--name-only", "--diff-filter=U").split()
    for path in left:
        base, ours, theirs = (machine.git("show", f":{stage}:{path}") for stage in (1, 2, 3))
        joined = merge_text(path, base, ours, theirs).text
        assert joined is not None, path
        machine.write(path, joined)
        machine.git("add", path)
    if left:
        machine.git("commit", "--quiet", "--no-edit")
    return left


@pytest.mark.parametrize(("here", "there"), [("a", "b"), ("b", "a"), ("a", "both")])
def test_two_answers_stay_both_and_leave_it_open(
    machines: tuple[Talk, Talk], here: conflict_decisions.Keep, there: conflict_decisions.Keep
) -> None:
    talk, other = machines
    decide(talk, here)
    decide(other, there)
    pulled(other)
    merged = one(other)
    assert (set(merged.winners), len(merged.resolved)) == ({here, there}, 2)
    assert merged.disputed
    assert merged.open
    for path in ("CONFLICTS.md", "MEMORY.md"):
        assert not any(line.startswith(("<<<<<<<", "=======", ">>>>>>>")) for line in other.text(path).splitlines())
    assert all(text in other.text("CONFLICTS.md") for text in (OLD, NEW))


def test_the_same_answer_is_one(machines: tuple[Talk, Talk]) -> None:
    talk, other = machines
    decide(talk, "b")
    decide(other, "b")
    pulled(other)
    assert not one(other).open
    assert one(other).winner == "b"


def test_one_more_answer_settles_it_on_both(machines: tuple[Talk, Talk]) -> None:
    talk, other = machines
    decide(talk, "a")
    decide(other, "b")
    pulled(other)
    decide(other, "b")
    talk.git("pull", "--quiet", "--ff-only", str(other.root), "main")
    assert talk.text("CONFLICTS.md") == other.text("CONFLICTS.md")
    assert (one(talk).open, one(talk).winner) == (False, "b")
