"""Hears standing rules of conduct in the operator's own words."""

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, date, datetime, time

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.messages_to_read import Heard, message_of
from clawgit.agents.mining.finding import LONGEST_QUOTE
from clawgit.agents.running import View
from clawgit.git import repository
from clawgit.language import standing_rules
from clawgit.safety import injection, secrets
from clawgit.text import evidence_pointer
from clawgit.text.entry import digest, entries, named, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import file_roles
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row

_ADDRESS = re.compile(r"\S@\S|://|\bwww\.", re.IGNORECASE)
_BY_OPERATOR = "Operator: "
UNPROVEN = "nobody can tell from here that these are the operator's own words"


class Lesson(Struct, frozen=True):
    """A rule in the words in which it was said; with a `doubt` it waits for the operator.

    `work` tells that it is about how work is done, which is nothing of the identity. `pointer` cites it, `mention`
    names its message, `time` counts seconds since 1970.
    """

    words: str
    doubt: str
    work: bool
    pointer: str
    mention: str
    time: float

    @property
    def day(self) -> date:
        """The day on which it was said, in UTC."""
        return datetime.fromtimestamp(self.time, UTC).date()

    @property
    def id(self) -> str:
        """What it is known by once something was made of it: its message and its words."""
        return named("\0".join(("soul", message_of(self.mention), normalise(self.words))))


class Remarks(Struct, frozen=True):
    """What a message tells, and for each other sentence that orders something for always why it does not."""

    lessons: tuple[Lesson, ...] = ()
    refused: tuple[str, ...] = ()


def hear(heard: Heard) -> Remarks:
    """Return the standing rules that a message of the operator gives (spec P2).

    What others wrote, what is quoted or pasted, tasks and questions give nothing.
    """
    text = heard.text
    if heard.origin != "operator" or heard.time is None:
        return Remarks()
    found = list(standing_rules.rules(text))
    if not found or secrets.scan(text):
        return Remarks()
    lessons, refused = list[Lesson](), list[str]()
    for one in found:
        said = text[one.start : one.end]
        pointer = heard.pointer(said[:LONGEST_QUOTE].strip())
        if _ADDRESS.search(said) or injection.scan(f"- {one_line(said)}"):
            refused.append("order")
        elif pointer is None:
            refused.append("cannot be cited")
        else:
            lessons.append(Lesson(one_line(said), one.doubt, one.work, pointer, heard.mention, heard.time))
    return Remarks(tuple(lessons), tuple(refused))


def remembered(view: View, start: float, heard: Collection[str]) -> Iterator[Lesson]:
    """Yield the rules that memories of the operator state, from `start` on (seconds since 1970).

    Those of messages in `heard` are left out: they are heard where they were said. Nobody can tell who wrote the
    others' rows of the sidecar, so that they wait.
    """
    rows = [one for one in view.rows().values() if one.origin == "operator" and one.status == "live"]
    for path in sorted({one.file for one in rows if _holds(one.file)}):
        known = {one.hash: one for one in rows if one.file == path}
        yield from _lines(view, path, known, start, heard)


def _holds(path: str) -> bool:
    return file_roles.memory(path) and path not in (file_roles.CORRECTIONS, file_roles.CONFLICTS, file_roles.CONFIG)


def _lines(view: View, path: str, known: Mapping[str, Row], start: float, heard: Collection[str]) -> Iterator[Lesson]:
    committed = repository.read(view.workspace.repo, view.workspace.head, path) or b""  # what is cited must be there
    for one in entries(committed.decode("utf-8", "replace")):
        row = known.get(digest(one.text))
        if row is None or row.first is None or any(message_of(mention) in heard for mention in row.mentions):
            continue
        noon = datetime.combine(row.first, time(12), UTC).timestamp()
        if noon < start:
            continue
        for lesson in hear(Heard(one.text.removeprefix(_BY_OPERATOR), "operator", noon, "memory", "line")).lessons:
            quote = evidence_pointer.parse(lesson.pointer).quote
            where = Pointer("lines", path, one.start, one.end, (view.workspace.head or "")[:10], quote)
            yield replace(lesson, pointer=evidence_pointer.format(where), doubt=lesson.doubt or UNPROVEN)
