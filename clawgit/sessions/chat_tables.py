"""The tables of the chat store."""

FORMAT = 2
"""Since 2 a secret is named in what is kept, and not repeated."""
DATABASE, DUMP = "database", "dump:"
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS chat_format (version INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS chat_mark (source TEXT PRIMARY KEY, mark TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS chat_session (
      agent TEXT NOT NULL, session TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, channel TEXT NOT NULL,
      started DOUBLE PRECISION, PRIMARY KEY (agent, session))""",
    """CREATE TABLE IF NOT EXISTS chat_message (
      agent TEXT NOT NULL, session TEXT NOT NULL, event TEXT NOT NULL, stream TEXT NOT NULL, ordinal BIGINT NOT NULL,
      at DOUBLE PRECISION NOT NULL, time DOUBLE PRECISION, role TEXT NOT NULL, origin TEXT NOT NULL, body TEXT NOT NULL,
      tool TEXT NOT NULL, failed INTEGER NOT NULL, calls TEXT NOT NULL, digest TEXT NOT NULL,
      shown INTEGER NOT NULL, PRIMARY KEY (agent, session, event))""",
    "CREATE INDEX IF NOT EXISTS chat_same ON chat_message (agent, session, digest)",
    "CREATE INDEX IF NOT EXISTS chat_list ON chat_message (agent, session, shown, at, time)",
    """CREATE TABLE IF NOT EXISTS chat_link (
      agent TEXT NOT NULL, session TEXT NOT NULL, event TEXT NOT NULL, stream TEXT NOT NULL, up TEXT,
      ordinal BIGINT NOT NULL, active INTEGER NOT NULL, PRIMARY KEY (agent, session, event, stream))""",
)
"""`shown` says that a message stands on a branch that counts.

`up` is what an event hangs below; an `ordinal` of -1 says that a rewritten source no longer has it.
"""

HERE = "agent = ? AND session = ?"
COLUMNS = "event, role, origin, body, time, tool, failed, calls"
SHOW = """UPDATE chat_message SET shown = COALESCE(
      (SELECT l.active FROM chat_link l WHERE l.agent = chat_message.agent AND l.session = chat_message.session
        AND l.event = chat_message.event AND l.stream = 'database'),
      (SELECT MAX(l.active) FROM chat_link l WHERE l.agent = chat_message.agent AND l.session = chat_message.session
        AND l.event = chat_message.event), 1)"""
"""What counts is told by OpenClaw's own database, where it has the event, else by any source."""
PUT_LINK = """INSERT INTO chat_link VALUES (?, ?, ?, ?, ?, ?, 1)
      ON CONFLICT (agent, session, event, stream) DO UPDATE SET up = excluded.up, ordinal = excluded.ordinal, active = 1
      WHERE chat_link.ordinal < 0"""
PUT_MESSAGE = """INSERT INTO chat_message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
      ON CONFLICT (agent, session, event) DO UPDATE SET stream = excluded.stream, ordinal = excluded.ordinal,
      at = excluded.at, time = excluded.time, role = excluded.role, origin = excluded.origin, body = excluded.body,
      tool = excluded.tool, failed = excluded.failed, calls = excluded.calls, digest = excluded.digest"""
PUT_SESSION = """INSERT INTO chat_session VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (agent, session) DO UPDATE SET
      key = excluded.key, kind = excluded.kind, channel = excluded.channel, started = excluded.started"""
PUT_MARK = "INSERT INTO chat_mark VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET mark = excluded.mark"
