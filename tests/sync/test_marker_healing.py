"""What somebody's `git pull` left halfway is ended, and no word of it is lost."""

import subprocess

import pytest

from clawgit.errors import ClawgitError

from .machines import git


def pulled(machine, hub):
    """Pull as somebody does who knows nothing of clawgit; returns whether it went through."""
    done = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b", "pull", "-q", "--no-rebase", "--no-edit", hub, "main"],
        cwd=machine.root,
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


@pytest.fixture
def halfway(machines):
    """Machine b in the middle of a merge that has conflicts."""
    a, b = machines["a"], machines["b"]
    a.add("Alpha is known.")
    b.add("Beta is known.")
    git(a.root, "push", "-q", "origin", "main")
    assert not pulled(b, machines.hub)
    assert "<<<<<<<" in b.text("MEMORY.md")
    return b


def test_a_merge_with_markers_is_ended(halfway):
    done = halfway.sync()
    assert done.healed is not None
    assert "MEMORY.md" in done.healed.paths
    text = halfway.text("MEMORY.md")
    assert "Alpha" in text
    assert "Beta" in text
    assert len(halfway.rows()) == 2
    halfway.agrees()
    assert not (halfway.root / ".git/MERGE_HEAD").exists()
    assert len(git(halfway.root, "log", "-1", "--format=%P").split()) == 2 or done.landed.commit
    assert "<<<<<<<" in git(halfway.root, "show", f"{done.healed.kept}:MEMORY.md")


def test_what_somebody_resolved_by_hand_stays_as_it_is(halfway):
    halfway.write("MEMORY.md", "# Memory\n\n- Alpha and Beta are known.\n")
    halfway.sync()
    assert halfway.text("MEMORY.md") == "# Memory\n\n- Alpha and Beta are known.\n"
    halfway.agrees()


def test_an_ending_that_was_killed_goes_on(halfway, monkeypatch):
    from clawgit.sync import marker_healing  # noqa: PLC0415

    landed = marker_healing._landed
    monkeypatch.setattr(marker_healing, "_landed", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        halfway.sync()
    monkeypatch.setattr(marker_healing, "_landed", landed)
    assert halfway.sync().healed is not None
    text = halfway.text("MEMORY.md")
    assert "Alpha" in text
    assert "Beta" in text
    halfway.agrees()


def test_markers_that_were_committed_are_taken_out(halfway):
    git(halfway.root, "add", "-A")
    git(halfway.root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--no-verify", "-m", "merged")
    assert "<<<<<<<" in git(halfway.root, "show", "HEAD:MEMORY.md")
    assert halfway.sync().healed is not None
    text = halfway.text("MEMORY.md")
    assert "<<<<<<<" not in text
    assert "Alpha" in text
    assert "Beta" in text
    assert not [line for line in halfway.text(".clawgit/entries.tsv").splitlines() if line.startswith("<")]
    halfway.agrees()


def test_a_file_that_is_no_memory_and_has_markers_is_left_to_whoever_merges(machines):
    a, b = machines["a"], machines["b"]
    for machine, word in ((a, "one"), (b, "two")):
        machine.commit("work.txt", f"{word}\n")
    git(a.root, "push", "-q", "origin", "main")
    assert not pulled(b, machines.hub)
    before = (b.text("work.txt"), b.head)
    with pytest.raises(ClawgitError, match=r"work\.txt"):
        b.sync()
    assert (b.text("work.txt"), b.head) == before
    assert (b.root / ".git/MERGE_HEAD").exists()
