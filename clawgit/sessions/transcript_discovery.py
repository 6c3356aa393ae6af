"""Finds the files of transcripts."""

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import (
    Command,
    file_missing,
    id_ambiguous,
    option_missing,
    session_forgotten,
    session_unknown,
    session_unreadable,
)
from clawgit.git.regular_file import list_folder
from clawgit.openclaw.host import TRANSCRIPTS, Host
from clawgit.openclaw.openclaw_files import is_there
from clawgit.sessions import openclaw_sessions

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
    if database.is_file() and first.session in openclaw_sessions.list_forgotten(database, first.agent):
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
        for session in openclaw_sessions.sessions(source.path, source.agent):
            yield replace(source, session=session.id), session.key
    else:
        session_entry = openclaw_sessions.read_session_list(source.path.parent, source.agent).get(source.session)
        yield source, session_entry.key if session_entry else ""
