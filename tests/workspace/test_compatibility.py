"""A workspace that clawgit 0.1.0 wrote is opened, read and written, and loses nothing."""

import subprocess
from pathlib import Path

import pytest

from clawgit.findings.status import status
from clawgit.workspace import identity_edits, line_origins, memory, memory_lines, records
from clawgit.workspace import restore as restoring
from clawgit.workspace.undo import undo
from clawgit.workspace.workspace import open_workspace

MADE = Path(__file__).with_name("made-by-0.1.0.bundle")
REMEMBERED = [
    ("We stay on SQLite until a second site signs.", "decision", 1),
    ("Likes tea.", "knowledge", 2),
    ("The relay listens on port 8080.", "knowledge", 1),
    ("The relay listens on port 9090.", "knowledge", 1),
    ("The pilot at Halden starts on 19 March 2027.", "event", 2),
]


@pytest.fixture
def old(tmp_path):
    """What was written by 0.1.0, with its references, as on the day that it was made."""
    folder = tmp_path / "old"
    subprocess.run(["git", "clone", "--quiet", "--mirror", MADE, folder / ".git"], check=True, capture_output=True)
    for words in (
        ("config", "core.bare", "false"),
        ("remote", "remove", "origin"),
        ("config", "user.name", "Ada"),
        ("config", "user.email", "ada@example.org"),
        ("reset", "--hard", "--quiet"),
    ):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    return open_workspace(folder)


def test_its_memories_are_there_with_their_kind_and_mentions(old):
    assert [(one.text, one.tag, one.mentions) for one in memory_lines.list_bullets(old)] == REMEMBERED


def test_its_log_says_what_was_done_and_why(old):
    found = list(records.log(old))
    assert len(found) == 17
    assert {one.subject.partition(":")[0] for one in found if not one.change} == {"capture", "workspace"}
    told = next(one for one in found if one.subject == "soul: On the phone: the answer first.")
    assert (told.why, [one.quote is None for one in told.evidence]) == ("Asked for twice.", [False])


def test_a_line_leads_to_the_words_that_it_rests_on(old):
    number = old.read("MEMORY.md").split("\n").index("- We stay on SQLite until a second site signs. #decision") + 1
    _, said = line_origins.trace_line(old, "MEMORY.md", number)
    assert ["We stay on SQLite until a second site signs." in one.text for one in said] == [True]


def test_what_waits_still_waits_and_nothing_else_is_wrong(old):
    found = status(old)
    assert (found.managed, found.dirty, found.corrections, found.inbox) == (True, (), 1, 1)


def test_its_soul_has_its_versions(old):
    assert len(identity_edits.versions(old)[0]) == 3


def test_it_is_written_to_and_what_it_did_can_be_taken_back(old):
    change = next(one.change for one in records.log(old) if one.subject == "soul: Bring two options.")
    assert old.apply(undo(old, change)).commit
    assert "Bring two options." not in old.read("SOUL.md")
    assert "the answer first" in old.read("SOUL.md")
    assert old.apply(memory.add(old, "Newer than 0.1.0.").change).commit
    assert [one.text for one in memory_lines.list_bullets(old) if one.text == "Newer than 0.1.0."]
    assert {text for text, *_ in REMEMBERED} <= {one.text for one in memory_lines.list_bullets(old)}


def test_what_went_in_its_time_comes_back(old):
    assert old.apply(restoring.restore(old, "notes.md")).commit
    assert old.read("notes.md") == "# Memory by hand\n"
