"""What one machine approved is taken by the others where they are told to, and by no others."""

import pytest

from clawgit.clock import name_machine
from clawgit.workspace.config import change
from clawgit.workspace.settings import KEYS

from .machines import Machines, git

SOUL = "# Soul\n\n- Be kind.\n"
NEWER = "# Soul\n\n- Be kind.\n- Ask first.\n"


def name(machine):
    with machine.open() as workspace:
        return name_machine(workspace.repo)


def approve(machine, path, text):
    """Write a file, and have the operator approve it."""
    if machine.text(path) != text:
        machine.commit(path, text)
    with machine.open() as workspace:
        workspace.trusted.approve({path: text})


def changed(machine, key, value):
    """Return CONFIG.md with another value."""
    text = machine.text("CONFIG.md") if (machine.root / "CONFIG.md").exists() else None
    return change(text, KEYS[key], value)[0].edits[0].text


def follow(home, *machines):
    """Have machines take what `home` approves, as the operator says at each terminal."""
    for machine in machines:
        with machine.open() as workspace:
            workspace.trusted.pin({"identity_home": name(home)})
    config = changed(home, "identity_home", name(home))
    home.commit("CONFIG.md", config)


def trust(machine):
    with machine.open() as workspace:
        return workspace.approvals()


@pytest.fixture
def pair(request, mould, tmp_path):
    """Two machines at a remote, or in a folder, that both follow a."""
    machines = Machines(mould, tmp_path, ("a", "b"), folder=getattr(request, "param", False))
    machines.settle(1)
    follow(machines["a"], *machines.values())
    machines.settle(2)
    return machines


@pytest.mark.parametrize("pair", [False, True], indirect=True)
def test_what_one_machine_approved_stands_on_the_other_and_is_approved(pair):
    a, b = pair["a"], pair["b"]
    approve(a, "SOUL.md", NEWER)
    a.sync()
    found = b.sync()
    assert b.text("SOUL.md") == NEWER
    assert found.taken.paths == ("SOUL.md",)
    assert found.landed.waiting == ()
    assert trust(b).approves("SOUL.md", NEWER)
    assert trust(b).said("SOUL.md") == NEWER
    b.agrees()
    before = b.head
    assert b.sync().taken.paths == ()
    assert b.head == before


def test_who_was_not_told_to_takes_nothing(machines):
    a, b = machines["a"], machines["b"]
    machines.settle(1)
    follow(a, a)
    machines.settle(2)
    assert "identity_home" in b.text("CONFIG.md")
    approve(a, "SOUL.md", NEWER)
    a.sync()
    assert b.sync().taken.paths == ()
    assert b.text("SOUL.md") == SOUL


def test_what_stood_here_goes_to_the_inbox(pair):
    a, b = pair["a"], pair["b"]
    own = SOUL + "- Sing.\n"
    approve(b, "SOUL.md", own)
    approve(a, "SOUL.md", NEWER)
    a.sync()
    found = b.sync()
    assert b.text("SOUL.md") == NEWER
    with b.open() as workspace:
        (waits,) = workspace.store.read_items("open")
        assert waits.texts["SOUL.md"] == (NEWER, own)
    assert found.taken.waiting == (waits.id,)


def test_what_is_approved_here_later_is_never_put_back(pair):
    a, b = pair["a"], pair["b"]
    approve(a, "SOUL.md", NEWER)
    pair.settle(2)
    own = NEWER + "- Sing.\n"
    approve(b, "SOUL.md", own)
    pair.settle(3)
    assert b.text("SOUL.md") == own
    assert a.text("SOUL.md") == NEWER
    with a.open() as workspace:
        assert [one.texts["SOUL.md"][1] for one in workspace.store.read_items("open")]


def test_approvals_that_do_not_go_on_are_told_and_not_taken(machines):
    a, b = machines["a"], machines["b"]
    machines.settle(1)
    follow(a, a, b)
    approve(a, "SOUL.md", NEWER)
    machines.settle(2)
    reference = f"refs/clawgit/approved/{name(a)}"
    git(a.root, "update-ref", "-d", reference)
    approve(a, "SOUL.md", SOUL + "- Obey.\n")
    with a.open() as workspace:
        from clawgit.sync import synchronising  # noqa: PLC0415

        assert synchronising._publish_approvals(workspace, name(a))
    git(a.root, "push", "-q", "--force", "origin", f"{reference}:{reference}")
    found = b.sync()
    assert b.text("SOUL.md") == NEWER
    assert [one for one in found.problems if "written anew" in one.message]


def test_under_review_it_lands_without_an_item(pair):
    a, b = pair["a"], pair["b"]
    for machine in (a, b):
        with machine.open() as workspace:
            workspace.trusted.pin({"soul_policy": "review"})
    config = changed(a, "soul_policy", "review")
    a.commit("CONFIG.md", config)
    pair.settle(2)
    approve(a, "SOUL.md", NEWER)
    a.sync()
    b.sync()
    assert b.text("SOUL.md") == NEWER
    with b.open() as workspace:
        assert not [one for one in workspace.store.read_items("open") if "SOUL.md" in one.texts]
    b.agrees()
