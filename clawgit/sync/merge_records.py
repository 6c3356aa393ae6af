"""Records of lines on which two machines disagree."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from clawgit.text import conflict
from clawgit.text.conflict import LEFT_OUT, TWO_MACHINES, Conflict, Side
from clawgit.text.edit import append_block
from clawgit.text.entry import entry_id, named, split_tags, without_comments
from clawgit.text.merge import Conflict as MergeConflict
from clawgit.workspace import file_roles
from clawgit.workspace.commit_message import one_line

_NEWER = "two machines changed this line before they had heard of each other: the newer one stands"
BOTH = "two machines changed this line before they had heard of each other: both stand"
_DELETED = "one machine took this line out while another one reworded it: it stands"
_UNRECORDED = (file_roles.CONFIG, file_roles.CORRECTIONS, file_roles.CONFLICTS)
_MARKER = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)?(?:\[[ xX]\][ \t]+)?")


class Disagreement(Struct, frozen=True):
    """Lines of a file on which two sides disagree, and when each was written, in seconds since 1970."""

    path: str
    conflict: MergeConflict
    times: tuple[float, ...]


def is_recorded(path: str) -> bool:
    """Return whether a disagreement in a file is asked about: settings and records have the newer value."""
    return path not in _UNRECORDED


def read_words(line: str) -> str:
    """Return what a line of one or several rows says, on one line: no marker, no tags."""
    rows = (split_tags(without_comments(row[_MARKER.match(row).end() :]))[0] for row in line.split("\n"))  # type: ignore[union-attr]
    return one_line(" ".join(rows))


def with_records(text: str, disagreements: Sequence[Disagreement]) -> tuple[str, tuple[Conflict, ...]]:
    """Return CONFLICTS.md with a record of each disagreement, and those that are new."""
    known = {record.id for record in conflict.conflicts(text)}
    records = {record.id: record for record in map(_record, disagreements) if record.id not in known}
    new = tuple(records[name] for name in sorted(records))
    for record in new:
        text = append_block(text or conflict.BIRTH, conflict.rendered(record))
    return text, new


def _record(found: Disagreement) -> Conflict:
    """Return a record; side A stands in the file, and B only where the record says so."""
    sides = [
        (read_words(line), when)
        for line, when in zip((found.conflict.ours, found.conflict.theirs), found.times, strict=True)
    ]
    if found.conflict.kept == "both":
        first, second = sorted(sides)
    else:
        first, second = sides if found.conflict.kept == "ours" else sides[::-1]
    name = named("\0".join((TWO_MACHINES, found.path, *sorted(words for words, _ in sides))))
    a = _side(found.path, *first)
    b = _side(found.path, *second) if second[0] else Side(LEFT_OUT)
    why = _DELETED if b.nothing else BOTH if found.conflict.kept == "both" else _NEWER
    return Conflict(name, _day(max(found.times)), a, b, why, TWO_MACHINES)


def _side(path: str, words: str, when: float) -> Side:
    return Side(words, path, entry_id(path, words), _day(when), "unknown")


def _day(when: float) -> str:
    """Return a day in UTC: the same on every machine."""
    return datetime.fromtimestamp(when, UTC).date().isoformat()
