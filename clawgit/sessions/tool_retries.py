"""Finds calls that failed, were made otherwise, and worked."""

import json
import re
import shlex
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from clawgit.language import pattern_tables
from clawgit.sessions.chat_store import Message

MOST_TURNS = 12
"""Turns of the agent within which a call is made again (seed 3)."""
_LIKE, _SAME_PROGRAM, _OTHER_PROGRAM = 60.0, 40.0, 80.0
"""How alike the arguments of two calls are, of 100, from which on the later is another try of the earlier one."""
_SOON = 3
"""Turns within which a call is made again where the result does not name what was changed."""
_LONGEST = 200
_TAIL = 400
_EXIT = re.compile(r"\bexit(?:ed)?(?:\s+with)?(?:\s+(?:code|status))?[\s:=]+(\d{1,3})\b", re.IGNORECASE)
_COMMANDS = ("command", "cmd", "script")
_EDITS = re.compile(r"edit|write|patch|replace|create|delete|move", re.IGNORECASE)
_WORD = re.compile(r"[\w@%+=:,./~-]{2,}")
_SLIPS = 2
"""Letters of a word that were typed wrong."""
_WAITS = re.compile(r"^\s*sleep\s+\S+\s*(?:;|&&)\s*")
_LETTERS, _OTHERS = re.compile(r"[^\W\d_]+"), re.compile(r"[\W\d_]+")
_LEADS = frozenset({"sudo", "env", "time", "nohup", "exec", "npx", "uvx"})
_VERB = re.compile(r"\s*(?:(?:sudo|npx|uvx)\s+)?([a-z][\w.-]*)\s+([a-z][a-z-]{2,}|-[A-Za-z])(?=\s|$)")
"""A program, and the word or letter that says what it is to do."""
_STEP = re.compile(r"&&|\|\||;|\n")
_SETS = re.compile(r"[A-Za-z_]\w*=\S*")


_DATA = Path(__file__).parent / "data/tool_calls.toml"
_LOOKS = pattern_tables.pattern(_DATA, "calls", "looks")
_LOGS = pattern_tables.pattern(_DATA, "calls", "logs")
_pattern = partial(pattern_tables.pattern, _DATA, "results", flags=re.NOFLAG)


class Attempt(Struct, frozen=True):
    """A call with its result: `turn` counts the turns of the agent before it, `error` is what the result says is wrong.

    `arguments` is the command of a tool that runs one, else JSON; `event` and the text are those of the `result`.
    """

    tool: str
    arguments: str
    event: str
    turn: int
    failed: bool
    error: str = ""
    result: str = ""


class Retry(Struct, frozen=True):
    """The last call that failed, the one that worked instead, and what the operator had asked for, if that is known."""

    asked: Message | None
    wrong: Attempt
    right: Attempt


def retries(messages: Sequence[Message]) -> Iterator[Retry]:
    """Yield what failed and worked within so many turns when the same tool was called with other arguments (spec S3).

    Of several tries that failed the last one counts; a call that works as it is the second time teaches nothing.
    """
    waiting: list[_Open] = []
    asked: Message | None = None
    results = attempts(messages)
    for one in messages:
        if one.role == "user" and one.origin == "operator" and one.text.strip():
            asked = one
        tried = results.get(one.event)
        if tried is None:
            continue
        waiting = [old for old in waiting if tried.turn - old.tried.turn <= MOST_TURNS]
        same = [old for old in waiting if again(old.tried, tried)]
        waiting = [old for old in waiting if old not in same]
        if tried.failed:
            waiting.append(_Open(tried, same[-1].asked if same else asked))
        elif same and _taught(same[-1], tried):
            yield Retry(same[-1].asked, same[-1].tried, tried)
        elif _changes(tried):
            waiting = [replace(old, changed=True) for old in waiting]


class _Open(Struct, frozen=True):
    """A call that failed and was not made again yet; `changed` tells that something else was done since."""

    tried: Attempt
    asked: Message | None
    changed: bool = False


def _taught(old: _Open, new: Attempt) -> bool:
    """Tell whether a call worked for what is otherwise in it.

    The result that failed names it; or nothing else was done between them, and the call is none that checks files.
    """
    wrong, right = (set(_WORD.findall(_WAITS.sub("", one.arguments))) for one in (old.tried, new))
    if wrong == right or _misspelt(wrong - right, right - wrong):
        return False
    told = set(_WORD.findall(old.tried.result)) | set(re.findall(r"\w{2,}", old.tried.result))
    if told & (wrong ^ right):
        return True
    said = {word for tried in (old.tried, new) for word in re.findall(r"\w+", tried.arguments)}
    checks = said.intersection(_programs_that("checks"))
    return not (checks or old.changed) and new.turn - old.tried.turn <= _SOON


def _misspelt(wrong: set[str], right: set[str]) -> bool:
    """Tell whether one word was typed wrong, and nothing else."""
    if len(wrong) != 1 or len(right) != 1:
        return False
    (one,), (other,) = wrong, right
    letters = [_OTHERS.sub("", each) for each in (one, other)]
    marks = [_LETTERS.sub("", each) for each in (one, other)]
    return marks[0] == marks[1] and 0 < OSA.distance(*letters) <= _SLIPS < min(map(len, letters))


def _changes(tried: Attempt) -> bool:
    changes = {name.partition(" ")[0] for name in _programs(tried.arguments)}
    return not changes.isdisjoint(_programs_that("changes")) or bool(_EDITS.search(tried.tool))


def attempts(messages: Iterable[Message]) -> Mapping[str, Attempt]:
    """Return the results of calls by the event of the result; calls of one tool are answered in their order."""
    open_: dict[str, deque[str]] = {}
    found: dict[str, Attempt] = {}
    turn = 0
    for one in messages:
        if one.role == "assistant":
            turn += 1
            open_ = {}
        for call in one.calls:
            open_.setdefault(call.name, deque()).append(_said(call.arguments))
        if one.role == "tool":
            left = open_.get(one.tool)
            if left:
                said = left.popleft()
                error = wrong(one, logs=bool(_LOGS.search(said)))
                found[one.event] = Attempt(one.tool, said, one.event, turn, bool(error), error, one.text)
    return found


def wrong(result: Message, *, logs: bool = False) -> str:
    """Return the line of a result that says what went wrong, "" where nothing does: `grep` that finds nothing.

    `logs` tells that the call prints what others said, errors of theirs included.
    """
    text = result.text.strip()
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    told = _of_json(text)
    code = next((int(found[1]) for found in _EXIT.finditer(text[-_TAIL:])), None)
    said = next((row for row in reversed(rows) if _pattern("wrong").search(row)), "")
    ended = bool(rows and _pattern("wrong").search(rows[-1]))
    if not (result.failed or told or code or (code is None and ended and not logs)):
        return ""
    plain = next((row for row in reversed(rows) if not _EXIT.search(row)), "")
    return (told or said or plain)[:_LONGEST]


def _of_json(text: str) -> str:
    """Return what a result that is JSON says is wrong."""
    if not text.startswith("{"):
        return ""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    found = value.get("error") or (value.get("message") or "failed" if value.get("status") == "error" else "")
    return " ".join(str(found.get("message", found) if isinstance(found, dict) else found).split())


def _said(arguments: str) -> str:
    """Return the command of a call that runs one, else its arguments."""
    try:
        value: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments.strip()
    if not isinstance(value, dict):
        return arguments.strip()
    command = next((value[key] for key in _COMMANDS if isinstance(value.get(key), str)), None)
    return arguments if command is None else command.strip()


@cache
def _programs_that(do: str) -> tuple[str, ...]:
    return tuple(pattern_tables.alternatives(_DATA, "programs")[do].split())


def again(old: Attempt, new: Attempt) -> bool:
    """Tell whether one call is another try of an earlier one: the same tool, about the same thing."""
    if old.tool != new.tool or not old.arguments or not new.arguments or _only_looks(old, new):
        return False
    before, after = _values(old.arguments), _values(new.arguments)
    if before is not None and after is not None:
        return max(fuzz.ratio(before, after), fuzz.token_set_ratio(before, after)) >= _LIKE
    alike = fuzz.token_sort_ratio(old.arguments, new.arguments)
    shared = _programs(old.arguments) & _programs(new.arguments)
    return alike >= (_SAME_PROGRAM if shared else _OTHER_PROGRAM)


def _only_looks(old: Attempt, new: Attempt) -> bool:
    """Tell whether a call asks how things stand that an earlier one was to change, or does something else to them."""
    if _LOOKS.search(new.arguments) and not _LOOKS.search(old.arguments):
        return True
    did, does = _VERB.match(old.arguments), _VERB.match(new.arguments)
    if not did or not does or did[1] != does[1] or did[2] == does[2]:
        return False
    return did[2] not in old.result and does[2] not in old.result


def _values(arguments: str) -> str | None:
    """Return the values of arguments that are JSON, None for a command."""
    if not arguments.startswith("{"):
        return None
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return " ".join(str(one) for one in value.values()) if isinstance(value, dict) else arguments


def _programs(command: str) -> set[str]:
    """Return what a command runs, with the verb that says what it does: `git push`; nothing of JSON."""
    return set() if command.startswith("{") else {name for part in _STEP.split(command) if (name := _program(part))}


def _program(part: str) -> str:
    try:
        words = shlex.split(part)
    except ValueError:
        words = part.split()
    left = [one for one in words if one not in _LEADS and not _SETS.fullmatch(one)]
    if not left or left[0] == "cd":
        return ""
    name = left[0].rpartition("/")[2]
    verbs = [one for one in left[1:] if not one.startswith("-")][: _programs_that("verbs").count(name)]
    return " ".join((name, *verbs))
