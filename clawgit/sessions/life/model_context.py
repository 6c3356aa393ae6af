"""A session as the model reads it, and its tokens."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import ceil
from typing import Any

from msgspec import Struct

from clawgit.errors import Command, session_unreadable
from clawgit.sessions import chat_tree, openclaw_sessions, session_import, session_messages, transcript
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, State
from clawgit.sessions.transcript import Entry, UnfitError
from clawgit.sessions.transcript_discovery import Found
from clawgit.text.tokens import count
from clawgit.workspace.host import openclaw_files as host_files
from clawgit.workspace.host.openclaw_agents import NOBODY, Operators

Raw = Mapping[str, Any]
"""A line of a transcript, as JSON has it."""

IMAGE_TOKENS = 1_600
"""What a picture costs at most: providers scale larger ones down."""
_EACH = 4  # tokens around a message
_COUNTED = 40_000  # letters that are counted one by one; of longer texts, as many are sampled
_SAMPLES = 20
_CALLS = ("toolCall", "tool_use", "toolUse")
_RESULTS = ("toolResult", "tool")
_TOLD = ("compaction", "branch_summary", "custom_message")
"""Entries without a role that the model reads."""
RESET = "reset"
"""What OpenClaw notes where a conversation ends and another begins in the same session, as with `/new`."""


class Item(Struct, frozen=True):
    """One thing that the model reads: the line as it stands, and the event that is made of it.

    `tokens` is an estimate. `makes` are the ids of the calls in it, `answers` that of the call whose result it is.
    """

    event: Event
    raw: Raw
    tokens: int
    makes: tuple[str, ...] = ()
    answers: str = ""

    @property
    def message(self) -> Raw:
        """What was said, as OpenClaw keeps it; {} for a summary."""
        said = self.raw.get("message")
        return said if isinstance(said, dict) else {}


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
        """When somebody last said something, in seconds since 1970; machines do not count. None: nothing tells."""
        said = [one.event.time for one in self.items if one.event.role == "user" and not one.event.skipped]
        return max((time for time in said if time is not None), default=self.session.started)


def read(found: Found, operators: Operators = NOBODY) -> Conversation:
    """Return the conversation in a transcript file, or in a database the session that `found` names (spec A6).

    Nothing is written. A line that is no event, or only half written yet, is left out. Raises ClawgitError for what
    cannot be read.
    """
    if found.form == "database":
        session = openclaw_sessions.session(found.path, found.agent, found.session)
        rows = openclaw_sessions.rows(found.path, found.session, -1)
        return made((row.event for some in rows for row in some), session, operators)
    try:
        session = session_import.described(found)
        with transcript.opened(found.path) as file:
            reader = transcript.Reader(file, transcript.Mark(), transcript.stamp(found.path), final=found.final)
            return made((line.data for line in reader if line.data != b""), session, operators)
    except OSError as exc:
        raise session_unreadable(f"{found.path} {host_files.why(exc)}", fix=Command("ls -l {}", found.path)) from exc


def made(lines: Iterable[bytes | str | None], session: Session, operators: Operators = NOBODY) -> Conversation:
    """Return the conversation that lines hold; None stands for one that is too long to be read."""
    raws, entries, unread = list[Raw](), list[Entry](), 0
    for line in lines:
        try:
            raw = json.loads(line.decode("utf-8", "replace") if isinstance(line, bytes) else line or "")
            entry = transcript.entry(raw) if isinstance(raw, dict) else None
        except (UnfitError, ValueError, RecursionError):
            entry = None
        if entry is None:
            unread += 1
        elif entry.type != "session":
            raws.append(raw)
            entries.append(entry)
    events = [event for event, _ in session_messages.read(enumerate(entries), session, State(), operators)]
    tree = chat_tree.grown(events, None, lambda _: ())
    counts = chat_tree.active({link.event: link.up for link in tree.links}, tree.leaf)
    first = {link.event: link.ordinal for link in tree.links}
    items = tuple(
        item(event, raw)
        for event, raw in zip(events, raws, strict=True)
        if event.id in counts
        and first[event.id] == event.ordinal
        and (raw.get("message") or raw.get("type") in (RESET, *_TOLD))
    )
    return Conversation(session, items, tuple(_context(items)), unread)


def item(event: Event, raw: Raw) -> Item:
    """Return an event with what it costs and which calls it makes or answers."""
    said = raw.get("message")
    if not isinstance(said, dict):
        return Item(event, raw, _EACH + tokens(str(raw.get("summary") or raw.get("content") or "")))
    makes = tuple(str(part.get("id") or "") for part in parts(said) if part.get("type") in _CALLS)
    answers = str(said.get("toolCallId") or "") if is_result(said) else ""
    return Item(event, raw, message_tokens(said), makes, answers)


def parts(message: Raw) -> Iterator[Raw]:
    """Yield the parts of a message; words that stand alone are one of text."""
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            yield {"type": "text", "text": part}
        elif isinstance(part, dict):
            yield part


def is_result(message: Raw) -> bool:
    """Return whether a message is what a tool returned."""
    return message.get("role") in _RESULTS


def message_tokens(message: Raw) -> int:
    """Return the estimated tokens of a message, with what surrounds it."""
    total = _EACH + sum(tokens(str(message.get(key) or "")) for key in ("command", "output"))
    for part in parts(message):
        kind = part.get("type")
        if kind == "image":
            total += IMAGE_TOKENS
        elif kind in ("text", "thinking"):
            total += tokens(str(part.get(kind) or ""))
        else:
            total += tokens(json.dumps(part, ensure_ascii=False))
    return total


def tokens(text: str) -> int:
    """Return the estimated tokens of a text; of one above 40,000 letters, by samples from all of it."""
    if len(text) <= _COUNTED:
        return count(text)
    size, step = _COUNTED // _SAMPLES, len(text) / _SAMPLES
    read = sum(count(text[int(at * step) : int(at * step) + size]) for at in range(_SAMPLES))
    return ceil(read * len(text) / (size * _SAMPLES))


def _context(items: Sequence[Item]) -> Iterator[Item]:
    """Yield what the model still reads since a reset: the last summary, what was kept beside it, what came after."""
    items = items[max((at for at, one in enumerate(items, 1) if one.raw.get("type") == RESET), default=0) :]
    at = next((at for at in reversed(range(len(items))) if items[at].raw.get("type") == "compaction"), None)
    if at is None:
        yield from items
        return
    yield items[at]
    kept = items[at].raw.get("firstKeptEntryId")
    first = next((number for number in range(at) if items[number].event.id == kept), at)
    yield from (one for one in items[first:at] if one.raw.get("type") != "compaction")
    yield from items[at + 1 :]


def total(items: Iterable[Item]) -> int:
    """Return the estimated tokens of some items."""
    return sum(one.tokens for one in items)


def used(context: Sequence[Item]) -> tuple[int, bool]:
    """Return how many tokens a context takes, and whether a provider said so.

    What the last answer reported counts, with an estimate of all that came after it; without a report all is estimated.
    """
    behind = max((one.event.ordinal for one in context if one.raw.get("type") == "compaction"), default=-1)
    for at in reversed(range(len(context))):
        reported = _reported(context[at].message.get("usage")) if context[at].event.ordinal > behind else 0
        if reported:
            return reported + total(context[at + 1 :]), True
    return total(context), False


def _reported(usage: Any) -> int:
    if not isinstance(usage, dict):
        return 0
    known = {key: value for key, value in usage.items() if isinstance(value, int) and value > 0}
    return known.get("totalTokens") or sum(known.get(key, 0) for key in ("input", "output", "cacheRead", "cacheWrite"))


def turns(items: Sequence[Item]) -> list[int]:
    """Return where each turn begins: at what a user said. 0-based; what stands before the first one is no turn."""
    return [at for at, one in enumerate(items) if one.message.get("role") == "user"]


def parting(items: Sequence[Item]) -> list[bool]:
    """Return for each item whether a cut right before it would part a call from its result.

    A result without an id belongs to the last call above it.
    """
    made, last = dict[str, int](), -1
    depth = [0] * (len(items) + 1)
    for at, one in enumerate(items):
        start = (made.get(one.answers, -1) if one.answers else last) if is_result(one.message) else -1
        if start >= 0:
            depth[start + 1] += 1
            depth[at + 1] -= 1
        made |= dict.fromkeys(filter(None, one.makes), at)
        last = at if one.makes else last
    return [open_ > 0 for open_ in accumulate(depth[:-1])]
