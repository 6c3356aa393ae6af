"""The lessons agent: calls that failed and worked otherwise."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz import fuzz

from clawgit.agents.running import MAX_OPEN_ITEMS, Agent, Progress, View, count_open_items
from clawgit.language import lexicon
from clawgit.reading import backlog
from clawgit.reading.backlog import Backlog
from clawgit.safety import hidden_text
from clawgit.safety.redaction import redact
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.transcript import read_table
from clawgit.text.edit import append_block
from clawgit.text.entry import make_name
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import fold_spaces, shorten

NAME = "lessons"
PATH = "memory/lessons.md"
BIRTH = "# Lessons from mistakes\n"
_SAME_LESSON_SHARE = 0.7
"""The share of words from which on two lessons are one (seed 3)."""
_SCENARIO, _CALL, _REASON_CHARS = 120, 200, 160
"""Characters of each part of a record."""
_CALLS = re.compile(r"^.*\bWrong: (`.*`) Right: (`.*`)(?: Why: .*)?$", re.MULTILINE)
_WORD = re.compile(r"[\w@%+=:./~-]+")
MOST_TURNS = 12
"""Turns of the agent within which a call is made again (seed 3)."""
_SIMILAR = 70.0
"""How alike two calls are, of 100, from which on the later is another try of the earlier one."""
_MAX_ERROR_CHARS = 200
_TAIL = 400
_EXIT = re.compile(
    r"^\W*(?:(?:command|process)\s+)?(?:exit(?:ed)?(?:\s+with)?\s+(?:code|status)|exited)[\s:=]+(\d{1,3})\W*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of its own: a script that is shown may have `exit 1` in it."""
_BARE_EXIT = re.compile(r"\W*exit\s+(\d{1,3})\W*", re.IGNORECASE)
_COMMANDS = ("command", "cmd", "script")
_find_pattern = partial(lexicon.pattern, Path(__file__).parent / "data/tool_calls.toml", "results")


class Attempt(Struct, frozen=True):
    """A call with its result, and the operator's request before it.

    `turn` counts the turns of the agent before it, `error` is the error in the result; a reported failure without a
    message has none and did not work: `grep` found nothing. `arguments` is the command of a tool that runs one, else
    JSON; `event` is that of the result.
    """

    tool: str
    arguments: str
    event: str
    turn: int
    request: Message | None
    error: str
    worked: bool
    time: float | None


class Retry(Struct, frozen=True):
    """The last call that failed, and the one that worked instead."""

    wrong: Attempt
    right: Attempt


def retries(messages: Iterable[Message]) -> Iterator[Retry]:
    """Yield failures that worked within so many turns when the same tool was called with other arguments (spec S3).

    Of several failed tries the last one counts; a call that works unchanged the second time teaches nothing.
    """
    failures: list[Attempt] = []
    for attempt in list_attempts(messages):
        failures = [failure for failure in failures if attempt.turn - failure.turn <= MOST_TURNS]
        # Another try is a call of the same tool with much the same arguments.
        new, others = attempt.arguments, [failure for failure in failures if failure.tool == attempt.tool]
        others = [failure for failure in others if failure.arguments not in ("", new)]
        matches = [failure for failure in others if fuzz.ratio(failure.arguments, new) >= _SIMILAR]
        if attempt.error:
            failures.append(replace(attempt, request=matches[-1].request) if matches else attempt)
        elif attempt.worked and matches:
            failures = [failure for failure in failures if failure not in matches]
            yield Retry(matches[-1], attempt)


def list_attempts(messages: Iterable[Message]) -> Iterator[Attempt]:
    """Yield the results of calls; calls of one tool are answered in their order.

    Calls that the operator did not allow, and that did not run, are left out.
    """
    calls: defaultdict[str, deque[str]] = defaultdict(deque)
    request, turn = None, 0
    for message in messages:
        if message.role == "user" and message.origin == "operator" and message.text.strip():
            request = message
        if message.role == "assistant":
            turn += 1
            # A call without a result before the next turn of the agent never gets one.
            calls.clear()
        for call in message.calls:
            table = read_table(call.arguments)
            command = next((table[key] for key in _COMMANDS if isinstance(table.get(key), str)), call.arguments)
            calls[call.name].append(command.strip())
        if message.role == "tool" and calls[message.tool]:
            command, text = calls[message.tool].popleft(), message.text
            error = error_line(message, by_text=not command.startswith("{"))
            worked = not (error or message.failed or _exit_code(text))
            if not _find_pattern("refused").search(text):
                yield Attempt(message.tool, command, message.event, turn, request, error, worked, message.time)


def error_line(result: Message, *, by_text: bool = True) -> str:
    """Return the line of a result with its error, "" for none: `grep` that finds nothing.

    With `by_text` an error in its last line is one, which may be that of a shown file.
    """
    text = result.text.strip()
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    value, code = read_table(text) if text.startswith("{") else {}, _exit_code(text)
    if code is None and by_text and rows and (ending := _BARE_EXIT.fullmatch(rows[-1])):
        code = int(ending[1])
    error = value.get("error") or (value.get("message") or "failed" if value.get("status") == "error" else "")
    message = fold_spaces(str(error.get("message", error) if isinstance(error, dict) else error))
    errors = [row for row in rows if _find_pattern("wrong", flags=re.NOFLAG).search(row)]
    ends_in_error = by_text and code is None and errors[-1:] == rows[-1:] != []
    if not (result.failed or message or code or ends_in_error):
        return ""
    plain = next((row for row in reversed(rows) if not _EXIT.search(row)), "")
    return (message or (errors[-1] if errors else plain))[:_MAX_ERROR_CHARS]


def _exit_code(text: str) -> int | None:
    return next((int(match[1]) for match in _EXIT.finditer(text[-_TAIL:])), None)


class RetryLessons(Agent):
    """Finds calls of tools that failed and worked otherwise; each is an item of the inbox (seed 3).

    It reads conversations in which nobody but the operator has the agent call tools. Read messages are not read again,
    unless `start` (seconds since 1970) is given.
    """

    name = NAME
    store: ChatStore
    start: float | None = None

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield a change for each lesson, and how far each conversation is read."""
        reads, kinds = [backlog.load_read(view.workspace, NAME)], ("direct", "unknown")
        turns = Backlog(self.store, reads, now, start=self.start, is_wanted=lambda session: session.kind in kinds)
        for talk, messages in turns.list_messages():
            if count_open_items(view, NAME) >= MAX_OPEN_ITEMS:
                self.notes.append(f"{MAX_OPEN_ITEMS} lessons wait in the inbox: no more are proposed until you decide")
                break
            skipped, new = Counter[str](), {message.event for message in messages}
            new_retries = [retry for retry in retries(talk.messages) if retry.right.event in new]
            yield from _list_lessons(view, talk.name, new_retries, skipped)
            yield Progress(len(talk.messages), skipped, talk.reach())


def _list_lessons(view: View, session: str, new_retries: Iterable[Retry], skipped: Counter[str]) -> Iterator[Change]:
    """Yield the changes of the lessons that neither the file nor an item of the inbox has."""
    items = view.workspace.store.read_items("open", "rejected")
    before, item_texts = view.read(PATH), [item.texts[PATH][1] or "" for item in items if PATH in item.paths]
    word_sets = [_words(*calls) for text in (before or "", *item_texts) for calls in _CALLS.findall(text)]
    for retry in new_retries:
        wrong, right = _show_call(retry.wrong), _show_call(retry.right)
        block, words = _write_record(retry, session, wrong, right), _words(wrong, right)
        if hidden_text.find_hidden_text(block):
            skipped["hidden characters"] += 1
        elif wrong == right:
            skipped["equal calls"] += 1
        elif any(len(words & other) > _SAME_LESSON_SHARE * min(len(words), len(other)) for other in word_sets):
            skipped["known already"] += 1
        else:
            word_sets.append(words)
            pointer = retry.wrong.request.point_to() if retry.wrong.request else None
            yield Change(
                f"memory: lesson: {shorten(right, 52)}",
                "A call failed, and worked otherwise.",
                (Edit(PATH, before, append_block(BIRTH if before is None else before, block)),),
                (pointer,) if pointer else (),
                "agent",
                NAME,
                held=True,
            )


def _show_call(call: Attempt) -> str:
    """Return a call on one line, without secrets."""
    return shorten(_clean_part(f"{call.tool} {call.arguments}" if "{" in call.arguments[:1] else call.arguments), _CALL)


def _write_record(retry: Retry, session: str, wrong: str, right: str) -> str:
    """Return the record of a lesson, without secrets: a section with one line, named by the session and the event."""
    day = datetime.fromtimestamp(retry.right.time or 0.0, UTC).date().isoformat()
    source, request = f"session:{session}#{retry.right.event}", retry.wrong.request
    parts = {
        "Scenario": shorten(_clean_part(request.text), _SCENARIO) if request else "",
        "Wrong": f"`{wrong}`" if "`" not in wrong else f"`` {wrong} ``",
        "Right": f"`{right}`" if "`" not in right else f"`` {right} ``",
        "Why": shorten(_clean_part(retry.wrong.error), _REASON_CHARS),
    }
    line = " ".join(f"{label}: {text}" for label, text in parts.items() if text)
    name = make_name(f"lesson\0{source}\0{wrong}\0{right}")
    return f"## {name} {day} {source}\n\n{line}\n"


def _clean_part(text: str) -> str:
    return fold_spaces(redact(text))


def _words(*calls: str) -> frozenset[str]:
    return frozenset(word for call in calls for word in _WORD.findall(call))
