"""The keys of CONFIG.md."""

import os
import re
import shlex
from collections.abc import Callable, Mapping
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct

from clawgit.errors import Command, setting_unknown, value_invalid
from clawgit.git import regular_file
from clawgit.text.spelling import nearest
from clawgit.workspace import file_roles
from clawgit.workspace.setting_kinds import (
    AGENTS,
    APPROVE,
    BRANCH,
    CHARACTERS,
    CHUNK,
    CLOCK,
    COMMAND,
    COMPACTION,
    COUNT,
    DAYS,
    DEFAULT_PACKS,
    EMBEDDER,
    FACTOR,
    HOURS,
    INTERVAL,
    LESSONS,
    LIST,
    MACHINE,
    MEMORY_FILE,
    MODEL,
    PACKS,
    PATH,
    POLICIES,
    POLICY,
    PROGRAM,
    PRUNING,
    RESET,
    SCOPE,
    SECONDS,
    SHARE,
    SIZE,
    SOURCES,
    SWITCH,
    TEXT,
    TIER,
    TIME,
    TOKENIZER,
    TOKENS,
    VOICE,
    VOICES,
    WEEKLY,
    WEIGHTS,
    ZONE,
    Kind,
)


def unset(root: Path, name: str) -> bool:
    """Tell that CONFIG.md does not even name a key, so that it has its default; reading all of it takes 6 ms."""
    return not holds(root / file_roles.CONFIG, name)


def holds(place: Path, word: str) -> bool:
    """Tell whether a file holds a word; one that is there and cannot be read may."""
    try:
        return word.encode() in regular_file.read(place)
    except OSError:
        return os.path.lexists(place)


Looser = Callable[[Any, Any], bool]


class Key(Struct, frozen=True):
    """One key: what it may be, what it is when nobody sets it, and the room that reads it.

    `looser(trusted, value)` tells of a pinned key whether a value gives more leave than the one that the operator
    trusts: then it is not used before `clawgit trust` (decision 0011). What `runs` is a command: the files of the
    workspace that it names are trusted with it.
    """

    name: str
    kind: Kind
    default: Any
    reader: str
    looser: Looser | None = None
    runs: bool = False


def _other(trusted: Any, value: Any) -> bool:
    return bool(value) and value != trusted


def _more(trusted: Any, value: Any) -> bool:
    return not {*value} <= {*trusted}


def _on(trusted: Any, value: Any) -> bool:
    return bool(value == "on" != trusted)


def _unguarded(trusted: Any, value: Any) -> bool:
    return bool(value == "off" != trusted)


def _larger(trusted: Any, value: Any) -> bool:
    return bool(value > trusted)


def _laxer(trusted: Any, value: Any) -> bool:
    return POLICIES.index(value) < POLICIES.index(trusted)


def _farther(trusted: Any, value: Any) -> bool:
    return VOICES.index(value) > VOICES.index(trusted)


KEYS: Mapping[str, Key] = {
    key.name: key
    for key in (
        Key("branch", BRANCH, "", "workspace"),
        Key("timezone", ZONE, "", "workspace"),
        Key("memory_file", MEMORY_FILE, "", "workspace"),
        Key("changelog_file", PATH, "", "views"),
        Key("capture", LIST, [], "capture"),
        Key("capture_scope", SCOPE, "markdown", "capture"),
        Key("capture_quiet_seconds", SECONDS, 5, "capture"),
        Key("soul_policy", POLICY, "evolve", "guard", _laxer),
        Key("approve_without_terminal", SWITCH, "off", "guard", _on),
        Key("ui_approve", APPROVE, "code", "web", _unguarded),
        Key("sources", SOURCES, ["memory"], "search"),
        Key("extra_paths", LIST, [], "search", _other),
        Key("read_agents", AGENTS, [], "search", _more),
        Key("shared", PATH, "", "search, context", _other),
        Key("shared_files", LIST, [], "mcp", _more),
        Key("max_results", COUNT, 6, "search"),
        Key("min_score", SHARE, 0.35, "search"),
        Key("temporal_decay", SWITCH, "on", "search"),
        Key("half_life_days", INTERVAL, 30, "search"),
        Key("decay_floor", SHARE, 0.9, "search"),
        Key("search_tier", TIER, "auto", "search"),
        Key("embedder", EMBEDDER, "", "search"),
        Key("search_weights", WEIGHTS, "0.3/0.7", "search"),
        Key("chunk_tokens", CHUNK, 120, "search"),
        Key("chunk_overlap", TOKENS, 0, "search"),
        Key("dedupe_similarity", SHARE, 0.9, "memory miner"),
        Key("correction_similarity", SHARE, 0.85, "recall validator"),
        Key("conflict_similarity", SHARE, 0.8, "conflict detector"),
        Key("context_budget_tokens", TOKENS, 6000, "context"),
        Key("identity_tokens", TOKENS, 800, "context"),
        Key("user_profile_tokens", TOKENS, 600, "context"),
        Key("corrections_tokens", TOKENS, 400, "context"),
        Key("recent_memory_tokens", TOKENS, 1200, "context"),
        Key("semantic_recall_tokens", TOKENS, 1500, "context"),
        Key("crm_tokens", TOKENS, 1000, "context"),
        Key("longterm_memory_tokens", TOKENS, 500, "context"),
        Key("recall_floor", SHARE, 0.25, "context"),
        Key("tokenizer", TOKENIZER, "unknown", "context"),
        Key("memory_retention_hours", HOURS, 48, "context"),
        Key("compaction", COMPACTION, "off", "memory compactor"),
        Key("compaction_age_days", DAYS, 30, "memory compactor"),
        Key("correction_archive_days", DAYS, 14, "memory compactor"),
        Key("correction_overflow_strategy", TEXT, "prioritize_unverified", "context"),
        Key("corrected_embedding_grace_days", DAYS, 7, "search"),
        Key("confidence_decay_interval_days", INTERVAL, 30, "confidence"),
        Key("confidence_decay_amount", SHARE, 0.05, "confidence"),
        Key("confidence_floor", SHARE, 0.2, "confidence"),
        Key("confidence_boost_per_mention", SHARE, 0.05, "confidence"),
        Key("correction_relevance_boost", FACTOR, 1.5, "search"),
        Key("soul_max_tokens", SIZE, 800, "guard"),
        Key("soul_history_retention_days", DAYS, 90, "soul"),
        Key("cron_soul_keeper", CLOCK, "02:30", "schedule"),
        Key("cron_decay_engine", CLOCK, "04:45", "schedule"),
        Key("cron_lessons", CLOCK, "05:15", "schedule"),
        Key("cron_memory_miner", CLOCK, "06:00", "schedule"),
        Key("cron_organizer", CLOCK, "06:30", "schedule"),
        Key("cron_conflict_detector", CLOCK, "07:00", "schedule"),
        Key("cron_compactor_weekly", WEEKLY, "Sunday 03:00", "schedule"),
        Key("cron_vector_hygiene", WEEKLY, "Sunday 03:30", "schedule"),
        Key("cron_promotion_review", WEEKLY, "Friday 18:00", "schedule"),
        Key("cron_housekeeping", CLOCK, "04:30", "schedule"),
        Key("cron_sync", CLOCK, "off", "schedule"),
        Key("cron_digest", CLOCK, "08:00", "schedule"),
        Key("jobs_home", MACHINE, "", "schedule, agents"),
        Key("identity_home", MACHINE, "", "sync", _other),
        Key("sync_max_mb", COUNT, 100, "sync", _larger),
        Key("poll_minutes", COUNT, 5, "schedule"),
        Key("run_seconds", COUNT, 1800, "schedule"),
        Key("run_commits", COUNT, 200, "schedule"),
        Key("run_tokens", TOKENS, 200_000, "schedule"),
        Key("crm_command", PROGRAM, "", "context", _other, runs=True),
        Key("external_context_budget", TOKENS, 0, "context"),
        Key("external_context_source", PATH, "", "context", _other),
        Key("recall_external_handler", PATH, "", "recall validator", _other, runs=True),
        Key("heartbeat_custom_patterns", LIST, [], "triage"),
        Key("triage_packs", PACKS, list(DEFAULT_PACKS), "triage"),
        Key("lessons_file", LESSONS, "", "memory miner, soul keeper"),
        Key("context_window_tokens", SIZE, 200_000, "sessions"),
        Key("reserve_tokens_floor", TOKENS, 20_000, "sessions"),
        Key("soft_threshold_tokens", TOKENS, 4000, "sessions"),
        Key("memory_flush", SWITCH, "on", "sessions"),
        Key("flush_system_prompt", TEXT, "", "sessions", _other),
        Key("flush_prompt", TEXT, "", "sessions", _other),
        Key("keep_last_turns", COUNT, 10, "sessions"),
        Key("prune_mode", PRUNING, "cache-ttl", "sessions"),
        Key("prune_ttl", SECONDS, 600, "sessions"),
        Key("keep_last_assistants", COUNT, 3, "sessions"),
        Key("soft_trim_max_chars", CHARACTERS, 4000, "sessions"),
        Key("soft_trim_head_chars", CHARACTERS, 1500, "sessions"),
        Key("soft_trim_tail_chars", CHARACTERS, 1500, "sessions"),
        Key("hard_clear", SWITCH, "on", "sessions"),
        Key("hard_clear_placeholder", TEXT, "[old tool result cleared]", "sessions", _other),
        Key("reset_mode", RESET, "daily", "sessions"),
        Key("reset_at", TIME, "04:00", "sessions"),
        Key("idle_minutes", COUNT, 60, "sessions"),
        Key("new_session_messages", COUNT, 15, "sessions"),
        Key("batch_tokens", SIZE, 16_000, "agents with a model"),
        Key("voice", VOICE, "auto", "llm", _farther),
        Key("llm_model", MODEL, "", "llm", _other),
        Key("llm_command", COMMAND, "", "llm", _other, runs=True),
        Key("digest_command", PROGRAM, "", "digest", _other, runs=True),
    )
}
"""Every key that may be set, in the order of docs/format.md (spec §13)."""

_SHELLS = re.compile(r"-[a-z]*c")


def command_words(key: Key, value: Any) -> list[str]:
    """Return the words of a command that may name files: also what stands after "=" and what a shell is given."""
    if isinstance(value, str):
        return [str(Path(value).expanduser())] if value and key.kind is PATH else []
    words = [str(one) for one in value]
    given = (word for before, word in pairwise(words) if _SHELLS.fullmatch(before))
    return [*words, *(one.partition("=")[2] for one in words if "=" in one), *chain.from_iterable(map(_split, given))]


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


ALIASES: Mapping[str, str] = {"crm_context_budget": "crm_tokens"}
"""Other names of keys (spec §10 and §13 disagree)."""

_OTHERS = {name: (name, *(alias for alias, other in ALIASES.items() if other == name)) for name in ALIASES.values()}
NAMES = frozenset({*KEYS, *ALIASES})
"""Every name that a key has."""


def find(name: str) -> Key:
    """Return the key called `name`, also by another name of it. Raises UsageError that names the nearest."""
    key = KEYS.get(ALIASES.get(name, name))
    if key is None:
        near = nearest(name, (*KEYS, *ALIASES), 1)
        fix = Command(f"clawgit config get {near[0]}" if near else "clawgit config show")
        raise setting_unknown(f"there is no key {name}", fix=fix)
    return key


def names(key: Key) -> tuple[str, ...]:
    """Return every name of a key, its own first."""
    return _OTHERS.get(key.name) or (key.name,)


def read(key: Key, text: str) -> Any:
    """Return the value that `text`, as somebody typed it, means. Raises UsageError for one that does not fit."""
    try:
        value = key.kind.read(text)
        fits = key.kind.fits(value)
    except (ValueError, KeyError):  # of numbers and of YAML
        fits = False
    if not fits:
        raise value_invalid(f"{key.name}: {text!r} is not {key.kind.words}", fix=repair(key, text))
    return value


def repair(key: Key, said: Any) -> Command:
    """Return the command that puts a bad value right: by what was probably meant, else by the default."""
    try:
        meant = key.kind.fits(key.kind.read(str(said)))
    except (ValueError, KeyError):
        meant = False
    default = "" if isinstance(key.default, list) else str(key.default or "")
    value = str(said) if meant else default or key.kind.example
    if re.fullmatch(r"[\w./:-]+", value):
        return Command(f"clawgit config set {key.name} {value}")
    return Command(f"clawgit config set {key.name} {{}}", value)
