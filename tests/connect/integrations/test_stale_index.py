"""With the hooks, no commit reverts a change that its index never saw."""

import shutil
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from clawgit.workspace import memory_lines
from clawgit.workspace.change import Append


@contextmanager
def read_before(place):
    """Let git write its index back, at the end, as it is now: it read it before our commit, and locked it after."""
    index_copy = place.root / ".git/index.kept"
    shutil.copy(place.root / ".git/index", index_copy)
    yield
    index_copy.rename(place.root / ".git/index")


def remember(place, text):
    """Write a memory, its row in the sidecar, and a journal, which is new to the index, as one change."""
    from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415

    with open_workspace(place.root) as workspace:
        change = memory_lines.make_addition(workspace, text).change
        note = Append("memory/2026-03-14.md", f"\n{text}\n", "# 2026-03-14\n")
        return workspace.apply(replace(change, edits=(*change.edits, note)))


@pytest.fixture
def hooked(place):
    place.install()
    place.commit("work.txt", "work\n")
    return place


@pytest.mark.parametrize(
    "options", [("commit",), ("commit", "-a"), ("commit", "-i", "work.txt")], ids=["commit", "commit -a", "commit -i"]
)
def test_a_commit_repeated_with_the_index_of_its_first_try_brings_only_its_own(hooked, options):
    with read_before(hooked):
        remember(hooked, "Kettle is blue.")
    hooked.write("work.txt", "work\nmore\n")
    hooked.git("add", "work.txt")
    output = hooked.git(*options, "-m", "by hand")
    assert "memory/2026-03-14.md: git's index held an older version; it was put right" in output
    assert hooked.git("show", "--name-only", "--format=", "HEAD").split() == ["work.txt"]
    assert hooked.git("status", "--porcelain") == ""


def test_what_somebody_staged_on_purpose_is_committed_as_it_is(hooked):
    """Older text, a part of the file, a file that goes: each is somebody's decision."""
    applied = remember(hooked, "Kettle is blue.")
    hooked.git("checkout", f"{applied.commit}^", "--", "MEMORY.md")
    output = hooked.git("commit", "-m", "by hand")
    assert "put right" not in output
    assert "Kettle" not in hooked.git("show", "HEAD:MEMORY.md")
    hooked.git("rm", "-q", "MEMORY.md")
    assert "put right" not in hooked.git("commit", "-m", "by hand")
