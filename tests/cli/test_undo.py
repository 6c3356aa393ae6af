"""`clawgit undo`."""

from collections.abc import Callable
from itertools import product
from pathlib import Path


def test_a_bare_undo_takes_back_the_newest_then_the_one_before(call: Callable, space: Path) -> None:
    before = (space / "MEMORY.md").read_bytes()
    call("memory", "add", "One.")
    middle = (space / "MEMORY.md").read_bytes()
    call("memory", "add", "Two.")
    assert call("undo").code == 0
    assert (space / "MEMORY.md").read_bytes() == middle
    assert call("undo", "--json").json["files"] == ["MEMORY.md"]
    assert (space / "MEMORY.md").read_bytes() == before
    answer = call("undo")
    assert (answer.code, answer.err) == (1, "error: there is no change to undo\n  fix: clawgit log\n")


def test_an_undo_can_be_undone(call: Callable, space: Path) -> None:
    call("memory", "add", "One.")
    there = (space / "MEMORY.md").read_bytes()
    change = call("undo", "--json").json["change"]
    assert call("undo", change).code == 0
    assert (space / "MEMORY.md").read_bytes() == there


def test_what_is_undone_is_not_learnt_again_unless_asked(call: Callable, space: Path) -> None:
    sidecar = space / ".clawgit/entries.tsv"
    call("memory", "add", "One.")
    call("undo")
    assert "\ttombstone\t" in sidecar.read_text()
    call("memory", "add", "Two.")
    call("undo", "--again")
    rows = [line for line in sidecar.read_text().splitlines() if line[0] != "#"]
    assert ["\ttombstone\t" in row for row in rows] == [True]


def test_a_conflict_shows_both_sides_and_writes_nothing(call: Callable, photograph: Callable, inside: Callable) -> None:
    def edit(old: str, new: str) -> str:
        return str(call("soul", "edit", "--replace", old, new, "--why", "w", "--json").json["change"])

    first = edit("Have a view.", "Have a strong view.")
    edit("Have a strong view.", "Have no view at all.")
    before = photograph()
    answer = call("undo", first, "--json")
    assert answer.code == 1
    assert set(answer.json) == {"error", "fix", "conflict"}
    (conflict,) = answer.json["conflict"]
    assert {side: text.strip() for side, text in conflict.items()} == {
        "ours": "- Have no view at all.",
        "theirs": "- Have a view.",
        "base": "- Have a strong view.",
    }
    shown = call("soul", "revert", first)
    assert (shown.code, shown.out) == (1, "")
    assert "  as it stands now:\n    - Have no view at all.\n" in shown.err
    assert "  as it was before the change:\n    - Have a view.\n" in shown.err
    assert "  choose: " in shown.err
    assert photograph() == before


def test_an_unknown_change_names_the_nearest(call: Callable) -> None:
    change = call("memory", "add", "One.", "--json").json["change"]
    wrong = change[:-1] + ("k" if change[-1] != "k" else "l")
    answer = call("undo", wrong)
    assert answer.code == 1
    assert f"nearest: {change}" in answer.err


def old_journals(space: Path) -> dict[str, bytes]:
    (space / "memory").mkdir(exist_ok=True)
    for month, day in product(("2024-03", "2024-04"), (1, 2)):
        (space / f"memory/{month}-0{day}.md").write_text(f"# {month}-0{day}\n\n- Ana moved the deploy to {day}:30.\n")
    return {place.name: place.read_bytes() for place in sorted((space / "memory").iterdir())}


def test_a_whole_run_is_taken_back_and_nothing_else(call: Callable, space: Path) -> None:
    before = old_journals(space)
    done = call("run", "memory-compactor", "--apply")
    assert done.out.splitlines()[-1] == "all back   clawgit undo --run"
    call("memory", "add", "Later.")
    assert len(call("undo", "--run").out.splitlines()) == 4
    assert {name: (space / "memory" / name).read_bytes() for name in before} == before
    assert "Later." in (space / "MEMORY.md").read_text()
    answer = call("undo", "--run")
    assert (answer.code, answer.err) == (
        1, "error: there is no run of an agent to undo that was not undone before\n  fix: clawgit log\n",
    )  # fmt: skip


def test_the_run_of_a_change_is_what_is_left_of_it(call: Callable, space: Path) -> None:
    old_journals(space)
    changes = [one["change"] for one in call("run", "memory-compactor", "--apply", "--json").json["committed"]]
    call("undo", changes[-1])
    assert len(call("undo", changes[0], "--run", "--json").json) == len(changes) - 1
    call("memory", "add", "Later.")
    answer = call("undo", "HEAD", "--run")
    assert answer.code == 1
    assert "is of no run that is known here" in answer.err
