"""Git and an editor may write at any moment: nothing of theirs is lost, and clawgit's change lands beside it."""

import itertools

import pytest

from tests.promises.desk import Desk
from tests.promises.steps import at_each_step

POINTS = 5
"""A write has more points than that."""
LAMPS = "The lamps are rated at 400 watts."
TAP = "The tap by the shed drips."
MUTATION = ("git/landing.py", "        if str(branch.target) != work.base:", "        if False:")


def test_a_commit_at_any_point_stays(desk: Desk) -> None:
    for number in itertools.count():
        made: list[str] = []

        def commit(reached: int, _: str, number: int = number, made: list[str] = made) -> None:
            if reached == number:
                tree = desk.git("rev-parse", "HEAD^{tree}").strip()
                made.append(desk.git("commit-tree", tree, "-p", "HEAD", "-m", "by hand").strip())
                desk.git("update-ref", "refs/heads/main", made[0])

        with at_each_step(commit):
            desk.run("remember", f"Lamp number {number} is rated at 400 watts.")
        if not made:
            break
        desk.git("merge-base", "--is-ancestor", made[0], "HEAD")
        assert f"Lamp number {number} is" in desk.at("HEAD", "MEMORY.md")
        assert desk.git("status", "--porcelain") == ""
    assert number > POINTS


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/garden.md"])
def test_an_editors_save_at_any_point_stays(desk: Desk, path: str) -> None:
    for number in range(0, 24, 3):
        saved: list[int] = []

        def save(reached: int, _: str, number: int = number, saved: list[int] = saved) -> None:
            if reached == number:
                desk.append(path, f"- Tap number {number} drips.\n")
                saved.append(number)

        with at_each_step(save):
            answer = desk.call("remember", f"Lamp number {number} is rated at 400 watts.")
        assert answer.code in (0, 75)
        desk.run("capture")
        assert answer.code or f"Lamp number {number} is" in desk.read("MEMORY.md")
        assert all(f"Tap number {one} drips." in desk.read(path) for one in saved)
        assert desk.git("status", "--porcelain") == ""
        if not saved:
            break


def test_a_commit_of_everything_takes_what_clawgit_wrote(desk: Desk) -> None:
    desk.run("remember", LAMPS)
    desk.append("MEMORY.md", f"- {TAP}\n")
    desk.commit()
    desk.run("remember", "The boiler is serviced in March.")
    text = desk.read("MEMORY.md")
    assert all(words in text for words in (LAMPS, TAP, "boiler"))


def test_an_open_index_lock_is_waited_for_and_named(desk: Desk) -> None:
    lock = desk.root / ".git/index.lock"
    lock.touch()
    answer = desk.call("remember", LAMPS)
    assert (answer.code, answer.key) == (75, "git-busy")
    lock.unlink()
    desk.run("remember", LAMPS)


@pytest.mark.parametrize(
    "state", [("checkout", "--quiet", "--detach"), ("checkout", "--quiet", "-b", "side")], ids=["detached", "branch"]
)
def test_off_the_branch_nothing_is_written(desk: Desk, state: tuple[str, ...]) -> None:
    desk.git(*state)
    answer = desk.refuse("remember", LAMPS, key="head-detached")
    desk.shell(answer.fix)
    desk.run("remember", LAMPS)
