"""Corrections that lack something, kept until the operator decides."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Command, id_unknown
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
    regular_file.append_rows(folder / FILE, new)
    return new


def settle(folder: Path, one: Waiting, state: State) -> None:
    """Note what the operator decided. Raises OSError."""
    regular_file.append_rows(folder / FILE, [replace(one, state=state)])


def find_candidate(folder: Path, wanted: str) -> Waiting:
    """Return the open candidate whose id begins with `wanted`. Raises ClawgitError naming the nearest."""
    there = {key: one for key, one in known_candidates(folder).items() if one.state == "open"}
    matches = [one for key, one in there.items() if key.startswith(wanted)]
    if wanted and len(matches) == 1:
        return matches[0]
    near = nearest(wanted, there)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    raise id_unknown(f"no candidate that is open has the id {wanted}{hint}", fix=Command("clawgit corrections list"))


def _redacted(one: Waiting) -> Waiting:
    """Return it with each secret named instead of shown: it is kept for long, and shown to many."""
    return replace(one, text=redacted(one.text), said=redacted(one.said), true=redacted(one.true))
