"""The places of memories and journals, seen through the commands."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest


def records(space: Path, home: Path, **files: str) -> Path:
    """Make OpenClaw's state database, with a record of each file: its owner."""
    database = home / ".openclaw/state/openclaw.sqlite"
    database.parent.mkdir(parents=True, exist_ok=True)
    key = sha256(str(space.resolve()).encode()).hexdigest()
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS plugin_state_entries (plugin_id, namespace, entry_key, value_json)"
        )
        for name, writer in files.items():
            path = f"{name}.md"
            hash_ = sha256((space / path).read_bytes()).hexdigest()
            value = json.dumps({"relativePath": path, "originClass": writer, "fileHash": hash_})
            place = f"{key}:{sha256(path.encode()).hexdigest()}"
            row = ("core:memory-artifact-provenance", "workspace-files", place, value)
            connection.execute("INSERT INTO plugin_state_entries VALUES (?,?,?,?)", row)
        connection.commit()
    return database


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, which any record may be put into."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def places(space: Path, text: str) -> set[str]:
    """The files that hold a text, dates as DAY."""
    paths = {path.relative_to(space) for path in space.rglob("*.md") if text in path.read_text()}
    return {str(path.with_name("DAY.md") if path.name[:2] == "20" else path) for path in paths}


def add_all(call: Callable, text: str) -> None:
    for arguments in (
        ("memory", "add", text),
        ("memory", "add", f"{text} today", "--to", "daily"),
        ("journal", "add", text),
    ):
        answer = call(*arguments)
        assert answer.code == 0, answer.err


def test_with_records_no_file_of_openclaws_is_touched(call: Callable, space: Path, home: Path) -> None:
    add_all(call, "Bread over cake.")
    assert places(space, "Bread over cake.") == {"MEMORY.md", "memory/DAY.md"}
    records(space, home, MEMORY="agent", USER="agent")
    before = (space / "MEMORY.md").read_bytes()
    add_all(call, "Tea over coffee.")
    assert places(space, "Tea over coffee.") == {"memory/long-term.md", "memory/clawgit/DAY.md"}
    assert (space / "MEMORY.md").read_bytes() == before


def test_memories_from_before_stay_listed_findable_and_are_not_doubled(call: Callable, space: Path, home: Path) -> None:
    call("memory", "add", "Tea over coffee.")
    records(space, home, MEMORY="agent")
    call("memory", "add", "Rust over Go.")
    document = call("memory", "add", "Tea over coffee.", "--json").json
    rows = {row["text"]: row for row in call("memory", "list", "--json").json}
    assert {text: row["path"] for text, row in rows.items()} == {
        "Rust over Go.": "memory/long-term.md",
        "Tea over coffee.": "MEMORY.md",
    }
    assert document["merged_into"] == rows["Tea over coffee."]["id"]
    assert places(space, "Tea over coffee.") == {"MEMORY.md"}
    for row in rows.values():
        assert call("show", row["id"][:6]).code == 0


def test_once_apart_they_stay_apart_in_a_clone_and_without_a_database(call: Callable, space: Path, home: Path) -> None:
    database = records(space, home, MEMORY="agent")
    add_all(call, "Tea over coffee.")
    database.write_bytes(b"broken" * 100)
    add_all(call, "Rust over Go.")
    shutil.rmtree(home / ".openclaw")
    add_all(call, "Bread over cake.")
    for text in ("Tea over coffee.", "Rust over Go.", "Bread over cake."):
        assert places(space, text) == {"memory/long-term.md", "memory/clawgit/DAY.md"}


@pytest.mark.parametrize("path", ["memory/topics/all.md", "MEMORY.md"])
def test_what_is_configured_goes_before_all(call: Callable, space: Path, home: Path, path: str) -> None:
    records(space, home, MEMORY="agent")
    assert call("config", "memory_file", path).code == 0
    call("memory", "add", "Tea over coffee.")
    assert places(space, "Tea over coffee.") == {path}
    rows = call("memory", "list", "--json").json
    assert [(row["path"], row["text"]) for row in rows] == [(path, "Tea over coffee.")]
    assert call("undo").code == 0
    assert call("restore", rows[0]["id"]).code == 0
    assert places(space, "Tea over coffee.") == {path}


OTHERS = ["SOUL.md", "docs/notes.md", "memory/2026-01-20.md", "../MEMORY.md"]


def test_a_file_that_is_something_else_is_refused_with_its_line(call: Callable, space: Path, home: Path) -> None:
    """Else the key could hand the identity to an agent that may only write memories."""
    config = space / "CONFIG.md"
    before = config.read_text()
    for path in OTHERS:
        config.write_text(before)
        answer = call("config", "memory_file", path)
        assert answer.code == 2
        assert "is not a Markdown file in the root or below memory/ that is nothing else" in answer.err
        config.write_text(before.replace("```yaml\n", f"```yaml\nmemory_file: {path}\n", 1))
        answer = call("memory", "add", "Tea over coffee.")
        assert answer.code == 1
        assert "error: CONFIG.md:" in answer.err
        assert f": memory_file: '{path}' is not a Markdown file" in answer.err
        assert call("journal", "add", "Tea over coffee.").code == 0


def doctor(call: Callable) -> list[tuple[bool, str]]:
    return [(row["ok"], row["message"]) for row in call("doctor", "--json").json if row["check"] == "OpenClaw"]


def test_doctor_explains_where_memories_go_and_what_was_lost(call: Callable, space: Path, home: Path) -> None:
    records(space, home, MEMORY="agent", USER="untrusted")
    findings = doctor(call)
    assert [ok for ok, _ in findings[2:]] == [True, False, True]
    assert "USER.md" in findings[3][1]
    assert "go to memory/long-term.md, its journals to memory/clawgit/" in findings[4][1]
    (space / "MEMORY.md").write_text("# Memory\n\n- By hand.\n")
    assert [ok for ok, message in doctor(call) if message.startswith("MEMORY.md ")] == [False]
    call("config", "memory_file", "MEMORY.md")
    assert [ok for ok, message in doctor(call) if message.endswith("memory_file MEMORY.md")] == [False]


def half_a_log(database: Path) -> None:
    log = database.with_name(f"{database.name}-wal")
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("INSERT INTO plugin_state_entries VALUES ('a','b','c','d')")
        data = log.read_bytes()
    log.write_bytes(data)


def locked(database: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("BEGIN EXCLUSIVE")
    return connection


SPOILED = [
    (lambda _: None, ""),
    (half_a_log, "cannot be read: unable to open database file"),
    (locked, "is locked"),
]


def test_a_database_is_left_as_it_is_and_one_that_cannot_be_asked_is_unknown(
    call: Callable, space: Path, home: Path
) -> None:
    for spoil, words in SPOILED:
        database = records(space, home, MEMORY="agent")
        connection = spoil(database)
        before = {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in database.parent.iterdir()}
        messages = [row["message"] for row in call("doctor", "--json").json if "is unknown: " in row["message"]]
        assert [message.endswith(f"{database} {words}") for message in messages] == ([True] if words else []), messages
        after = {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in database.parent.iterdir()}
        assert after == before
        if connection:
            connection.close()
        shutil.rmtree(database.parent)


def test_lines_that_went_from_openclaws_file_are_asked_of_the_agent(call: Callable, space: Path, home: Path) -> None:
    call("memory", "add", "The budget of spring is spent.")
    whole = (space / "MEMORY.md").read_text()
    records(space, home, MEMORY="agent")
    stale = whole.replace(
        "- The budget of spring is spent. #knowledge\n", "- Rust is what the indexer is written in.\n"
    )
    (space / "MEMORY.md").write_text(stale)
    (item,) = call("capture", "--json").json["items"]
    assert (space / "MEMORY.md").read_text() == stale
    (line,) = [row for row in call("context", "budget").out.splitlines() if "own edit tool" in row]
    assert "The budget of spring is spent." in line
    assert "own edit tool" not in call("context", "budget", "--session-kind", "group").out
    (space / "MEMORY.md").write_text(whole)
    call("capture")
    assert "own edit tool" not in call("context", "budget").out
    assert [row["id"] for row in call("inbox", "--json").json if row["id"] == item] == []


@pytest.mark.parametrize("command", [("undo", "{}"), ("restore", "MEMORY.md", "--as-of", "HEAD~1")])
def test_no_command_takes_openclaws_file_out_of_the_prompt(
    call: Callable, space: Path, home: Path, command: tuple[str, ...]
) -> None:
    """The change waits, the agent is asked to make it, and `accept` makes it all the same."""
    change = call("memory", "add", "The budget of spring is spent.", "--json").json["change"]
    call("memory", "add", "Rust is what the indexer is written in.")
    records(space, home, MEMORY="agent")
    whole = (space / "MEMORY.md").read_text()
    answer = call(*(part.format(change) for part in command), "--json")
    assert answer.code == 0, answer.err
    assert answer.json["commit"] is None
    assert (space / "MEMORY.md").read_text() == whole
    (space / "memory/ropes.md").write_text("# Ropes\n\n- They are short.\n")
    call("capture")
    (item,) = call("inbox", "--json").json
    assert "drops the file out of the prompt" in item["reason"]
    assert "own edit tool" in call("context", "budget").out
    assert call("accept", item["id"]).code == 0
    assert (space / "MEMORY.md").read_text() != whole
