"""The lessons agent: notes what failed and worked otherwise."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from rapidfuzz.distance import Prefix

from clawgit.agents import line_claims, messages_to_read
from clawgit.agents.line_claims import AskedOnce, LineClaim, Say
from clawgit.agents.messages_to_read import Heard
from clawgit.agents.running import MAX_OPEN_ITEMS, Learnt, Proposal, View, count_open_items
from clawgit.llm.model import ModelError
from clawgit.reading.backlog import Progress, name_session
from clawgit.reading.citation import Source
from clawgit.safety import hidden_text, injection
from clawgit.safety.redaction import redacted
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.tool_retries import MOST_TURNS, Attempt, Retry, attempts, is_retry, retries
from clawgit.text.edit import append_block
from clawgit.text.entry import named
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.reading_cursors import Cursor

NAME = "lessons"
PATH = "memory/lessons.md"
BIRTH = "# Lessons from mistakes\n"
_ALIKE = 0.7
"""The share of words from which on two lessons are one (seed 3)."""
_AFTER = 6
"""Calls after one that may have failed, among which another try is looked for."""
_SHORT, _SOON = 200, 3
"""Characters of a result that may be a refusal, if the call is made again within so many turns."""
_MOST = 40
"""Calls of a stretch; what goes on for longer is cut."""
_SCENARIO, _CALL, _WHY, _RESULT = 120, 200, 160, 200
"""Characters of each part of a record, and of what a voice is shown of a result."""
_BEGIN, _BEFORE = 60, 20
"""Characters of a long call from its beginning, and from before what is different in it."""
_TOKENS, _BATCH = 60, 24_000
"""Tokens of an answer for each stretch, and characters of what is read in one call."""
_PAIR = re.compile(r"^\W*(\d{1,4})\s*>\s*(\d{1,4})\b:?[ \t]*(.*)$", re.MULTILINE)
_NONE = re.compile(r"^\W*none\b", re.IGNORECASE | re.MULTILINE)
_RULES = ("AGENTS.md", "TOOLS.md")
_CALLS = re.compile(r"^.*\bWrong: (`.*`) Right: (`.*`)(?: Why: .*)?$", re.MULTILINE)
_WORD = re.compile(r"[\w@%+=:./~-]+")
_OPERATORS = ("direct", "unknown")
"""The kinds of conversations in which nobody but the operator has the agent call tools."""


class Lesson(Struct, frozen=True):
    """A record of memory/lessons.md: texts of one line without secrets, and the session and event of the call."""

    day: str
    scenario: str
    wrong: str
    right: str
    why: str
    source: str

    @property
    def id(self) -> str:
        """What the record is called."""
        return named(f"lesson\0{self.source}\0{self.wrong}\0{self.right}")

    def block(self) -> str:
        """Return the record as a section with one line."""
        parts = {"Scenario": self.scenario, "Wrong": _code(self.wrong), "Right": _code(self.right), "Why": self.why}
        line = " ".join(f"{label}: {text}" for label, text in parts.items() if text)
        return f"## {self.id} {self.day} {self.source}\n\n{line}\n"


class RetryLessons:
    """Reads the calls of tools in conversations, and notes each that failed and worked otherwise (seed 3).

    Without a voice each is an item of the inbox. What was read before is not read again, unless `start` (seconds since
    1970) says from when on.
    """

    name = NAME

    def __init__(
        self, store: ChatStore, *, start: float | None = None, say: AskedOnce | None = None, told: str = ""
    ) -> None:
        self._store, self._start, self._say, self._told = store, start, say, told
        self._notes: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what a voice could not be asked."""
        return tuple(dict.fromkeys(self._notes))

    @property
    def usage(self) -> Mapping[str, float]:
        """What a voice was asked, empty without one."""
        return self._say.usage if self._say else {}

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield a proposal for each lesson, and one for each conversation that was not read to its end."""
        del now
        progress = messages_to_read.load(view.workspace, NAME)
        for summary in self._store.sessions():
            name = name_session(summary.session)
            if messages_to_read.is_read(summary, progress, self._start) or summary.session.kind not in _OPERATORS:
                continue
            messages = list(self._store.messages(summary.session))
            if not messages:
                continue
            if self._say is None and count_open_items(view, NAME) >= MAX_OPEN_ITEMS:
                self._notes.append(f"{MAX_OPEN_ITEMS} lessons wait in the inbox: no more are proposed until you decide")
                break
            skipped: Counter[str] = Counter()
            lessons, by_rules = self._read(messages)
            fresh = [lesson for lesson in lessons if self._is_new(lesson[0], messages, name, progress)]
            for retry, lesson in _new(view, name, fresh, messages, skipped):
                waits = by_rules or bool(injection.scan(lesson.block()))
                yield _proposal(view, retry, lesson, waits=waits)
            time = round(max(message.time or 0.0 for message in messages) * 1000)
            reached = ((Cursor(name, messages[-1].event, time), summary.messages),)
            yield Proposal(None, (), len(messages), skipped, reached)

    def _read(self, messages: Sequence[Message]) -> tuple[list[tuple[Retry, str]], bool]:
        """Return what failed and worked otherwise, with the reason that a voice gives; and whether rules found it."""
        if self._say:
            try:
                return by_voice(messages, self._say, self._told), False
            except ModelError as exc:
                self._notes.append(f"the voice gave no answer, and rules found the lessons: {exc.message}")
        return [(retry, "") for retry in retries(messages)], True

    def _is_new(self, retry: Retry, messages: Sequence[Message], session: str, progress: Progress) -> bool:
        numbers = {message.event: number for number, message in enumerate(messages)}
        number = numbers[retry.right.event]
        time = messages[number].time or 0.0
        cursor = progress.cursors.get(session)
        if self._start is not None or cursor is None:
            return time >= (self._start or 0.0)
        return number > numbers[cursor.event] if cursor.event in numbers else time * 1000 > cursor.at


class Asked(Struct, frozen=True):
    """A call, and what the operator had asked for before it, if that is known."""

    request: Message | None
    call: Attempt


def stretches(messages: Sequence[Message]) -> Iterator[Sequence[Asked]]:
    """Yield the stretches in which a reader may find what failed, was tried otherwise, and worked."""
    results = attempts(messages)
    asked: list[Asked] = []
    request: Message | None = None
    for message in messages:
        if message.role == "user" and message.origin == "operator" and message.text.strip():
            request = message
        if message.event in results:
            asked.append(Asked(request, results[message.event]))
    calls = [one.call for one in asked]
    start = end = -1
    for number in range(len(calls)):
        retry = _last_retry(calls, number)
        if retry == number:
            continue
        if number > end or retry - start >= _MOST:
            if end >= 0:
                yield asked[start : end + 1]
            start = number
        end = max(end, retry)
    if end >= 0:
        yield asked[start : end + 1]


def _last_retry(calls: Sequence[Attempt], number: int) -> int:
    """Return the place of the last call that may be another try of one; its own where it seems to have worked."""
    call = calls[number]
    near = [at for at in range(number + 1, len(calls)) if calls[at].turn - call.turn <= MOST_TURNS]
    tries = [at for at in near if is_retry(call, calls[at])]
    if call.failed:
        return max([number, *near[:_AFTER], *tries])
    soon = [at for at in tries if calls[at].turn - call.turn <= _SOON]
    return soon[-1] if soon and len(call.result.strip()) <= _SHORT else number


def by_voice(messages: Sequence[Message], say: Say, told: str) -> list[tuple[Retry, str]]:
    """Return the lessons that a voice, which is `told` what they are, finds in a conversation, with its reasons.

    Raises ModelError where it gives no answer, or one that cannot be read.
    """
    lessons: list[tuple[Retry, str]] = []
    for batch in _batches(stretches(messages)):
        calls = [(stretch, one) for stretch in batch for one in stretch]
        answer = say(told, _shown(batch), _TOKENS * len(batch))
        pairs = _PAIR.findall(answer)
        if not pairs and not _NONE.search(answer):
            raise ModelError("model-answer", "what it said is no answer")
        for wrong, right, why in pairs:
            first, second = int(wrong) - 1, int(right) - 1
            if not 0 <= first < second < len(calls) or calls[first][0] is not calls[second][0]:
                continue
            retry = Retry(calls[first][1].request, calls[first][1].call, calls[second][1].call)
            if retry.right.worked and retry.wrong.arguments != retry.right.arguments:
                lessons.append((retry, why.strip()))
    return lessons


def _batches(some: Iterable[Sequence[Asked]]) -> Iterator[list[Sequence[Asked]]]:
    """Yield stretches in groups that one call of a voice reads."""
    batch: list[Sequence[Asked]] = []
    size = 0
    for stretch in some:
        more = len(_shown([stretch]))
        if batch and size + more > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(stretch)
        size += more
    if batch:
        yield batch


def _shown(batch: Iterable[Sequence[Asked]]) -> str:
    """Return what a voice is shown of stretches: calls and the ends of their results, numbered from 1."""
    rows: list[str] = []
    number = 0
    for stretch in batch:
        request: Message | None = None
        calls = [_clean(one.call.arguments) for one in stretch]
        for at, one in enumerate(stretch):
            if one.request is not request or at == 0:
                asked = shorten(_clean(one.request.text), _RESULT) if one.request else "unknown"
                rows.append(f"Asked: {asked}")
            request, number = one.request, number + 1
            rows.append(f"{number} {one.call.tool} {_apart(calls[at], calls)}")
            result = _clean(one.call.result.strip())
            begin = f"{result[:_RESULT]}… " if one.call.failed and len(result) > 2 * _RESULT else ""
            end = result if len(result) <= _RESULT * (1 + one.call.failed) else f"…{result[-_RESULT:]}"
            rows.append(f"  printed{' (failed)' if one.call.failed else ''}: {begin}{end}")
        rows.append("")
    return "\n".join(rows)


def _clean(text: str) -> str:
    return one_line(redacted(text))


def _apart(call: str, others: Iterable[str]) -> str:
    """Return a call, or of a long one how it begins, and what is in it from where it differs from the most like it."""
    if len(call) <= _CALL:
        return call
    common = max((Prefix.similarity(call, other) for other in others if other != call), default=0)
    start = max(0, min(common - _BEFORE, len(call) - _CALL + _BEGIN))
    return shorten(call, _CALL) if start <= _BEGIN else f"{call[:_BEGIN]}… {shorten(call[start:], _CALL - _BEGIN)}"


def _new(
    view: View,
    session: str,
    lessons: Iterable[tuple[Retry, str]],
    messages: Iterable[Message],
    skipped: Counter[str],
) -> Iterator[tuple[Retry, Lesson]]:
    """Yield the lessons that neither the file nor an item of the inbox has."""
    times = {message.event: message.time for message in messages}
    known = [_words(*calls) for text in (view.read(PATH) or "", *_asked_before(view)) for calls in _CALLS.findall(text)]
    rules = [frozenset(_WORD.findall(row)) for path in _RULES for row in (view.read(path) or "").splitlines()]
    for retry, why in lessons:
        lesson = _lesson(retry, session, times[retry.right.event], why)
        words = _words(lesson.wrong, lesson.right)
        if hidden_text.scan(lesson.block()):
            skipped["hidden characters"] += 1
        elif lesson.wrong == lesson.right:
            skipped["only blanks are different"] += 1
        elif any(_words(lesson.right) <= rule for rule in rules):
            skipped["a rule of the workspace says so already"] += 1
        elif any(len(words & other) > _ALIKE * min(len(words), len(other)) for other in known):
            skipped["known already"] += 1
        else:
            known.append(words)
            yield retry, lesson


def _asked_before(view: View) -> Collection[str]:
    """Return the file as each item of the inbox would have it, also the rejected ones."""
    items = view.workspace.store.read_items("open", "rejected")
    return [text for item in items if PATH in item.paths and (text := item.texts[PATH][1])]


def _lesson(retry: Retry, session: str, time: float | None, reason: str) -> Lesson:
    day = datetime.fromtimestamp(time or 0.0, UTC).date().isoformat()
    scenario = shorten(_clean(retry.asked.text), _SCENARIO) if retry.asked else ""
    wrong, right = (_call(*pair) for pair in ((retry.wrong, retry.right), (retry.right, retry.wrong)))
    why = "" if injection.scan(retry.wrong.error) else shorten(_clean(retry.wrong.error), _WHY)
    if reason and not line_claims.fault(LineClaim(reason, (Source(_case(retry), None),), longest=_WHY)):
        why = reason
    return Lesson(day, scenario, wrong, right, why, f"session:{session}#{retry.right.event}")


def _case(retry: Retry) -> str:
    """Return all that a reason may rest on."""
    asked, first, second = retry.asked.text if retry.asked else "", retry.wrong, retry.right
    return redacted(f"{asked}\n{first.arguments}\n{first.result}\n{second.arguments}\n{second.result}")


def _call(call: Attempt, other: Attempt) -> str:
    """Return a call on one line, shortened if it is long, with what is different in it from another."""
    text = _apart(_clean(call.arguments), [_clean(other.arguments)])
    return f"{call.tool} {text}" if text.startswith("{") else text


def _words(*calls: str) -> frozenset[str]:
    return frozenset(word for call in calls for word in _WORD.findall(call))


def _code(call: str) -> str:
    return f"`{call}`" if "`" not in call else f"`` {call} ``"


def _proposal(view: View, retry: Retry, lesson: Lesson, *, waits: bool) -> Proposal:
    before = view.read(PATH)
    pointer = _pointer(retry)
    change = Change(
        f"memory: {shorten(f'lesson: {lesson.right}', 60)}",
        "A call failed, was made otherwise, and worked.",
        (Edit(PATH, before, append_block(BIRTH if before is None else before, lesson.block())),),
        (pointer,) if pointer else (),
        "agent",
        NAME,
    )
    learnt = Learnt(f"{lesson.wrong} / {lesson.right}", PATH, "", "note", lesson.id)
    return Proposal(change, (learnt,), wait=True if waits else None)


def _pointer(retry: Retry) -> str | None:
    """Return the evidence for a lesson: the words by which the operator asked for it."""
    if retry.asked is None:
        return None
    asked = retry.asked
    heard = Heard(asked.text, asked.origin, asked.time, asked.session, asked.event)
    return heard.pointer(messages_to_read.quote(asked.text))
