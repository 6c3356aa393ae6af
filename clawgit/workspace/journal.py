"""Journals: one file a day, written at its end."""

from datetime import date

from clawgit.errors import UsageError
from clawgit.workspace import message
from clawgit.workspace.change import Append, Change, Origin
from clawgit.workspace.workspace import Workspace


def birth(day: date) -> str:
    """Return how a new journal begins."""
    return f"# {day.isoformat()}\n"


def add(
    workspace: Workspace,
    text: str,
    *,
    title: str = "",
    origin: Origin = "operator",
    agent: str | None = None,
) -> Change:
    """Return the change that appends a note to today's journal, under `## HH:MM - title`.

    Raises UsageError for an empty text.
    """
    if not text.strip():
        raise UsageError("there is no text to note", fix='clawgit journal add "what happened"')
    now = workspace.now()
    heading = f"## {now:%H:%M}" + (f" - {message.one_line(title)}" if title.strip() else "")
    block = f"{heading}\n\n{text.strip()}\n"
    subject = f"journal: {message.shorten(message.one_line(title or text), 60)}"
    return Change(
        subject,
        edits=(Append(workspace.journal_path(now.date()), block, birth(now.date())),),
        origin=origin,
        agent=agent,
    )
