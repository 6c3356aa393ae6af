"""A session as the model reads it, and its tokens."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from clawgit.errors import Command, session_unreadable
from clawgit.openclaw import openclaw_files as host_files
from clawgit.openclaw.host import NOBODY, Operators
from clawgit.sessions import openclaw_sessions, session_import, session_messages, transcript
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, State
from clawgit.sessions.transcript import Entry, table
from clawgit.sessions.transcript_discovery import Found
from clawgit.text.tokens import count

Raw = Mapping[str, Any]
"""A line of a transcript, as JSON has it."""

IMAGE_TOKENS = 1_600
"""What a picture costs at most: providers scale larger ones down."""
_EACH = 4  # tokens around a message
_TOLD = ("compaction", "branch_summary", "custom_message")
"""Entries without a role that the model reads."""
RESET = "reset"
"""What OpenClaw notes where a conversation ends and another begins in the same session, as with `/new`."""


class Item(Struct, frozen=True):
    """One input of the model: its line, its content, and its event."""

    event: Event
    entry: Entry
    raw: Raw


class Conversation(Struct, frozen=True):
    """The branch of a session that counts: all `items`, and those which the model still reads, as `context`.

    `unread` counts the lines that are no events.
    """

    session: Session
    items: tuple[Item, ...]
    context: tuple[Item, ...]
    unread: int = 0

    @property
    def last(self) -> float | None:
        """The time of the last message, in seconds since 1970, without machines. None: unknown."""
        times = [item.event.time for item in self.items if item.event.role == "user" and not item.event.skipped]
        return max((time for time in times if time is not None), default=self.session.started)


def read(found: Found, operators: Operators = NOBODY) -> Conversation:
    """Return the conversation in a transcript file, or in a database the session that `found` names (spec A6).

    Nothing is written. A line that is no event, or only half written yet, is left out. Raises ClawgitError for an
    unreadable source.
    """
    if found.form == "database":
        session = openclaw_sessions.session(found.path, found.agent, found.session)
        rows = openclaw_sessions.rows(found.path, found.session, -1)
        return make_conversation((event for _, event in rows), session, operators)
    try:
        session = session_import.described(found)
        with transcript.open_transcript(found.path) as file:
            reader = transcript.Reader(file, transcript.Mark(), transcript.stamp(found.path), final=found.final)
            return make_conversation((line.data for line in reader if line.data != b""), session, operators)
    except OSError as exc:
        raise session_unreadable(
            f"{found.path} {host_files.explain_error(exc)}", fix=Command("ls -l {}", found.path)
        ) from exc


def make_conversation(
    lines: Iterable[bytes | str | None], session: Session, operators: Operators = NOBODY
) -> Conversation:
    """Return the conversation in lines; None is one that is too long to be read."""
    raws, entries, unread_count = list[Raw](), list[Entry](), 0
    for line in lines:
        try:
            raw = json.loads(line.decode("utf-8", "replace") if isinstance(line, bytes) else line or "")
            entry = transcript.entry(raw) if isinstance(raw, dict) else None
        except (ValueError, RecursionError):
            entry = None
        if entry is None:
            unread_count += 1
        elif entry.type != "session":
            raws.append(raw)
            entries.append(entry)
    events = [event for event, *_ in session_messages.read(enumerate(entries), session, State(), operators)]
    links, leaf, _ = session_messages.link_events(events, None, lambda _: ())
    counts = session_messages.active({link.event: link.up for link in links}, leaf)
    first = {link.event: link.ordinal for link in links}
    items = tuple(
        Item(event, entry, raw)
        for event, entry, raw in zip(events, entries, raws, strict=True)
        if event.id in counts
        and first[event.id] == event.ordinal
        and (raw.get("message") or raw.get("type") in (RESET, *_TOLD))
    )
    return Conversation(session, items, tuple(_list_context(items)), unread_count)


def _list_context(items: Sequence[Item]) -> Iterator[Item]:
    """Yield the model's remaining input since a reset: the last summary, the text kept beside it, and later entries."""
    items = items[max((index for index, item in enumerate(items, 1) if item.raw.get("type") == RESET), default=0) :]
    start = next(
        (number for number in reversed(range(len(items))) if items[number].raw.get("type") == "compaction"), None
    )
    if start is None:
        yield from items
        return
    yield items[start]
    first_id = items[start].raw.get("firstKeptEntryId")
    first = next((number for number in range(start) if items[number].event.id == first_id), start)
    yield from (item for item in items[first:start] if item.raw.get("type") != "compaction")
    yield from items[start + 1 :]


def count_tokens(context: Sequence[Item]) -> tuple[int, bool]:
    """Return the tokens of a context, and whether a provider reported them.

    The last answer's report counts, with an estimate of everything after it; without a report all is estimated.
    """
    ordinal = max((item.event.ordinal for item in context if item.raw.get("type") == "compaction"), default=-1)
    for index in reversed(range(len(context))):
        reported = _read_usage(context[index].raw) if context[index].event.ordinal > ordinal else 0
        if reported:
            return reported + sum(map(_estimate_tokens, context[index + 1 :])), True
    return sum(map(_estimate_tokens, context)), False


def _read_usage(raw: Raw) -> int:
    usage = table(table(raw.get("message")).get("usage"))
    counts = {key: value for key, value in usage.items() if isinstance(value, int) and value > 0}
    return counts.get("totalTokens") or sum(
        counts.get(key, 0) for key in ("input", "output", "cacheRead", "cacheWrite")
    )


def _estimate_tokens(item: Item) -> int:
    """Return the estimated tokens of an item, with its surroundings."""
    message = table(item.raw.get("message")) or item.raw
    content = message.get("content")
    total = _EACH + sum(count(str(message.get(key) or "")) for key in ("command", "output", "summary"))
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            total += count(part)
        elif isinstance(part, dict):
            words = part.get("text") or part.get("thinking") or json.dumps(part, ensure_ascii=False)
            total += IMAGE_TOKENS if part.get("type") == "image" else count(str(words))
    return total
