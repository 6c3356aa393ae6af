"""Finds the files of transcripts."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.errors import Command, file_missing, session_unreadable
from clawgit.sessions.transcript import Entry, Role, clean, moment
from clawgit.workspace import dumped_text
from clawgit.workspace.host.host import TRANSCRIPTS, Host
from clawgit.workspace.host.openclaw_files import there

Form = Literal["jsonl", "database", "dump"]

DATABASE = TRANSCRIPTS
_ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}?"
_NAME = re.compile(
    rf"(?P<id>{_ID})(?P<topic>-topic-[A-Za-z0-9._%-]+?)?\.jsonl(?P<archive>\.(?:reset|deleted)\.[0-9TZ.:_-]+)?(?:\.zst)?"
)
_NEVER = re.compile(r"\.checkpoint\.|\.bak(?:\.|$)|\.lock$|\.tmp$|\.trajectory\.")


class Found(Struct, frozen=True):
    """A file with conversations in it: whose they are, and of a transcript which session and which stream it is."""

    path: Path
    form: Form
    agent: str = ""
    session: str = ""
    stream: str = ""

    @property
    def final(self) -> bool:
        """Whether nobody writes it any more."""
        return not self.stream.startswith("file")


def of_host(host: Host, agents: Iterable[str]) -> Iterator[Found]:
    """Yield what the OpenClaw of this machine has of these agents: the database first, then files, then dumps."""
    workspaces = {agent.id: agent.workspace for agent in host.agents}
    for agent in agents:
        yield from of_agent(host.state / "agents" / agent, agent)
        if agent in workspaces:
            yield from _dumps(workspaces[agent] / "memory", agent)


def every_agent(host: Host) -> tuple[str, ...]:
    """Return all agents: those of the configuration, and those that only have left conversations."""
    folder = host.state / "agents"
    left = [one.name for one in _listed(folder) if one.is_dir()]
    return tuple(dict.fromkeys((*(agent.id for agent in host.agents), *left)))


def of_agent(folder: Path, agent: str) -> Iterator[Found]:
    """Yield what stands in an agent's folder of OpenClaw's state."""
    if there(place := folder / "agent" / DATABASE):
        yield Found(place, "database", agent)
    for name in ("sessions", "session-sqlite-import-archive", "sessions/session-sqlite-import-archive"):
        yield from _transcripts(folder / name, agent)


def at(path: Path) -> Iterator[Found]:
    """Yield what stands at a path that somebody named: a file, or a folder of files, of an agent, or of OpenClaw.

    Raises UsageError where nothing of the kind is there.
    """
    if not there(path):
        raise file_missing(f"{path} does not exist", fix=Command("clawgit session import --all"))
    found = list(_below(path) if path.is_dir() else _file(path))
    if not found:
        raise session_unreadable(f"{path} holds no transcripts", fix=Command("ls {}", path))
    yield from found


def _below(folder: Path) -> Iterator[Found]:
    agents = [one for one in _listed(folder / "agents") if one.is_dir()]
    for agent in agents:
        yield from of_agent(agent, agent.name)
    if agents:
        return
    if any(there(folder / name) for name in ("sessions", f"agent/{DATABASE}")):
        yield from of_agent(folder, folder.name)
    elif there(folder / DATABASE):
        yield Found(folder / DATABASE, "database", folder.parent.name)
    else:
        yield from _transcripts(folder, _agent(folder))
        yield from _dumps(folder, "")


def _file(path: Path) -> Iterator[Found]:
    if path.suffix in (".sqlite", ".db"):
        yield Found(path, "database", path.parent.parent.name if path.parent.name == "agent" else "")
    elif path.suffix == ".md":
        yield Found(path, "dump", "", "", f"dump:{path.name}")
    else:
        known = _transcript(path, _agent(path.parent))
        yield known or Found(path, "jsonl", _agent(path.parent), path.name.partition(".jsonl")[0], "file")


def _agent(folder: Path) -> str:
    """Return the agent whose folder of transcripts this is, "" for another folder."""
    return folder.parent.name if folder.name == "sessions" and folder.parent.parent.name == "agents" else ""


def _transcripts(folder: Path, agent: str) -> Iterator[Found]:
    """Yield the transcripts of a folder; what is older in a session comes first."""
    found = (_transcript(path, agent) for path in _listed(folder))
    yield from sorted((one for one in found if one), key=lambda one: (one.session, one.stream == "file", one.stream))


def _transcript(path: Path, agent: str) -> Found | None:
    name = _NAME.fullmatch(path.name)
    if name is None or _NEVER.search(path.name) or not path.is_file():
        return None
    archive = (name["archive"] or "").strip(".")
    stream = ":".join(part for part in (archive or "file", (name["topic"] or "").strip("-")) if part)
    return Found(path, "jsonl", agent, name["id"], stream)


def _dumps(folder: Path, agent: str) -> Iterator[Found]:
    for path in _listed(folder):
        if path.suffix == ".md" and path.is_file():
            yield Found(path, "dump", agent, "", f"dump:{path.name}")


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


_FIELD = re.compile(r"^- \*\*(?P<name>Session Key|Session ID|Source)\*\*:[ \t]*(?P<value>\S[^\n]*)$", re.MULTILINE)
_BLANKS = 100
"""Characters around a turn that are no words of it."""
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}


class Dump(Struct, frozen=True):
    """A conversation as a memory file has it: whose it was, and its turns; `session` is "" where it does not say."""

    session: str
    key: str
    channel: str
    started: float | None
    entries: tuple[Entry, ...]


def begins_one(head: bytes) -> bool:
    """Return whether a file that begins like this may be a dump."""
    return dumped_text.TITLE.match(head.decode("utf-8", "replace")) is not None


def read(text: str, known: Iterable[str] = ()) -> Dump | None:
    """Return what a memory file tells of a session, None for a file that is no such dump.

    The turns are as they were said, but nothing tells when, and a line of a turn may look like the next one, unless it
    is `known` that they were one message: they are of little trust.
    """
    title = dumped_text.TITLE.match(text)
    first = dumped_text.TURN.search(text, title.end()) if title else None
    if title is None or first is None:
        return None
    fields = {field["name"]: field["value"].strip() for field in _FIELD.finditer(text, title.end(), first.start())}
    return Dump(
        fields.get("Session ID", ""),
        fields.get("Session Key", ""),
        fields.get("Source", ""),
        moment(title["when"].replace(" UTC", "+00:00").strip()),
        tuple(_entries(text[first.start() :], frozenset(map(str.strip, known)))),
    )


def _entries(text: str, known: frozenset[str]) -> Iterator[Entry]:
    turns = list(dumped_text.TURN.finditer(text))
    seen: dict[tuple[str, str], int] = {}
    at = 0
    while at < len(turns):
        turn, end = turns[at], _end(text, turns, at, known)
        words = _plain(text[turn.end() : turns[end].start() if end < len(turns) else len(text)].strip())
        same = (turn["role"], words)
        seen[same] = seen.get(same, 0) + 1
        name = blake2b(f"{turn['role']}\0{seen[same]}\0{words}".encode(), digest_size=8).hexdigest()
        yield Entry(f"dump-{name}", "", "message", _ROLES[turn["role"]], words)
        at = end


def _end(text: str, turns: Sequence[re.Match[str]], at: int, known: frozenset[str]) -> int:
    """Return the number of the turn behind this one: further on where what stands up to there is known as one."""
    begin, longest = turns[at].end(), max(map(len, known), default=0)
    for end in range(at + 1, len(turns) + 1):
        stop = turns[end].start() if end < len(turns) else len(text)
        if text[begin:stop].strip() in known:
            return end
        if stop - begin > longest + _BLANKS:
            break
    return at + 1


def _plain(words: str) -> str:
    """Return the words of a turn; a younger OpenClaw writes each as a string of JSON, on one line."""
    if not words.startswith('"'):
        return words
    try:
        said = json.loads(words)
    except ValueError:
        return words
    return clean(said) if isinstance(said, str) else words
