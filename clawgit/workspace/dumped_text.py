"""Knows the conversations that OpenClaw leaves among the memories."""

import re
from functools import lru_cache

from clawgit.workspace import file_roles

HEAD = 400
"""Bytes of a file in which it says what it is."""
_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*# Session:[^\n]*\n\s*- \*\*Session Key\*\*:")
_SESSION = re.compile(rb"^- \*\*Session ID\*\*:[ \t]*(\S+)", re.MULTILINE)
_NAMED = re.compile(r"(?:.*/)?\d{4}-\d{2}-\d{2}-[^/]+\.md")


@lru_cache(1 << 16)  # asked for each journal at each search
def may_be_dump(path: str) -> bool:
    """Return whether a file is named like what OpenClaw's session-memory hook writes: a day, then an hour or a word."""
    return file_roles.journal_day(path) is not None and _NAMED.fullmatch(path) is not None


def is_dump(path: str, data: bytes) -> bool:
    """Return whether a file is a conversation word for word, as `/new` and `/reset` leave it: no memory by itself."""
    return may_be_dump(path) and begins_one(data)


def session(data: bytes) -> str:
    """Return the id of the session that such a file holds, "" where it does not say."""
    named = _SESSION.search(data)
    return named[1].decode("utf-8", "replace") if named else ""


def begins_one(data: bytes) -> bool:
    """Return whether bytes begin as such a file does."""
    return _BEGINS.match(data) is not None
