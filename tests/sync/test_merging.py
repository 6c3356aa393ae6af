"""Lines of one machine are on the others after a sync, and nothing is lost."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import meeting
from .machines import Machines
from .test_control_files import KILLED

NOTES = "memory/notes.md"
_RECORD = re.compile(r"^## (\w{10}) .*\n\n- A: (.*)\n- A is: .*\n- B: (.*)\n", re.MULTILINE)


def records(machine):
    """Return the records of conflicts: their ids, A and B."""
    return _RECORD.findall(machine.read("CONFLICTS.md"))


MERGED = {
    "formatted here, reworded there": (
        "# Beds\n\n- José waters bed 1 on weekday 1.\n- José waters bed 2 on weekday 2.\n",
        ("- José waters bed 2", "* **José** waters bed 2"),
        ("bed 2 on weekday 2", "bed 2 on weekday 5"),
        ["bed 2 on weekday 5"],
        [],
    ),
    "reworded twice": (
        "# Demo\n\n- The demo is on Monday.\n",
        ("Monday", "Friday"),
        ("Monday", "Tuesday"),
        ["- The demo is on Tuesday."],
        [("The demo is on Tuesday.", "The demo is on Friday.")],
    ),
    "taken out here, reworded there": (
        "# Fish\n\n- One fish.\n- Bread.\n",
        ("- One fish.\n", ""),
        ("One fish", "One red fish"),
        ["- One red fish."],
        [("One red fish.", "")],
    ),
    "ticked here, reworded there": (
        "# Tasks\n\n- [ ] Renew the passport in April\n",
        ("[ ]", "[x]"),
        ("passport", "passport and the ID card"),
        ["- [x] Renew the passport and the ID card in April"],
        [],
    ),
}


@pytest.mark.parametrize("name", MERGED)
def test_two_changes_of_one_line(machines, name):
    """The newer wording stands, and the inbox asks about the other one."""
    text, first, second, lines, expected = MERGED[name]
    machine, b = machines.values()
    machine.commit_file(NOTES, text)
    machines.settle(2)
    machine.edit(NOTES, *first, minute=1)
    b.edit(NOTES, *second, minute=2)
    machines.settle()
    machines.check_equal()
    for line in lines:
        assert machine.read(NOTES).count(line) == 1
    assert len(machine.read(NOTES).splitlines()) == len(text.splitlines())
    records_found = [(winner, left) for _, winner, left in records(machine)]
    assert [winner for winner, _ in records_found] == [winner for winner, _ in expected]
    assert all(words in left for (_, words), (_, left) in zip(expected, records_found, strict=True))


def test_of_a_row_a_heading_and_a_nested_bullet_either_version_can_be_chosen_or_both(machines):
    machine, b = machines.values()
    table = "| Host | Port |\n|---|---|\n| beta | 1 |\n"
    machine.commit_file(NOTES, f"# Hosts\n\n- Demo 1\n- Fair\n\n## Trips\n\n{table}\n- Cabin\n  - Bunk 1\n")
    machines.settle(2)
    changes = (
        ("| beta | 1 |", "| beta | 2 |", "| beta | 3 |"),
        ("Bunk 1", "Bunk 2", "Bunk 3"),
        ("Trips", "Trip", "Travels"),
        ("Demo 1", "Demo 2", "Demo 3"),
    )
    for old, first, second in changes:
        machine.edit(NOTES, old, first, minute=1)
        b.edit(NOTES, old, second, minute=2)
    machines.settle()
    for name, winner, _ in records(machine):
        choice = ("accept", name, "--only", "2" if winner.startswith("T") else "1,2")
        machine.run(*(("reject", name) if winner == "Demo 3" else choice))
    assert "- Winner: a\n" in machine.read("CONFLICTS.md")
    table = "| Host | Port |\n|---|---|\n| beta | 2 |\n| beta | 3 |\n"
    assert (
        machine.read(NOTES) == f"# Hosts\n\n- Demo 3\n- Fair\n\n## Trip\n\n{table}\n- Cabin\n  - Bunk 2\n  - Bunk 3\n"
    )


def test_a_correction_and_its_undo_hold_beside_another_wording(machines):
    first, second = machines.values()
    first.run("remember", "Jonas lives in Hamburg and works as a carpenter.")
    machines.settle(2)
    commit = first.run("correct", "Jonas lives in Hamburg", "Jonas lives in Kiel")["commit"]
    second.edit("MEMORY.md", "as a carpenter", "as a boat builder")
    machines.settle()
    assert first.tree == second.tree
    assert "Jonas lives in Kiel and works as a carpenter." in first.read("MEMORY.md")
    assert "boat builder" in str(records(first))
    first.edit("MEMORY.md", "and works", "and now works")
    second.run("undo", commit)
    machines.settle()
    assert first.tree == second.tree
    assert "lives in Hamburg and works" in first.read("MEMORY.md")
    assert "Kiel" not in first.read("CORRECTIONS.md")


@meeting
def test_a_correction_and_an_undo_of_another_machine_count(machines):
    a, b = machines.values()
    a.run("remember", "Deploys happen on Tuesday evening.")
    a.run("correct", "not Tuesday evening, Thursday evening")
    a.write("memory/2099-01-05.md", "# 2099-01-05\n\n- The team said: deploys happen on Tuesday evening.\n")
    a.run("capture")
    machines.settle(2)
    a.run("undo", a.run("log", "--agent", "conflict-detector")[0]["commit"])
    machines.settle(2)
    b.run("run", "conflict-detector", "--apply")
    assert "\tsuperseded\t" not in b.read(".clawgit/entries.tsv")
    b.write("CORRECTIONS.md", "# Corrections\n")
    b.run("capture")
    assert [item["kind"] for item in b.run("inbox")] == ["restore"]


def test_an_edit_follows_a_file_that_was_renamed_elsewhere(machines):
    first, second = machines.values()
    first.commit_file("memory/people.md", "# People\n\n- Ann likes tea.\n- Bob likes mate.\n- Eve likes milk.\n")
    machines.settle(2)
    first.git("mv", "memory/people.md", "memory/friends.md")
    first.commit("renamed")
    second.edit("memory/people.md", "Ann likes tea", "Ann likes green tea")
    machines.settle()
    machines.check_equal()
    assert not (first.root / "memory/people.md").exists()
    assert "Ann likes green tea" in first.read("memory/friends.md")


def test_the_soul_stays_its_machines_own_and_is_proposed_to_the_other(machines):
    first, second = machines.values()
    first.commit_file("SOUL.md", "# Soul\n\n- Be kind.\n- Ask first.\n")
    first.sync()
    assert len(second.sync()["waiting"]) == 1
    machines.settle()
    assert second.read("SOUL.md") == "# Soul\n\n- Be kind.\n"
    heads = first.head(), second.head()
    machines.settle(2)
    assert (first.head(), second.head()) == heads


def test_other_files_are_merged_as_git_does_or_not_at_all(machines):
    first, second = machines.values()
    first.commit_file("work.txt", "1\n2\n3\n4\n5\n6\n7\n")
    machines.settle(2)
    first.edit("work.txt", "1", "one")
    second.edit("work.txt", "7", "seven")
    machines.settle()
    assert second.read("work.txt") == "one\n2\n3\n4\n5\n6\nseven\n"
    first.edit("work.txt", "3", "x")
    second.edit("work.txt", "3", "y")
    first.sync()
    before = second.files(), second.head()
    assert second.call("sync").key == "sync-conflict"
    assert (second.files(), second.head()) == before


def test_a_place_of_another_repository_gets_nothing_and_gives_nothing(machines, tmp_path):
    first, _ = machines.values()
    other = tmp_path / "other"
    first.git("init", "-q", "-b", "main", str(other))
    first.shell(f"git -C '{other}' -c user.name=A -c user.email=a@b commit -q --allow-empty -m one")
    first.git("remote", "set-url", "origin", str(other))
    first.refuse("sync", key="sync-unrelated")
    assert "clawgit" not in first.git("ls-remote", "origin")
    first.git("remote", "set-url", "origin", str(machines.hub.root))
    assert first.sync()["problems"] == []


def test_hooks_and_filters_of_the_other_side_do_not_run(machines, tmp_path):
    first, second = machines.values()
    trap = tmp_path / "ran"
    for name in ("post-merge", "post-checkout", "reference-transaction", "pre-commit"):
        hook = second.root / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {trap}\n")
        hook.chmod(0o755)
    first.commit_file(".gitattributes", "*.txt filter=evil\n")
    first.commit_file("x.txt", "x\n")
    first.run("remember", "One.")
    second.git("config", "filter.evil.smudge", f"touch {trap}; cat")
    first.sync()
    second.sync()
    assert "One" in second.read("MEMORY.md")
    assert not trap.exists()


def hook(machines: Machines, name: str, script: str) -> Path:
    place = machines.hub.root / "hooks" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    return place


def test_a_remote_that_takes_nothing_keeps_nothing_from_coming_in(machines):
    first, second = machines.values()
    first.run("remember", "One.")
    first.sync()
    hook(machines, "pre-receive", "exit 1")
    second.run("remember", "Two.")
    assert second.call("sync").code == 1
    assert "One" in second.read("MEMORY.md")
    second.check()


def test_a_branch_that_takes_no_push_is_told_and_heads_go_on(machines):
    first, second = machines.values()
    refusal = hook(machines, "update", 'case "$1" in refs/heads/*) exit 1;; esac')
    first.run("remember", "One.")
    second.run("remember", "Two.")
    assert first.sync()["notes"]
    machines.settle()
    machines.check_equal()
    refusal.unlink()
    machines.settle(2)
    assert machines.hub.git("for-each-ref", "refs/clawgit/heads") == ""


def test_a_merge_that_comes_second_is_thrown_away_and_made_anew(machines):
    first, second = machines.values()
    machines.settle(2)
    for machine, text in ((first, "Two."), (second, "Three.")):
        machine.run("remember", text)
    first.git("push", "-q", "--no-verify", "origin", "HEAD:refs/heads/faster")
    quicker = (
        "test -e ran && exit 0; touch ran; env -u GIT_QUARANTINE_PATH git update-ref refs/heads/main refs/heads/faster"
    )
    hook(machines, "pre-receive", quicker)
    second.sync()
    first.sync()
    assert first.head() == second.head()
    assert len(first.git("rev-list", "--merges", "HEAD").split()) == 1
    machines.check_equal()


def test_undoing_a_merge_gives_this_side_back(machines):
    first, second = machines.values()
    first.run("remember", "One.")
    second.run("remember", "Two.")
    first.sync()
    before = second.read("MEMORY.md")
    second.shell(second.sync()["undo"])
    assert second.read("MEMORY.md") == before
    machines.settle()
    assert first.tree == second.tree
    assert "Two" in first.read("MEMORY.md")


@pytest.mark.parametrize("step", ["objects", "exchange entries.tsv", "publish index"])
def test_a_sync_that_is_killed_leaves_the_old_state_or_the_new_one(machines, step):
    first, second = machines.values()
    for machine, text in ((first, "One."), (second, "Two.")):
        machine.run("remember", text)
    first.sync()
    before = second.head()
    result = subprocess.run(
        [sys.executable, "-c", KILLED, step, "-C", second.root, "sync"], check=False, capture_output=True
    )
    assert result.returncode == 9, result.stderr
    second.sync()
    second.git("merge-base", "--is-ancestor", before, "HEAD")
    machines.settle(2)
    machines.check_equal()
    assert {"- One.", "- Two."} <= {line.partition(" #")[0] for line in first.read("MEMORY.md").splitlines()}


@pytest.mark.parametrize("machines", ["folder"], indirect=True)
def test_a_bundle_that_was_cut_in_half_is_left_out_and_told(machines):
    first, second = machines.values()
    first.run("remember", "One.")
    first.sync()
    (bundle,) = first.folder.glob("*.bundle")
    whole = bundle.read_bytes()
    bundle.write_bytes(whole[: len(whole) // 2])
    before = second.head()
    assert second.sync()["problems"]
    assert second.head() == before
    bundle.write_bytes(whole)
    second.sync()
    assert "One" in second.read("MEMORY.md")
