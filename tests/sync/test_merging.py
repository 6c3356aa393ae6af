"""What was written on one machine is on the others after a sync, and nothing is lost."""

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
    text, first, second, lines, asked = MERGED[name]
    a, b = machines.values()
    a.commit_file(NOTES, text)
    machines.settle(2)
    a.edit(NOTES, *first, minute=1)
    b.edit(NOTES, *second, minute=2)
    machines.settle()
    machines.check_equal()
    for line in lines:
        assert a.read(NOTES).count(line) == 1
    assert len(a.read(NOTES).splitlines()) == len(text.splitlines())
    found = [(kept, left) for _, kept, left in records(a)]
    assert [kept for kept, _ in found] == [kept for kept, _ in asked]
    assert all(words in left for (_, words), (_, left) in zip(asked, found, strict=True))


def test_of_a_row_a_heading_and_a_nested_bullet_either_version_can_be_chosen_or_both(machines):
    a, b = machines.values()
    table = "| Host | Port |\n|---|---|\n| beta | 1 |\n"
    a.commit_file(NOTES, f"# Hosts\n\n- Demo 1\n- Fair\n\n## Trips\n\n{table}\n- Cabin\n  - Bunk 1\n")
    machines.settle(2)
    changes = (
        ("| beta | 1 |", "| beta | 2 |", "| beta | 3 |"),
        ("Bunk 1", "Bunk 2", "Bunk 3"),
        ("Trips", "Trip", "Travels"),
        ("Demo 1", "Demo 2", "Demo 3"),
    )
    for old, first, second in changes:
        a.edit(NOTES, old, first, minute=1)
        b.edit(NOTES, old, second, minute=2)
    machines.settle()
    for name, kept, _ in records(a):
        choice = ("accept", name, "--only", "2" if kept.startswith("T") else "1,2")
        a.run(*(("reject", name) if kept == "Demo 3" else choice))
    assert "- Winner: a\n" in a.read("CONFLICTS.md")
    table = "| Host | Port |\n|---|---|\n| beta | 2 |\n| beta | 3 |\n"
    assert a.read(NOTES) == f"# Hosts\n\n- Demo 3\n- Fair\n\n## Trip\n\n{table}\n- Cabin\n  - Bunk 2\n  - Bunk 3\n"


def test_a_correction_and_its_undo_hold_beside_another_wording(machines):
    a, b = machines.values()
    a.run("remember", "Jonas lives in Hamburg and works as a carpenter.")
    machines.settle(2)
    commit = a.run("correct", "Jonas lives in Hamburg", "Jonas lives in Kiel")["commit"]
    b.edit("MEMORY.md", "as a carpenter", "as a boat builder")
    machines.settle()
    assert a.tree == b.tree
    assert "Jonas lives in Kiel and works as a carpenter." in a.read("MEMORY.md")
    assert "boat builder" in str(records(a))
    a.edit("MEMORY.md", "and works", "and now works")
    b.run("undo", commit)
    machines.settle()
    assert a.tree == b.tree
    assert "lives in Hamburg and works" in a.read("MEMORY.md")
    assert "Kiel" not in a.read("CORRECTIONS.md")


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
    a, b = machines.values()
    a.commit_file("memory/people.md", "# People\n\n- Ann likes tea.\n- Bob likes mate.\n- Eve likes milk.\n")
    machines.settle(2)
    a.git("mv", "memory/people.md", "memory/friends.md")
    a.commit("renamed")
    b.edit("memory/people.md", "Ann likes tea", "Ann likes green tea")
    machines.settle()
    machines.check_equal()
    assert not (a.root / "memory/people.md").exists()
    assert "Ann likes green tea" in a.read("memory/friends.md")


def test_the_soul_stays_its_machines_own_and_is_proposed_to_the_other(machines):
    a, b = machines.values()
    a.commit_file("SOUL.md", "# Soul\n\n- Be kind.\n- Ask first.\n")
    a.sync()
    assert len(b.sync()["waiting"]) == 1
    machines.settle()
    assert b.read("SOUL.md") == "# Soul\n\n- Be kind.\n"
    heads = a.head(), b.head()
    machines.settle(2)
    assert (a.head(), b.head()) == heads


def test_other_files_are_merged_as_git_does_or_not_at_all(machines):
    a, b = machines.values()
    a.commit_file("work.txt", "1\n2\n3\n4\n5\n6\n7\n")
    machines.settle(2)
    a.edit("work.txt", "1", "one")
    b.edit("work.txt", "7", "seven")
    machines.settle()
    assert b.read("work.txt") == "one\n2\n3\n4\n5\n6\nseven\n"
    a.edit("work.txt", "3", "x")
    b.edit("work.txt", "3", "y")
    a.sync()
    before = b.files(), b.head()
    assert b.call("sync").key == "sync-conflict"
    assert (b.files(), b.head()) == before


def test_a_place_of_another_repository_gets_nothing_and_gives_nothing(machines, tmp_path):
    a, _ = machines.values()
    other = tmp_path / "other"
    a.git("init", "-q", "-b", "main", str(other))
    a.shell(f"git -C '{other}' -c user.name=A -c user.email=a@b commit -q --allow-empty -m one")
    a.git("remote", "set-url", "origin", str(other))
    a.refuse("sync", key="sync-unrelated")
    assert "clawgit" not in a.git("ls-remote", "origin")
    a.git("remote", "set-url", "origin", str(machines.hub.root))
    assert a.sync()["problems"] == []


def test_hooks_and_filters_of_the_other_side_do_not_run(machines, tmp_path):
    a, b = machines.values()
    trap = tmp_path / "ran"
    for name in ("post-merge", "post-checkout", "reference-transaction", "pre-commit"):
        hook = b.root / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {trap}\n")
        hook.chmod(0o755)
    a.commit_file(".gitattributes", "*.txt filter=evil\n")
    a.commit_file("x.txt", "x\n")
    a.run("remember", "One.")
    b.git("config", "filter.evil.smudge", f"touch {trap}; cat")
    a.sync()
    b.sync()
    assert "One" in b.read("MEMORY.md")
    assert not trap.exists()


def hook(machines: Machines, name: str, script: str) -> Path:
    place = machines.hub.root / "hooks" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    return place


def test_a_remote_that_takes_nothing_keeps_nothing_from_coming_in(machines):
    a, b = machines.values()
    a.run("remember", "One.")
    a.sync()
    hook(machines, "pre-receive", "exit 1")
    b.run("remember", "Two.")
    assert b.call("sync").code == 1
    assert "One" in b.read("MEMORY.md")
    b.check()


def test_a_branch_that_takes_no_push_is_told_and_heads_go_on(machines):
    a, b = machines.values()
    refusal = hook(machines, "update", 'case "$1" in refs/heads/*) exit 1;; esac')
    a.run("remember", "One.")
    b.run("remember", "Two.")
    assert a.sync()["notes"]
    machines.settle()
    machines.check_equal()
    refusal.unlink()
    machines.settle(2)
    assert machines.hub.git("for-each-ref", "refs/clawgit/heads") == ""


def test_a_merge_that_comes_second_is_thrown_away_and_made_anew(machines):
    a, b = machines.values()
    machines.settle(2)
    for machine, text in ((a, "Two."), (b, "Three.")):
        machine.run("remember", text)
    a.git("push", "-q", "--no-verify", "origin", "HEAD:refs/heads/faster")
    quicker = (
        "test -e ran && exit 0; touch ran; env -u GIT_QUARANTINE_PATH git update-ref refs/heads/main refs/heads/faster"
    )
    hook(machines, "pre-receive", quicker)
    b.sync()
    a.sync()
    assert a.head() == b.head()
    assert len(a.git("rev-list", "--merges", "HEAD").split()) == 1
    machines.check_equal()


def test_undoing_a_merge_gives_this_side_back(machines):
    a, b = machines.values()
    a.run("remember", "One.")
    b.run("remember", "Two.")
    a.sync()
    before = b.read("MEMORY.md")
    b.shell(b.sync()["undo"])
    assert b.read("MEMORY.md") == before
    machines.settle()
    assert a.tree == b.tree
    assert "Two" in a.read("MEMORY.md")


@pytest.mark.parametrize("step", ["objects", "exchange entries.tsv", "publish index"])
def test_a_sync_that_is_killed_leaves_the_old_state_or_the_new_one(machines, step):
    a, b = machines.values()
    for machine, text in ((a, "One."), (b, "Two.")):
        machine.run("remember", text)
    a.sync()
    before = b.head()
    done = subprocess.run([sys.executable, "-c", KILLED, step, "-C", b.root, "sync"], check=False, capture_output=True)
    assert done.returncode == 9, done.stderr
    b.sync()
    b.git("merge-base", "--is-ancestor", before, "HEAD")
    machines.settle(2)
    machines.check_equal()
    assert {"- One.", "- Two."} <= {line.partition(" #")[0] for line in a.read("MEMORY.md").splitlines()}


@pytest.mark.parametrize("machines", ["folder"], indirect=True)
def test_a_bundle_that_was_cut_in_half_is_left_out_and_told(machines):
    a, b = machines.values()
    a.run("remember", "One.")
    a.sync()
    (bundle,) = a.folder.glob("*.bundle")
    whole = bundle.read_bytes()
    bundle.write_bytes(whole[: len(whole) // 2])
    before = b.head()
    assert b.sync()["problems"]
    assert b.head() == before
    bundle.write_bytes(whole)
    b.sync()
    assert "One" in b.read("MEMORY.md")
