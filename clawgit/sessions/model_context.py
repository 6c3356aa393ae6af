"""A session's size, and OpenClaw's next steps."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Annotated, Any, Literal, get_type_hints

from msgspec import Meta, Struct, ValidationError, convert

from clawgit.errors import Advice, Command, option_missing, session_unreadable
from clawgit.openclaw import openclaw_files as host_files
from clawgit.openclaw.host import NOBODY, Operators
from clawgit.openclaw.openclaw_files import HostConfig
from clawgit.sessions import openclaw_sessions, session_import, session_messages, transcript
from clawgit.sessions.envelope import Session
from clawgit.sessions.openclaw_sessions import TranscriptFile
from clawgit.sessions.session_messages import Event, State
from clawgit.sessions.transcript import TranscriptEntry, read_object
from clawgit.text.tokens import count

IMAGE_TOKENS = 1_600
"""What a picture costs at most: providers scale larger ones down."""
_MESSAGE_TOKENS = 4  # tokens around a message
_ROLELESS_TYPES = ("compaction", "branch_summary", "custom_message")
"""Entries without a role that the model reads."""
RESET = "reset"
"""What OpenClaw notes where a conversation ends and another begins in the same session, as with `/new`."""


class ModelInput(Struct, frozen=True):
    """One input of the model: its line, and its event."""

    event: Event
    entry: TranscriptEntry


class Conversation(Struct, frozen=True):
    """The branch of a session that counts: all `items`, and those which the model still reads, as `context`.

    `unread` counts the lines that are no events.
    """

    session: Session
    items: tuple[ModelInput, ...]
    context: tuple[ModelInput, ...]
    unread: int = 0

    @property
    def last(self) -> float | None:
        """The time of the last message, in seconds since 1970, without machines. None: unknown."""
        times = [item.event.time for item in self.items if item.event.role == "user" and not item.event.skipped]
        return max((time for time in times if time is not None), default=self.session.started)


def read_model_context(source: TranscriptFile, operators: Operators = NOBODY) -> Conversation:
    """Return the conversation in a transcript file, or in a database the session that `source` names (spec A6).

    Nothing is written. A line that is no event, or only half written yet, is left out. Raises ClawgitError for an
    unreadable source.
    """
    if source.form == "database":
        session = openclaw_sessions.session(source.path, source.agent, source.session)
        rows = openclaw_sessions.list_session_events(source.path, source.session, -1)
        return make_conversation((event for _, event in rows), session, operators)
    try:
        session = session_import.describe_session(source)
        with transcript.open_transcript(source.path) as file:
            reader = transcript.Reader(
                file, transcript.Mark(), transcript.read_file_stamp(source.path), final=source.final
            )
            return make_conversation((line.data for line in reader if line.data != b""), session, operators)
    except OSError as exc:
        raise session_unreadable(
            f"{source.path} {host_files.explain_error(exc)}", fix=Command("ls -l {}", source.path)
        ) from exc


def make_conversation(
    lines: Iterable[bytes | str | None], session: Session, operators: Operators = NOBODY
) -> Conversation:
    """Return the conversation in lines; None is one that is too long to be read."""
    entries, unread_count = list[TranscriptEntry](), 0
    for line in lines:
        try:
            entry = transcript.parse_entry(line or "")
        except transcript.UnfitError:
            unread_count += 1
            continue
        if entry.type != "session":
            entries.append(entry)
    events = [event for event, *_ in session_messages.read_events(enumerate(entries), session, State(), operators)]
    tree: session_messages.Tree = {}
    session_messages.grow_tree(tree, events)
    branch = session_messages.find_branch(tree)
    # Of several events with one id the first counts.
    first = {event.id: event.ordinal for event in reversed(events)}
    items = tuple(
        ModelInput(event, entry)
        for event, entry in zip(events, entries, strict=True)
        if event.id in branch
        and first[event.id] == event.ordinal
        and (entry.raw.get("message") or entry.type in (RESET, *_ROLELESS_TYPES))
    )
    return Conversation(session, items, tuple(_list_context(items)), unread_count)


def _list_context(items: Sequence[ModelInput]) -> Iterator[ModelInput]:
    """Yield the model's remaining input since a reset: the last summary, the text kept beside it, and later entries."""
    items = items[max((index for index, item in enumerate(items, 1) if item.entry.type == RESET), default=0) :]
    start = next((number for number in reversed(range(len(items))) if items[number].entry.type == "compaction"), None)
    if start is None:
        yield from items
        return
    yield items[start]
    # OpenClaw keeps the entries from this one on beside the summary.
    first_id = items[start].entry.raw.get("firstKeptEntryId")
    first = next((number for number in range(start) if items[number].event.id == first_id), start)
    yield from (item for item in items[first:start] if item.entry.type != "compaction")
    yield from items[start + 1 :]


def count_tokens(context: Sequence[ModelInput]) -> tuple[int, bool]:
    """Return the tokens of a context, and whether a provider reported them.

    The last answer's report counts, with an estimate of everything after it; without a report all is estimated.
    """
    # A report from before the last summary counts text that the model no longer reads.
    ordinal = max((item.event.ordinal for item in context if item.entry.type == "compaction"), default=-1)
    for index in reversed(range(len(context))):
        reported = _read_usage(context[index].entry) if context[index].event.ordinal > ordinal else 0
        if reported:
            return reported + sum(map(_estimate_tokens, context[index + 1 :])), True
    return sum(map(_estimate_tokens, context)), False


def _read_usage(entry: TranscriptEntry) -> int:
    usage = read_object(read_object(entry.raw.get("message")).get("usage"))
    counts = {key: value for key, value in usage.items() if isinstance(value, int) and value > 0}
    return counts.get("totalTokens") or sum(
        counts.get(key, 0) for key in ("input", "output", "cacheRead", "cacheWrite")
    )


def _estimate_tokens(item: ModelInput) -> int:
    """Return the estimated tokens of an item, with its surroundings."""
    message = read_object(item.entry.raw.get("message")) or item.entry.raw
    content = message.get("content")
    total = _MESSAGE_TOKENS + sum(count(str(message.get(key) or "")) for key in ("command", "output", "summary"))
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            total += count(part)
        elif isinstance(part, dict):
            words = part.get("text") or part.get("thinking") or json.dumps(part, ensure_ascii=False)
            total += IMAGE_TOKENS if part.get("type") == "image" else count(str(words))
    return total


# ---- when OpenClaw flushes, compacts, prunes and ends it


_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)?")


Count = Annotated[int, Meta(ge=0, le=1 << 40)]


class Rules(Struct, frozen=True):
    """OpenClaw's settings of a conversation; the defaults are those of spec A6 to A8. Tokens, seconds, characters."""

    window: Count = 200_000
    reserve: Count = 20_000
    soft: Count = 4_000
    flushes: bool = True
    system_prompt: str = "The conversation is about to be compacted: store lasting memories now."
    prompt: str = "Write lasting notes to memory/YYYY-MM-DD.md; reply with NO_REPLY if there is nothing to store."
    turns: Annotated[int, Meta(ge=1)] = 10
    prunes: bool = True
    ttl: int = 600
    answers: Count = 3
    max_chars: Count = 4_000
    clears: bool = True
    clear_ratio: Annotated[float, Meta(gt=0, le=1)] = 0.5
    mode: Literal["daily", "idle", "daily+idle", "off"] = "daily"
    hour: Annotated[int, Meta(ge=0, le=23)] = 4
    idle_minutes: Annotated[int, Meta(ge=1, le=60 * 24 * 366)] = 60

    @property
    def compact_at(self) -> int:
        """Tokens from which on a conversation is compacted."""
        return self.window - self.reserve

    @property
    def flush_at(self) -> int:
        """Tokens from which on memory is saved first."""
        return self.compact_at - self.soft


_KEYS = {
    "window": "agents.defaults.contextTokens",
    "reserve": "agents.defaults.compaction.reserveTokensFloor",
    "soft": "agents.defaults.compaction.memoryFlush.softThresholdTokens",
    "flushes": "agents.defaults.compaction.memoryFlush.enabled",
    "system_prompt": "agents.defaults.compaction.memoryFlush.systemPrompt",
    "prompt": "agents.defaults.compaction.memoryFlush.prompt",
    "turns": "agents.defaults.compaction.recentTurnsPreserve",
    "answers": "agents.defaults.contextPruning.keepLastAssistants",
    "max_chars": "agents.defaults.contextPruning.softTrim.maxChars",
    "clears": "agents.defaults.contextPruning.hardClear.enabled",
    "clear_ratio": "agents.defaults.contextPruning.hardClearRatio",
    "mode": "session.reset.mode",
    "hour": "session.reset.atHour",
    "idle_minutes": "session.reset.idleMinutes",
}
"""The keys of openclaw.json."""


def read_rules(config: HostConfig) -> Rules:
    """Return the rules of openclaw.json, the seeds' default for a missing or unfit value.

    Raises UsageError for limits that leave no room.
    """
    types, values = get_type_hints(Rules, include_extras=True), dict[str, Any]()
    pruning = config.table("agents", "defaults", "contextPruning")
    for name, key in _KEYS.items():
        with suppress(ValidationError):
            values[name] = convert(config.at(*key.split(".")), types[name])
    if "idle_minutes" in values and values.get("mode", "daily") == "daily":
        values["mode"] = "daily+idle"
    rules = Rules(**values, prunes=pruning.get("mode") != "off", ttl=_duration(pruning.get("ttl"), Rules().ttl))
    if rules.flush_at <= 0:
        words = f"a window of {rules.window:,} tokens has no room beside {rules.reserve + rules.soft:,} that stay free"
        raise option_missing(words, fix=Advice("raise agents.defaults.contextTokens in openclaw.json"))
    return rules


def _duration(value: object, default: int) -> int:
    """Return seconds; a number without a unit counts minutes, as in OpenClaw."""
    match = _DURATION.fullmatch(str(value).strip())
    return round(float(match[1]) * _SECONDS[match[2] or "m"]) if match else default


def flush_prompts(rules: Rules, day: date) -> dict[str, str]:
    """Return an agent's instructions before a compaction, with the day's journal in them."""
    prompts = {"system_prompt": rules.system_prompt, "prompt": rules.prompt}
    return {name: prompt.replace("YYYY-MM-DD", day.isoformat()) for name, prompt in prompts.items()}


def plan_reset(last: datetime, now: datetime, zone: tzinfo, rules: Rules) -> dict[str, Any]:
    """Return whether a session in which somebody spoke `last` is over (`due`), `by` which rule, `since` when.

    Before that, `next` is when it will be without messages, if anything ends it (spec A8). `last` and `now` have an
    offset. A day ends at `rules.hour` on the clock of `zone`, also for a machine that slept over it. An hour that a
    change of clocks leaves out comes as much later; of one that comes twice, the first counts. Of two rules the earlier
    end counts.
    """
    idle = last.astimezone(UTC) + timedelta(minutes=rules.idle_minutes)
    ends = {"daily": _find_next_hour(last, rules.hour, zone), "idle": idle}
    due = [(end, reason) for reason, end in ends.items() if reason in rules.mode]
    if not due:
        return {}
    first, reason = min(due)
    end = first.astimezone(zone).isoformat()
    return {"due": True, "by": reason, "since": end} if first <= now else {"next": end}


def _find_next_hour(after: datetime, hour: int, zone: tzinfo) -> datetime:
    """Return the first moment after `after` at which the clock of `zone` shows `hour`, in UTC.

    Times with one zone are compared by the clock, whatever changed between them: hence UTC.
    """
    first = after.astimezone(zone).date() - timedelta(days=1)
    days = (first + timedelta(days=step) for step in range(4))
    moments = (datetime.combine(day, time(hour), zone).astimezone(UTC) for day in days)
    return next(moment for moment in moments if moment > after)
