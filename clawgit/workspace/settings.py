"""The keys of CONFIG.md."""

import json
import math
import os
import re
import shlex
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import Command, setting_unknown, value_invalid
from clawgit.git import regular_file
from clawgit.language import lexicon
from clawgit.text import markdown_settings, yaml_reader
from clawgit.text.spelling import misspelt, nearest
from clawgit.workspace import manifest
from clawgit.workspace.commit_message import shorten

Fits = Callable[[Any], bool]
Looser = Callable[[Any, Any], bool]


class Kind(Struct, frozen=True):
    """The kind of a value: its name, its test, and the words of an error.

    `choices` are all words that a value may be, if they are few; `example` is a value for keys that are empty at first.
    """

    name: str
    fits: Fits
    words: str
    choices: tuple[str, ...] = ()
    example: str = ""


def _make_whole(name: str, minimum: int) -> Kind:
    words = "a whole number above 0" if minimum else "a whole number, 0 or more"
    return Kind(name, lambda value: type(value) is int and value >= minimum, words)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _match(pattern: str) -> Fits:
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value))


def _make_choice(*choices: str) -> Kind:
    words = " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))
    return Kind(words, lambda value: value in choices, words, choices)


def _make_list(name: str, words: str, fits: Fits = lambda _: True) -> Kind:
    return Kind(name, lambda value: isinstance(value, list) and all(map(fits, value)), words)


def _is_zone(value: Any) -> bool:
    try:
        return value == "" or bool(ZoneInfo(value))
    except (TypeError, ValueError, OSError, KeyError):
        return False


def _is_command(value: Any) -> bool:
    """Return whether a value can be run without a shell: an argument list, or empty."""
    is_list = isinstance(value, list) and all(isinstance(word, str) and "\0" not in word for word in value)
    return value == "" or (is_list and bool(value and value[0]))


_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d"
_DAY = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)"
# What git refuses in the name of a branch, in short.
_BRANCH = r"(?!.*(?:\.\.|//|@\{|\.lock(?:/|$)|(?:^|/)\.|^[-/]|[/.]$|^@$))[^\x00-\x20\x7f~^:?*\[\\]*"
POLICIES = ("evolve", "review", "locked")  # from lax to strict
DEFAULT_PACKS = ("zh", "ja", "ko")
_SOURCES = ("memory", "sessions", "dreaming", "dumps")

TOKENS, HOURS, DAYS = (_make_whole(name, 0) for name in ("tokens", "hours", "days"))
SIZE, INTERVAL, COUNT = (_make_whole(name, 1) for name in ("tokens", "days", "number"))
SHARE = Kind("0 to 1", lambda value: _is_number(value) and 0 <= value <= 1, "a number from 0 to 1")
FACTOR = Kind("factor", lambda value: _is_number(value) and value > 0, "a number above 0")
SWITCH = _make_choice("on", "off")
OVERFLOW = _make_choice("prioritize_unverified", "newest", "relevant")
PATH = Kind("path", _match(".*"), "a path, or empty")
MEMORY_FILE = Kind(
    "path",
    lambda value: isinstance(value, str) and (value == "" or manifest.is_memory_place(value)),
    "a Markdown file in the root or below memory/ that is nothing else",
)
BRANCH = Kind("branch", _match(_BRANCH), "the name of a branch", example="main")
ZONE = Kind("time zone", _is_zone, "a time zone", example="Europe/Berlin")
CLOCK = Kind("HH:MM or off", _match(f"{_TIME}|off"), "a time of day such as 06:00, or off", ("off",))
WEEKLY = Kind("day HH:MM or off", _match(f"{_DAY} {_TIME}|off"), "a day and a time: Sunday 03:00, or off", ("off",))
LESSONS = Kind("file", _match("(?:AGENTS.md|TOOLS.md)?"), "AGENTS.md, TOOLS.md, or empty")
EMBEDDER = Kind(
    "embedder",
    _match(r"(?:default|(?:openai|ollama):\S.*)?"),
    "default, openai:MODEL, ollama:MODEL, or empty",
    example="default",
)
WEIGHTS = Kind("vectors/words", _match(r"(?=.*[1-9])(?:\d*\.)?\d+/(?:\d*\.)?\d+"), "two numbers such as 0.3/0.7")
PROGRAM = Kind("command", _is_command, "an argument list, or empty")
LLM = Kind(
    "model",
    lambda value: (_is_command if isinstance(value, list) else _match(r"(?!(?:command|endpoint)$)[^-[{\s]\S*"))(value),
    "auto, openclaw, rules, the name of a model, or an argument list",
    ("auto", "openclaw", "rules"),
)
MACHINE = Kind("machine", _match("(?:[k-z]{8})?"), "the id of a machine, as clawgit sync prints it, or empty")
LIST = _make_list("list", "a list such as ['ship it']")
AGENTS = _make_list("list of agents", "a list of agents of OpenClaw such as [work]", _match("[a-z0-9_-]{1,64}"))
SOURCES = Kind(
    "list of sources",
    lambda value: isinstance(value, list) and bool(value) and all(item in _SOURCES for item in value),
    "a list of memory, sessions, dreaming and dumps",
)
PACKS = _make_list(
    "list of packs",
    f"a list of {', '.join(DEFAULT_PACKS)}, or of other languages that have patterns",
    lambda name: name in DEFAULT_PACKS or name in lexicon.list_languages_with("triage") - {"en"},
)
OTHER_JOBS: Mapping[str, str] = {
    "decay-engine": "04:45",
    "lessons": "05:15",
    "organizer": "06:30",
    "vector-hygiene": "Sunday 03:30",
    "promotion-review": "Friday 18:00",
    "housekeeping": "04:30",
    "sync": "off",
    "digest": "08:00",
}
"""The jobs that the spec names no key for, and their times unless `cron_times` has others."""


def _is_timetable(value: Any) -> bool:
    kinds = {job: WEEKLY if " " in time else CLOCK for job, time in OTHER_JOBS.items()}
    return isinstance(value, dict) and all(job in kinds and kinds[job].fits(time) for job, time in value.items())


TIMES = Kind("times of jobs", _is_timetable, "a map from jobs to times such as {sync: '03:15', digest: off}")


class Key(Struct, frozen=True):
    """One key: its kind, its default, and the package that reads it.

    `looser(trusted, value)` returns for a pinned key whether a value permits more than the trusted one: then it is not
    used before `clawgit trust` (decision 0011). A value that `runs` is a command: the files of the workspace that it
    names are trusted with it.
    """

    name: str
    kind: Kind
    default: Any
    reader: str
    looser: Looser | None = None
    runs: bool = False


def _differs_from_trusted(trusted: Any, value: Any) -> bool:
    return bool(value) and value != trusted


def _has_more(trusted: Any, value: Any) -> bool:
    return not {*value} <= {*trusted}


_NEAR_MODELS = ("rules", "openclaw", "auto")  # the farther, the more leave a message has to go


def _asks_farther(trusted: Any, value: Any) -> bool:
    """Return whether another model than the trusted one is asked, or a nearer one only perhaps."""
    if value in _NEAR_MODELS:
        return trusted in _NEAR_MODELS[: _NEAR_MODELS.index(value)]
    return bool(value != trusted)


KEYS: Mapping[str, Key] = {
    key.name: key
    for key in (
        Key("branch", BRANCH, "", "workspace"),
        Key("timezone", ZONE, "", "workspace"),
        Key("memory_file", MEMORY_FILE, "", "workspace"),
        Key("capture", LIST, [], "capture"),
        Key(
            "soul_policy",
            _make_choice(*POLICIES),
            "evolve",
            "guard",
            lambda old, new: POLICIES.index(new) < POLICIES.index(old),
        ),
        Key("sources", SOURCES, ["memory"], "search"),
        Key("extra_paths", LIST, [], "search", _differs_from_trusted),
        Key("read_agents", AGENTS, [], "search", _has_more),
        Key("shared", PATH, "", "search, context", _differs_from_trusted),
        Key("shared_files", LIST, [], "mcp", _has_more),
        Key("trust_timers", SWITCH, "off", "context", lambda old, new: new == "on" != old),
        Key("max_results", COUNT, 6, "search"),
        Key("min_score", SHARE, 0.35, "search"),
        Key("half_life_days", DAYS, 0, "search"),
        Key("search_tier", _make_choice("auto", "core", "enhanced"), "auto", "search"),
        Key("embedder", EMBEDDER, "", "search"),
        Key("search_weights", WEIGHTS, "0.3/0.7", "search"),
        Key("context_budget_tokens", TOKENS, 6000, "context"),
        Key("identity_tokens", TOKENS, 800, "context"),
        Key("user_profile_tokens", TOKENS, 600, "context"),
        Key("corrections_tokens", TOKENS, 400, "context"),
        Key("recent_memory_tokens", TOKENS, 1200, "context"),
        Key("semantic_recall_tokens", TOKENS, 1500, "context"),
        Key("crm_tokens", TOKENS, 1000, "context"),
        Key("longterm_memory_tokens", TOKENS, 500, "context"),
        Key("memory_retention_hours", HOURS, 48, "context"),
        Key("compaction", _make_choice("off", "chronicle", "quarterly"), "chronicle", "memory compactor"),
        Key("structured_views", SWITCH, "off", "organizer"),
        Key("compaction_age_days", DAYS, 30, "memory compactor"),
        Key("correction_archive_days", DAYS, 14, "memory compactor"),
        Key("correction_overflow_strategy", OVERFLOW, "prioritize_unverified", "context"),
        Key("corrected_embedding_grace_days", DAYS, 7, "search"),
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
        Key("cron_times", TIMES, {}, "schedule"),
        Key("identity_home", MACHINE, "", "sync", _differs_from_trusted),
        Key("sync_max_mb", COUNT, 100, "sync", lambda trusted, value: bool(value > trusted)),
        Key("run_tokens", TOKENS, 200_000, "schedule"),
        Key("crm_command", PROGRAM, "", "context", _differs_from_trusted, runs=True),
        Key("external_context_budget", TOKENS, 0, "context"),
        Key("external_context_source", PATH, "", "context", _differs_from_trusted),
        Key("recall_external_handler", PATH, "", "recall validator", _differs_from_trusted, runs=True),
        Key("heartbeat_custom_patterns", LIST, [], "triage"),
        Key("triage_packs", PACKS, list(DEFAULT_PACKS), "triage"),
        Key("lessons_file", LESSONS, "", "memory miner, soul keeper"),
        Key("llm", LLM, "auto", "llm", _asks_farther, runs=True),
        Key("digest_command", PROGRAM, "", "digest", _differs_from_trusted, runs=True),
    )
}
"""Every key that may be set, in the order of docs/format.md (spec §13)."""


def show_map(value: Mapping[str, Any]) -> str:
    """Return a map on one line, as people write it."""
    return ", ".join(f"{name} {item}" for name, item in value.items())


def is_unset(root: Path, name: str) -> bool:
    """Return whether CONFIG.md does not even name a key, so that it has its default; reading all of it takes 6 ms."""
    return not may_contain(root / file_roles.CONFIG, name)


def may_contain(place: Path, word: str) -> bool:
    """Return whether a file may contain a word; an unreadable one may."""
    try:
        return word.encode() in regular_file.read_regular_file(place)
    except OSError:
        return os.path.lexists(place)


def command_words(key: Key, value: Any) -> list[str]:
    """Return the words of a command that may name files: also those behind "=" and the script of a shell."""
    if isinstance(value, str):
        return [str(Path(value).expanduser())] if value and key.kind is PATH else []
    words = [str(item) for item in value]
    scripts = (word for before, word in pairwise(words) if re.fullmatch(r"-[a-z]*c", before))
    return [
        *words,
        *(word.partition("=")[2] for word in words if "=" in word),
        *(word for script in scripts for word in _split_command(script)),
    ]


def _split_command(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


_NAMES_OF_LLM = ("llm_command", "llm_model", "voice")
ALIASES: Mapping[str, str] = {"crm_context_budget": "crm_tokens", **dict.fromkeys(_NAMES_OF_LLM, "llm")}
"""Other names of keys: spec §10 and §13 disagree, and the model had three keys."""

_IN_OPENCLAW = (
    *("context_window_tokens", "reserve_tokens_floor", "soft_threshold_tokens", "keep_last_turns"),
    *("flush_system_prompt", "flush_prompt", "prune_mode", "prune_ttl", "keep_last_assistants"),
    *("soft_trim_max_chars", "soft_trim_head_chars", "soft_trim_tail_chars", "hard_clear"),
    *("hard_clear_placeholder", "reset_mode", "reset_at", "idle_minutes"),
)
_FIXED = (
    *("capture_quiet_seconds", "poll_minutes", "new_session_messages", "ui_approve", "recall_floor", "memory_flush"),
    *("batch_tokens", "chunk_tokens", "chunk_overlap", "decay_floor", "run_commits", "run_seconds"),
)
GONE: Mapping[str, str] = {
    **dict.fromkeys(_IN_OPENCLAW, "it is read from openclaw.json (docs/openclaw.md)"),
    **dict.fromkeys(_FIXED, "its default always holds"),
    **{f"cron_{job.replace('-', '_')}": f"write {job} and its time into cron_times" for job in OTHER_JOBS},
    **dict.fromkeys(("dedupe_similarity", "correction_similarity", "conflict_similarity"), "the judge decides"),
    "approve_without_terminal": "approve at a terminal, on the page or in the chat",
    "capture_scope": "name the files in capture, as in ['skills/**', 'scripts/**']",
    "changelog_file": "the changelog is CHANGELOG.md, else SOUL_CHANGELOG.md",
    "jobs_home": "set cron_compactor_weekly and cron_organizer off on the other machines",
    "temporal_decay": "half_life_days: 0 turns it off",
}
"""Keys of the release before, and what took their place."""

NAMES = frozenset({*KEYS, *ALIASES})
"""Every name that a key has."""


def find_setting(name: str) -> Key:
    """Return the key called `name`, also by another name of it. Raises UsageError that names the nearest."""
    key = KEYS.get(ALIASES.get(name, name))
    if key is None:
        suggestions = [] if name in GONE else nearest(name, NAMES, 1)
        words = f"{name} is a key no more: {GONE[name]}" if name in GONE else f"there is no key {name}"
        raise setting_unknown(words, fix=Command(" ".join(("clawgit config", *suggestions))))
    return key


def names(key: Key) -> tuple[str, ...]:
    """Return every name of a key, its own first."""
    return (key.name, *(alias for alias, name in ALIASES.items() if name == key.name))


_CHOSEN_BY_VOICE = {"rules": "voice", "openclaw": "voice", "endpoint": "llm_model", "command": "llm_command"}


def choose_name(key: Key, values: Mapping[str, Any]) -> str | None:
    """Return the name of a key that counts among these values; of the three former keys of the model `voice` chose."""
    options = [name for name in names(key) if values.get(name) is not None and (name == key.name or values[name] != "")]
    chosen = _CHOSEN_BY_VOICE.get(str(values.get("voice")))
    return chosen if chosen in options and key.name not in options else next(iter(options), None)


def read_setting(key: Key, text: str) -> Any:
    """Return the value that `text`, as somebody typed it, means. Raises UsageError for one that does not fit."""
    # Text comes first: a path may look like a list of YAML.
    readings = [text, *_read_yaml(text)]
    value = next((reading for reading in readings if key.kind.fits(reading)), None)
    if value is None:
        raise value_invalid(f"{key.name}: {shorten(repr(text), 80)} is not {key.kind.words}", fix=repair(key, text))
    return value


def _read_yaml(text: str) -> list[Any]:
    try:
        return [markdown_settings.parse_settings(f"value: {text}")[0]["value"]]
    except (yaml_reader.BlockError, KeyError):
        return []


def repair(key: Key, bad_value: Any) -> Command:
    """Return the command that repairs a bad value: by the probable intention, else by the default.

    For a key that grants permission, that is the value that grants the least.
    """
    text, looser = str(bad_value), key.looser
    default = key.default if isinstance(key.default, str) else json.dumps(key.default)

    def count_leave(choice: str) -> int:
        return sum(looser(other, choice) for other in key.kind.choices) if looser else choice != default

    choices = sorted(key.kind.choices, key=count_leave)  # of equally near ones the first is taken
    zones = {name.rpartition("/")[2]: name for name in sorted(available_timezones())} if key.kind is ZONE else {}
    matches = nearest(text, choices)
    city = misspelt(text.rpartition("/")[2].replace(" ", "_"), zones)
    options = [
        misspelt(text, [choice for choice in choices if choice in matches]),
        *matches,
        zones.get(city or ""),
        *choices[: bool(looser)],
        default,
        key.kind.example,
    ]
    is_fit = any(map(key.kind.fits, (text, *_read_yaml(text))))
    value = text if is_fit else next(filter(None, options), "")
    is_plain = re.fullmatch(r"[\w./:-]+", value)
    return (
        Command(f"clawgit config {key.name} {value}") if is_plain else Command(f"clawgit config {key.name} {{}}", value)
    )
