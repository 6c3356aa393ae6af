"""Finds the lines that go on saying what was corrected."""

import re
from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from clawgit.agents.standing_corrections import Rule, rules, ruling
from clawgit.errors import ClawgitError
from clawgit.text import entry
from clawgit.workspace import correction_records, entries, memory
from clawgit.workspace.commit_message import shorten
from clawgit.workspace.workspace import Workspace

_TIME = re.compile(r"^\d{1,2}:\d{2} ")
"""What a note of a journal may begin with."""


class StillSaid(Struct, frozen=True):
    """A line, from 1, that says what is wrong; `id` is that of the memory, "" where it is none.

    `correction` is the id of the record that it goes against. A `served` one is found by search and shown in a context.
    What holds no more in a journal stays there, and is not.
    """

    path: str
    line: int
    text: str
    id: str
    served: bool
    correction: str

    @property
    def brief(self) -> str:
        """What the line says, in 60 characters at most."""
        return shorten(self.text, 60)


def still_said(workspace: Workspace, name: str = "") -> Iterator[StillSaid]:
    """Yield the lines of memory and journals that go against a correction ("": any), those of memory first."""
    known = rules(one.record for one in correction_records.standing(workspace.root, workspace.read))
    mine = tuple(one for one in known if name in (one.id, ""))
    rows = {(row.file, row.hash): row for row in workspace.rows().values()}
    for path in dict.fromkeys((*memory.files(workspace), *memory.journals(workspace))):
        text = ""
        with suppress(ClawgitError):  # what cannot be read is told elsewhere
            text = workspace.read(path) or ""
        if any(one.wrong in text for one in mine):
            yield from _lines(path, text, mine, rows)


def _lines(
    path: str, text: str, mine: tuple[Rule, ...], rows: "dict[tuple[str, str], entries.Row]"
) -> Iterator[StillSaid]:
    for one in entry.entries(text):
        if found := ruling(_TIME.sub("", one.text), mine):
            row = rows.get((path, entry.digest(one.text)))
            gone = "superseded" in one.status or (row is not None and row.status == "superseded")
            yield StillSaid(path, one.start, one.text, row.id if row and not gone else "", not gone, found.rule.id)
