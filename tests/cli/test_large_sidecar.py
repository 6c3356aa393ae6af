"""A sidecar or an archive over OpenClaw's limit is clawgit's own business: all commands go on."""

import subprocess

import pytest

from clawgit.git import regular_file
from clawgit.text.entry import entry_id, hash_entry
from clawgit.workspace import entries
from clawgit.workspace.entries import Row, render_sidecar

ROWS, FILES = 30_000, 20


@pytest.fixture
def large(space):
    """A workspace with 1,000 entries in topic files, and the rows of 29,000 more that are in no file any more."""
    (space / "memory/beds").mkdir(parents=True)
    rows = {}
    for number in range(ROWS):
        path, words = f"memory/beds/bed-{number % FILES}.md", f"Bed {number} holds fennel."
        row = Row(entry_id(path, words), path, hash_entry(words), "knowledge")
        rows[row.id] = row
        if number < 1000:
            with (space / path).open("a") as file:
                file.write(f"- {words}\n")
    (space / entries.PATH).write_text(render_sidecar(rows))
    assert (space / entries.PATH).stat().st_size > regular_file.LARGEST
    for words in (["add", "-A"], ["commit", "-qm", "after some years", "--no-verify"]):
        subprocess.run(["git", *words], cwd=space, check=True)
    return space


def rows(space):
    return entries.parse((space / entries.PATH).read_text())


def test_memories_are_written_found_and_undone(large, call):
    before = rows(large)
    document = call("memory", "add", "The north gate sticks.", "--json").json
    assert "north gate sticks" in (large / "MEMORY.md").read_text()
    assert rows(large).keys() == {*before, document["id"]}
    assert document["id"] in rows(large)
    assert call("status", "--json").json["dirty"] == []
    topic = large / "memory/beds/bed-7.md"
    topic.write_text(topic.read_text().replace("Bed 7 holds fennel.", "Bed 7 holds tall fennel."))
    assert call("capture").code == 0
    assert rows(large)[entry_id("memory/beds/bed-7.md", "Bed 7 holds fennel.")].hash != hash_entry(
        "Bed 7 holds fennel."
    )
    assert "north gate" in call("search", "north gate", "--json").out
    assert call("context", "north gate").code == 0
    assert call("undo", document["change"]).code == 0
    assert "north gate" not in (large / "MEMORY.md").read_text()
    assert rows(large)[document["id"]].status == "tombstone"
    assert rows(large).keys() == {*before, document["id"]}


def test_journals_of_a_busy_quarter_are_archived_and_searched(space, call):
    for day in range(1, 32):
        notes = "".join(f"- On day {day} gauge {number} read {number * day} millimetres.\n" for number in range(1800))
        (space / f"memory/2020-01-{day:02}.md").write_text(notes)
    assert call("capture").code == 0
    assert call("memory", "compact", "--apply", "--remove").code == 0
    assert (space / "memory/archive/2020-Q1.md").stat().st_size > regular_file.LARGEST
    assert not list((space / "memory").glob("2020-*"))
    assert "memory/archive/2020-Q1.md" in call("search", "gauge 17 on day 9", "--json").out
    assert call("memory", "add", "The north gate sticks.").code == call("status").code == 0
