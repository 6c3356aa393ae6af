"""What was written on one machine is on the others after a sync, and nothing is lost."""

from clawgit.sync.head_merge import work_out
from clawgit.text.conflict import conflicts

from .machines import git


def test_what_both_added_stands_on_both(machines):
    a, b = machines["a"], machines["b"]
    a.add("Chose REST over GraphQL.")
    a.note("met Ann")
    b.add("The office is in Porto.")
    b.note("met Bob")
    machines.settle(2)
    for machine in (a, b):
        text = machine.text("MEMORY.md")
        assert "Chose REST" in text
        assert "Porto" in text
        journal = machine.text("memory/2026-02-14.md")
        assert "met Ann" in journal
        assert "met Bob" in journal
        assert journal.count("# 2026-02-14\n") == 1
        assert len(machine.rows()) == 2
        machine.agrees()
    assert a.tree == b.tree
    assert a.head == b.head


def test_nothing_is_done_where_nothing_is_new(machines):
    a, b = machines["a"], machines["b"]
    a.add("One.")
    machines.settle(2)
    before = a.head
    assert a.sync().landed.commit is None
    assert b.sync().landed.commit is None
    assert a.head == b.head == before


def test_a_dry_run_touches_no_file_and_no_branch(machines):
    a, b = machines["a"], machines["b"]
    a.add("One.")
    b.add("Two.")
    a.sync()
    before = b.head
    found = b.sync(dry_run=True)
    assert found.landed.merge is not None
    assert "MEMORY.md" in found.landed.merge.files
    assert b.head == before
    assert "One" not in b.text("MEMORY.md")


def test_of_one_entry_reworded_twice_the_newer_stands_and_the_other_is_asked_about(machines):
    a, b = machines["a"], machines["b"]
    a.add("The demo is on Monday.")
    machines.settle(2)
    a.later(minutes=5)
    a.edit("MEMORY.md", "Monday", "Tuesday")
    b.edit("MEMORY.md", "Monday", "Friday")
    machines.settle(3)
    assert a.tree == b.tree
    text = a.text("MEMORY.md")
    assert "Tuesday" in text
    assert "Friday" not in text
    (row,) = a.rows().values()
    assert row.status == "live"
    (asked,) = conflicts(a.text("CONFLICTS.md"))
    assert "Tuesday" in asked.a.text
    assert "Friday" in asked.b.text
    assert asked.open
    a.agrees()
    b.agrees()


def test_an_entry_taken_out_here_and_untouched_there_stays_away(machines):
    a, b = machines["a"], machines["b"]
    a.add("One.")
    a.add("Two.")
    machines.settle(2)
    a.edit("MEMORY.md", "- One. #knowledge\n", "")
    b.add("Three.")
    machines.settle(3)
    assert "One" not in b.text("MEMORY.md")
    assert a.tree == b.tree


def test_an_entry_taken_out_here_and_reworded_there_stands_reworded(machines):
    a, b = machines["a"], machines["b"]
    a.add("One fish.")
    machines.settle(2)
    a.edit("MEMORY.md", "- One fish. #knowledge\n", "")
    b.edit("MEMORY.md", "One fish", "One red fish")
    machines.settle(3)
    assert "One red fish" in a.text("MEMORY.md")
    assert a.tree == b.tree
    assert [row.status for row in a.rows().values()] == ["live"]


def test_three_machines_in_any_order(three):
    for name, machine in three.items():
        machine.add(f"{name} knows one.")
        machine.note(f"{name} was here")
    three["c"].sync()
    three["a"].sync()
    three["b"].sync()
    three["a"].add("a knows two.")
    three["b"].add("b knows two.")
    three.settle(3)
    assert len({machine.head for machine in three.values()}) == 1
    text = three["a"].text("MEMORY.md")
    assert all(words in text for words in ("a knows one", "b knows one", "c knows one", "a knows two", "b knows two"))


def test_a_soul_stays_its_machines_own_and_is_proposed_to_the_other(machines):
    a, b = machines["a"], machines["b"]
    a.commit("SOUL.md", "# Soul\n\n- Be kind.\n- Ask first.\n")
    a.sync()
    found = b.sync()
    assert b.text("SOUL.md") == "# Soul\n\n- Be kind.\n"
    assert len(found.landed.waiting) == 1
    a.add("One.")
    machines.settle(3)
    assert "One" in b.text("MEMORY.md")
    assert b.text("SOUL.md") == "# Soul\n\n- Be kind.\n"
    heads = (a.head, b.head)
    machines.settle(2)
    assert (a.head, b.head) == heads


def test_the_same_files_are_merged_whoever_merges(machines):
    """The tree is the same, byte for byte, on whichever machine it is worked out."""
    a, b = machines["a"], machines["b"]
    for machine, name in ((a, "a"), (b, "b")):
        machine.add(f"{name} one.")
        machine.note(f"{name} note")
        machine.commit("AGENTS.md", machine.text("AGENTS.md") + f"\n## {name}\n\n- rule of {name}\n")
    a.sync()
    git(b.root, "fetch", "-q", a.root, "main")
    git(a.root, "fetch", "-q", b.root, "main")
    trees = set()
    for machine, other in ((a, b), (b, a)):
        repo = machine.open().repo
        merge = work_out(repo, machine.head, [other.head], lambda _: False)
        trees.add(
            tuple(sorted((path, data) for path, data in merge.files.items() if path in {"MEMORY.md", "AGENTS.md"}))
        )
        assert merge.files.keys() >= {"MEMORY.md", "AGENTS.md", ".clawgit/entries.tsv", "memory/2026-02-14.md"}
    assert len(trees) == 1
