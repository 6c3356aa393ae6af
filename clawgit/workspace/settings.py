"""The keys of CONFIG.md."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from clawgit.errors import UsageError
from clawgit.text import fence
from clawgit.text.similarity import nearest

_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d"
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
# What git refuses in the name of a branch, in short.
_NO_BRANCH = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|//|@\{|\.lock(?:/|$)|(?:^|/)\.|^[-/]|[/.]$|^@$")

Fits = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value may be: its name, the test, the words of an error, an example, and how it is read off a line."""

    name: str
    fits: Fits
    words: str
    example: str = ""
    read: Callable[[str], Any] = str


def _whole(least: int) -> Fits:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _text(value: Any) -> bool:
    return isinstance(value, str) and "\n" not in value


def _time(pattern: str) -> Fits:
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value))


def _branch(value: Any) -> bool:
    return _text(value) and not _NO_BRANCH.search(value)


def _zone(value: Any) -> bool:
    try:
        return value == "" or bool(ZoneInfo(value))
    except (TypeError, ValueError, OSError, KeyError):
        return False


def _read_number(text: str) -> int | float:
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)


def _read_list(text: str) -> Any:
    return fence.parse(f"value: {text}")[0]["value"]


_COUNT = (_whole(0), "a whole number, 0 or more", "30", _read_number)
TOKENS, HOURS, DAYS = Kind("tokens", *_COUNT), Kind("hours", *_COUNT), Kind("days", *_COUNT)
SIZE = Kind("tokens", _whole(1), "a whole number above 0", "800", _read_number)
INTERVAL = Kind("days", _whole(1), "a whole number above 0", "30", _read_number)
SHARE = Kind("0 to 1", lambda value: _number(value) and 0 <= value <= 1, "a number from 0 to 1", "0.5", _read_number)
FACTOR = Kind("factor", lambda value: _number(value) and value > 0, "a number above 0", "1.5", _read_number)
TEXT = Kind("text", _text, "text on one line", "''")
PATH = Kind("path", _text, "a path, or empty", "''")
BRANCH = Kind("branch", _branch, "the name of a branch", "main")
ZONE = Kind("time zone", _zone, "a time zone", "Europe/Berlin")
CLOCK = Kind("HH:MM", _time(_CLOCK), "a time of day such as 06:00", "06:00")
WEEKLY = Kind("day HH:MM", _time(f"(?:{_DAYS}) {_CLOCK}"), "a day and time such as Sunday 03:00", "'Sunday 03:00'")
LIST = Kind("list", lambda value: isinstance(value, list), "a list such as ['ship it']", "[]", _read_list)


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
        Key("branch", BRANCH, "", "workspace"),
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
        Key("confidence_decay_interval_days", INTERVAL, 30, "confidence"),
        Key("confidence_decay_amount", SHARE, 0.05, "confidence"),
        Key("confidence_floor", SHARE, 0.2, "confidence"),
        Key("confidence_boost_per_mention", SHARE, 0.05, "confidence"),
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


def find(name: str) -> Key:
    """Return the key called `name`, also by another name of it. Raises UsageError that names the nearest."""
    key = KEYS.get(ALIASES.get(name, name))
    if key is None:
        near = nearest(name, (*KEYS, *ALIASES), 1)
        fix = f"clawgit config get {near[0]}" if near else "clawgit config show"
        raise UsageError(f"there is no key {name}", fix=fix)
    return key


def names(key: Key) -> tuple[str, ...]:
    """Return every name of a key, its own first."""
    return (key.name, *(alias for alias, name in ALIASES.items() if name == key.name))


def read(key: Key, text: str) -> Any:
    """Return the value that `text`, as somebody typed it, means. Raises UsageError for one that does not fit."""
    try:
        value = key.kind.read(text)
        fits = key.kind.fits(value)
    except (ValueError, KeyError):  # of numbers and of YAML
        fits = False
    if not fits:
        raise UsageError(f"{key.name}: {text!r} is not {key.kind.words}", fix=repair(key, text))
    return value


def repair(key: Key, said: Any) -> str:
    """Return the command that puts a bad value right: by what was probably meant, else by the default."""
    try:
        meant = key.kind.fits(key.kind.read(str(said)))
    except (ValueError, KeyError):
        meant = False
    value = str(said) if meant else str(key.default or "") or key.kind.example
    quoted = f"'{value}'" if re.search(r"\s", value) and "'" not in value else value
    return f"clawgit config set {key.name} {quoted}"
