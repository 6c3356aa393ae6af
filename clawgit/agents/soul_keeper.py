"""The soul keeper: lets the identity grow by evidence."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from clawgit.agents.keeping import drift, lesson_changes
from clawgit.agents.keeping.lesson_changes import Ground, Lesson
from clawgit.agents.messages_to_read import New, Progress, load, since
from clawgit.agents.running import Proposal, View
from clawgit.errors import Advice, path_role
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.workspace import file_roles, manifest
from clawgit.workspace.unkept_requests import message_of_mention
from clawgit.workspace.workspace import Workspace

NAME = "soul-keeper"
NOT_YET = "a session that runs keeps the old text of the soul until it begins anew"
_WINDOW, _OF_LATE = timedelta(days=180), timedelta(days=30)
_OWN = re.compile(r"agents/([^/]+)/SOUL\.md")
_SHOWN = 3


class SoulKeeper:
    """Hears without a model what the operator ordered for always, and edits a line for each rule (spec P2).

    What was said in the last half year counts, else what was said since `start` (seconds since 1970). A run looks at
    `most` messages at the most. A rule stands in the soul as it was said; what is doubtful waits for the operator.
    """

    name = NAME

    def __init__(
        self,
        store: ChatStore,
        *,
        path: str = file_roles.SOUL,
        start: float | None = None,
        most: int = 50_000,
    ) -> None:
        self._store, self._path, self._start, self._most = store, path, start, most
        self._notes: list[str] = []
        self.usage: Mapping[str, float] = {}
        require_soul(path)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what is worth telling."""
        return tuple(self._notes)

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield a proposal for each lesson, then one that tells how far was read."""
        self._notes = []
        config = view.workspace.config
        if reason := _closed(view, self._path):
            self._notes.append(reason)
            return
        start = self._start if self._start is not None else (now - _WINDOW).timestamp()
        told = self.told(view.workspace, start)
        skipped: Counter[str] = Counter()
        cap = view.workspace.trust.cap(self._path, config.soul_max_tokens)
        ground = Ground(self._path, str(config.value("lessons_file")), NAME, cap)
        for lesson in self._lessons(view, told, start, skipped):
            yield from lesson_changes.proposals(view, ground, lesson)
        self._flag(view, now)
        known = load(view.workspace, NAME)
        fresh = [one for one in told if _is_new(one, known)]
        reached = {one.cursor.session: (one.cursor, one.count) for one in told if one.cursor}
        passed = {reason: count for reason, count in skipped.items() if count}
        yield Proposal(None, (), len(told if self._start is not None else fresh), passed, tuple(reached.values()))

    def told(self, workspace: Workspace, start: float) -> list[New]:
        """Return what was said since `start` in the sessions of the agent whose soul this is."""
        found: list[New] = []
        for one in since(self._store, Progress({}, {}), start):
            if _soul_of(workspace, (one.cursor.session if one.cursor else "").rpartition("/")[0]) != self._path:
                continue
            if len(found) == self._most:
                self._notes.append(f"read no more than {self._most:,} messages; --since DATE reads from a day on")
                break
            found.append(one)
        return found

    def _lessons(self, view: View, told: list[New], start: float, skipped: Counter[str]) -> list[Lesson]:
        """Return the rules that were given, in the order in which they were said."""
        heard = [one.heard for one in told if one.heard.origin == "operator"]
        found: list[Lesson] = []
        for one in heard:
            remarks = lesson_changes.hear(one)
            skipped.update(remarks.refused)
            found += remarks.lessons
        if self._path == file_roles.SOUL:
            found += lesson_changes.remembered(view, start, {message_of_mention(one.mention) for one in heard})
        return sorted(found, key=lambda lesson: (lesson.time, lesson.pointer))

    def _flag(self, view: View, now: datetime) -> None:
        """Note the principles that the agent has moved away from: they are told, and no line is changed for it."""
        said = _answers(view.workspace, self._store, self._path, (now - _OF_LATE).timestamp())
        there = drift.lines(view.read(self._path) or "")
        found = [one for one in drift.scores(there, said) if one.drifted]
        for one in found[:_SHOWN]:
            share = f"{round(one.score * 100)} % of {one.occasions} occasions"
            self._notes.append(f'drift: {share} of late contradict "{one.text}": clawgit soul drift')


def require_soul(path: str) -> None:
    """Raise UsageError for a file that the soul keeper does not keep."""
    own = _OWN.fullmatch(path)
    if path != file_roles.SOUL and (own is None or own[1] in manifest.WRITERS):
        raise path_role(f"{NAME} does not keep {path}", fix=Advice(f"clawgit run {NAME} --file agents/NAME/SOUL.md"))


def _closed(view: View, path: str) -> str:
    """Return why nothing may be proposed, "" where something may."""
    if view.workspace.config.soul_policy == "locked":
        return f"soul_policy is locked: {NAME} proposes nothing"
    if not (view.read(path) or "").strip():
        others = sorted(place.relative_to(view.workspace.root).as_posix() for place in _souls(view.workspace))
        more = f"; there is {', '.join(others)}: --file" if others and path == file_roles.SOUL else ""
        return f"there is no {path} here: {NAME} makes none{more}"
    return ""


def _souls(workspace: Workspace) -> Iterator[Path]:
    found = workspace.root.glob("agents/*/SOUL.md")
    return (place for place in found if place.parent.name not in manifest.WRITERS)


def _answers(workspace: Workspace, store: ChatStore, path: str, start: float) -> Iterator[Message]:
    """Yield what the agent whose soul this is said to its operator."""
    return drift.answers(store, start, lambda session: _soul_of(workspace, session.agent) == path)


def _soul_of(workspace: Workspace, agent: str) -> str:
    """Return the soul of an agent: its own where it has one."""
    own = f"agents/{agent}/SOUL.md"
    named = agent and agent not in manifest.WRITERS and "/" not in agent
    return own if named and (workspace.root / own).is_file() else file_roles.SOUL


def _is_new(one: New, known: Progress) -> bool:
    there = known.cursors.get(one.cursor.session) if one.cursor else None
    return there is None or (one.cursor is not None and one.cursor.key > there.key)
