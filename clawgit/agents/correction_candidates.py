"""Corrections that lack something, kept until the operator decides."""

import fcntl
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import regular_file
from clawgit.safety.redaction import redacted
from clawgit.text.spelling import nearest

FILE = "candidates.jsonl"
State = Literal["open", "confirmed", "dismissed"]


class Waiting(Struct, frozen=True):
    """A message that corrects, perhaps: why nothing was done, and what is known of both sides.

    `choices` are the ids of memories that could be meant, `source` is the evidence that points at the message.
    """

    id: str
    at: str
    text: str
    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[str, ...] = ()
    source: str = ""
    trigger: str = ""
    trigger_confidence: str = "medium"
    state: State = "open"


def known_candidates(folder: Path) -> dict[str, Waiting]:
    """Return all that was ever filed, by id, each as it stands now; lines that cannot be read are passed over."""
    return {one.id: one for one in regular_file.parse_rows(folder / FILE, Waiting)}


def file(folder: Path, some: Iterable[Waiting]) -> list[Waiting]:
    """Keep what is not known yet, and return it. The file is for its owner alone. Raises OSError."""
    there = known_candidates(folder)
    new = [_redacted(one) for one in {one.id: one for one in some if one.id not in there}.values()]
    _append(folder, new)
    return new


def settle(folder: Path, one: Waiting, state: State) -> None:
    """Note what the operator decided. Raises OSError."""
    _append(folder, [replace(one, state=state)])


def find_candidate(folder: Path, wanted: str) -> Waiting:
    """Return the open candidate whose id begins with `wanted`. Raises ClawgitError naming the nearest."""
    there = {key: one for key, one in known_candidates(folder).items() if one.state == "open"}
    matches = [one for key, one in there.items() if key.startswith(wanted)]
    if wanted and len(matches) == 1:
        return matches[0]
    near = nearest(wanted, there)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    raise ClawgitError(f"no candidate that is open has the id {wanted}{hint}", fix="clawgit corrections list")


def _append(folder: Path, some: Iterable[Waiting]) -> None:
    data = "".join(json.dumps(to_builtins(one), ensure_ascii=False) + "\n" for one in some)
    if not data:
        return
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "r+b") as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        end = out.seek(0, os.SEEK_END)
        torn = end > 0 and os.pread(out.fileno(), 1, end - 1) != b"\n"  # by a writer who was killed
        out.write((b"\n" if torn else b"") + data.encode("utf-8", "replace"))


def _redacted(one: Waiting) -> Waiting:
    """Return it with each secret named instead of shown: it is kept for long, and shown to many."""
    return replace(one, text=redacted(one.text), said=redacted(one.said), true=redacted(one.true))
