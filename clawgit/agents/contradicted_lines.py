"""Finds the lines that go on saying what was corrected."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.running import View
from clawgit.agents.standing_corrections import Rule, rules, ruling
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.text import entry
from clawgit.workspace import correction_records, file_roles, memory
from clawgit.workspace import entries as sidecar
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.commit_message import shorten
from clawgit.workspace.entries import Row
from clawgit.workspace.entry_association import free_id
from clawgit.workspace.workspace import Workspace

DETECTOR = "conflict-detector"
"""Whose work it is."""
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


def hold(workspace: Workspace) -> tuple[Applied, tuple[str, ...]] | None:
    """Take out of force what memory and the journals of two days say in the very words that were corrected.

    Others write there as they like. Returns what became of it, and the files; None for nothing.
    """
    with suppress(ClawgitError):  # what is in the way of a commit is told by who captures
        since = (workspace.now() - timedelta(days=1)).date()
        change = out_of_force(View(workspace), since)
        if change:
            return workspace.apply(change), tuple(dict.fromkeys(row.file for row in change.rows))
    return None


def out_of_force(view: View, since: date) -> Change | None:
    """Return the change that takes out of force what memory, and journals from `since` on, say in corrected words.

    The files stay as they are; no search or context shows these lines. What the operator is known
    to have said is left, and of memory all that a record speaks against which did not come through clawgit.
    """
    workspace = view.workspace
    known = rules(one.record for one in correction_records.standing(workspace.root, view.read))
    young = (path for path in memory.journals(workspace) if (day := file_roles.journal_day(path)) and day >= since)
    found: list[Row] = []
    back: frozenset[tuple[str, str]] | None = None
    for path in (*memory.files(workspace), *young) if known else ():
        with suppress(ClawgitError):  # what cannot be read is told elsewhere
            text = view.read(path) or ""
            against = _against(view, path, text, known)
            if against and back is None:
                back = taken_back(view)
            left = [(row, one) for row, one in against if (row.file, row.hash) not in (back or ())]
            if file_roles.journal_day(path) is None:
                ours = {name for name in {row.by for row, _ in left} if _came_through_us(view, name)}
                left = [(row, one) for row, one in left if row.by in ours]
            found += [row for row, _ in left]
    if not found:
        return None
    count = "1 line" if len(found) == 1 else f"{len(found)} lines"
    why = f"The operator corrected that: {', '.join(dict.fromkeys(row.by for row in found))}"
    return Change(f"memory: {count} out of force", why, agent=DETECTOR, rows=tuple(found))


def _against(view: View, path: str, text: str, known: tuple[Rule, ...]) -> list[tuple[Row, entry.Entry]]:
    """Return the entries of a file that go against a rule, each with its row as it is then."""
    every = view.rows()
    there = {(row.file, row.hash): row for row in every.values()}
    found: dict[str, tuple[Row, entry.Entry]] = {}
    for one in entry.entries(text):
        some = tuple(rule for rule in known if rule.wrong.casefold() in one.text.casefold())
        against, key = ruling(_TIME.sub("", one.text), some) if some else None, (path, entry.digest(one.text))
        if against and "superseded" not in one.status and _may_go(there.get(key)):
            row = there.get(key) or Row(free_id(every.keys() | found, path, one.text, one.ordinal), *key)
            found[row.id] = replace(row, status="superseded", by=against.rule.id), one
    return list(found.values())


def _came_through_us(view: View, name: str) -> bool:
    """Return whether clawgit wrote a record: one that just stands in the file may be anybody's."""
    repo, trailer = view.workspace.repo, f"Clawgit-Change: {name}"
    found = history.log(repo, file_roles.CORRECTIONS, containing=trailer, limit=1, named=False) if name else ()
    return any(one.ours for one in found)


def _may_go(row: Row | None) -> bool:
    """Return whether nobody knows that the operator said it: a line that just stands there may be anybody's."""
    return row is None or (row.status != "superseded" and not (row.origin == "operator" and row.mentions))


def taken_back(view: View) -> frozenset[tuple[str, str]]:
    """Return the file and hash of each entry that went out of force, and that an undo put in force again."""
    repo, found = view.workspace.repo, set[tuple[str, str]]()
    for undo in history.log(repo, sidecar.PATH, containing="Clawgit-Undoes: ", named=False):
        texts = (repository.read(repo, commit, sidecar.PATH) for commit in (*undo.parents[:1], undo.id))
        before, *after = (sidecar.parse((text or b"").decode("utf-8", "replace")) for text in texts)
        gone = (row for row in before.values() if row.status == "superseded")
        found |= {(row.file, row.hash) for row in gone for now in after if _in_force(now.get(row.id))}
    return frozenset(found)


def _in_force(row: Row | None) -> bool:
    return row is None or row.status != "superseded"


def _lines(path: str, text: str, mine: tuple[Rule, ...], rows: dict[tuple[str, str], Row]) -> Iterator[StillSaid]:
    for one in entry.entries(text):
        if found := ruling(_TIME.sub("", one.text), mine):
            row = rows.get((path, entry.digest(one.text)))
            gone = "superseded" in one.status or (row is not None and row.status == "superseded")
            yield StillSaid(path, one.start, one.text, row.id if row and not gone else "", not gone, found.rule.id)
