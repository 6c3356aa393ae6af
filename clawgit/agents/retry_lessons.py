"""The lessons agent: notes what failed and worked otherwise."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from rapidfuzz.distance import Prefix

from clawgit.agents import messages_to_read
from clawgit.agents.messages_to_read import Heard, Progress
from clawgit.agents.protocol import line_claims
from clawgit.agents.protocol.line_claims import AskedOnce, LineClaim, Say
from clawgit.agents.protocol.nothing_invented import Source
from clawgit.agents.running import Learnt, Proposal, View
from clawgit.llm.model import ModelError
from clawgit.safety import hidden_text, injection
from clawgit.safety.redaction import redacted
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.tool_retries import MOST_TURNS, Attempt, Retry, again, attempts, retries
from clawgit.text.edit import append_block
from clawgit.text.entry import named
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.reading_cursors import Cursor

_AFTER = 6
"""Calls after one that may have failed, among which another try is looked for."""
_SHORT, _SOON = 200, 3
"""Characters of a result that may be a refusal, if the call is made again within so many turns."""


_MOST = 40
"""Calls of a stretch; what goes on for longer is cut."""


class Asked(Struct, frozen=True):
    """A call, and what the operator had asked for before it, if that is known."""

    request: Message | None
    call: Attempt


def stretches(messages: Sequence[Message]) -> Iterator[Sequence[Asked]]:
    """Yield the stretches in which a reader may find what failed, was tried otherwise, and worked."""
    results = attempts(messages)
    found: list[Asked] = []
    request: Message | None = None
    for one in messages:
        if one.role == "user" and one.origin == "operator" and one.text.strip():
            request = one
        if one.event in results:
            found.append(Asked(request, results[one.event]))
    calls = [one.call for one in found]
    start = end = -1
    for at in range(len(calls)):
        last = _last(calls, at)
        if last == at:
            continue
        if at > end or last - start >= _MOST:
            if end >= 0:
                yield found[start : end + 1]
            start = at
        end = max(end, last)
    if end >= 0:
        yield found[start : end + 1]


def _last(calls: Sequence[Attempt], at: int) -> int:
    """Return the place of the last call that may be another try of one; its own where it seems to have worked."""
    one = calls[at]
    near = [number for number in range(at + 1, len(calls)) if calls[number].turn - one.turn <= MOST_TURNS]
    tries = [number for number in near if again(one, calls[number]) and calls[number].arguments != one.arguments]
    if one.failed:
        return max([at, *near[:_AFTER], *tries])
    short = len(one.result.strip()) <= _SHORT
    soon = [number for number in tries if calls[number].turn - one.turn <= _SOON]
    return soon[-1] if short and soon else at


NAME = "lessons"
PATH = "memory/lessons.md"
BIRTH = "# Lessons from mistakes\n"
_ALIKE = 0.7
"""The share of words from which on two lessons are one (seed 3)."""
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
        """Return the record as it stands in the file; what is found together stands on one line."""
        parts = {"Scenario": self.scenario, "Wrong": _code(self.wrong), "Right": _code(self.right), "Why": self.why}
        told = " ".join(f"{label}: {text}" for label, text in parts.items() if text)
        return f"## {self.id} {self.day} {self.source}\n\n{told}\n"


Learning = tuple[Lesson, Retry]


class RetryLessons:
    """Reads the calls of tools in conversations, and notes each that failed and worked otherwise (seed 3).

    What was read before is not looked at again, unless `start` (seconds since 1970) says from when on.
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
        """Yield a proposal for each conversation that was not read to its end."""
        del now
        progress = messages_to_read.load(view.workspace, NAME)
        for summary in self._store.sessions():
            name = messages_to_read.session_name(summary)
            if messages_to_read.is_read(summary, progress, self._start) or summary.session.kind not in _OPERATORS:
                continue
            messages = list(self._store.messages(summary.session))
            if not messages:
                continue
            skipped: Counter[str] = Counter()
            told = self._told_by_voice(messages)
            every = [(one, "") for one in retries(messages)] if told is None else told
            found = [(one, why) for one, why in every if self._is_new(one, messages, name, progress)]
            last = round(max(one.time or 0.0 for one in messages) * 1000)
            reached = ((Cursor(name, messages[-1].event, last), summary.messages),)
            learnt = list(_new(view, name, found, messages, skipped))
            yield _proposal(view, learnt, len(messages), reached, skipped)

    def _told_by_voice(self, messages: Sequence[Message]) -> list[tuple[Retry, str]] | None:
        if self._say is None:
            return None
        try:
            return by_voice(messages, self._say, self._told)
        except ModelError as exc:
            self._notes.append(f"the voice gave no answer, and rules found the lessons: {exc.message}")
            return None

    def _is_new(self, one: Retry, messages: Sequence[Message], session: str, progress: Progress) -> bool:
        at = {said.event: number for number, said in enumerate(messages)}
        time = messages[at[one.right.event]].time or 0.0
        cursor = progress.cursors.get(session)
        if self._start is not None or cursor is None:
            return time >= (self._start or 0.0)
        return at[one.right.event] > at[cursor.event] if cursor.event in at else time * 1000 > cursor.at


def by_voice(messages: Sequence[Message], say: Say, told: str) -> list[tuple[Retry, str]]:
    """Return the lessons that a voice, which is `told` what they are, finds in a conversation, with its reasons.

    Raises ModelError where it gives no answer, or one that cannot be read.
    """
    found: list[tuple[Retry, str]] = []
    for part in _batches(list(stretches(messages))):
        calls = [(stretch, one) for stretch in part for one in stretch]
        said = say(told, _shown(part), _TOKENS * len(part))
        pairs = _PAIR.findall(said)
        if not pairs and not _NONE.search(said):
            raise ModelError("model-answer", "what it said is no answer")
        for wrong, right, why in pairs:
            first, second = int(wrong) - 1, int(right) - 1
            if not 0 <= first < second < len(calls) or calls[first][0] is not calls[second][0]:
                continue
            one = Retry(calls[first][1].request, calls[first][1].call, calls[second][1].call)
            if one.right.worked and one.wrong.arguments != one.right.arguments:
                found.append((one, why.strip()))
    return found


def _new(
    view: View,
    session: str,
    found: Iterable[tuple[Retry, str]],
    messages: Iterable[Message],
    skipped: Counter[str],
) -> Iterator[Learning]:
    """Yield the lessons that no file has yet."""
    times = {said.event: said.time for said in messages}
    there = [_words(*calls) for calls in _CALLS.findall(view.read(PATH) or "")]
    rules = [frozenset(_WORD.findall(row)) for path in _RULES for row in (view.read(path) or "").splitlines()]
    for one, why in found:
        lesson = _lesson(one, session, times[one.right.event], why)
        words = _words(lesson.wrong, lesson.right)
        if _unfit(lesson):
            skipped["a secret, or what could be an instruction"] += 1
        elif lesson.wrong == lesson.right:
            skipped["only blanks are different"] += 1
        elif any(len(words & other) > _ALIKE * min(len(words), len(other)) for other in there):
            skipped["known already"] += 1
        elif any(_words(lesson.right) <= row for row in rules):
            skipped["a rule of the workspace says so already"] += 1
        else:
            there.append(words)
            yield lesson, one


def _batches(some: Sequence[Sequence[Asked]]) -> Iterator[list[Sequence[Asked]]]:
    """Yield stretches in groups that one call of a voice reads."""
    part: list[Sequence[Asked]] = []
    size = 0
    for one in some:
        more = len(_shown([one]))
        if part and size + more > _BATCH:
            yield part
            part, size = [], 0
        part.append(one)
        size += more
    if part:
        yield part


def _shown(part: Iterable[Sequence[Asked]]) -> str:
    """Return what a voice is shown of stretches: calls and the ends of their results, numbered from 1."""
    rows: list[str] = []
    number = 0
    for stretch in part:
        last: Message | None = None
        calls = [_told(one.call.arguments) for one in stretch]
        for at, one in enumerate(stretch):
            if one.request is not last or one is stretch[0]:
                rows.append(f"Asked: {_cut(one.request.text, _RESULT)}" if one.request else "Asked: unknown")
            last, number = one.request, number + 1
            rows.append(f"{number} {one.call.tool} {_apart(calls[at], calls)}")
            result = f" (failed): {_ends(one.call.result)}" if one.call.failed else f": {_end(one.call.result)}"
            rows.append(f"  printed{result}")
        rows.append("")
    return "\n".join(rows)


def _cut(text: str, most: int) -> str:
    return shorten(one_line(redacted(text)), most)


def _told(text: str) -> str:
    return one_line(redacted(text))


def _apart(told: str, others: Iterable[str]) -> str:
    """Return a call, or of a long one how it begins, and what is in it from where it differs from the most like it."""
    if len(told) <= _CALL:
        return told
    same = max((Prefix.similarity(told, other) for other in others if other != told), default=0)
    start = max(0, min(same - _BEFORE, len(told) - _CALL + _BEGIN))
    return shorten(told, _CALL) if start <= _BEGIN else f"{told[:_BEGIN]}… {shorten(told[start:], _CALL - _BEGIN)}"


def _ends(text: str) -> str:
    """Return how the result of a call that failed begins and ends: either may say what is wrong."""
    told = _told(text.strip())
    return told if len(told) <= 2 * _RESULT else f"{told[:_RESULT]}… …{told[-_RESULT:]}"


def _end(text: str) -> str:
    told = one_line(redacted(text.strip()))
    return told if len(told) <= _RESULT else f"…{told[-_RESULT:]}"


def _case(one: Retry) -> str:
    """Return all that a reason may rest on."""
    asked = one.asked.text if one.asked else ""
    return redacted(f"{asked}\n{one.wrong.arguments}\n{one.wrong.result}\n{one.right.arguments}\n{one.right.result}")


def _lesson(one: Retry, session: str, time: float | None, reason: str) -> Lesson:
    day = datetime.fromtimestamp(time or 0.0, UTC).date().isoformat()
    scenario = shorten(one_line(redacted(one.asked.text)), _SCENARIO) if one.asked else ""
    wrong, right = (_call(*pair) for pair in ((one.wrong, one.right), (one.right, one.wrong)))
    why = "" if injection.scan(one.wrong.error) else shorten(one_line(redacted(one.wrong.error)), _WHY)
    if reason and not line_claims.fault(LineClaim(reason, (Source(_case(one), None),), longest=_WHY)):
        why = reason
    return Lesson(day, scenario, wrong, right, why, f"session:{session}#{one.right.event}")


def _call(one: Attempt, other: Attempt) -> str:
    """Return a call on one line, shortened if it is long, with what is different in it from another."""
    told = _apart(_told(one.arguments), [_told(other.arguments)])
    return f"{one.tool} {told}" if told.startswith("{") else told


def _unfit(lesson: Lesson) -> bool:
    """Tell whether a record could do harm where it is read: it has what a tool printed."""
    text = lesson.block()
    return bool(injection.scan(text) or hidden_text.scan(text))


def _words(*calls: str) -> frozenset[str]:
    return frozenset(word for call in calls for word in _WORD.findall(call))


def _code(call: str) -> str:
    return f"`{call}`" if "`" not in call else f"`` {call} ``"


def _proposal(
    view: View,
    learnt: Sequence[Learning],
    read: int,
    reached: tuple[tuple[Cursor, int], ...],
    skipped: Mapping[str, int],
) -> Proposal:
    if not learnt:
        return Proposal(None, (), read, skipped, reached)
    before = view.read(PATH)
    text = BIRTH if before is None else before
    for lesson, _ in learnt:
        text = append_block(text, lesson.block())
    some = [one for _, one in learnt]
    pointers = dict.fromkeys(filter(None, map(_pointer, some)))
    subject = learnt[0][0].right if len(learnt) == 1 else f"{len(learnt)} lessons"
    change = Change(
        f"memory: {shorten(f'lesson: {subject}' if len(learnt) == 1 else subject, 60)}",
        "A call failed, was made otherwise, and worked.",
        (Edit(PATH, before, text),),
        tuple(pointers),
        "agent",
        NAME,
    )
    told = tuple(Learnt(f"{one.wrong} / {one.right}", PATH, "", "note", one.id) for one, _ in learnt)
    return Proposal(change, told, read, skipped, reached)


def _pointer(one: Retry) -> str | None:
    """Return the evidence for a lesson: the words by which the operator asked for it."""
    if one.asked is None:
        return None
    said = one.asked
    heard = Heard(said.text, said.origin, said.time, said.session, said.event)
    return heard.pointer(messages_to_read.quote(said.text))
