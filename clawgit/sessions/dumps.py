"""Reads the conversations that OpenClaw's `/new` left among the memories."""

import json
import re
from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Struct

from clawgit.sessions.events import Entry, Role, clean, moment
from clawgit.workspace import dumped

_FIELD = re.compile(r"^- \*\*(?P<name>Session Key|Session ID|Source)\*\*:[ \t]*(?P<value>\S[^\n]*)$", re.MULTILINE)
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}


class Dump(Struct, frozen=True):
    """A conversation as a memory file has it: whose it was, and its turns; `session` is "" where it does not say."""

    session: str
    key: str
    channel: str
    started: float | None
    entries: tuple[Entry, ...]


def begins_one(head: bytes) -> bool:
    """Tell whether a file that begins like this may be a dump."""
    return dumped.TITLE.match(head.decode("utf-8", "replace")) is not None


def read(text: str) -> Dump | None:
    """Return what a memory file tells of a session, None for a file that is no such dump.

    The turns are as they were said, but nothing tells when, and a line of a turn may look like the next one: they are
    of little trust.
    """
    title = dumped.TITLE.match(text)
    first = dumped.TURN.search(text, title.end()) if title else None
    if title is None or first is None:
        return None
    fields = {field["name"]: field["value"].strip() for field in _FIELD.finditer(text, title.end(), first.start())}
    return Dump(
        fields.get("Session ID", ""),
        fields.get("Session Key", ""),
        fields.get("Source", ""),
        moment(title["when"].replace(" UTC", "+00:00").strip()),
        tuple(_entries(text[first.start() :])),
    )


def _entries(text: str) -> Iterator[Entry]:
    turns = list(dumped.TURN.finditer(text))
    ends = [turn.start() for turn in turns[1:]] + [len(text)]
    seen: dict[tuple[str, str], int] = {}
    for turn, end in zip(turns, ends, strict=True):
        words = _plain(text[turn.end() : end].strip())
        same = (turn["role"], words)
        seen[same] = seen.get(same, 0) + 1
        name = blake2b(f"{turn['role']}\0{seen[same]}\0{words}".encode(), digest_size=8).hexdigest()
        yield Entry(f"dump-{name}", "", "message", _ROLES[turn["role"]], words)


def _plain(words: str) -> str:
    """Return the words of a turn; a younger OpenClaw writes each as a string of JSON, on one line."""
    if not words.startswith('"'):
        return words
    try:
        said = json.loads(words)
    except ValueError:
        return words
    return clean(said) if isinstance(said, str) else words
