"""What one machine purged is told to the others, goes from them with one command, and does not come back."""

import pytest

from clawgit.memory import purge as purging
from clawgit.memory import purge_places
from clawgit.sync.synchronising import clone

from .machines import Machines, git

PHRASE = "the key under the third flowerpot"
TOPIC = "memory/topic.md"


def purge(machine, phrase="", path=""):
    with machine.open() as workspace:
        forms = purge_places.read_phrase(phrase) if phrase else ()
        return purging.purge(workspace, purge_places.find(workspace, forms, path), None)


def everywhere(root, phrase):
    """Return the objects of a repository that hold a phrase, reached or not."""
    listed = git(root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)").splitlines()
    blobs = [row.split()[0] for row in listed if row.endswith(("blob", "commit"))]
    return [oid for oid in blobs if phrase in git(root, "cat-file", "-p", oid)]


@pytest.fixture
def pair(request, mould, tmp_path, monkeypatch):
    """Two machines that both know a phrase, at a remote or in a folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    machines = Machines(mould, tmp_path, ("a", "b"), folder=getattr(request, "param", False))
    machines["a"].add("The office is in Porto.")
    machines["a"].commit(TOPIC, f"# Topic\n\n- Spare: {PHRASE}.\n- Ann has the other one.\n")
    machines.settle(2)
    return machines


@pytest.mark.parametrize("pair", [False, True], indirect=True)
def test_a_purge_is_told_and_repeated_with_one_command(pair):
    a, b = pair["a"], pair["b"]
    b.add("Only b knows this.")
    b.commit(TOPIC, b.text(TOPIC) + "- Bob came by.\n")
    purge(a, PHRASE)
    a.sync()
    found = b.sync()
    assert "purged-elsewhere" in [one.key for one in found.problems]
    assert found.published is None
    assert PHRASE in b.text(TOPIC)
    purge(b, PHRASE)
    assert PHRASE not in b.text(TOPIC)
    pair.settle(3)
    assert a.head == b.head
    for machine in (a, b):
        assert everywhere(machine.root, PHRASE) == []
        assert "Only b knows" in machine.text("MEMORY.md")
        assert "Bob came by" in machine.text(TOPIC)
        assert "Ann has" in machine.text(TOPIC)
        assert machine.text(TOPIC).count("Bob came by") == 1
        machine.agrees()


def test_what_the_other_still_has_never_comes_back(pair):
    a, b = pair["a"], pair["b"]
    purge(a, PHRASE)
    b.commit(TOPIC, b.text(TOPIC) + "- Bob came by.\n")
    b.sync()
    found = a.sync()
    assert found.problems
    assert everywhere(a.root, PHRASE) == []
    assert "Bob came by" not in a.text(TOPIC)
    a.add("Written since.")
    a.sync()
    b.sync()
    assert everywhere(a.root, PHRASE) == []
    purge(b, PHRASE)
    pair.settle(3)
    assert a.head == b.head
    assert "Bob came by" in a.text(TOPIC)
    assert "Written since" in b.text("MEMORY.md")
    assert everywhere(a.root, PHRASE) == everywhere(b.root, PHRASE) == []


def test_after_all_have_purged_nothing_at_the_remote_leads_to_it(mould, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    machines = Machines(mould, tmp_path, ("a", "b", "c"))
    machines["a"].commit(TOPIC, f"# Topic\n\n- Spare: {PHRASE}.\n")
    machines.settle(2)
    purge(machines["a"], PHRASE)
    machines.settle(1)
    for name in ("b", "c"):
        purge(machines[name], PHRASE)
        machines.settle(1)
    machines.settle(2)
    assert len({machine.head for machine in machines.values()}) == 1
    git(machines.hub, "reflog", "expire", "--expire=now", "--all")
    git(machines.hub, "gc", "-q", "--prune=now")
    assert everywhere(machines.hub, PHRASE) == []


def test_a_file_that_was_purged_goes_too(pair):
    a, b = pair["a"], pair["b"]
    b.add("Only b knows this.")
    purge(a, path=TOPIC)
    a.sync()
    assert b.sync().problems
    purge(b, path=TOPIC)
    pair.settle(3)
    assert a.head == b.head
    assert not (b.root / TOPIC).exists()
    assert "Only b knows" in a.text("MEMORY.md")


def test_two_purges_that_cross_bring_nothing_back(pair):
    a, b = pair["a"], pair["b"]
    other = "the code of the back door"
    a.commit("memory/both.md", f"# Both\n\n- One: {PHRASE}.\n- Two: {other}.\n")
    pair.settle(2)
    purge(a, PHRASE)
    purge(b, other)
    pair.settle(2)
    assert everywhere(a.root, PHRASE) == everywhere(b.root, other) == []
    keys = {one.key for machine in (a, b) for one in machine.sync().problems}
    assert keys & {"purge-revived", "purged-elsewhere"}
    purge(a, other)
    purge(b, PHRASE)
    pair.settle(3)
    assert a.head == b.head
    for machine in (a, b):
        assert everywhere(machine.root, PHRASE) == everywhere(machine.root, other) == []


@pytest.mark.parametrize("pair", [True], indirect=True)
def test_a_new_machine_begins_from_a_folder_after_a_purge(pair, tmp_path):
    a = pair["a"]
    purge(a, PHRASE)
    a.sync()
    place = tmp_path / "third"
    with clone(str(a.folder), place) as workspace:
        assert workspace.managed
    assert everywhere(place, PHRASE) == []
    assert "Ann has" in (place / TOPIC).read_text()
