"""A workspace of an older format goes on, and is migrated in a commit of its own."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.workspace import entries, foreign_commits, memory, memory_lines
from clawgit.workspace.capture_and_enforce import capture_all

SIDECAR, FORMAT = entries.PATH, ".clawgit/format"


def older(place):
    """Take a workspace back to what an older clawgit had written, with two memories; return the sidecar's text."""
    for text in ("Kettle is blue.", "Deploy is on Monday."):
        place.ws.apply(memory.add(place.ws, text).change)
    rows = entries.parse(place.text(SIDECAR))
    text = entries.format_sidecar(entries.render(rows)).replace("entries 2", "entries 1")
    place.commit({SIDECAR: text, FORMAT: "1\n"})
    foreign_commits.note(place.ws.store, place.ws.head)
    del place.__dict__["ws"]
    return text


def add(place, text):
    return place.ws.apply(memory.add(place.ws, text).change)


def test_the_first_write_migrates_in_a_commit_of_its_own_and_tells_it(place):
    text = older(place)
    rows = entries.parse(text)
    applied = add(place, "Ana likes tea.")
    assert [note for note in applied.notes if "format 2" in note]
    assert applied.captured is None
    assert place.git("log", "-3", "--format=%s").split("\n")[:2] == [
        "workspace: now in format 2",
        "memory: Ana likes tea.",
    ]
    step = place.git("show", "--format=", "--numstat", "HEAD").split()
    assert step == ["1", "1", FORMAT]
    assert place.text(FORMAT) == "2\n"
    now = entries.parse(place.text(SIDECAR))
    assert {key: now[key] for key in rows} == rows
    lines = place.text(SIDECAR).split("\n")
    assert set(text.split("\n")[1:]) <= set(lines)
    assert "format 2" not in " ".join(add(place, "Bo likes tea.").notes)
    place.agrees()


def hunks(diff):
    """Return the changed lines of a diff."""
    return [row for row in diff.split("\n") if row[:1] in ("+", "-") and not row.startswith(("+++", "---"))]


def test_two_clones_migrate_to_the_same_files(place):
    older(place)
    add(place, "Ana likes tea.")
    one = place.git("show", "--format=", "-U0", "HEAD")
    place.git("reset", "--quiet", "--hard", "HEAD^^")
    del place.__dict__["ws"]
    add(place, "Bo likes tea.")
    assert hunks(place.git("show", "--format=", "-U0", "HEAD")) == hunks(one)


def test_reading_migrates_nothing_and_neither_does_a_write_with_nothing_to_do(place):
    older(place)
    before = place.photograph()
    assert [one.text for one in memory_lines.list_bullets(place.ws)] == ["Kettle is blue.", "Deploy is on Monday."]
    assert capture_all(place.ws).captured == ()
    with pytest.raises(ClawgitError):
        place.ws.apply(memory.add(place.ws, "key " + "AKIA" + "Z7Q2X4WNB3RTY5KP").change)
    assert place.photograph() == before
