"""What another machine would bring is looked at before it is in the repository."""

import os

import pytest

from clawgit.clock import name_machine
from clawgit.git.repository import find
from clawgit.sync.machine_heads import Folder, Remote
from clawgit.sync.synchronising import sync

from .machines import Machines, git

LIMIT = 300_000


def exchange(machine, limit=LIMIT):
    repo = find(machine.root)
    return Folder(repo, machine.folder, limit, {}) if machine.folder else Remote(repo, "origin", "main", limit, {})


def synced(machine, limit=LIMIT):
    with machine.open() as workspace:
        return sync(workspace, exchange(machine, limit))


def holds(machine, oid):
    listed = git(machine.root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    return oid in listed


def bytes_of(machine):
    return sum(one.stat().st_size for one in (machine.root / ".git").rglob("*") if one.is_file())


@pytest.fixture(params=[False, True])
def meeting(request, mould, tmp_path):
    """Three machines at a remote, or in a folder."""
    return Machines(mould, tmp_path, ("a", "b", "c"), folder=request.param)


def test_a_huge_file_does_not_come_in_and_nothing_of_it_stays(meeting):
    data = os.urandom(3_000_000)
    a, b = meeting["a"], meeting["b"]
    b.sync()
    a.commit("big.bin", data)
    a.sync()
    blob = git(a.root, "rev-parse", "HEAD:big.bin").strip()
    b.add("Mine.")
    found = synced(b)
    assert any("MB" in one.message and str(one.fix).startswith("clawgit config sync_max_mb") for one in found.problems)
    assert not holds(b, blob)
    assert bytes_of(b) < 1_500_000
    assert not list((b.root / ".git/clawgit").glob("fetch-*"))
    assert not (b.root / "big.bin").exists()
    assert "Mine" in b.text("MEMORY.md")
    assert found.published
    b.agrees()
    assert synced(b, 10_000_000).problems == ()
    assert (b.root / "big.bin").read_bytes() == data


def test_who_brings_too_much_costs_no_other_machine_anything(meeting):
    a, b, c = meeting.values()
    for machine in meeting.values():
        machine.sync()
    c.add("Known by c.")
    c.sync()
    a.commit("big.bin", os.urandom(2_000_000))
    with a.open() as workspace:
        place = exchange(a)
        place.publish(name_machine(workspace.repo), workspace.head)
    if not b.folder:
        git(a.root, "push", "-q", "--force", "origin", f"{c.head}:refs/heads/main")
    found = synced(b)
    assert "Known by c" in b.text("MEMORY.md")
    assert found.problems
    assert not (b.root / "big.bin").exists()


def test_a_fetch_that_was_killed_leaves_nothing_for_good(machines):
    a, b = machines["a"], machines["b"]
    old = b.root / ".git/clawgit/fetch-old"
    (old / "pack").mkdir(parents=True)
    (old / "pack/tmp_pack_x").write_bytes(b"x" * 1000)
    os.utime(old, (0, 0))
    a.add("One.")
    a.sync()
    b.sync()
    assert not old.exists()
    assert "One" in b.text("MEMORY.md")
