"""When OpenClaw flushes, compacts, prunes and ends a conversation."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, Literal

from msgspec import Struct

from clawgit.errors import Advice, option_missing
from clawgit.openclaw.openclaw_files import HostConfig
from clawgit.sessions.transcript import table

SYSTEM_PROMPT = "The conversation is about to be compacted: store lasting memories now."
PROMPT = "Write lasting notes to memory/YYYY-MM-DD.md; reply with NO_REPLY if there is nothing to store."
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"([\d.]+)\s*(ms|s|m|h)?")
_HOURS, _MINUTES = 24, 60 * 24 * 366


class Rules(Struct, frozen=True):
    """OpenClaw's settings of a conversation; the defaults are those of spec A6 to A8. Tokens, seconds, characters."""

    window: int = 200_000
    reserve: int = 20_000
    soft: int = 4_000
    flushes: bool = True
    system_prompt: str = SYSTEM_PROMPT
    prompt: str = PROMPT
    turns: int = 10
    prunes: bool = True
    ttl: float = 600.0
    answers: int = 3
    max_chars: int = 4_000
    clears: bool = True
    clear_ratio: float = 0.5
    mode: str = "daily"
    hour: int = 4
    idle_minutes: int = 60

    @property
    def compact_at(self) -> int:
        """Tokens from which on a conversation is compacted."""
        return self.window - self.reserve

    @property
    def flush_at(self) -> int:
        """Tokens from which on memory is saved first."""
        return self.compact_at - self.soft


def read_rules(config: HostConfig) -> Rules:
    """Return the rules of openclaw.json, the seeds' default for anything else.

    Raises UsageError for limits that leave no room.
    """
    default = Rules()
    defaults, compaction = ("agents", "defaults"), config.table("agents", "defaults", "compaction")
    flush, pruning = table(compaction.get("memoryFlush")), config.table(*defaults, "contextPruning")
    reset, clear = config.table("session", "reset"), table(pruning.get("hardClear"))
    idle = _number(reset.get("idleMinutes", config.at("session", "idleMinutes")), 0, _MINUTES)
    mode = str(reset.get("mode") or default.mode)
    rules = Rules(
        window=_number(config.at(*defaults, "contextTokens"), default.window),
        reserve=_number(compaction.get("reserveTokensFloor"), default.reserve),
        soft=_number(flush.get("softThresholdTokens"), default.soft),
        flushes=flush.get("enabled") is not False,
        system_prompt=str(flush.get("systemPrompt") or SYSTEM_PROMPT),
        prompt=str(flush.get("prompt") or PROMPT),
        turns=max(_number(compaction.get("recentTurnsPreserve"), default.turns), 1),
        prunes=pruning.get("mode", "cache-ttl") == "cache-ttl",
        ttl=_duration(pruning.get("ttl"), default.ttl),
        answers=_number(pruning.get("keepLastAssistants"), default.answers),
        max_chars=_number(table(pruning.get("softTrim")).get("maxChars"), default.max_chars),
        clears=clear.get("enabled") is not False,
        clear_ratio=_share(pruning.get("hardClearRatio"), default.clear_ratio),
        mode="daily+idle" if mode == "daily" and idle else mode,
        hour=_number(reset.get("atHour"), default.hour, _HOURS - 1),
        idle_minutes=idle or default.idle_minutes,
    )
    if rules.flush_at <= 0:
        words = f"a window of {rules.window:,} tokens has no room beside {rules.reserve + rules.soft:,} that stay free"
        raise option_missing(words, fix=Advice("clawgit session plan FILE --window 200000"))
    return rules


def _number(value: Any, default: int, most: int = 1 << 40) -> int:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 <= value <= most else default


def _share(value: object, default: float) -> float:
    return float(value) if isinstance(value, int | float) and 0 < value <= 1 else default


def _duration(value: object, default: float) -> float:
    """Return seconds; a number without a unit counts minutes, as in OpenClaw."""
    match = _DURATION.fullmatch(str(value).strip()) if isinstance(value, str | int | float) else None
    try:
        return float(match[1]) * _SECONDS[match[2] or "m"] if match else default
    except ValueError:
        return default


def flush_prompts(rules: Rules, day: date) -> dict[str, str]:
    """Return an agent's instructions before a compaction, with the day's journal in them."""
    prompts = {"system_prompt": rules.system_prompt, "prompt": rules.prompt}
    return {name: prompt.replace("YYYY-MM-DD", day.isoformat()) for name, prompt in prompts.items()}


class Reset(Struct, frozen=True):
    """Whether a session is over: its cause ("" for not yet), since when, and when it will be without messages.

    `next` is None if nothing ends it.
    """

    by: Literal["", "daily", "idle"] = ""
    since: datetime | None = None
    next: datetime | None = None


def plan_reset(last: datetime, now: datetime, zone: tzinfo, rules: Rules) -> Reset:
    """Return whether a session in which somebody spoke `last` is over `now` (spec A8); both with an offset.

    A day ends at `rules.hour` on the clock of `zone`, also for a machine that slept over it. An hour that a change of
    clocks leaves out comes as much later; of one that comes twice, the first counts. Of two reasons the earlier counts.
    """
    ends: list[tuple[datetime, Literal["daily", "idle"]]] = []
    if "daily" in rules.mode:
        ends.append((_find_next_hour(last, rules.hour, zone), "daily"))
    if "idle" in rules.mode:
        ends.append((last.astimezone(UTC) + timedelta(minutes=rules.idle_minutes), "idle"))
    if not ends:
        return Reset()
    first, reason = min(ends)
    end = first.astimezone(zone)
    return Reset(reason, end) if first <= now else Reset(next=end)


def _find_next_hour(after: datetime, hour: int, zone: tzinfo) -> datetime:
    """Return the first moment after `after` at which the clock of `zone` shows `hour`, in UTC.

    Times with one zone are compared by the clock, whatever changed between them: hence UTC.
    """
    day = after.astimezone(zone).date() - timedelta(days=1)
    while True:
        moment = datetime.combine(day, time(hour), zone).astimezone(UTC)
        if moment > after:
            return moment
        day += timedelta(days=1)
