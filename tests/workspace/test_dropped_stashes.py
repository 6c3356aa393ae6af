"""What a stash held that was dropped: no reference has it, and it is told all the same."""

import subprocess

import pytest

from clawgit.git import repository
from clawgit.workspace import seen_versions
from clawgit.workspace.capture_and_enforce import capture_and_enforce

DAY = "memory/2026-05-04.md"


@pytest.fixture
def journal(place):
    place.write(DAY, "# 2026-05-04\n\n- Rain.\n")
    capture_and_enforce(place.open())
    return place


def git(place, *words: str) -> None:
    subprocess.run(["git", *words], cwd=place.root, check=True, capture_output=True)


def alone(place) -> dict[str, tuple[str, ...]]:
    return {one.version.path: one.alone for one in seen_versions.listed(repository.find(place.root)) if one.alone}


def write_more(place) -> None:
    place.write(DAY, "# 2026-05-04\n\n- Rain.\n- Never trust Lukas again.\n")


@pytest.mark.parametrize("how", [["stash", "drop"], ["stash", "clear"]])
def test_a_note_that_was_stashed_and_dropped_is_kept(journal, how) -> None:
    write_more(journal)
    git(journal, "stash")
    git(journal, *how)
    capture_and_enforce(journal.open())
    assert alone(journal) == {DAY: ("- Never trust Lukas again.",)}


def test_an_older_one_below_another_is_kept_as_well(journal) -> None:
    write_more(journal)
    git(journal, "stash")
    journal.write("MEMORY.md", "# Memory\n\n- Anna likes tea.\n")
    git(journal, "stash", "push", "-m", "tea")
    git(journal, "stash", "drop", "stash@{1}")
    capture_and_enforce(journal.open())
    assert alone(journal) == {DAY: ("- Never trust Lukas again.",)}


def test_a_new_file_in_a_stash_is_kept_and_code_is_not(journal) -> None:
    journal.write("memory/2026-05-05.md", "- Sun.\n")
    journal.write("main.py", "print()\n")
    git(journal, "stash", "-u")
    git(journal, "stash", "drop")
    capture_and_enforce(journal.open())
    assert alone(journal) == {"memory/2026-05-05.md": ("- Sun.",)}


def test_what_came_back_from_a_stash_is_not_told(journal) -> None:
    write_more(journal)
    git(journal, "stash")
    git(journal, "stash", "pop")
    capture_and_enforce(journal.open())
    assert alone(journal) == {}


def test_a_stash_that_is_there_is_nobodys_loss(journal) -> None:
    write_more(journal)
    git(journal, "stash")
    capture_and_enforce(journal.open())
    assert alone(journal) == {}


def test_a_secret_in_it_is_not_kept(journal) -> None:
    journal.write(DAY, "# 2026-05-04\n\n- Rain.\n- key AKIAQYLPMN5HHHFPZAM2 of the relay\n")
    git(journal, "stash")
    git(journal, "stash", "drop")
    capture_and_enforce(journal.open())
    assert alone(journal) == {}


def test_each_is_looked_at_once(journal, monkeypatch) -> None:
    capture_and_enforce(journal.open())
    monkeypatch.setattr("clawgit.workspace.dropped_stashes._found", lambda *_: pytest.fail("nothing was stashed"))
    capture_and_enforce(journal.open())
