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


@pytest.mark.parametrize("how", [["stash", "clear"]])
def test_a_note_that_was_stashed_and_dropped_is_kept(journal, how) -> None:
    write_more(journal)
    git(journal, "stash")
    git(journal, *how)
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


def test_one_that_was_listed_at_an_earlier_look_is_kept_when_it_goes(journal) -> None:
    write_more(journal)
    git(journal, "stash")
    capture_and_enforce(journal.open())
    git(journal, "gc", "-q")
    journal.write("MEMORY.md", "# Memory\n\n- Anna likes tea.\n")
    git(journal, "stash")
    capture_and_enforce(journal.open())
    git(journal, "stash", "clear")
    capture_and_enforce(journal.open())
    assert alone(journal) == {DAY: ("- Never trust Lukas again.",), "MEMORY.md": ("- Anna likes tea.",)}


def forged(place, rows: str, branch: str) -> str:
    """Put a commit of somebody else's here, on a branch as a fetch does."""
    root = place.root

    def run(*words: str, stdin: str = "") -> str:
        done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True, input=stdin)
        return done.stdout.strip()

    tree, who = run("rev-parse", "HEAD^{tree}"), "Eve <eve@example.org> 1700000000 +0000"
    text = f"tree {tree}\n{rows.format(who=who)}\nx\n"
    oid = run("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=text)
    run("update-ref", f"refs/remotes/evil/{branch}", oid)
    return oid


def test_no_commit_of_somebody_elses_makes_git_write(journal) -> None:
    """A row of a commit's head is no word of a command, and git reads parents only at their place."""
    before = (journal.root / "SOUL.md").read_bytes()
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=journal.root, capture_output=True, text=True, check=True)
    base = head.stdout.strip()
    people = "author {who}\ncommitter {who}\n"
    index = forged(journal, f"parent {base}\n{people}\nindex on main: x", "i")
    forged(journal, f"{people}parent --output=SOUL.md\nparent {index}\n", "o")
    forged(journal, f"parent {base}\nparent {index}\n{people}\nWIP on main: x", "w")
    git(journal, "update-ref", "refs/x", "HEAD")
    capture_and_enforce(journal.open())
    assert (journal.root / "SOUL.md").read_bytes() == before
    assert alone(journal) == {}
