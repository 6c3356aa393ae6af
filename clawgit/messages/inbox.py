"""Flags of messages that the memory miner reads first."""

import contextlib
import fcntl
import json
import os
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from clawgit.git import regular_file
from clawgit.messages.triage import Triage
from clawgit.safety.redaction import all_redacted, redacted

FILE = "inbox.jsonl"


class Flag(Struct, frozen=True):
    """A message to be looked at; `session` is "" where nobody knows it, `found` is what the patterns told."""

    id: str
    at: str
    session: str
    text: str
    found: dict[str, Any]


def file(state: Path, text: str, found: Triage, now: datetime, session: str = "") -> Flag:
    """Append the flag of a message to the inbox in the folder `state`, and return it.

    The file is for its owner alone, since it holds what was said. Raises OSError.
    """
    flag = Flag(
        os.urandom(8).hex(),
        now.isoformat(timespec="milliseconds"),
        session,
        redacted(text),
        all_redacted(found.document),
    )
    regular_file.append_rows(state / FILE, (flag,))
    return flag


def flags(state: Path) -> Iterator[Flag]:
    """Yield the flags in the order they were filed; lines that cannot be read are passed over."""
    return regular_file.parse_rows(state / FILE, Flag)


def forget(state: Path, sessions: Collection[str]) -> None:
    """Take the words out of the flags of these sessions; the flags stay, since agents count by them. Raises OSError.

    Each line keeps its length, so whoever reads or appends meanwhile finds whole lines.
    """
    if not sessions or not (state / FILE).exists():
        return
    handle = os.open(regular_file.require_state(state / FILE), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        at = 0
        for line in os.pread(handle, os.fstat(handle).st_size, 0).splitlines(keepends=True):
            with contextlib.suppress(ValueError, TypeError):
                flag = Flag(**json.loads(line))
                bare = _line(replace(flag, text="", found={})).rstrip()
                if flag.session in sessions and len(bare) < len(line):
                    os.pwrite(handle, bare.ljust(len(line.rstrip(b"\r\n"))), at)
            at += len(line)
    finally:
        os.close(handle)


def _line(flag: Flag) -> bytes:
    return json.dumps(to_builtins(flag), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
