"""The keys of CONFIG.md."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_WEEKLY = re.compile(rf"({_DAYS}) ([01]\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value may be: its name, the test, and the words of an error."""

    name: str
    fits: Callable[[Any], bool]
    words: str


def _whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _zone(value: Any) -> bool:
    try:
        return value == "" or bool(ZoneInfo(value))
    except (TypeError, ValueError, OSError, KeyError):
        return False


TOKENS = Kind("tokens", lambda value: _whole(value, 0), "a whole number, 0 or more")
SIZE = Kind("tokens", lambda value: _whole(value, 1), "a whole number above 0")
HOURS = Kind("hours", lambda value: _whole(value, 0), "a whole number, 0 or more")
DAYS = Kind("days", lambda value: _whole(value, 0), "a whole number, 0 or more")
FRACTION = Kind("0 to 1", lambda value: _number(value) and 0 <= value <= 1, "a number from 0 to 1")
FACTOR = Kind("factor", lambda value: _number(value) and value > 0, "a number above 0")
TEXT = Kind("text", _text, "text")
PATH = Kind("path", _text, "a path, or empty")
ZONE = Kind("time zone", _zone, "a name such as Europe/Berlin, or empty")
CLOCK = Kind("HH:MM", lambda value: _text(value) and bool(_CLOCK.fullmatch(value)), 'a time such as "06:00"')
WEEKLY = Kind(
    "day HH:MM", lambda value: _text(value) and bool(_WEEKLY.fullmatch(value)), 'a time such as "Sunday 03:00"'
)
LIST = Kind("list", lambda value: isinstance(value, list), "a list, such as []")


@dataclass(frozen=True, slots=True)
class Key:
    """One key: what it may be, what it is when nobody sets it, and the room that reads it."""

    name: str
    kind: Kind
    default: Any
    reader: str


KEYS: Mapping[str, Key] = {
    key.name: key
    for key in (
        Key("branch", TEXT, "", "workspace"),
        Key("timezone", ZONE, "", "workspace"),
        Key("changelog_file", PATH, "", "views"),
        Key("context_budget_tokens", TOKENS, 6000, "context"),
        Key("identity_tokens", TOKENS, 800, "context"),
        Key("user_profile_tokens", TOKENS, 600, "context"),
        Key("corrections_tokens", TOKENS, 400, "context"),
        Key("recent_memory_tokens", TOKENS, 1200, "context"),
        Key("semantic_recall_tokens", TOKENS, 1500, "context"),
        Key("crm_tokens", TOKENS, 1000, "context"),
        Key("longterm_memory_tokens", TOKENS, 500, "context"),
        Key("memory_retention_hours", HOURS, 48, "context"),
        Key("compaction_age_days", DAYS, 30, "memory compactor"),
        Key("correction_archive_days", DAYS, 14, "memory compactor"),
        Key("correction_overflow_strategy", TEXT, "prioritize_unverified", "context"),
        Key("corrected_embedding_grace_days", DAYS, 7, "memory compactor"),
        Key("confidence_decay_interval_days", SIZE, 30, "confidence"),
        Key("confidence_decay_amount", FRACTION, 0.05, "confidence"),
        Key("confidence_floor", FRACTION, 0.2, "confidence"),
        Key("confidence_boost_per_mention", FRACTION, 0.05, "confidence"),
        Key("correction_relevance_boost", FACTOR, 1.5, "search"),
        Key("soul_max_tokens", SIZE, 800, "guard"),
        Key("soul_history_retention_days", DAYS, 90, "soul"),
        Key("cron_soul_keeper", CLOCK, "02:30", "schedule"),
        Key("cron_memory_miner", CLOCK, "06:00", "schedule"),
        Key("cron_conflict_detector", CLOCK, "07:00", "schedule"),
        Key("cron_compactor_weekly", WEEKLY, "Sunday 03:00", "schedule"),
        Key("external_context_budget", TOKENS, 0, "context"),
        Key("external_context_source", PATH, "", "context"),
        Key("recall_external_handler", PATH, "", "recall validator"),
        Key("heartbeat_custom_patterns", LIST, [], "triage"),
    )
}
"""Every key that may be set, in the order of docs/format.md (spec §13)."""

ALIASES: Mapping[str, str] = {"crm_context_budget": "crm_tokens"}
"""Other names of keys (spec §10 and §13 disagree)."""
