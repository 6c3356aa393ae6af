"""The memory miner: keeps what will still matter."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain, islice

from msgspec.structs import replace

from clawgit.agents import messages_to_read as agents_heard
from clawgit.agents import mining_step, recall_validator, requested_memories
from clawgit.agents.known_memories import Book
from clawgit.agents.messages_to_read import Heard, New
from clawgit.agents.mining_step import Part
from clawgit.agents.reading_by_rules import Found, Ground, Reader, Step, take
from clawgit.agents.running import Act, Learnt, Proposal, View
from clawgit.errors import Advice
from clawgit.messages.pattern_cache import known
from clawgit.messages.patterns import Pattern
from clawgit.sessions.chat_store import ChatStore
from clawgit.workspace.planning import MovedError

NAME = "memory-miner"

_MESSAGES, _FINDINGS = 1000, 250  # of one step


class MemoryMiner:
    """Reads conversations, what triage flagged first, and proposes memories (spec P1).

    `read` says what a message gives. With `start` (seconds since 1970) all is read from there on, whatever was read
    before. A run looks at `most` messages at the most, and says when there are more.
    """

    name = NAME

    def __init__(self, store: ChatStore, read: Reader, *, start: float | None = None, most: int = 20_000) -> None:
        self.store, self._read, self._start, self._most = store, read, start, most
        self._notes: list[str] = []
        self.usage: Mapping[str, float] = {}
        self._patterns: Sequence[Pattern] = ()
        self._now = datetime.now().astimezone()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what is worth telling."""
        return tuple(self._notes)

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield proposals, at least one for each batch of messages."""
        workspace = view.workspace
        lessons = "" if workspace.config.soul_policy == "locked" else str(workspace.config.value("lessons_file"))
        noted = partial(mining_step.is_listed, view, lessons)
        ground = Ground(workspace.memory_file, lessons, now.date(), noted)
        step, seen, book = Step(), list[New](), None
        self._patterns, self._now = known(workspace.root, None).patterns, now
        coming = self._news(view)
        for one in islice(coming, None if self._start is not None else self._most):
            book = book if book and (step.read or book.holds(view)) else Book(view, ground.path)
            self._look(step, book, ground, one.heard)
            seen.append(one)
            if step.read >= _MESSAGES or step.size >= _FINDINGS:
                yield from _proposals(view, step, ground, seen, book)
                step, seen = Step(), []
        if next(coming, None):
            self._notes.append(f"stopped after {self._most:,} messages; the next run goes on with the rest")
        if book:
            yield from _proposals(view, step, ground, seen, book)

    def _look(self, step: Step, book: Book, ground: Ground, heard: Heard) -> None:
        if heard.origin == "untrusted":
            step.read += 1
            step.skipped["not the operator's"] += 1
        else:
            given = recall_validator.without_corrections(heard, self._read(heard))
            if why := take(step, book, ground, heard, given):
                step.unkept += requested_memories.list_ignored(heard, why, self._patterns, self._now)

    def _news(self, view: View) -> Iterator[New]:
        known = agents_heard.load(view.workspace, NAME)
        flagged = agents_heard.flagged(self.store, view.workspace.store, known.answered)
        return chain(flagged, agents_heard.since(self.store, known, self._start))


def _proposals(view: View, step: Step, ground: Ground, seen: Sequence[New], book: Book) -> Iterator[Proposal]:
    """Yield a proposal for each part of a step; when the last one has landed, what was read for it is done.

    Raises MovedError when somebody else has written to the file since the step began.
    """
    if not seen:
        return
    reached = {one.cursor.session: (one.cursor, one.count) for one in seen if one.cursor}
    answered = next((one.flag for one in reversed(seen) if one.flag), "")
    done = Proposal(
        None, (), step.read, dict(step.skipped), tuple(reached.values()), answered, unkept=tuple(step.unkept)
    )
    parts = list(mining_step.parts(step))
    for number, part in enumerate(parts, 1):
        if not book.holds(view):
            raise MovedError("keeps-changing", f"{ground.path} keeps changing", fix=Advice("try again in a moment"))
        change, learnt = mining_step.change(view, part, ground, NAME), tuple(_learnt(part, ground))
        book.left(change)
        if number < len(parts) or part.lessons:
            yield Proposal(change, learnt)
        else:
            cursors = tuple(cursor for cursor, _ in done.reached)
            yield replace(done, change=replace(change, cursors=cursors), learnt=learnt)
    if not parts or parts[-1].lessons:
        yield done


def _learnt(part: Part, ground: Ground) -> Iterator[Learnt]:
    said: tuple[tuple[Act, str, Iterable[tuple[str, Found]]], ...] = (
        ("add", ground.path, part.added.items()),
        ("mention", ground.path, (("", one) for one in part.again)),
        ("note", "", (("", note) for note in part.notes)),
        ("lesson", ground.lessons, (("", lesson) for lesson in part.lessons)),
    )
    for act, path, some in said:
        for entry, one in some:
            differs = one.differs.row.id if one.differs else None
            yield Learnt(one.finding.text, path, one.finding.tag, act, entry, one.evidence, differs)
