"""What was written on one machine is on the others after a sync, and nothing is lost."""

import pytest

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.text.conflict import conflicts

from .machines import git

ADA = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


def test_nothing_is_done_where_nothing_is_new(machines):
    a, b = machines["a"], machines["b"]
    a.add("One.")
    machines.settle(2)
    before = a.head
    assert a.sync().landed.commit is None
    assert b.sync().landed.commit is None
    assert a.head == b.head == before


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


def test_nothing_goes_to_another_repository(machines, tmp_path):
    a = machines["a"]
    for name in ("one", "two"):
        other = tmp_path / name
        git(tmp_path, "init", "-q", "-b", "main", other)
        git(
            other,
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.org",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            name,
        )
        git(tmp_path, "clone", "-q", "--bare", other, tmp_path / f"{name}.git")
        git(a.root, "remote", "set-url", "origin", tmp_path / f"{name}.git")
        with pytest.raises(ClawgitError, match="no commit in common"):
            a.sync()
        assert "clawgit" not in git(tmp_path / f"{name}.git", "for-each-ref")
    git(a.root, "remote", "set-url", "origin", machines.hub)
    assert a.sync().problems == ()


def test_a_machine_that_leaves_after_a_merge_takes_nothing_away_here(machines):
    a, b = machines["a"], machines["b"]
    a.add("One.")
    b.add("Two.")
    machines.settle(3)
    git(a.root, "rm", "-q", "-r", ".clawgit")
    git(a.root, *ADA, "commit", "-q", "-m", file_roles.EJECTED)
    git(a.root, "push", "-q", "origin", "HEAD:main")
    b.sync()
    b.add("Three.")
    assert ".clawgit/format" in git(b.root, "ls-files")
