"""What is wrong is told with a way out, and touches nothing; what is merely odd costs no word of the memory."""

import subprocess
import sys

import pytest

from clawgit.errors import ClawgitError
from clawgit.text.correction import corrections
from clawgit.workspace import undo

from .machines import Machines, git


def photograph(machine):
    """All that a refusal must leave alone: files, index, the branch."""
    return (
        {path: path.read_bytes() for path in sorted(machine.root.glob("**/*.md"))},
        git(machine.root, "ls-files", "-s"),
        machine.head,
    )


def test_histories_with_nothing_in_common_are_refused(machines, mould, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    (other / "MEMORY.md").write_text("# Memory\n\n- Another one's.\n")
    git(other, "add", "-A")
    git(other, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "one")
    a = machines["a"]
    git(a.root, "remote", "set-url", "origin", other)
    before = photograph(a)
    with pytest.raises(ClawgitError, match="no commit in common"):
        a.sync()
    assert photograph(a) == before


def test_one_entry_corrected_on_both_machines_keeps_both_corrections(machines):
    a, b = machines["a"], machines["b"]
    a.add("The port is 8080.")
    machines.settle(2)
    for machine, port, name in ((a, "9090", "kqxmwrtzvn"), (b, "7070", "mqkxrwtzvn")):
        machine.edit("MEMORY.md", "8080", port)
        record = f"\n## {name} 2026-02-14 10:00\n\n- Said: 8080\n- True: {port}\n- Re-embedded: false\n"
        machine.commit("CORRECTIONS.md", machine.text("CORRECTIONS.md") + record)
    machines.settle(3)
    assert a.tree == b.tree
    found = {one.id: one for one in corrections(a.text("CORRECTIONS.md"))}
    assert {one.true for one in found.values()} == {"9090", "7070"}
    assert ("9090" in a.text("MEMORY.md")) != ("7070" in a.text("MEMORY.md"))
    assert all(port in a.text("CONFLICTS.md") for port in ("9090", "7070"))
    a.agrees()


def test_other_files_are_merged_as_git_does_or_not_at_all(machines):
    a, b = machines["a"], machines["b"]
    a.commit("work.txt", "1\n2\n3\n4\n5\n6\n7\n")
    machines.settle(2)
    a.commit("work.txt", a.text("work.txt").replace("1", "one"))
    b.commit("work.txt", b.text("work.txt").replace("7", "seven"))
    machines.settle(3)
    assert b.text("work.txt") == "one\n2\n3\n4\n5\n6\nseven\n"
    a.commit("work.txt", a.text("work.txt").replace("3", "x"))
    b.commit("work.txt", b.text("work.txt").replace("3", "y"))
    a.add("One.")
    a.sync()
    before = photograph(b)
    with pytest.raises(ClawgitError, match=r"work\.txt was changed here and on another machine"):
        b.sync()
    assert photograph(b) == before


def test_hooks_and_filters_of_the_other_side_do_not_run(machines, tmp_path):
    a, b = machines["a"], machines["b"]
    trap = tmp_path / "ran"
    for name in ("post-merge", "post-checkout", "reference-transaction", "pre-commit"):
        hook = b.root / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {trap}\n")
        hook.chmod(0o755)
    a.commit(".gitattributes", "*.txt filter=evil\n")
    a.commit("x.txt", "x\n")
    a.add("One.")
    git(b.root, "config", "filter.evil.smudge", f"touch {trap}; cat")
    a.sync()
    b.sync()
    assert "One" in b.text("MEMORY.md")
    assert not trap.exists()


def test_a_remote_that_takes_nothing_keeps_nothing_from_coming_in(machines):
    a, b = machines["a"], machines["b"]
    a.add("One.")
    a.sync()
    refuse = machines.hub / "hooks/pre-receive"
    refuse.parent.mkdir(exist_ok=True)
    refuse.write_text("#!/bin/sh\necho no >&2\nexit 1\n")
    refuse.chmod(0o755)
    b.add("Two.")
    with pytest.raises(ClawgitError, match="origin"):
        b.sync()
    assert "One" in b.text("MEMORY.md")
    b.agrees()


def test_undoing_a_merge_gives_this_side_back(machines):
    a, b = machines["a"], machines["b"]
    a.add("One.")
    a.note("here")
    b.add("Two.")
    a.sync()
    before = {path: b.text(path) for path in ("MEMORY.md",)}
    done = b.sync()
    with b.open() as workspace:
        workspace.apply(undo.undo(workspace, done.landed.commit), wait=False)
    assert {path: b.text(path) for path in before} == before
    machines.settle(3)
    assert a.tree == b.tree
    assert "Two" in a.text("MEMORY.md")


KILLED = """
import os, sys
from pathlib import Path
from clawgit.git import write_steps
from clawgit.sync.synchronising import exchange, sync
from clawgit.workspace.workspace import open_workspace
write_steps.observe(lambda step: os._exit(9) if step == sys.argv[2] else None)
with open_workspace(Path(sys.argv[1])) as workspace:
    sync(workspace, exchange(workspace, None, None))
"""


@pytest.mark.parametrize(
    ("step", "forward"),
    [
        ("objects", False),
        ("pending", False),
        ("exchange entries.tsv", False),
        ("branch", False),
        ("publish index", True),
    ],
)
def test_a_sync_that_is_killed_leaves_the_old_state_or_the_new_one(machines, step, forward):
    a, b = machines["a"], machines["b"]
    a.add("One.")
    a.note("noted")
    a.sync()
    if not forward:
        b.add("Two.")
    before = b.head
    done = subprocess.run([sys.executable, "-c", KILLED, b.root, step], capture_output=True, check=False)
    assert done.returncode == 9, done.stderr.decode()
    b.sync()
    assert "One" in b.text("MEMORY.md")
    assert forward or "Two" in b.text("MEMORY.md")
    assert git(b.root, "merge-base", "--is-ancestor", before, "HEAD") == ""
    b.agrees()
    machines.settle(2)
    assert a.tree == b.tree


@pytest.fixture
def carried(mould, tmp_path):
    """Two machines that meet in a folder."""
    return Machines(mould, tmp_path, ("a", "b"), folder=True)


def test_a_bundle_that_was_cut_in_half_is_left_out_and_told(carried):
    a, b = carried["a"], carried["b"]
    a.add("One.")
    a.sync()
    (bundle,) = a.folder.glob("*.bundle")
    whole = bundle.read_bytes()
    bundle.write_bytes(whole[: len(whole) // 2])
    before = photograph(b)
    found = b.sync()
    assert [problem for problem in found.problems if bundle.name in problem.message]
    assert photograph(b) == before
    bundle.write_bytes(whole)
    b.sync()
    assert "One" in b.text("MEMORY.md")


def test_a_folder_that_is_full_is_told(carried, monkeypatch):
    from pathlib import Path  # noqa: PLC0415

    def full(self, target):
        raise OSError(28, "No space left on device")

    a = carried["a"]
    a.sync()
    a.add("One.")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ClawgitError, match="No space left"):
        a.sync()
    monkeypatch.undo()
    assert not [one for one in a.folder.iterdir() if one.suffix == ".tmp"]
    assert a.sync().published
