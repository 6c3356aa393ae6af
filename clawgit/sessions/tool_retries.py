"""Finds calls that failed, were made otherwise, and worked."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from rapidfuzz import fuzz

from clawgit.language import pattern_tables
from clawgit.sessions.chat_store import Message
from clawgit.sessions.transcript import read_table

MOST_TURNS = 12
"""Turns of the agent within which a call is made again (seed 3)."""
_SIMILAR = 70.0
"""How alike two calls are, of 100, from which on the later is another try of the earlier one."""
_LONGEST = 200
_TAIL = 400
_EXIT = re.compile(
    r"^\W*(?:(?:command|process)\s+)?(?:exit(?:ed)?(?:\s+with)?\s+(?:code|status)|exited)[\s:=]+(\d{1,3})\W*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of its own: a script that is shown may have `exit 1` in it."""
_BARE_EXIT = re.compile(r"\W*exit\s+(\d{1,3})\W*", re.IGNORECASE)
_COMMANDS = ("command", "cmd", "script")
_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/tool_calls.toml", "results")


class Attempt(Struct, frozen=True):
    """A call with its result: `turn` counts the turns of the agent before it, `error` is what the result says is wrong.

    Where a failure is reported and nothing is said of it, a call has no error and did not work: `grep` found nothing.
    `arguments` is the command of a tool that runs one, else JSON; `event` and the text are those of the `result`.
    """

    tool: str
    arguments: str
    event: str
    turn: int
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
    failures: list[tuple[Attempt, Message | None]] = []
    request: Message | None = None
    results = attempts(messages)
    for message in messages:
        if message.role == "user" and message.origin == "operator" and message.text.strip():
            request = message
        attempt = results.get(message.event)
        if attempt is None:
            continue
        failures = [failure for failure in failures if attempt.turn - failure[0].turn <= MOST_TURNS]
        matches = [failure for failure in failures if is_retry(failure[0], attempt)]
        if attempt.error:
            failures.append((attempt, matches[-1][1] if matches else request))
        elif attempt.worked and matches:
            failures = [failure for failure in failures if failure not in matches]
            yield Retry(matches[-1][1], matches[-1][0], attempt)


def is_retry(first: Attempt, second: Attempt) -> bool:
    """Return whether one call is another try of an earlier one: the same tool, with much the same arguments."""
    if first.tool != second.tool or not first.arguments or first.arguments == second.arguments:
        return False
    return fuzz.ratio(first.arguments, second.arguments) >= _SIMILAR


def attempts(messages: Iterable[Message]) -> Mapping[str, Attempt]:
    """Return the results of calls by the event of the result; calls of one tool are answered in their order.

    What was not run at all, for the operator did not allow it, is none of them.
    """
    calls: dict[str, deque[str]] = {}
    results: dict[str, Attempt] = {}
    turn = 0
    for message in messages:
        if message.role == "assistant":
            turn += 1
            calls = {}
        for call in message.calls:
            calls.setdefault(call.name, deque()).append(_command(call.arguments))
        if message.role == "tool" and calls.get(message.tool):
            command, text = calls[message.tool].popleft(), message.text
            if not _pattern("refused").search(text):
                error = error_line(message, by_text=not command.startswith("{"))
                worked = not (error or message.failed or _exit_code(text))
                results[message.event] = Attempt(message.tool, command, message.event, turn, error, text, worked)
    return results


def error_line(result: Message, *, by_text: bool = True) -> str:
    """Return the line of a result that says what went wrong, "" where nothing does: `grep` that finds nothing.

    With `by_text` an error in its last line is one, which may be that of a file that is shown.
    """
    text = result.text.strip()
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    message, code = _error_of_json(text), _exit_code(text)
    if code is None and by_text and rows and (ending := _BARE_EXIT.fullmatch(rows[-1])):
        code = int(ending[1])
    errors = [row for row in rows if _pattern("wrong", flags=re.NOFLAG).search(row)]
    ends_in_error = by_text and code is None and errors[-1:] == rows[-1:] != []
    if not (result.failed or message or code or ends_in_error):
        return ""
    plain = next((row for row in reversed(rows) if not _EXIT.search(row)), "")
    return (message or (errors[-1] if errors else plain))[:_LONGEST]


def _exit_code(text: str) -> int | None:
    return next((int(match[1]) for match in _EXIT.finditer(text[-_TAIL:])), None)


def _error_of_json(text: str) -> str:
    """Return what a result that is JSON says is wrong."""
    value = read_table(text) if text.startswith("{") else {}
    error = value.get("error") or (value.get("message") or "failed" if value.get("status") == "error" else "")
    return " ".join(str(error.get("message", error) if isinstance(error, dict) else error).split())


def _command(arguments: str) -> str:
    """Return the command of a call that runs one, else its arguments."""
    value = read_table(arguments)
    return next((value[key] for key in _COMMANDS if isinstance(value.get(key), str)), arguments).strip()
