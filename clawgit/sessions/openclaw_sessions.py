"""OpenClaw's own data on its sessions; its transcripts."""

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import (
    Advice,
    Command,
    file_missing,
    id_ambiguous,
    option_missing,
    quote_shell,
    session_forgotten,
    session_unknown,
    session_unreadable,
)
from clawgit.git.regular_file import list_folder
from clawgit.openclaw import openclaw_files as host_files
from clawgit.openclaw.host import TRANSCRIPTS, Host
from clawgit.openclaw.openclaw_files import is_there
from clawgit.sessions import transcript
from clawgit.sessions.envelope import Session, read_session_kind
from clawgit.sessions.transcript import TranscriptEntry, clean, read_object, read_seconds, read_table, read_text_value

if TYPE_CHECKING:
    from sqlite3 import Connection


FIX = Command("pip install clawgit[openclaw]")
"""What brings the package that unpacks."""
UNREADABLE = b"\0packed"
"""In the place of an event that nothing here unpacks; no event looks like it."""
_LARGEST = 32 << 20
_MAGIC = b"\x28\xb5\x2f\xfd"


@cache
def can_read_packed() -> bool:
    """Return whether packed events can be read."""
    return find_spec("zstandard") is not None


def read_event_text(event: Any) -> bytes | str:
    """Return the text of an event, packed or not; "" for neither, `UNREADABLE` if it cannot be unpacked."""
    if not (isinstance(event, bytes) and event.startswith(_MAGIC)):
        return event if isinstance(event, bytes | str) else ""
    if not can_read_packed():
        return UNREADABLE
    import zstandard  # noqa: PLC0415 - an extra

    try:
        return zstandard.ZstdDecompressor().decompress(event, max_output_size=_LARGEST)
    except zstandard.ZstdError:
        return b""


FILE = "sessions.json"
_LARGEST_REGISTRY = 64 << 20


def read_session_list(folder: Path, agent: str) -> Mapping[str, Session]:
    """Return the sessions that `sessions.json` in a folder of transcripts lists, by id.

    It lists only the present session of each key; nothing of a file that cannot be read.
    """
    try:
        status = (folder / FILE).stat()
        return _read_registry(folder, agent, (status.st_mtime_ns, status.st_size))
    except (OSError, ValueError, RecursionError):
        return {}


@lru_cache(maxsize=16)
def _read_registry(folder: Path, agent: str, stamp: tuple[int, int]) -> Mapping[str, Session]:  # noqa: ARG001 - `stamp` is part of the key
    registry = json.loads(host_files.read_text_file(folder / FILE, _LARGEST_REGISTRY))
    rows = ({"key": key, **read_object(row)} for key, row in read_object(registry).items())
    described_rows = (
        read_session_row(row["sessionId"], agent, row) for row in rows if isinstance(row.get("sessionId"), str)
    )
    return {session.id: session for session in described_rows}


def read_session_row(name: str, agent: str, row: Mapping[str, Any]) -> Session:
    """Return a session from a row of `sessions.json`, whose key is in it as `key`."""
    key, chat = read_text_value(row.get("key")), read_text_value(row.get("chatType"))
    provider = read_object(row.get("origin")).get("provider")
    channel = (
        read_text_value(row.get("channel")) or read_text_value(row.get("lastChannel")) or read_text_value(provider)
    )
    began = read_seconds(row.get("sessionStartedAt")) or read_seconds(row.get("startedAt"))
    spawned = bool(row.get("spawnedBy"))
    return Session(clean(name), agent, key, read_session_kind(name, key, chat, spawned=spawned), channel, began)


# ruff: noqa: S608 -- statements are made of constants, and every value is a parameter


Answer = TypeVar("Answer")

EVENTS = "transcript_events"
_EVENT_COLUMNS = {"session_id", "seq", "event_json"}
_BATCH_EVENTS = 2_000  # events in one answer
_NEWEST = 200  # events among which what happens now is looked for
_TABLES = (
    ("session_entries", "session_id"),  # up to schema 13
    ("sessions", "session_id"),
    ("session_routes", "session_id"),
    ("session_nodes", "current_session_id"),  # from schema 14 on
    ("session_windows", "session_id"),
)
"""Where sessions are described, and by which column; what a later one says goes before."""


class Mark(Struct, frozen=True):
    """How far a session was read: its last `seq`, how many events that were, and a hash of the last one's text."""

    seq: int = -1
    count: int = 0
    digest: str = ""


def sessions(place: Path, agent: str) -> Sequence[Session]:
    """Return the sessions of a database; none of one that keeps no transcripts, as those of the older era.

    The tables are looked for, since versions differ. Raises ClawgitError for a file that cannot be read.
    """

    def ask(connection: "Connection") -> list[Session]:
        if not _columns(connection, EVENTS) >= _EVENT_COLUMNS:
            return []
        facts = _read_sessions(connection)
        ids = connection.execute(f"SELECT DISTINCT session_id FROM {EVENTS} ORDER BY session_id")
        return [read_session_row(str(name), agent, facts.get(str(name), {})) for (name,) in ids]

    return _ask_database(place, ask)


def list_forgotten(place: Path, agent: str) -> frozenset[str]:
    """Return the sessions of an agent that OpenClaw was told to forget. Raises as `sessions` does."""
    with _readable(place):
        return host_files.list_forgotten_sessions(place, agent)


def list_session_events(place: Path, session: str, after: int) -> Iterator[tuple[int, bytes | str]]:
    """Yield the events of a session behind `after`, with their numbers. Raises as `sessions` does."""
    event = _ask_database(place, _find_event_column)
    question = f"SELECT seq, {event} FROM {EVENTS} WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT {_BATCH_EVENTS}"
    while batch := _ask_database(place, lambda connection: connection.execute(question, (session, after)).fetchall()):  # noqa: B023 - asked at once
        yield from [(int(seq), read_event_text(text)) for seq, text in batch]
        after = int(batch[-1][0])


def session(place: Path, agent: str, name: str) -> Session:
    """Return a database's data on one session. Raises as `sessions` does."""
    return _ask_database(
        place, lambda connection: read_session_row(name, agent, _read_sessions(connection).get(name, {}))
    )


def list_newest_sessions(place: Path) -> Iterator[tuple[str, list[TranscriptEntry]]]:
    """Yield the sessions of the last events, the newest first, each with its last entries in their order.

    Raises as `sessions` does; nothing of a database that keeps no transcripts.
    """
    if not _ask_database(place, lambda db: _columns(db, EVENTS) >= _EVENT_COLUMNS):
        return
    # SQLite gives a new row a larger rowid than all others.
    last = f"SELECT session_id FROM {EVENTS} ORDER BY rowid DESC LIMIT {_NEWEST}"
    names = dict.fromkeys(str(name) for (name,) in _ask_database(place, lambda db: db.execute(last).fetchall()))
    event = _ask_database(place, _find_event_column)
    tail = f"SELECT {event} FROM {EVENTS} WHERE session_id = ? ORDER BY seq DESC LIMIT {_NEWEST}"
    for name in names:
        tail_rows = _ask_database(place, lambda db: db.execute(tail, (name,)).fetchall())  # noqa: B023 - asked at once
        yield name, list(transcript.parse_all(read_event_text(text) for (text,) in reversed(tail_rows)))


def find_end(place: Path, session: str, mark: Mark) -> Mark | None:
    """Return the present end of a session if everything up to `mark` is as it was read, else None."""

    def ask(connection: "Connection") -> Mark | None:
        event = _find_event_column(connection)
        last = f"SELECT seq, {event} FROM {EVENTS} WHERE session_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
        # The count shows that events before the mark were deleted.
        count = f"SELECT COUNT(*) FROM {EVENTS} WHERE session_id = ? AND seq <= ?"
        read = connection.execute(last, (session, mark.seq)).fetchone()
        standing_mark = Mark(
            int(read[0]) if read else -1,
            int(connection.execute(count, (session, mark.seq)).fetchone()[0]),
            hash_event(read_event_text(read[1])) if read else "",
        )
        if standing_mark != mark:
            return None
        newest = connection.execute(last, (session, (1 << 62))).fetchone()
        return Mark(int(newest[0]), mark.count, "") if newest else mark

    return _ask_database(place, ask)


def hash_event(event: bytes | str) -> str:
    """Return a hash of an event's text, packed or not."""
    data = event if isinstance(event, bytes) else event.encode("utf-8", "replace")
    return blake2b(data, digest_size=12).hexdigest()


def _ask_database(place: Path, question: "Callable[[Connection], Answer]") -> Answer:
    with _readable(place):
        return host_files.ask_database(place, question)


@contextmanager
def _readable(place: Path) -> Iterator[None]:
    try:
        yield
    except host_files.UnreadableError as exc:
        raise session_unreadable(
            f"{place} {exc}", fix=Advice(f"ls -l {quote_shell(place)}*   # then try again")
        ) from exc


def _read_sessions(connection: "Connection") -> dict[str, dict[str, Any]]:
    """Return the data of the tables on each session, by its id."""
    facts: dict[str, dict[str, Any]] = {}
    for name, column in _TABLES:
        for fields in _described(connection, name, column):
            facts.setdefault(str(fields.pop(column)), {}).update(
                {key: value for key, value in fields.items() if value not in (None, "")}
            )
    return facts


def _find_event_column(connection: "Connection") -> str:
    """Return the SQL expression of an event's text: long ones are packed since schema 23."""
    return "COALESCE(event_json, event_zstd)" if "event_zstd" in _columns(connection, EVENTS) else "event_json"


def _columns(connection: "Connection", table: str) -> set[str]:
    return {str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}


def _described(connection: "Connection", name: str, column: str) -> Iterator[dict[str, Any]]:
    """Yield a table's data on each session, with those in its `entry_json`, in the words of sessions.json."""
    names = {
        "session_key": "key",
        "chat_type": "chatType",
        "channel": "channel",
        "started_at": "startedAt",
        "created_at": "startedAt",
        "spawned_by": "spawnedBy",
        "parent_session_key": "spawnedBy",
        "entry_json": "entry",
    }
    columns = _columns(connection, name)
    if column not in columns:
        return
    keys = [key for key in names if key in columns]
    if name == "session_nodes" and "parent_session_key" in keys:
        keys.remove("parent_session_key")  # a thread has a parent, too
    for row in connection.execute(f"SELECT {', '.join([column, *keys])} FROM {name}"):
        fields = {column: row[0]} | {names[key]: value for key, value in zip(keys, row[1:], strict=True)}
        yield {
            **read_table(fields.pop("entry", None)),
            **{key: value for key, value in fields.items() if value is not None},
        }


_ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}?"
_NAME = re.compile(
    rf"(?P<id>{_ID})(?P<topic>-topic-[A-Za-z0-9._%-]+?)?\.jsonl(?P<archive>\.(?:reset|deleted)\.[0-9TZ.:_-]+)?(?:\.zst)?"
)
_NEVER = re.compile(r"\.checkpoint\.|\.bak(?:\.|$)|\.lock$|\.tmp$|\.trajectory\.")


class TranscriptFile(Struct, frozen=True):
    """A file with conversations: its agent, and of a transcript the session and the stream."""

    path: Path
    form: Literal["jsonl", "database"]
    agent: str = ""
    session: str = ""
    stream: str = ""

    @property
    def final(self) -> bool:
        """Whether nobody writes it any more."""
        return not self.stream.startswith("file")


def list_transcripts_of_host(host: Host, agents: Iterable[str]) -> Iterator[TranscriptFile]:
    """Yield the conversations of these agents in this machine's OpenClaw: the database first, then files."""
    for agent in agents:
        yield from list_transcripts_of_agent(host.state / "agents" / agent, agent)


def list_all_agents(host: Host) -> tuple[str, ...]:
    """Return all agents: those of the configuration, and those that only have left conversations."""
    folder = host.state / "agents"
    left = [folder_entry.name for folder_entry in list_folder(folder) if folder_entry.is_dir()]
    return tuple(dict.fromkeys((*(agent.id for agent in host.agents), *left)))


def list_transcripts_of_agent(folder: Path, agent: str) -> Iterator[TranscriptFile]:
    """Yield the conversations in an agent's folder of OpenClaw's state."""
    if is_there(place := folder / "agent" / TRANSCRIPTS):
        yield TranscriptFile(place, "database", agent)
    for name in ("sessions", "session-sqlite-import-archive", "sessions/session-sqlite-import-archive"):
        yield from _transcripts(folder / name, agent)


def list_transcripts_at(path: Path) -> Iterator[TranscriptFile]:
    """Yield the conversations at a given path: a file, or a folder of files, of an agent, or of OpenClaw.

    Raises UsageError if there are none.
    """
    if not is_there(path):
        raise file_missing(f"{path} does not exist", fix=Command("clawgit session import --all"))
    sources = list(_list_transcripts_below(path) if path.is_dir() else _find_in_file(path))
    if not sources:
        raise session_unreadable(f"{path} holds no transcripts", fix=Command("ls {}", path))
    yield from sources


def _list_transcripts_below(folder: Path) -> Iterator[TranscriptFile]:
    agents = [path for path in list_folder(folder / "agents") if path.is_dir()]
    for agent in agents:
        yield from list_transcripts_of_agent(agent, agent.name)
    if agents:
        return
    sources = list(list_transcripts_of_agent(folder, folder.name))
    # This may be the folder `agent` of an agent, which has the database itself.
    if not sources and is_there(folder / TRANSCRIPTS):
        sources = [TranscriptFile(folder / TRANSCRIPTS, "database", folder.parent.name)]
    yield from sources or _transcripts(folder, _find_agent(folder))


def _find_in_file(path: Path) -> Iterator[TranscriptFile]:
    if path.suffix in (".sqlite", ".db"):
        yield TranscriptFile(path, "database", path.parent.parent.name if path.parent.name == "agent" else "")
    elif path.suffix != ".md":
        source = _transcript(path, _find_agent(path.parent))
        yield source or TranscriptFile(
            path, "jsonl", _find_agent(path.parent), path.name.partition(".jsonl")[0], "file"
        )


def _find_agent(folder: Path) -> str:
    """Return the agent of a folder of transcripts, "" for another folder."""
    return folder.parent.name if folder.name == "sessions" and folder.parent.parent.name == "agents" else ""


def _transcripts(folder: Path, agent: str) -> Iterator[TranscriptFile]:
    """Yield the transcripts of a folder; older ones of a session come first."""
    sources = (_transcript(path, agent) for path in list_folder(folder))
    yield from sorted(
        (source for source in sources if source),
        key=lambda source: (source.session, source.stream == "file", source.stream),
    )


def _transcript(path: Path, agent: str) -> TranscriptFile | None:
    name = _NAME.fullmatch(path.name)
    if name is None or _NEVER.search(path.name) or not path.is_file():
        return None
    archive = (name["archive"] or "").strip(".")
    stream = ":".join(part for part in (archive or "file", (name["topic"] or "").strip("-")) if part)
    return TranscriptFile(path, "jsonl", agent, name["id"], stream)


_LIST = Command("clawgit log --sessions")


def find_transcript(host: Host, agents: Iterable[str], request: str, *, files: bool = True) -> TranscriptFile:
    """Return the place of a conversation: a file, else a session by its id, its key, or a beginning.

    Without `files` it is no file, whatever is in the current folder. `AGENT/ID` looks at that agent alone; `agents` are
    those to look at otherwise. A database goes before files, and a file before its archives. Raises UsageError for a
    file without a conversation, ClawgitError if no session, or more than one, has the name, and for one that OpenClaw
    was told to forget.
    """
    with contextlib.suppress(OSError, RuntimeError, ValueError):  # what cannot be a path is a name
        place = Path(request).expanduser()
        if files and place.is_file():
            return _read_file(place)
    agent, _, name = request.rpartition("/")
    folders = {agent_name: host.state / "agents" / agent_name for agent_name in ([agent] if agent else agents)}
    rows = [
        row
        for agent_name, folder in folders.items()
        for item in list_transcripts_of_agent(folder, agent_name)
        for row in _expand(item)
    ]
    exact = [source for source, _ in rows if name and source.session == name]
    keyed = [source for source, key in rows if request and key == request]
    matches = exact or keyed or [source for source, _ in rows if name and source.session.startswith(name)]
    if not matches:
        raise session_unknown(f"OpenClaw has no conversation {request}", fix=_LIST)
    if len({(source.agent, source.session) for source in matches}) > 1:
        raise id_ambiguous(f"several conversations are called {request}", fix=_LIST)
    matches.sort(key=lambda source: source.stream, reverse=True)  # of two archives the younger one
    first = min(matches, key=lambda source: (source.form != "database", source.final))
    database = host.state / "agents" / first.agent / "agent" / TRANSCRIPTS
    if database.is_file() and first.session in list_forgotten(database, first.agent):
        raise session_forgotten(f"OpenClaw was told to forget {first.session}", fix=_LIST)
    return first


def _read_file(place: Path) -> TranscriptFile:
    rows = [conversation for source in list_transcripts_at(place) for conversation, _ in _expand(source)]
    if len(rows) != 1:
        fix = Command("clawgit session import {}", place, note="then name one: clawgit log --sessions")
        raise option_missing(f"{place} holds {len(rows)} conversations", fix=fix)
    return rows[0]


def _expand(source: TranscriptFile) -> Iterator[tuple[TranscriptFile, str]]:
    """Yield the conversations of a source, of a database each, with the keys of their places."""
    if source.form == "database":
        for session in sessions(source.path, source.agent):
            yield replace(source, session=session.id), session.key
    else:
        session_entry = read_session_list(source.path.parent, source.agent).get(source.session)
        yield source, session_entry.key if session_entry else ""
