"""Finds calls that failed, were made otherwise, and worked."""

import json
import re
import shlex
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
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
_EXIT = re.compile(
    r"^\W*(?:(?:command|process)\s+)?(?:exit(?:ed)?(?:\s+with)?\s+(?:code|status)|exited)[\s:=]+(\d{1,3})\W*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of its own: a script that is shown may have `exit 1` in it."""
_BARE_EXIT = re.compile(r"\W*exit\s+(\d{1,3})\W*", re.IGNORECASE)
_COMMANDS = ("command", "cmd", "script")
_EDITS = re.compile(r"edit|write|patch|replace|create|delete|move", re.IGNORECASE)
_WORD = re.compile(r"[\w@%+=:,./~-]{2,}")
_SLIPS = 2
"""Letters of a word that were typed wrong."""
_WAITS = re.compile(r"^\s*sleep\s+\S+\s*(?:;|&&)\s*")
_CLOSE = 5.0
"""How much more alike an earlier try is, of 100, if it is what was made right, and not the last one."""
_SPACES = re.compile(r"[\s;&|:'\"()]+")
_FOLDERS = re.compile(r"[/\\]")
_LETTERS, _OTHERS = re.compile(r"[^\W\d_]+"), re.compile(r"[\W\d_]+")
_LEADS = frozenset({"env", "export", "time", "nohup", "exec", "npx", "uvx"})
_VERB = re.compile(r"[a-z][a-z-]{2,}|-[A-Za-z]")
"""The word or letter behind a program that says what it is to do."""
_STEP = re.compile(r"&&|\|\||;|\n")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_SETS = re.compile(r"[A-Za-z_]\w*=\S*")
_AS = re.compile(r"\bsudo(?:\s+-[A-Za-z-]+)*?(?:\s+-[ugh]\s+\S+)*(?=\s)")
"""As whom something is run."""


_DATA = Path(__file__).parent / "data/tool_calls.toml"
_LOOKS = pattern_tables.pattern(_DATA, "calls", "looks")
_LOGS = pattern_tables.pattern(_DATA, "calls", "logs")
_REFUSED = pattern_tables.pattern(_DATA, "results", "refused")
_pattern = partial(pattern_tables.pattern, _DATA, "results", flags=re.NOFLAG)


class Attempt(Struct, frozen=True):
    """A call with its result: `turn` counts the turns of the agent before it, `error` is what the result says is wrong.

    Where a failure is reported and nothing is said of it, a call neither `failed` nor `worked`: `grep` found nothing.
    `arguments` is the command of a tool that runs one, else JSON; `event` and the text are those of the `result`.
    """

    tool: str
    arguments: str
    event: str
    turn: int
    failed: bool
    error: str = ""
    result: str = ""
    worked: bool = True


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
            waiting = [replace(old, told=old.told | _words(one.text)) for old in waiting]
        tried = results.get(one.event)
        if tried is None:
            continue
        waiting = [old for old in waiting if tried.turn - old.tried.turn <= MOST_TURNS]
        same = [old for old in waiting if again(old.tried, tried)]
        if tried.failed:
            waiting.append(_Open(tried, same[-1].asked if same else asked))
        elif tried.worked:
            waiting = [old for old in waiting if old not in same]
            last = _made_right(same, tried)
            if last and _taught(last, tried):
                yield Retry(last.asked, last.tried, tried)
            elif _changes(tried):
                waiting = [replace(old, changed=True) for old in waiting]


class _Open(Struct, frozen=True):
    """A call that failed and did not work yet: whether something else was done since, and what the operator said."""

    tried: Attempt
    asked: Message | None
    changed: bool = False
    told: frozenset[str] = frozenset()


def _made_right(same: Sequence[_Open], new: Attempt) -> _Open | None:
    """Return which of the tries that failed a call made right: the last one, unless another is clearly more alike."""
    alike = [fuzz.ratio(old.tried.arguments, new.arguments) for old in same]
    close = [old for old, at in zip(same, alike, strict=True) if at >= max(alike) - _CLOSE]
    return close[-1] if close else None


def _taught(old: _Open, new: Attempt) -> bool:
    """Tell whether a call worked for what is otherwise in it.

    The result that failed names it; or nothing else was done between them, and the call is none that checks files.
    Where it checks files, and something was done in between, nothing is proof.
    What the operator told the agent to do otherwise it did not learn by itself.
    """
    wrong, right = (set(_WORD.findall(_WAITS.sub("", one.arguments))) for one in (old.tried, new))
    if wrong == right or _misspelt(wrong - right, right - wrong) or old.told & (wrong ^ right):
        return False
    said = {word for tried in (old.tried, new) for word in _SPACES.split(tried.arguments)}
    checks = not said.isdisjoint(_programs_that("checks"))
    if _words(old.tried.result) & (wrong ^ right):
        return not (checks and old.changed)
    return not (checks or old.changed) and new.turn - old.tried.turn <= _SOON


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text)) | frozenset(re.findall(r"\w{2,}", text))


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
    """Return the results of calls by the event of the result; calls of one tool are answered in their order.

    What was not run at all, for the operator did not allow it, is none of them.
    """
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
                if not _REFUSED.search(one.text):
                    error = wrong(one, logs=said.startswith("{") or bool(_LOGS.search(said)))
                    worked = not (error or one.failed or _exit_code(one.text))
                    found[one.event] = Attempt(one.tool, said, one.event, turn, bool(error), error, one.text, worked)
    return found


def wrong(result: Message, *, logs: bool = False) -> str:
    """Return the line of a result that says what went wrong, "" where nothing does: `grep` that finds nothing.

    `logs` tells that the call prints what others said, errors of theirs included.
    """
    text = result.text.strip()
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    told = _of_json(text)
    code = _exit_code(text)
    if code is None and not logs and rows and (last := _BARE_EXIT.fullmatch(rows[-1])):
        code = int(last[1])
    said = next((row for row in reversed(rows) if _pattern("wrong").search(row)), "")
    ended = bool(rows and _pattern("wrong").search(rows[-1]))
    if not (result.failed or told or code or (code is None and ended and not logs)):
        return ""
    plain = next((row for row in reversed(rows) if not _EXIT.search(row)), "")
    return (told or said or plain)[:_LONGEST]


def _exit_code(text: str) -> int | None:
    return next((int(found[1]) for found in _EXIT.finditer(text[-_TAIL:])), None)


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
    if old.tool != new.tool or not old.arguments or not new.arguments or _only_looks(old, new) or _begins(old, new):
        return False
    before, after = _values(old.arguments), _values(new.arguments)
    if before is not None and after is not None:
        return max(fuzz.ratio(before, after), fuzz.token_set_ratio(before, after)) >= _LIKE
    plain = _plain(old.arguments), _plain(new.arguments)
    alike = fuzz.token_sort_ratio(*plain)
    shared = set(_programs(old.arguments)).intersection(_programs(new.arguments)).difference(_programs_that("says"))
    if not shared:
        return max(alike, fuzz.ratio(*plain)) >= _OTHER_PROGRAM
    words, others = (set(one.split()) for one in plain)
    return alike >= _SAME_PROGRAM or words <= others or others <= words


def _begins(old: Attempt, new: Attempt) -> bool:
    """Tell whether a call does but the first things of an earlier one, behind which that may have failed."""
    before, after = _programs(old.arguments), _programs(new.arguments)
    return 0 < len(after) < len(before) and before[: len(after)] == after


def _only_looks(old: Attempt, new: Attempt) -> bool:
    """Tell whether a call asks how things stand that an earlier one was to change, or does something else to them."""
    if _LOOKS.search(new.arguments) and not _LOOKS.search(old.arguments):
        return True
    did, does = _verbs(old.arguments), _verbs(new.arguments)
    both = {program for program, _ in did} & {program for program, _ in does}
    named = any(verb in old.result for program, verb in did | does if program in both)
    return bool(both) and not did & does and not named


def _verbs(command: str) -> set[tuple[str, str]]:
    return {(step[0], step[1]) for step in _steps(command) if len(step) > 1 and _VERB.fullmatch(step[1])}


def _values(arguments: str) -> str | None:
    """Return the values of arguments that are JSON, None for a command."""
    if not arguments.startswith("{"):
        return None
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return " ".join(str(one) for one in value.values()) if isinstance(value, dict) else arguments


def _programs(command: str) -> list[str]:
    """Return what a command runs, with the verb that says what it does: `git push`; nothing of JSON."""
    found: list[str] = []
    for name, *rest in _steps(command):
        verbs = [one for one in rest if not one.startswith("-")][: _programs_that("verbs").count(name)]
        found.append(" ".join((name, *verbs)))
    return found


def _plain(command: str) -> str:
    """Return a command without what stands around what it does: where it runs, as whom, and paths of programs."""
    return " ; ".join(" ".join(step) for step in _steps(command)) or command


@lru_cache(maxsize=256)
def _steps(command: str) -> Sequence[Sequence[str]]:
    """Return the words of each thing that a command does, the name of its program first; nothing of JSON."""
    found: list[Sequence[str]] = []
    if command.startswith("{"):
        return found
    for part in _STEP.split(_AS.sub("", _QUOTED.sub(lambda quoted: _STEP.sub(" ", quoted[0]), command))):
        try:
            words = shlex.split(part)
        except ValueError:
            words = part.split()
        left = [one for one in words if one not in _LEADS and not _SETS.fullmatch(one)]
        if left and left[0] != "cd":
            where = 2 if left[:2] == ["git", "-C"] else 0
            found.append((_FOLDERS.split(left[0])[-1].removesuffix(".exe"), *left[1 + where :]))
    return found
