"""OpenClaw's records are read from its own database, and nothing is left there."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256

import pytest

from clawgit.openclaw import openclaw_files

OWNER, NAMESPACE = "core:memory-artifact-provenance", "workspace-files"
TABLES = """
CREATE TABLE plugin_state_entries (
  plugin_id TEXT NOT NULL, namespace TEXT NOT NULL, entry_key TEXT NOT NULL, value_json TEXT NOT NULL,
  created_at INTEGER NOT NULL, expires_at INTEGER, PRIMARY KEY (plugin_id, namespace, entry_key)
) STRICT;
CREATE TABLE schema_meta (
  meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, schema_version INTEGER NOT NULL, agent_id TEXT,
  app_version TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
"""


def digest(text):
    return sha256(text.encode()).hexdigest()


def recorded(workspace, files):
    """Make a state database with a record of each file: path to (for whose it is held, what was written)."""
    database = workspace.parent / "state/openclaw.sqlite"
    database.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(TABLES)
        for path, (writer, text) in files.items():
            connection.execute(
                "INSERT OR REPLACE INTO plugin_state_entries VALUES (?,?,?,?,1,NULL)",
                row(workspace, path, writer, text),
            )
        connection.commit()
    return database


def row(workspace, path, writer, text):
    key = digest(str(workspace.resolve()))
    value = {
        "version": 1,
        "workspaceKey": key,
        "relativePath": path,
        "fileHash": digest(text),
        "originClass": writer,
        "observedAt": 1,
        "reservationId": "r",
    }
    return OWNER, NAMESPACE, f"{key}:{digest(path)}", json.dumps(value)


@pytest.fixture
def space(tmp_path):
    """A workspace in a state folder."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def asked(space):
    return openclaw_files.ledger([space.parent / "state/openclaw.sqlite"], space)


def listing(database):
    return {one.name: (one.lstat().st_size, one.lstat().st_mtime_ns) for one in database.parent.iterdir()}


def test_records_are_found_with_their_class_and_no_file_comes_to_lie_there(space):
    files = {"memory/2026-09-01.md": ("untrusted", "b"), "MEMORY.md": ("agent", "a")}
    database = recorded(space, files)
    before = listing(database)
    found = asked(space)
    assert [(one.path, one.writer, one.hash) for one in found.records] == [
        ("MEMORY.md", "agent", digest("a")),
        ("memory/2026-09-01.md", "untrusted", digest("b")),
    ]
    assert found.unknown == ""
    assert listing(database) == before


WRITER = """
import sqlite3, sys, time
sys.path.insert(0, {tests!r})
connection = sqlite3.connect({database!r}, isolation_level=None)
connection.execute("PRAGMA journal_mode=WAL")
connection.execute("PRAGMA wal_autocheckpoint=20")
end = time.monotonic() + 1
at = 0
while time.monotonic() < end:
    at += 1
    connection.execute("INSERT OR REPLACE INTO plugin_state_entries VALUES ('p','n',?,'{{}}',1,NULL)", (str(at % 500),))
    if at == 20:
        connection.execute("INSERT OR REPLACE INTO plugin_state_entries VALUES (?,?,?,?,1,NULL)", {row!r})
        print("writing", flush=True)
    if at % 300 == 0:
        connection.close()  # the last one out removes the log
        connection = sqlite3.connect({database!r}, isolation_level=None)
"""


def test_a_second_process_that_writes_is_neither_disturbed_nor_waited_for(space):
    """While it opens, writes, empties its log and closes, every answer is the true one, and what it wrote counts."""
    database = recorded(space, {"USER.md": ("agent", "u")})
    code = WRITER.format(tests="", database=str(database), row=row(space, "MEMORY.md", "untrusted", "m"))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        writer.stdout.readline()
        answers = []
        while writer.poll() is None:
            answers.append(asked(space))
        assert writer.returncode == 0, writer.stderr.read()
    told = [tuple(one.path for one in answer.records) for answer in answers if not answer.unknown]
    assert len(told) > 5
    assert set(told) == {("MEMORY.md", "USER.md")}
    assert len(told) > 0.9 * len(answers), {answer.unknown for answer in answers}
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_locked_one_is_unknown_soon(space):
    database = recorded(space, {"MEMORY.md": ("agent", "a")})
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("BEGIN EXCLUSIVE")
        assert asked(space) == openclaw_files.Ledger((), f"{database} is locked")


def encrypted(database):
    database.write_bytes(os.urandom(8192))


def cut(database):
    database.write_bytes(database.read_bytes()[:5000])


def half_a_log(database):
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("INSERT INTO plugin_state_entries VALUES ('a','b','c','d',1,NULL)")
        log = database.with_name(database.name + "-wal").read_bytes()
    database.with_name(database.name + "-wal").write_bytes(log)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (encrypted, "is encrypted, or no database"),
        (cut, "cannot be read: database disk image is malformed"),
        (half_a_log, "cannot be read: unable to open database file"),
    ],
)
def test_one_that_cannot_be_asked_is_unknown_with_the_reason(space, spoil, words):
    database = recorded(space, {"MEMORY.md": ("agent", "a")})
    spoil(database)
    before = set(listing(database))
    found = asked(space)
    assert found.records == ()
    assert found.unknown.startswith(f"{database} {words}")
    assert openclaw_files.app_version(database) is None
    assert set(listing(database)) == before
