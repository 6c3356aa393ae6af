"""The run ledger: what agents did and cost."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct, field, to_builtins

FILE = "runs.jsonl"


class Ran(Struct, frozen=True):
    """One run of an agent, times in ISO 8601. `error` says why it failed, "" where it did not.

    `read` counts what was looked at, `proposed` what it would keep, `skipped` what was left out, by reason; `committed`
    and `waiting` are the commits and proposals that it came to, `usage` is what a model was asked.
    """

    agent: str
    started: str
    ended: str
    read: int = 0
    proposed: int = 0
    committed: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    error: str = ""


def note(state: Path, ran: Ran) -> None:
    """Append a run to the ledger in the folder `state`. Raises OSError."""
    state.mkdir(parents=True, exist_ok=True)
    handle = os.open(state / FILE, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        end = file.seek(0, os.SEEK_END)
        torn = end > 0 and os.pread(file.fileno(), 1, end - 1) != b"\n"  # by a run that was killed
        file.write((b"\n" if torn else b"") + json.dumps(to_builtins(ran), ensure_ascii=False).encode() + b"\n")


def ledger(state: Path) -> Iterator[Ran]:
    """Yield the runs in their order; lines that cannot be read are passed over."""
    try:
        rows = (state / FILE).read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return
    for row in rows:
        try:
            values = json.loads(row)
            ran = Ran(**{**values, **{name: tuple(values[name]) for name in ("committed", "waiting", "notes")}})
        except (ValueError, TypeError, KeyError):
            continue
        if {type(ran.agent), type(ran.ended), type(ran.error)} == {str} and type(ran.read) is int:
            yield ran
