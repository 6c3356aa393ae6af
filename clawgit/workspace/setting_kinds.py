"""What a value of CONFIG.md may be."""

import math
import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from clawgit.language import lexicon
from clawgit.text import markdown_settings
from clawgit.workspace import memory_place

_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d"
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
POLICIES = ("evolve", "review", "locked")  # from lax to strict
# What git refuses in the name of a branch, in short.
_NO_BRANCH = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|//|@\{|\.lock(?:/|$)|(?:^|/)\.|^[-/]|[/.]$|^@$")
_AGENT = re.compile(r"[a-z0-9_-]{1,64}")

Fits = Callable[[Any], bool]


class Kind(Struct, frozen=True):
    """What a value may be: its name, the test, the words of an error, an example, and how it is read off a line.

    `choices` are all values of a kind that has few.
    """

    name: str
    fits: Fits
    words: str
    example: str = ""
    read: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()


def _choose(*choices: str, example: str) -> Kind:
    words = " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))
    return Kind(words, choices.__contains__, words, example, choices=choices)


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
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - 2 ms, and few set it

    try:
        return value == "" or bool(ZoneInfo(value))
    except (TypeError, ValueError, OSError, KeyError):
        return False


def _memory_file(value: Any) -> bool:
    return value == "" or (_text(value) and memory_place.fits(value))


def _read_number(text: str) -> int | float:
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)


def _read_list(text: str) -> Any:
    return markdown_settings.parse(f"value: {text}")[0]["value"]


_LARGEST_CHUNK = 2000
_COUNT = (_whole(0), "a whole number, 0 or more", "30", _read_number)
TOKENS, HOURS, DAYS = Kind("tokens", *_COUNT), Kind("hours", *_COUNT), Kind("days", *_COUNT)
SIZE = Kind("tokens", _whole(1), "a whole number above 0", "800", _read_number)
CHUNK = Kind(
    "20 to 2000",
    lambda value: _whole(20)(value) and value <= _LARGEST_CHUNK,
    "a whole number from 20 to 2000",
    "120",
    _read_number,
)
INTERVAL = Kind("days", _whole(1), "a whole number above 0", "30", _read_number)
SHARE = Kind("0 to 1", lambda value: _number(value) and 0 <= value <= 1, "a number from 0 to 1", "0.5", _read_number)
FACTOR = Kind("factor", lambda value: _number(value) and value > 0, "a number above 0", "1.5", _read_number)
TEXT = Kind("text", _text, "text on one line")
PATH = Kind("path", _text, "a path, or empty")
MEMORY_FILE = Kind("path", _memory_file, "a Markdown file in the root or below memory/ that is nothing else")
BRANCH = Kind("branch", _branch, "the name of a branch", "main")
ZONE = Kind("time zone", _zone, "a time zone", "Europe/Berlin")
CLOCK = Kind("HH:MM or off", _time(f"{_CLOCK}|off"), "a time of day such as 06:00, or off", "06:00")
WEEKLY = Kind(
    "day HH:MM or off",
    _time(f"(?:{_DAYS}) {_CLOCK}|off"),
    "a day and time such as Sunday 03:00, or off",
    "'Sunday 03:00'",
)
SECONDS = Kind("seconds", lambda value: _number(value) and value >= 0, "a number, 0 or more", "5", _read_number)
POLICY = _choose(*POLICIES, example="review")
COMPACTION = _choose("off", "chronicle", "quarterly", example="chronicle")
DEFAULT_PACKS = ("zh", "ja", "ko")


def _packs(value: Any) -> bool:
    return isinstance(value, list) and all(
        name in DEFAULT_PACKS or name in lexicon.having("triage") - {"en"} for name in value
    )


_SOURCES = ("memory", "sessions", "dreaming", "dumps")


def _sources(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(name in _SOURCES for name in value)


def _agents(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) and _AGENT.fullmatch(name) for name in value)


def _machine(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"(?:[k-z]{8})?", value))


def _embedder(value: Any) -> bool:
    return value in ("", "default") or (_text(value) and bool(re.fullmatch(r"openai:\S.*", value)))


def _weights(value: Any) -> bool:
    return isinstance(value, str) and bool(
        re.fullmatch(r"(?:\d*\.)?\d+/(?:\d*\.)?\d+", value) and re.search("[1-9]", value)
    )


def _model(value: Any) -> bool:
    return _text(value) and not re.search(r"^-|\s", value)


def _command(value: Any) -> bool:
    """Return whether a value can be run without a shell: a preset, or an argument list."""
    if not isinstance(value, list):
        return value in ("", "openclaw")
    return bool(value) and all(isinstance(word, str) and "\0" not in word for word in value) and bool(value[0])


def _read_command(text: str) -> Any:
    return _read_list(text) if text.startswith("[") else text


LESSONS = Kind(
    "file", lambda value: value in ("", "AGENTS.md", "TOOLS.md"), "AGENTS.md, TOOLS.md, or empty", "AGENTS.md"
)
COUNT = Kind("number", _whole(1), "a whole number above 0", "6", _read_number)
APPROVE = _choose("code", "off", example="code")
SWITCH = _choose("on", "off", example="on")
TIER = _choose("auto", "core", "enhanced", example="auto")
EMBEDDER = Kind("embedder", _embedder, "default, openai:MODEL, or empty", "default")
WEIGHTS = Kind("vectors/words", _weights, "two numbers such as 0.3/0.7", "0.3/0.7")
MODEL = Kind("model", _model, "the name of a model, without spaces")
COMMAND = Kind("command", _command, "openclaw, an argument list, or empty", "openclaw", _read_command)
PROGRAM = Kind(
    "command", lambda value: value != "openclaw" and _command(value), "an argument list, or empty", "", _read_command
)
VOICES = ("rules", "openclaw", "auto", "endpoint", "command")  # the farther, the more leave a message has to go
VOICE = _choose("auto", "openclaw", "endpoint", "command", "rules", example="auto")
MACHINE = Kind("machine", _machine, "the id of a machine, as clawgit sync tells it, or empty", "kqvwxyzm")
AGENTS = Kind("list of agents", _agents, "a list of agents of OpenClaw such as [work]", "[work]", _read_list)
LIST = Kind("list", lambda value: isinstance(value, list), "a list such as ['ship it']", "[]", _read_list)
SOURCES = Kind(
    "list of sources", _sources, "a list of memory, sessions, dreaming and dumps", "[memory, sessions]", _read_list
)
_SOME = f"a list of {', '.join(DEFAULT_PACKS)}, or of other languages that have patterns"
PACKS = Kind("list of packs", _packs, _SOME, f"[{', '.join(DEFAULT_PACKS)}]", _read_list)
