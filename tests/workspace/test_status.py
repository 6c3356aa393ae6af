"""How the workspace stands, with nothing touched."""

import os

import pytest

from clawgit.workspace import memory
from clawgit.workspace.status import dirty, status

from .places import DAY


def test_a_clean_workspace_says_so(place):
    found = status(place.ws)
    assert (found.workspace, found.managed, found.branch, found.head) == (str(place.root), True, "main", place.head)
    assert (found.dirty, found.alarms, found.corrections, found.open_conflicts) == ((), (), 0, 0)


def test_what_is_not_committed_is_listed(place):
    place.write("SOUL.md", "x\n")
    place.write(DAY, "x\n")
    place.write("memory/a b \u4e2d.md", "x\n")
    place.write("USER.md", None)
    place.write("memory/data.json", "x\n")
    place.write("src/app.py", "x\n")
    place.write("docs/notes.md", "x\n")
    assert dirty(place.ws) == ("SOUL.md", "USER.md", DAY, "memory/a b \u4e2d.md")


def test_records_are_counted(place):
    place.commit({"CORRECTIONS.md": "# C\n\n## a\n\n### not\n\n## b\n", "CONFLICTS.md": "## a\n"})
    found = status(place.ws)
    assert (found.corrections, found.open_conflicts) == (2, 1)


def alarm(place):
    (one,) = status(place.ws).alarms
    return one.message


def test_what_stands_in_the_way_is_said(place):
    place.git("switch", "--quiet", "-c", "other")
    assert alarm(place).startswith("branch other is checked out; the workspace lives on main; nothing is written")
    place.git("switch", "--quiet", "--detach", "main")
    assert alarm(place).startswith("HEAD is detached")
    place.git("switch", "--quiet", "main")
    place.write(".git/MERGE_HEAD", place.head)
    assert alarm(place).startswith("a merge is under way")


def test_staged_changes_are_said(place):
    place.write("SOUL.md", "x\n")
    place.git("add", "SOUL.md")
    os.utime(place.root / ".git/index", (1, 1))
    assert alarm(place).startswith("SOUL.md has staged changes")


def test_what_stops_every_write_is_high_and_what_holds_one_file_is_low(place):
    place.write("MEMORY.md", "# Memory\n\n- Tea.\n")
    place.git("add", "MEMORY.md")
    os.utime(place.root / ".git/index", (1, 1))
    assert levels(place) == ["low"]
    place.git("switch", "--quiet", "-c", "other")
    os.utime(place.root / ".git/index", (1, 1))
    assert levels(place) == ["high", "low"]


def test_what_git_was_told_to_overlook_and_what_no_capture_can_read_stays_high(place):
    place.write("MEMORY.md", "- Tea.\n")
    place.git("update-index", "--skip-worktree", "MEMORY.md")
    place.write("USER.md", b"\xff")
    assert levels(place) == ["high", "high"]


def levels(place):
    return [one.level for one in status(place.ws).alarms]


@pytest.mark.parametrize(
    ("path", "data", "words"),
    [
        ("SOUL.md", b"\xff", "SOUL.md:1 is not valid UTF-8"),
        (DAY, b"<<<<<<< a\n=======\n>>>>>>> b\n", f"{DAY}:1 has conflict markers"),
        ("CONFIG.md", b"```yaml\nbranch: [\n```\n", "CONFIG.md:3: "),
    ],
)
def test_what_is_broken_is_said_and_breaks_nothing(place, path, data, words):
    place.write(path, data)
    assert alarm(place).startswith(words)
    assert status(place.ws).dirty == (path,)


def test_corrections_that_are_no_text_count_as_none(place):
    place.write("CORRECTIONS.md", b"## a\n\xff")
    assert status(place.ws).corrections == 0


def test_looking_touches_nothing(place):
    place.write("SOUL.md", "x\n")
    place.ws.apply(memory.add_note(place.ws, "x"))
    before, index = place.photograph(), place.read(".git/index")
    status(place.ws)
    assert place.read(".git/index") == index
    assert place.photograph() == before


def test_a_repository_that_is_not_managed_can_be_asked(place):
    place.git("rm", "--quiet", "-r", "--cached", ".clawgit")
    place.git("commit", "--quiet", "-m", "workspace: given back by clawgit")
    assert not status(place.ws).managed
