"""What OpenClaw knows of its sessions."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from clawgit.sessions.events import clean, moment
from clawgit.sessions.origin import Session, kind
from clawgit.workspace.host import files as host_files

FILE = "sessions.json"
_LARGEST = 64 << 20


def registered(folder: Path, agent: str) -> Mapping[str, Session]:
    """Return the sessions that `sessions.json` in a folder of transcripts lists, by id.

    It lists only the present session of each key; nothing of a file that cannot be read.
    """
    try:
        seen = (folder / FILE).stat()
        return _read(folder, agent, (seen.st_mtime_ns, seen.st_size))
    except (OSError, ValueError, RecursionError):
        return {}


@lru_cache(maxsize=16)
def _read(folder: Path, agent: str, seen: tuple[int, int]) -> Mapping[str, Session]:  # noqa: ARG001 - as it was `seen`
    listed = json.loads(host_files.read(folder / FILE, _LARGEST))
    rows = listed.items() if isinstance(listed, dict) else ()
    found = (described(str(row["sessionId"]), agent, {"key": key, **row}) for key, row in rows if _fits(row))
    return {session.id: session for session in found}


def _fits(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("sessionId"), str)


def described(name: str, agent: str, row: Mapping[str, Any]) -> Session:
    """Return a session as a row of `sessions.json` describes it, whose key stands in it as `key`."""
    key, chat = _word(row.get("key")), _word(row.get("chatType"))
    origin = row.get("origin")
    provider = origin.get("provider") if isinstance(origin, Mapping) else None
    channel = _word(row.get("channel")) or _word(row.get("lastChannel")) or _word(provider)
    began = moment(row.get("sessionStartedAt")) or moment(row.get("startedAt"))
    spawned = bool(row.get("spawnedBy"))
    return Session(clean(name), agent, key, kind(name, key, chat, spawned=spawned), channel, began)


def _word(value: Any) -> str:
    return clean(value) if isinstance(value, str) else ""
