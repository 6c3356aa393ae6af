"""What of the last week could be kept for good."""

from collections.abc import Iterator
from datetime import datetime

from clawgit.agents.promoting import reviewed
from clawgit.agents.promoting.candidates import DAYS
from clawgit.agents.promoting.reviewed import Kept
from clawgit.digest import quoting
from clawgit.digest.digest import Item
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.blame import blame
from clawgit.text import entry
from clawgit.text.entry import Entry
from clawgit.text.identity import digest
from clawgit.workspace import contents, records
from clawgit.workspace.workspace import Workspace

_BEST = 3


def items(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield what a review of a period found and what still stands where it found it; the best is quoted."""
    found = reviewed.last(workspace.state)
    if found is None or not since < found.at <= until:
        return
    stand = [(one, place) for one in found.notes if (place := _place(workspace, one))]
    sure = [one for one in stand if quoting.known(one[0].origin)]
    if not stand:
        return
    quotes = (_quote(workspace, one, place) for one, place in sure)
    best = [quote for quote in quotes if quote][:_BEST]
    days = DAYS + (until.date() - found.at.astimezone(until.tzinfo).date()).days
    command = "clawgit memory promote" if days == DAYS else f"clawgit memory promote --days {days}"
    yield Item(_told(len(sure), len(stand) - len(sure)), tuple(best), command)


def _told(sure: int, unknown: int) -> str:
    kept = "of this week could be kept for good"
    if not sure:
        return f"{_many(unknown)} of unknown origin {kept}"
    return f"{_many(sure)} {kept}" + (f", and {unknown} of unknown origin" if unknown else "")


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


def _quote(workspace: Workspace, one: Kept, place: Entry) -> str:
    """Return a note as it may be told, "" where not all who wrote its lines may be quoted."""
    repo, head = workspace.repo, workspace.head
    try:
        committed = _find(contents.text_of(repository.read(repo, head, one.path)) or "", one)
        if head is None or committed is None:
            return ""
        blamed = blame(repo, one.path, head, (committed.start, committed.end))
        commits = history.several(repo, [line.commit for line in blamed if line.commit])
    except ClawgitError:
        return ""
    if not commits or not all(quoting.quotable(commit, records.record(commit)) for commit in commits.values()):
        return ""
    return f"“{quoting.quote(place.text)}” ({one.category}, {quoting.named(one.path)}#L{place.start})"
