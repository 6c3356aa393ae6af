"""History that ends sooner than it did is told until the operator has seen it."""

import subprocess

import pytest

from clawgit.findings.checks.loss_checks import answer_changes, list_changes
from clawgit.findings.status import status
from clawgit.workspace.capture_and_enforce import capture_and_enforce


@pytest.fixture
def seen(place):
    """A workspace of some commits, after a look."""
    place.commit({"MEMORY.md": "# Memory\n\n- Ana likes tea.\n"})
    capture_and_enforce(place.open())
    return place


def told(place):
    return [one for one in status(place.open()).alarms if "history" in one.message]


def cut(place, commit=""):
    place.write(".git/shallow", f"{commit or place.head}\n")


def test_a_cut_that_somebody_made_is_told_with_the_way_back(seen):
    """Also after the next look, and until the file is gone."""
    cut(seen)
    (alarm,) = told(seen)
    words = f".git/shallow cuts history off at {seen.head[:10]}: older commits are here, and no command sees them"
    assert (alarm.message, str(alarm.fix), alarm.level) == (words, "rm '.git/shallow'", "warning")
    capture_and_enforce(seen.open())
    assert told(seen) == [alarm]
    (seen.root / ".git/shallow").unlink()
    assert told(seen) == []


def test_a_cut_is_told_though_the_note_of_the_last_look_is_damaged(seen):
    (seen.ws.trusted.folder / "history.json").write_text("")
    cut(seen)
    capture_and_enforce(seen.open())
    assert len(told(seen)) == 1


def clone(place, folder, *words):
    subprocess.run(["git", "clone", "-q", *words, f"file://{place.root}", folder], check=True)
    return type(place)(folder)


def test_a_clone_that_was_shallow_at_the_first_look_is_not_told(seen, tmp_path):
    copy = clone(seen, tmp_path / "copy", "--depth=1")
    capture_and_enforce(copy.open())
    assert told(copy) == []
    copy.git("fetch", "-q", "--deepen=1")
    assert told(copy) == []
    copy.git("fetch", "-q", "--unshallow")
    capture_and_enforce(copy.open())
    assert told(copy) == []


def test_a_history_made_anew_is_told_until_the_operator_says_yes(seen):
    before = seen.head
    seen.git("checkout", "-q", "--orphan", "fresh")
    seen.git("commit", "-qm", "anew")
    seen.git("branch", "-M", "fresh", "main")
    (alarm,) = told(seen)
    assert alarm.message == f"history no longer holds commit {before[:10]}, where it stood at the last look"
    assert str(alarm.fix) == f"git branch before-the-cut {before[:10]}"
    capture_and_enforce(seen.open())
    assert told(seen) == [alarm]
    answer_changes(seen.open(), list_changes(seen.open()))
    assert told(seen) == []


def test_a_commit_that_was_amended_or_rebased_is_no_news(seen):
    seen.git("commit", "-q", "--amend", "-m", "better said")
    assert told(seen) == []
    capture_and_enforce(seen.open())
    seen.git("reset", "-q", "--hard", "HEAD~1")
    assert told(seen) == []
