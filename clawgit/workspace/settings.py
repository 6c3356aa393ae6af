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
from clawgit.workspace import setting_kinds as kinds


def unset(root: Path, name: str) -> bool:
    """Tell that CONFIG.md does not even name a key, so that it has its default; reading all of it takes 6 ms."""
    return not holds(root / file_roles.CONFIG, name)


def holds(place: Path, word: str) -> bool:
    """Return whether a file holds a word; one that is there and cannot be read may."""
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
    kind: kinds.Kind
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
    return kinds.POLICIES.index(value) < kinds.POLICIES.index(trusted)


def _farther(trusted: Any, value: Any) -> bool:
    return kinds.VOICES.index(value) > kinds.VOICES.index(trusted)


KEYS: Mapping[str, Key] = {
    key.name: key
    for key in (
        Key("branch", kinds.BRANCH, "", "workspace"),
        Key("timezone", kinds.ZONE, "", "workspace"),
        Key("memory_file", kinds.MEMORY_FILE, "", "workspace"),
        Key("capture", kinds.LIST, [], "capture"),
        Key("capture_quiet_seconds", kinds.SECONDS, 5, "capture"),
        Key("soul_policy", kinds.POLICY, "evolve", "guard", _laxer),
        Key("approve_without_terminal", kinds.SWITCH, "off", "guard", _on),
        Key("ui_approve", kinds.APPROVE, "code", "web", _unguarded),
        Key("sources", kinds.SOURCES, ["memory"], "search"),
        Key("extra_paths", kinds.LIST, [], "search", _other),
        Key("read_agents", kinds.AGENTS, [], "search", _more),
        Key("shared", kinds.PATH, "", "search, context", _other),
        Key("shared_files", kinds.LIST, [], "mcp", _more),
        Key("trust_timers", kinds.SWITCH, "off", "context", _on),
        Key("max_results", kinds.COUNT, 6, "search"),
        Key("min_score", kinds.SHARE, 0.35, "search"),
        Key("temporal_decay", kinds.SWITCH, "on", "search"),
        Key("half_life_days", kinds.INTERVAL, 30, "search"),
        Key("search_tier", kinds.TIER, "auto", "search"),
        Key("embedder", kinds.EMBEDDER, "", "search"),
        Key("search_weights", kinds.WEIGHTS, "0.3/0.7", "search"),
        Key("chunk_tokens", kinds.CHUNK, 120, "search"),
        Key("chunk_overlap", kinds.TOKENS, 0, "search"),
        Key("context_budget_tokens", kinds.TOKENS, 6000, "context"),
        Key("identity_tokens", kinds.TOKENS, 800, "context"),
        Key("user_profile_tokens", kinds.TOKENS, 600, "context"),
        Key("corrections_tokens", kinds.TOKENS, 400, "context"),
        Key("recent_memory_tokens", kinds.TOKENS, 1200, "context"),
        Key("semantic_recall_tokens", kinds.TOKENS, 1500, "context"),
        Key("crm_tokens", kinds.TOKENS, 1000, "context"),
        Key("longterm_memory_tokens", kinds.TOKENS, 500, "context"),
        Key("recall_floor", kinds.SHARE, 0.25, "context"),
        Key("memory_retention_hours", kinds.HOURS, 48, "context"),
        Key("compaction", kinds.COMPACTION, "chronicle", "memory compactor"),
        Key("structured_views", kinds.SWITCH, "off", "organizer"),
        Key("compaction_age_days", kinds.DAYS, 30, "memory compactor"),
        Key("correction_archive_days", kinds.DAYS, 14, "memory compactor"),
        Key("correction_overflow_strategy", kinds.TEXT, "prioritize_unverified", "context"),
        Key("corrected_embedding_grace_days", kinds.DAYS, 7, "search"),
        Key("confidence_decay_interval_days", kinds.INTERVAL, 30, "confidence"),
        Key("confidence_decay_amount", kinds.SHARE, 0.05, "confidence"),
        Key("confidence_floor", kinds.SHARE, 0.2, "confidence"),
        Key("confidence_boost_per_mention", kinds.SHARE, 0.05, "confidence"),
        Key("correction_relevance_boost", kinds.FACTOR, 1.5, "search"),
        Key("soul_max_tokens", kinds.SIZE, 800, "guard"),
        Key("soul_history_retention_days", kinds.DAYS, 90, "soul"),
        Key("cron_soul_keeper", kinds.CLOCK, "02:30", "schedule"),
        Key("cron_decay_engine", kinds.CLOCK, "04:45", "schedule"),
        Key("cron_lessons", kinds.CLOCK, "05:15", "schedule"),
        Key("cron_memory_miner", kinds.CLOCK, "06:00", "schedule"),
        Key("cron_organizer", kinds.CLOCK, "06:30", "schedule"),
        Key("cron_conflict_detector", kinds.CLOCK, "07:00", "schedule"),
        Key("cron_compactor_weekly", kinds.WEEKLY, "Sunday 03:00", "schedule"),
        Key("cron_vector_hygiene", kinds.WEEKLY, "Sunday 03:30", "schedule"),
        Key("cron_promotion_review", kinds.WEEKLY, "Friday 18:00", "schedule"),
        Key("cron_housekeeping", kinds.CLOCK, "04:30", "schedule"),
        Key("cron_sync", kinds.CLOCK, "off", "schedule"),
        Key("cron_digest", kinds.CLOCK, "08:00", "schedule"),
        Key("identity_home", kinds.MACHINE, "", "sync", _other),
        Key("sync_max_mb", kinds.COUNT, 100, "sync", _larger),
        Key("poll_minutes", kinds.COUNT, 5, "schedule"),
        Key("run_seconds", kinds.COUNT, 1800, "schedule"),
        Key("run_commits", kinds.COUNT, 200, "schedule"),
        Key("run_tokens", kinds.TOKENS, 200_000, "schedule"),
        Key("crm_command", kinds.PROGRAM, "", "context", _other, runs=True),
        Key("external_context_budget", kinds.TOKENS, 0, "context"),
        Key("external_context_source", kinds.PATH, "", "context", _other),
        Key("recall_external_handler", kinds.PATH, "", "recall validator", _other, runs=True),
        Key("heartbeat_custom_patterns", kinds.LIST, [], "triage"),
        Key("triage_packs", kinds.PACKS, list(kinds.DEFAULT_PACKS), "triage"),
        Key("lessons_file", kinds.LESSONS, "", "memory miner, soul keeper"),
        Key("memory_flush", kinds.SWITCH, "on", "sessions"),
        Key("new_session_messages", kinds.COUNT, 15, "sessions"),
        Key("voice", kinds.VOICE, "auto", "llm", _farther),
        Key("llm_model", kinds.MODEL, "", "llm", _other),
        Key("llm_command", kinds.COMMAND, "", "llm", _other, runs=True),
        Key("digest_command", kinds.PROGRAM, "", "digest", _other, runs=True),
    )
}
"""Every key that may be set, in the order of docs/format.md (spec §13)."""

_SHELLS = re.compile(r"-[a-z]*c")


def command_words(key: Key, value: Any) -> list[str]:
    """Return the words of a command that may name files: also what stands after "=" and what a shell is given."""
    if isinstance(value, str):
        return [str(Path(value).expanduser())] if value and key.kind is kinds.PATH else []
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

_OPENCLAWS = (
    *("context_window_tokens", "reserve_tokens_floor", "soft_threshold_tokens", "keep_last_turns"),
    *("flush_system_prompt", "flush_prompt", "prune_mode", "prune_ttl", "keep_last_assistants"),
    *("soft_trim_max_chars", "soft_trim_head_chars", "soft_trim_tail_chars", "hard_clear"),
    *("hard_clear_placeholder", "reset_mode", "reset_at", "idle_minutes"),
)
GONE: Mapping[str, str] = {
    **dict.fromkeys(_OPENCLAWS, "it is read from openclaw.json (docs/sessions.md)"),
    "capture_scope": "name the files in capture, as in ['skills/**', 'scripts/**']",
    "changelog_file": "the changelog is CHANGELOG.md, else SOUL_CHANGELOG.md",
    "jobs_home": "set cron_compactor_weekly and cron_organizer off on the other machines",
    "batch_tokens": "a model reads 16,000 tokens at once",
    "decay_floor": "age takes a tenth of a score at most; half_life_days says how fast",
    **dict.fromkeys(("dedupe_similarity", "correction_similarity", "conflict_similarity"), "the judge decides"),
}
"""Keys of the release before, and what took their place."""

_OTHERS = {name: (name, *(alias for alias, other in ALIASES.items() if other == name)) for name in ALIASES.values()}
NAMES = frozenset({*KEYS, *ALIASES})
"""Every name that a key has."""


def find(name: str) -> Key:
    """Return the key called `name`, also by another name of it. Raises UsageError that names the nearest."""
    key = KEYS.get(ALIASES.get(name, name))
    if key is None and name in GONE:
        raise setting_unknown(f"{name} is a key no more: {GONE[name]}", fix=Command("clawgit config"))
    if key is None:
        near = nearest(name, (*KEYS, *ALIASES), 1)
        fix = Command(f"clawgit config {near[0]}" if near else "clawgit config")
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
    """Return the command that puts a bad value right: by what was probably meant, else by the default.

    Where a key gives leave, that is the value that gives the least.
    """
    try:
        meant = key.kind.fits(key.kind.read(str(said)))
    except (ValueError, KeyError):
        meant = False
    default = "" if isinstance(key.default, list) else str(key.default or "")
    choices, looser = key.kind.choices, key.looser
    near = nearest(str(said), choices, 1)
    if not near and looser:
        near = [least for least in choices if not any(looser(other, least) for other in choices)]
    value = str(said) if meant else (near or [default or key.kind.example])[0]
    if re.fullmatch(r"[\w./:-]+", value):
        return Command(f"clawgit config {key.name} {value}")
    return Command(f"clawgit config {key.name} {{}}", value)
