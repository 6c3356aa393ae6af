"""Homes with an OpenClaw in them, and its database as it makes it."""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from clawgit.openclaw.host import Host

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


def host(home, **environ):
    """What is known of OpenClaw in `home`; nothing of this machine gets in."""
    return Host({"PATH": str(home / "bin"), **environ}, home)


def configured(home, text, name=".openclaw/openclaw.json"):
    """Write a configuration: text as it is, else as JSON."""
    place = home / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text if isinstance(text, str) else json.dumps(text))
    return place


def digest(text):
    return sha256(text.encode()).hexdigest()


def recorded(workspace, files, database=None, version="2026.9.4", wal=True):
    """Make a state database with a record of each file: path to (for whose it is held, what was written)."""
    database = database or Path(workspace).parent / "state/openclaw.sqlite"
    database.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(database)) as connection:
        if wal:
            connection.execute("PRAGMA journal_mode=WAL")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name='schema_meta'").fetchone():
            connection.executescript(TABLES)
            connection.execute("INSERT INTO schema_meta VALUES ('primary','state',17,NULL,?,1,1)", (version,))
        for path, (writer, text) in files.items():
            connection.execute(
                "INSERT OR REPLACE INTO plugin_state_entries VALUES (?,?,?,?,1,NULL)",
                row(workspace, path, writer, text),
            )
        connection.commit()
    return database


def row(workspace, path, writer, text):
    key = digest(str(Path(workspace).resolve()))
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
