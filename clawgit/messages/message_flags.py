"""Flags of messages that the memory miner reads first."""

import os
from collections.abc import Collection, Iterable
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from clawgit.safety.redaction import redact
from clawgit.store.database import StateStore

_LIST = "flags"


class Flag(Struct, frozen=True):
    """A message to be looked at; `session` is "" if unknown."""

    id: str
    at: str
    session: str
    text: str


def file_flag(store: StateStore, text: str, now: datetime, session: str = "") -> Flag:
    """Append the flag of a message, and return it. Raises ClawgitError."""
    flag = Flag(os.urandom(8).hex(), now.isoformat(timespec="milliseconds"), session, redact(text))
    store.append_rows(_LIST, (flag,))
    return flag


def list_flags(store: StateStore) -> list[Flag]:
    """Return the flags in the order in which they were filed."""
    return store.read_rows(_LIST, Flag)


def list_unanswered(store: StateStore, names: Iterable[str]) -> list[Flag]:
    """Return the flags behind the earliest of some that were answered, each by another reader; all without one."""
    all_flags = list_flags(store)
    places = {flag.id: number for number, flag in enumerate(all_flags, 1)}
    return all_flags[min((places.get(name, 0) for name in names), default=0) :]


def clear_flags(store: StateStore, sessions: Collection[str]) -> None:
    """Take the words out of the flags of these sessions; the flags stay, since agents count by them."""
    if any(flag.session in sessions for flag in list_flags(store)):
        store.edit_rows(
            _LIST, Flag, lambda rows: (replace(flag, text="") if flag.session in sessions else flag for flag in rows)
        )
