"""Files that OpenClaw writes by itself: named in history, and no memory."""

import json
import sqlite3
import subprocess
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

DREAM = "# Light Sleep\n\n- Candidate: the kingfisher password is kept in the drawer.\n"
DUMP = """# Session: 2026-05-04 14:30:00 UTC

- **Session Key**: agent:main:main
- **Session ID**: 5b0f3c1e
- **Source**: telegram

## Conversation Summary

user: hello, the kingfisher is called Ludwig
assistant: hello
"""


def write_files(space):
    """Have OpenClaw dream, somebody leave a conversation, and the agent write its journal."""
    texts = {
        "memory/dreaming/light/2026-05-04.md": DREAM,
        "DREAMS.md": "# Diary\n\nA kingfisher flew over a drawer with a password in it.\n",
        "memory/2026-05-04-1430.md": DUMP,
        "memory/2026-05-04.md": "# 2026-05-04\n\n- Lunch with Ada.\n",
    }
    for path, text in texts.items():
        (space / path).parent.mkdir(parents=True, exist_ok=True)
        (space / path).write_text(text)


def authors(space):
    """Return the last author of each file."""
    names = ("DREAMS.md", "memory/dreaming/light/2026-05-04.md", "memory/2026-05-04-1430.md", "memory/2026-05-04.md")
    words = ("git", "-C", str(space), "log", "-1", "--format=%an", "--")
    return [subprocess.run([*words, name], capture_output=True, text=True, check=True).stdout.strip() for name in names]


def test_each_writer_has_a_commit_under_its_name_and_dreams_are_no_memory_unless_asked_for(call, space):
    write_files(space)
    assert call("capture").code == 0
    assert authors(space) == ["openclaw dreaming", "openclaw dreaming", "openclaw session-memory", "unknown"]
    assert call("search", "kingfisher password", "--json").json["results"] == []
    assert "kingfisher" not in call("context", "--query", "Where is the kingfisher password?").out
    assert call("config", "sources", "[memory, dreaming]").code == 0
    paths = {row["path"] for row in call("search", "kingfisher password", "--json").json["results"]}
    assert paths == {"DREAMS.md", "memory/dreaming/light/2026-05-04.md"}


def test_a_conversation_that_was_left_is_no_memory_unless_it_is_asked_for(call, space):
    write_files(space)
    call("capture")

    def search_paths(*options):
        return [row["path"] for row in call("search", "kingfisher Ludwig", *options, "--json").json["results"]]

    assert (search_paths(), search_paths("--as-of", "HEAD")) == ([], [])
    assert "Ludwig" not in call("context", "--query", "What is the kingfisher called?").out
    assert call("config", "sources", "[memory, dumps]").code == 0
    assert search_paths() == ["memory/2026-05-04-1430.md"]
    assert call("config", "sources", "[memory]").code == 0
    assert search_paths() == []
    (space / "memory/2026-05-04-1430.md").unlink()
    call("capture")
    assert search_paths("--deleted") == []
    text = "# 2026-05-04\n\n- The kingfisher is called Ludwig.\n"
    (space / "memory/2026-05-04-1430.md").write_text(text)
    assert search_paths() == ["memory/2026-05-04-1430.md"]


def test_the_end_of_the_onboarding_is_openclaws(call, space):
    (space / "BOOTSTRAP.md").write_text("# Hello\n")
    call("capture")
    (space / "BOOTSTRAP.md").unlink()
    (space / "notes.md").write_text("# Notes\n")
    assert call("capture").code == 0
    log = ["git", "-C", str(space), "log", "-2", "--format=%an %s"]
    rows = subprocess.run(log, capture_output=True, text=True, check=True).stdout.splitlines()
    assert sorted(rows) == [
        "openclaw onboarding capture: BOOTSTRAP.md was deleted",
        "unknown capture: notes.md is new (1 line)",
    ]


FLUSH = "agent:main:internal-session-effects:run-5"


@pytest.mark.parametrize(
    ("session", "extra", "expected"),
    [
        (FLUSH, "", ("openclaw memory-flush", "agent")),
        (FLUSH, "- And more, of somebody else.\n", ("unknown", "unknown")),
    ],
)
def test_what_a_memory_flush_notes_is_the_agents(session, extra, expected, call, space, tmp_path, monkeypatch):
    text, path = "# 2026-05-04\n\n- Ada prefers mornings.\n", "memory/2026-05-04.md"
    state = tmp_path / ".openclaw"
    (state / "state").mkdir(parents=True)
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    key = sha256(str(Path(space).resolve()).encode()).hexdigest()
    record = {"relativePath": path, "originClass": "agent", "fileHash": sha256(text.encode()).hexdigest()}
    with closing(sqlite3.connect(state / "state/openclaw.sqlite")) as connection:
        connection.execute("CREATE TABLE schema_meta (app_version TEXT, updated_at INTEGER)")
        connection.execute("CREATE TABLE plugin_state_entries (plugin_id, namespace, entry_key, value_json)")
        values = ("core:memory-artifact-provenance", "workspace-files", f"{key}:x")
        record_text = json.dumps({**record, "sessionKey": session})
        connection.execute("INSERT INTO plugin_state_entries VALUES (?, ?, ?, ?)", (*values, record_text))
        connection.commit()
    (space / path).parent.mkdir(exist_ok=True)
    (space / path).write_text(text + extra)
    assert call("capture").code == 0
    log = ["git", "-C", str(space), "log", "-1", "--format=%an%n%(trailers:key=Origin,valueonly)"]
    assert tuple(subprocess.run(log, capture_output=True, text=True, check=True).stdout.split("\n")[:2]) == expected
    assert [row["path"] for row in call("search", "Ada mornings", "--json").json["results"]] == [path]
