"""Conversations as OpenClaw writes them down, in both eras."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

SESSION = "5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c11"
START = 1_777_881_600.0  # 2026-05-04 08:00 UTC
V13 = """
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER,
  PRIMARY KEY (session_id, seq));
CREATE TABLE session_entries (session_id TEXT, session_key TEXT, entry_json TEXT, updated_at INTEGER);
CREATE TABLE sessions (session_id TEXT PRIMARY KEY, session_key TEXT);
CREATE TABLE session_routes (session_key TEXT PRIMARY KEY, session_id TEXT);
CREATE TABLE schema_meta (role TEXT, agent_id TEXT, schema_version INTEGER, app_version TEXT);
PRAGMA user_version = 13;
"""
V17 = """
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER,
  PRIMARY KEY (session_id, seq));
CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT, updated_at INTEGER,
  status TEXT, label TEXT, display_name TEXT, parent_session_key TEXT, spawned_by TEXT, archived_at INTEGER,
  last_interaction_at INTEGER);
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, previous_session_id TEXT, reason TEXT,
  chat_type TEXT, channel TEXT, started_at INTEGER, ended_at INTEGER, model TEXT, hook_external_content_source TEXT);
CREATE TABLE session_transcript_active_events (session_id TEXT, active_position INTEGER, event_seq INTEGER,
  message_position INTEGER, context_eligible INTEGER);
CREATE TABLE schema_meta (role TEXT, agent_id TEXT, schema_version INTEGER, app_version TEXT);
PRAGMA user_version = 17;
"""


def iso(seconds):
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def head(session=SESSION, version=3, time=START):
    return {"type": "session", "version": version, "id": session, "timestamp": iso(time), "cwd": "/home/ana/workspace"}


def message(name, parent, role, text, time, **fields):
    """A message: of a user in one piece, of the agent with thoughts around it."""
    parts = [{"type": "text", "text": text}]
    message = {"role": role, "content": parts, "timestamp": int(time * 1000), **fields}
    if role == "assistant":
        message["content"] = [{"type": "thinking", "thinking": "let me see"}, *parts]
        message = {"provider": "some", "model": "model", "stopReason": "stop", **message}
    return {"type": "message", "id": name, "parentId": parent, "timestamp": iso(time), "message": message}


def tool_call(name, parent, tool, arguments, time):
    part = {"type": "toolCall", "id": f"call_{name}", "name": tool, "arguments": arguments}
    message = {"role": "assistant", "content": [part], "stopReason": "toolUse", "timestamp": int(time * 1000)}
    return {"type": "message", "id": name, "parentId": parent, "timestamp": iso(time), "message": message}


def returned(name, parent, tool, text, time, failed=False):
    message = {
        "role": "toolResult",
        "toolCallId": "call_x",
        "toolName": tool,
        "content": [{"type": "text", "text": text}],
        "isError": failed,
        "timestamp": int(time * 1000),
    }
    return {"type": "message", "id": name, "parentId": parent, "timestamp": iso(time), "message": message}


def chain(*turns, start=START, prefix="e"):
    """Messages of `(role, text)`, each below the one before."""
    entries, parent = [], None
    for number, (role, text) in enumerate(turns):
        name = f"{prefix}{number:07x}"
        entries.append(message(name, parent, role, text, start + 10 * number))
        parent = name
    return entries


def lines(entries):
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)


def write_transcript(place, entries, session=SESSION, version=3):
    """Write a transcript file."""
    place = Path(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(lines([head(session, version), *entries]), "utf-8")
    return place


def write_sessions(folder, **sessions):
    """Write sessions.json: id to (key, other fields)."""
    rows = {
        key: {"sessionId": name.replace("_", "-"), "updatedAt": 1, **fields} for name, (key, fields) in sessions.items()
    }
    Path(folder).mkdir(parents=True, exist_ok=True)
    (Path(folder) / "sessions.json").write_text(json.dumps(rows))


def database(place, sessions, schema=V17, key="agent:main:main", chat="direct"):
    """Write OpenClaw's database: session to entries."""
    place = Path(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name='transcript_events'").fetchone():
            connection.executescript(schema)
        for session, entries in sessions.items():
            rows = [(session, n, json.dumps(entry), int(START)) for n, entry in enumerate(entries)]
            connection.executemany("INSERT OR IGNORE INTO transcript_events VALUES (?,?,?,?)", rows)
            if schema is V17:
                connection.execute(
                    "INSERT OR REPLACE INTO session_windows (session_id, session_key, chat_type, channel, started_at) "
                    "VALUES (?,?,?,?,?)",
                    (session, key, chat, "telegram", int(START * 1000)),
                )
            elif schema is V13:
                entry = json.dumps({"chatType": chat, "channel": "telegram"})
                connection.execute("INSERT INTO session_entries VALUES (?,?,?,?)", (session, key, entry, 1))
        connection.commit()
    return place
