"""What comes of two versions: the newer line, the record of the other, and nothing that was taken out."""

import json
import subprocess
import sys
from pathlib import Path

from clawgit.clock import name_machine
from clawgit.connect import merge_driver
from clawgit.file_roles import TAINTED
from clawgit.sync.machine_heads import Remote
from clawgit.text.conflict import conflicts

from .machines import Machines, git


def test_what_one_machine_only_formatted_has_the_new_words(machines):
    a, b = machines["a"], machines["b"]
    for number in (1, 2, 3):
        a.add(f"José waters bed {number} on weekday {number}.")
    machines.settle(2)
    a.edit("MEMORY.md", "bed 2 on weekday 2", "bed 2 on weekday 5")
    b.edit("MEMORY.md", "- José waters bed 2", "* **José** waters bed 2")
    machines.settle(3)
    assert a.tree == b.tree
    assert a.text("MEMORY.md").count("bed 2") == 1
    assert "weekday 5" in a.text("MEMORY.md")
    assert conflicts(a.text("CONFLICTS.md")) == ()


def test_a_taint_that_was_undone_does_not_come_back(machines):
    """Its row was the only one, so the undo takes the file."""
    a, b = machines["a"], machines["b"]
    a.commit(TAINTED, "# clawgit tainted 1\nsource\turqunkztwp\tsession:0\t2026-03-14\tx\tw\n")
    machines.settle(2)
    assert "urqunkztwp" in b.text(TAINTED)
    a.commit(TAINTED, None)
    b.add("The roof is red.")
    machines.settle(3)
    assert a.tree == b.tree
    assert TAINTED not in git(a.root, "ls-files").split()


def test_a_line_that_was_deleted_before_two_met_crosswise_stays_away(mould, tmp_path):
    """Both merge before either has the other's merge: there are two merge bases then."""
    pair = Machines(mould, tmp_path, ("a", "b"), folder=True)
    a, b = pair["a"], pair["b"]
    a.add("The kettle is blue.")
    a.add("The door is green.")
    pair.settle(2)
    a.edit("MEMORY.md", "- The kettle is blue. #knowledge\n", "")
    b.add("The roof is red.")
    bundle = a.folder / f"{name_machine(a.open().repo)}.bundle"
    before = bundle.read_bytes()
    a.sync()
    deleted = bundle.read_bytes()
    bundle.write_bytes(before)
    b.sync()
    a.sync()
    merged = bundle.read_bytes()
    bundle.write_bytes(deleted)
    b.sync()
    bundle.write_bytes(merged)
    assert len(git(a.root, "rev-list", "--merges", "HEAD").split()) == 1
    assert len(git(b.root, "rev-list", "--merges", "HEAD").split()) == 1
    assert a.head != b.head
    b.edit("MEMORY.md", "- The door is green. #knowledge\n", "")
    a.add("The lamp is white.")
    pair.settle(3)
    assert a.tree == b.tree
    text = a.text("MEMORY.md")
    assert [words for words in ("kettle", "door", "roof", "lamp") if words in text] == ["roof", "lamp"]


def test_a_merge_that_comes_second_is_thrown_away_and_made_anew(machines, monkeypatch):
    a, b = machines["a"], machines["b"]
    a.add("One.")
    machines.settle(2)
    a.add("Two.")
    b.add("Three.")
    push = Remote.push_branch
    pushed = []

    def be_late(self, head):
        if not pushed:
            pushed.append(head)
            a.sync()
        return push(self, head)

    monkeypatch.setattr(Remote, "push_branch", be_late)
    b.sync()
    monkeypatch.undo()
    a.sync()
    assert a.head == b.head
    known = git(a.root, "rev-list", "--all").split()
    assert len(git(a.root, "rev-list", "--merges", "HEAD").split()) == 1
    assert b.head in known
    a.agrees()
    b.agrees()


def test_an_edit_follows_a_file_that_was_renamed_elsewhere(machines):
    a, b = machines["a"], machines["b"]
    a.commit("memory/people.md", "# People\n\n- Ann likes tea.\n- Bob likes mate.\n- Eve likes milk.\n")
    machines.settle(2)
    a.commit("memory/friends.md", a.text("memory/people.md"))
    a.commit("memory/people.md", None)
    old, new = "Ann likes tea", "Ann likes green tea"
    b.edit("memory/people.md", old, new)
    machines.settle(3)
    assert a.tree == b.tree
    assert not (a.root / "memory/people.md").exists()
    assert new in a.text("memory/friends.md")
    assert old not in a.text("memory/friends.md")


def test_a_branch_that_takes_no_push_is_told_and_heads_go_on(machines):
    a, b = machines["a"], machines["b"]
    hook = machines.hub / "hooks/update"
    hook.write_text('#!/bin/sh\ncase "$1" in refs/heads/*) echo no branch for you; exit 1;; esac\n')
    hook.chmod(0o755)
    a.add("One.")
    b.add("Two.")
    assert any("main" in note for note in a.sync().notes)
    machines.settle(3)
    assert a.tree == b.tree
    assert subprocess.run(["git", "fsck"], cwd=a.root, capture_output=True, check=False).returncode == 0
    hook.unlink()
    machines.settle(2)
    assert git(machines.hub, "for-each-ref", "refs/clawgit/heads") == ""


def test_a_machine_of_an_earlier_version_is_heard_and_our_own_old_head_goes(machines):
    a, b = machines["a"], machines["b"]
    own = name_machine(a.open().repo)
    b.add("Of an old machine.")
    git(b.root, "push", "-q", "origin", "HEAD:refs/clawgit/heads/kkkkkkkk")
    git(a.root, "push", "-q", "origin", f"HEAD:refs/clawgit/heads/{own}")
    done = a.sync()
    assert "Of an old machine." in a.text("MEMORY.md")
    assert any("kkkkkkkk" in note for note in done.notes)
    heads = git(machines.hub, "for-each-ref", "--format=%(refname)", "refs/clawgit/heads").split()
    assert heads == ["refs/clawgit/heads/kkkkkkkk"]
    a.later(days=31)
    assert a.sync().notes == ()


def test_both_versions_that_git_kept_are_asked_about_with_the_next_sync(machines):
    a, b = machines["a"], machines["b"]
    a.add("The demo is on Monday.")
    machines.settle(2)
    with b.open() as workspace:
        merge_driver.install(workspace.repo, Path(sys.executable).with_name("clawgit"))
    a.edit("MEMORY.md", "Monday", "Tuesday")
    b.edit("MEMORY.md", "Monday", "Friday")
    git(b.root, "pull", "-q", "--no-rebase", "--no-edit", a.root, "main")
    text = b.text("MEMORY.md")
    assert "Tuesday" in text
    assert "Friday" in text
    b.sync()
    (record,) = conflicts(b.text("CONFLICTS.md"))
    assert record.open
    assert {record.a.text.split()[-1], record.b.text.split()[-1]} == {"Tuesday.", "Friday."}
    b.sync()
    assert len(conflicts(b.text("CONFLICTS.md"))) == 1


def test_the_other_version_of_a_row_or_heading_takes_its_place(machines):
    a, b = machines["a"], machines["b"]
    a.commit("memory/hosts.md", "# Hosts\n\n## Trips\n\n| Host | Port |\n|---|---|\n| beta | 8080 |\n")
    machines.settle(2)
    for old, first, second in (("| beta | 8080 |", "| beta | 8081 |", "| beta | 9090 |"), ("Trips", "Trip", "Travels")):
        a.edit("memory/hosts.md", old, first)
        b.edit("memory/hosts.md", old, second)
    machines.settle(3)
    records = conflicts(a.text("CONFLICTS.md"))
    for record in records:
        command = Path(sys.executable).with_name("clawgit"), "-C", str(a.root), "accept", record.id, "--only", "2"
        subprocess.run(command, check=True, capture_output=True)
    row, heading = (record.b.text for record in records)
    assert a.text("memory/hosts.md") == f"# Hosts\n\n## {heading}\n\n| Host | Port |\n|---|---|\n{row}\n"


def test_both_versions_of_a_row_or_nested_bullet_stand_below_each_other(machines):
    a, b = machines["a"], machines["b"]
    text = "# Hosts\n\n| Host | Port |\n|---|---|\n| beta | 1 |\n\n- Cabin\n  - Bunk 1\n    - a blanket\n  - Table\n"
    a.commit("memory/hosts.md", text)
    machines.settle(2)
    for old, first, second in (("| beta | 1 |", "| beta | 2 |", "| beta | 3 |"), ("Bunk 1", "Bunk 2", "Bunk 3")):
        a.edit("memory/hosts.md", old, first)
        b.edit("memory/hosts.md", old, second)
    machines.settle(3)
    rows, bunks = sorted(conflicts(a.text("CONFLICTS.md")), key=lambda record: record.a.text.startswith("Bunk"))
    for record in (rows, bunks):
        run(a, "accept", record.id, "--only", "1,2")
    table = f"# Hosts\n\n| Host | Port |\n|---|---|\n{rows.a.text}\n{rows.b.text}\n"
    cabin = f"- Cabin\n  - {bunks.a.text}\n    - a blanket\n  - {bunks.b.text}\n  - Table\n"
    assert a.text("memory/hosts.md") == f"{table}\n{cabin}"


def test_both_versions_of_a_wrapped_line_stand_below_each_other(machines):
    a, b = machines["a"], machines["b"]
    text = "# Hosts\r\n\r\nThe fee is 1 euro\r\nfor each guest.\r\n\r\n- Gate 1\r\nis open.\r\n- End\r\n"
    a.commit("memory/hosts.md", text)
    machines.settle(2)
    for old, first, second in (("fee is 1", "fee is 2", "fee is 3"), ("Gate 1", "Gate 2", "Gate 3")):
        a.edit("memory/hosts.md", old, first)
        b.edit("memory/hosts.md", old, second)
    machines.settle(3)
    fees, gates = sorted(conflicts(a.text("CONFLICTS.md")), key=lambda record: record.a.text.startswith("Gate"))
    for record in (fees, gates):
        run(a, "accept", record.id, "--only", "1,2")
    fee = f"{fees.a.text}\r\nfor each guest.\r\n\r\n{fees.b.text}\r\n\r\n"
    gate = f"- {gates.a.text}\r\nis open.\r\n- {gates.b.text}\r\n- End\r\n"
    assert (a.root / "memory/hosts.md").read_bytes().decode() == f"# Hosts\r\n\r\n{fee}{gate}"


def test_the_first_of_two_headings_stays_alone(machines):
    a, b = machines["a"], machines["b"]
    a.commit("memory/shop.md", "# Shop\n\n- Intro.\n\n## Notes\n\n- Butter is late.\n")
    machines.settle(2)
    a.edit("memory/shop.md", "## Notes", "## Notes and talks")
    b.edit("memory/shop.md", "## Notes", "## Remarks")
    machines.settle(3)
    (record,) = conflicts(a.text("CONFLICTS.md"))
    run(a, "accept", record.id, "--only", "1")
    headings = [row for row in a.text("memory/shop.md").splitlines() if row.startswith("## ")]
    assert headings == [f"## {record.a.text}"]


def run(machine, *words):
    """Run a command of clawgit's on a machine, and return its answer."""
    command = [Path(sys.executable).with_name("clawgit"), "-C", machine.root, *words, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_a_rewording_beside_a_correction_is_in_a_record(machines):
    a, b = machines["a"], machines["b"]
    a.add("Jonas lives in Hamburg and works as a carpenter.")
    machines.settle(2)
    run(a, "correct", "Jonas lives in Hamburg", "Jonas lives in Kiel")
    b.edit("MEMORY.md", "as a carpenter", "as a boat builder")
    machines.settle(3)
    assert a.tree == b.tree
    assert "Jonas lives in Kiel and works as a carpenter." in a.text("MEMORY.md")
    (record,) = conflicts(a.text("CONFLICTS.md"))
    assert "boat builder" in record.b.text


def test_an_undone_correction_stays_away_where_another_machine_reworded_its_line(machines):
    a, b = machines["a"], machines["b"]
    a.add("Jonas lives in Hamburg and works as a carpenter.")
    machines.settle(2)
    commit = run(a, "correct", "Jonas lives in Hamburg", "Jonas lives in Kiel")["commit"]
    machines.settle(2)
    a.edit("MEMORY.md", "and works", "and now works")
    b.later(hours=1)
    run(b, "undo", commit)
    machines.settle(3)
    assert a.tree == b.tree
    assert "lives in Hamburg and works" in a.text("MEMORY.md")
    assert "Kiel" not in a.text("CORRECTIONS.md")
    (record,) = conflicts(a.text("CONFLICTS.md"))
    assert "Kiel and now works" in record.b.text


def test_a_ticked_box_stays_ticked_where_another_machine_reworded_the_task(machines):
    a, b = machines["a"], machines["b"]
    a.commit("memory/tasks.md", "# Tasks\n\n- [ ] Renew the passport in April\n")
    machines.settle(2)
    a.edit("memory/tasks.md", "[ ]", "[x]")
    b.edit("memory/tasks.md", "passport", "passport and the ID card")
    machines.settle(3)
    assert a.tree == b.tree
    assert a.text("memory/tasks.md") == "# Tasks\n\n- [x] Renew the passport and the ID card in April\n"
