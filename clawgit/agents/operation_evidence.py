"""The change of an operation, with its evidence."""

import unicodedata
from datetime import date, datetime
from typing import cast

from clawgit.agents.messages_to_read import Heard
from clawgit.reading.checks import Decided
from clawgit.reading.turns import Batch, Turn
from clawgit.text import confidence
from clawgit.text.entry import digest
from clawgit.workspace import commit_message, write_guard
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace import Workspace

_MAX_SUBJECT_CHARS = 60
_MAX_QUOTE_CHARS, _MAX_QUOTES = 160, 5


def read_message(workspace: Workspace, turn: Turn) -> tuple[Heard, bool]:
    """Return a turn as the conversations hold it, and whether they do: only then can it be pointed at."""
    kept = workspace.conversations(turn.session, turn.event) if turn.session and turn.event else None
    time = datetime.fromisoformat(turn.time).timestamp() if turn.time else None
    origin = cast("Origin", kept.origin if kept else "operator" if turn.by == "operator" else "unknown")
    return Heard(kept.text if kept else turn.text, origin, time, turn.session, turn.event), kept is not None


def find_cited(batch: Batch, one: Decided) -> tuple[Turn, ...]:
    """Return the turns that an operation cites, its context last."""
    numbers = (*one.operation.turns, *filter(None, (one.operation.context,)))
    return tuple(turn for n in dict.fromkeys(numbers) if (turn := batch.turn(n)))


def find_pointers(workspace: Workspace, batch: Batch, one: Decided) -> tuple[str, ...]:
    """Return the evidence of an operation: each turn that it cites, with the words that it rests on."""
    found: dict[str | None, None] = {}
    for turn in find_cited(batch, one):
        message, is_kept = read_message(workspace, turn)
        if not is_kept:
            continue
        quotes = [quote for quote in one.quotes if _flatten(quote) in _flatten(message.text)]
        shown = map(one_line, quotes) if quotes else (one_line(message.text)[:_MAX_QUOTE_CHARS],)
        found |= dict.fromkeys(map(message.pointer, shown))
    return tuple(filter(None, found))


def _list_turns(batch: Batch, one: Decided) -> list[Turn]:
    return [turn for n in one.operation.turns if (turn := batch.turn(n))]


def find_origin(workspace: Workspace, batch: Batch, one: Decided) -> Origin:
    """Return whose words an operation rests on: the operator's only where he said all of them."""
    origins = {read_message(workspace, turn)[0].origin for turn in _list_turns(batch, one)}
    return "operator" if origins == {"operator"} and one.confidence >= confidence.OPERATOR else "agent"


def find_mentions(workspace: Workspace, batch: Batch, one: Decided) -> frozenset[str]:
    """Return the names of the cited turns as mentions have them."""
    return frozenset(read_message(workspace, turn)[0].mention for turn in _list_turns(batch, one))


def find_days(batch: Batch, one: Decided) -> tuple[date, ...]:
    """Return the days of the cited turns, in order; today if none is known."""
    days = sorted(turn.day for turn in _list_turns(batch, one) if turn.day)
    return tuple(days) or (date.fromisoformat(batch.today),)


def write_reason(one: Decided) -> str:
    """Return why a change is made, in the words that it rests on."""
    quotes = [f'The operator said: "{write_guard.cleaned(one_line(quote))}"' for quote in one.quotes[:_MAX_QUOTES]]
    reason = write_guard.cleaned(one_line(one.operation.reason))
    due = f"Due {one.operation.due}." if one.operation.due else ""
    return "\n".join(part for part in (*quotes, reason, due) if part)


def make_change(
    workspace: Workspace,
    batch: Batch,
    one: Decided,
    subject: str,
    edits: tuple[Edit, ...],
    rows: tuple[Row, ...],
    agent: str,
    *,
    drops: tuple[str, ...] = (),
) -> Change:
    """Return the change that an operation comes to, with the words that it rests on."""
    return Change(
        subject,
        write_reason(one),
        edits,
        find_pointers(workspace, batch, one),
        find_origin(workspace, batch, one),
        agent,
        rows=rows,
        drops=drops,
        id=one.name(batch),
    )


def make_row(workspace: Workspace, batch: Batch, one: Decided, key: str, path: str, text: str, tag: str) -> Row:
    """Return the row of what an operation writes, by which a run knows that something was made of these turns."""
    days = find_days(batch, one)
    mentions = find_mentions(workspace, batch, one) or frozenset({one.name(batch)})
    origin = find_origin(workspace, batch, one)
    return Row(key, path, digest(text), tag, origin, one.confidence, days[0], days[-1], mentions)


def shorten_subject(text: str) -> str:
    """Return a text as a subject names it."""
    return commit_message.shorten(one_line(text), _MAX_SUBJECT_CHARS)


def _flatten(text: str) -> str:
    return unicodedata.normalize("NFC", one_line(text))
