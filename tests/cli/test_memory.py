"""`clawgit memory`."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.text.similarity import is_same_note

FIELDS = "id text tag origin confidence first last mentions status path line class copies commit probable"


def test_a_memory_lands_word_for_word_as_tagged_knowledge(call: Callable, space: Path) -> None:
    answer = call("memory", "add", "Ana's *cat* is called Mio.", "--json")
    document = answer.json
    assert set(document) == {"commit", "change", "files", "undo", "captured", "id", "merged_into"}
    assert (document["files"], document["merged_into"]) == (["MEMORY.md"], None)
    assert document["undo"] == f"clawgit undo {document['change']}"
    assert "## Knowledge\n\n- Ana's *cat* is called Mio. #knowledge\n" in (space / "MEMORY.md").read_text()
    call("journal", "add", "Ana said it twice.")
    (journal,) = (space / "memory").glob("*.md")
    pointer = f'memory/{journal.name}#L5 "said it twice"'
    call("memory", "add", "-", "--tag", "skill", "--origin", "agent", "--evidence", pointer, stdin=b"Fold the map.\n")
    repeated = call("memory", "add", "fold the map", "--json").json
    (row,) = call("memory", "list", "--tag", "skill", "--json").json
    assert (repeated["files"], repeated["merged_into"], row["mentions"]) == ([], row["id"], 2)
    assert call("memory", "add", "Fold the maps.", "--json").json["merged_into"] is None
    assert " ".join(row) == FIELDS
    assert (row["text"], row["origin"], row["confidence"]) == ("Fold the map.", "agent", 0.65)


def test_a_memory_for_today_begins_an_entry_of_the_journal(call: Callable, space: Path) -> None:
    call("memory", "add", "Long talk.", "--journal", "--title", "API")
    call("memory", "add", "Tea is out.", "--to", "daily")
    (journal,) = (space / "memory").glob("*.md")
    notes = r"## \d\d:\d\d - API\n\nLong talk\.\n\n## \d\d:\d\d\n\n- Tea is out\."
    assert re.search(notes, journal.read_text())


def test_lines_are_printed_as_they_stand(call: Callable, space: Path) -> None:
    (space / "notes.md").write_bytes(b"one\r\nzwei\nthree")
    assert call("memory", "get", "notes.md").out == "one\r\nzwei\nthree"
    assert call("memory", "get", "./notes.md", "--from", "2", "--lines", "1").out == "zwei\n"
    document = call("memory", "get", "notes.md", "--from", "2", "--lines", "1", "--json").json
    assert document == {"path": "notes.md", "text": "zwei\n", "from": 2, "lines": 1, "truncated": True}
    rest = call("memory", "get", "notes.md", "--from", "2", "--lines", "9", "--json").json
    assert (rest["lines"], rest["truncated"]) == (2, False)


UNREADABLE = [
    (["../secret"], "leaves the folder", "name a file inside the workspace"),
    ([".git/config"], "git's own folder", "name a file inside the workspace"),
    (["SOUL.md", "--from", "40"], "SOUL.md has 10 lines; line 40 is beyond", "clawgit read 'SOUL.md' --from"),
]


def test_what_cannot_be_read_is_said(call: Callable) -> None:
    for arguments, words, fix in UNREADABLE:
        answer = call("memory", "get", *arguments)
        assert (answer.code, answer.out) == (1, "")
        assert words in answer.err
        assert f"  fix: {fix}" in answer.err


def test_a_terminal_is_not_steered_by_what_is_printed(
    call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (space / "MEMORY.md").write_text("- \x1b[2Jgone\n")
    assert call("memory", "get", "MEMORY.md").out == "- \x1b[2Jgone\n"
    monkeypatch.setattr("clawgit.cli.output._terminal", lambda _: True)
    assert call("memory", "get", "MEMORY.md").out == "- \\x1b[2Jgone\n"
    assert "\\x1b[2Jgone" in call("memory", "list").out


def test_confidence_is_todays(call: Callable, space: Path) -> None:
    """The sidecar keeps the base; the effect of silence and mentions follows CONFIG.md."""
    key = call("memory", "add", "Ana likes tea.", "--origin", "agent", "--json").json["id"]
    call("memory", "add", "Ana likes tea.")
    call("memory", "add", "Ana likes tea.")
    assert call("show", key, "--json").json["confidence"] == 0.7
    sidecar = space / ".clawgit/entries.tsv"
    before = sidecar.read_text()
    assert "\t0.6\t" in before
    today = before.splitlines()[1].split("\t")[7]
    sidecar.write_text(before.replace(today, "2020-01-01"))
    assert call("show", key, "--json").json["confidence"] == 0.2
    call("config", "confidence_floor", "0.4")
    assert call("memory", "list", "--json").json[0]["confidence"] == 0.4
    call("config", "confidence_decay_interval_days", "36500")
    assert call("show", key, "--json").json["confidence"] == 0.7


def test_a_memory_is_shown_by_its_line_with_the_conversations_that_found_it(call):
    name = call("memory", "add", "The relay listens on port 8080.", "--json").json["id"]
    (row,) = call("memory", "list", "--json").json
    for place in (f"{row['path']}:{row['line']}", f"{row['path']}#L{row['line']}"):
        assert call("show", place, "--json").json["id"] == name
    assert call("show", "MEMORY.md:1").code == 1
    assert call("show", name, "--json").json["retrieved"] == []
    call("search", "relay port", "--session", "5b0f3c1e")
    call("search", "relay port", "--session", "5b0f3c1e")  # the same day: told once
    call("search", "relay port", "--session", "77aa")
    recalls = call("show", name, "--json").json["retrieved"]
    assert [row["session"] for row in recalls] == ["77aa", "5b0f3c1e"]
    assert "77aa" in call("show", name).out


def test_an_audit_looks_at_every_file_and_its_score_falls_with_each_repeated_line(call: Callable, space: Path) -> None:
    lines = ["Backups run at 02:00 to the NAS.", "Never deploy on Fridays.", "Hi-fi stands in the kitchen."]
    (space / "memory/rooms.md").write_text("# Rooms\n\n- The blue room has a printer.\n")
    scores = []
    for count in range(3):
        text = "".join(f"- {line}\n" for line in (*lines, *lines[:count]))
        (space / "MEMORY.md").write_text(f"# Memory\n\n{text}")
        call("capture")
        document = call("audit", "--json").json
        (part,) = (part for part in document["parts"] if part["name"] == "twice")
        assert (document["entries"], len(part["found"])) == (4 + count, count)
        assert all(row["fix"] for row in part["found"])
        scores.append(document["score"])
    assert scores == sorted(set(scores), reverse=True)


def test_an_audit_finds_repeated_lines_without_spaces(call: Callable, space: Path) -> None:
    (space / "memory").mkdir(exist_ok=True)
    for name in ("pumps", "notes"):
        (space / f"memory/{name}.md").write_text("# 温室\n\n- 温室のポンプは毎朝六時に動きます。\n- はい\n")
    call("capture")
    (part,) = (part for part in call("audit", "--json").json["parts"] if part["name"] == "twice")
    assert [flag["path"] for flag in part["found"]] == ["memory/pumps.md"]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("मीना सोमवार को आती है।", "मोना सोमवार को आती है।"),
        ("Team A won the cup.", "Team won the cup."),
        ("Call Les on Monday.", "Call Un on Monday."),
        ("ประชุมที่บ้านนา", "ประชุมที่บ้านนี"),
    ],
)
def test_a_statement_of_other_words_is_a_memory_of_its_own(call: Callable, text: str, other: str) -> None:
    call("memory", "add", text)
    assert call("memory", "add", other, "--json").json["merged_into"] is None
    assert is_same_note(text, text)
    assert not is_same_note(text, other) or text.isascii()
