"""What of the last week could be kept for good."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from clawgit.agents.promoting import reviewed
from clawgit.agents.promoting.candidates import DAYS
from clawgit.agents.promoting.reviewed import Kept
from clawgit.digest import quoting
from clawgit.digest.digest import Item
from clawgit.errors import ClawgitError
from clawgit.text import entry
from clawgit.text.entry import Entry
from clawgit.text.identity import digest
from clawgit.workspace.workspace import Workspace

_BEST = 3


def items(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield what a review of a period found and what still stands where it found it; the best of it is quoted.

    Of a journal that was only captured nobody knows who wrote it: that is said beside the quote. What is from outside,
    or could be an instruction, no review proposes.
    """
    found = reviewed.last(workspace.state)
    if found is None or not since < found.at <= until:
        return
    days = DAYS + (until.date() - found.at.astimezone(until.tzinfo).date()).days
    yield from told(workspace, found.notes, "this week", days)


def told(workspace: Workspace, notes: Iterable[Kept], when: str, days: int) -> Iterator[Item]:
    """Yield what of some notes still stands where it was found, the best first, as one item; the best are quoted."""
    stand = [(one, place) for one in notes if (place := _place(workspace, one))]
    if stand:
        best = tuple(_quote(one, place) for one, place in stand[:_BEST])
        command = "clawgit memory promote" if days == DAYS else f"clawgit memory promote --days {days}"
        yield Item(f"{_many(len(stand))} of {when} could be kept for good", best, command)


def _many(count: int) -> str:
    return f"{count} note{'' if count == 1 else 's'}"


def _place(workspace: Workspace, one: Kept) -> Entry | None:
    """Return where a note stands on disk, None where it was promoted, changed or taken out since."""
    try:
        text = workspace.read(one.path) or ""
    except ClawgitError:
        return None
    return _find(text, one)


def _find(text: str, one: Kept) -> Entry | None:
    return next((found for found in entry.entries(text) if digest(found.text) == one.hash), None)


def _quote(one: Kept, place: Entry) -> str:
    """Return a note as it may be told: redacted, with its category, its place, and whether its origin is known."""
    whose = "" if quoting.known(one.origin) else ", origin unknown"
    return f"“{quoting.quote(place.text)}” ({one.category}, {quoting.named(one.path)}#L{place.start}{whose})"
