"""Has kept messages say something else."""

# ruff: noqa: S608 -- names of columns are ours

import json
from collections.abc import Callable, Sequence

from clawgit.safety.redaction import redacted
from clawgit.sessions.chat_store import FORMAT, HERE, Database
from clawgit.sessions.session_messages import digest
from clawgit.sessions.transcript import Call


def clean(database: Database) -> None:
    """Name the secrets of a store of format 1 in place of repeating them. Interrupted, it begins anew."""
    with database.transaction():
        exchange(database, reworded(database, redacted))
        database.rows("UPDATE chat_format SET version = ?", FORMAT)
    database.shrink()


Reworded = tuple[str, str, str, str, str, str]


def reworded(database: Database, reword: Callable[[str], str]) -> list[Reworded]:
    """Return the messages that read otherwise when they are reworded: text, calls, digest, agent, session, event."""
    changed: list[Reworded] = []
    for agent, session, event, role, body, calls in database.stream(
        "SELECT agent, session, event, role, body, calls FROM chat_message"
    ):
        made = tuple(Call(call, reword(arguments)) for call, arguments in json.loads(calls or "[]"))
        text, kept = reword(body), calls_text(made)
        if (text, kept) != (body, calls):
            changed.append((text, kept, digest(role, text or repr(made)), agent, session, event))
    return changed


def exchange(database: Database, changed: Sequence[Reworded]) -> None:
    """Write these messages anew."""
    database.each(f"UPDATE chat_message SET body = ?, calls = ?, digest = ? WHERE {HERE} AND event = ?", changed)


def calls_text(made: Sequence[Call]) -> str:
    """Return calls as they are kept, "" for none."""
    return json.dumps([[call.name, call.arguments] for call in made], ensure_ascii=False) if made else ""
