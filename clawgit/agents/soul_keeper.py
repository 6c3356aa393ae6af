"""The soul keeper: standing orders of the operator as items."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from clawgit.agents.messages_to_read import New, load, since
from clawgit.agents.running import MAX_OPEN_ITEMS, Learnt, Proposal, View, count_open_items
from clawgit.errors import Advice, ClawgitError, path_role
from clawgit.language import standing_rules
from clawgit.reading.explicit_requests import LONGEST_QUOTE
from clawgit.safety import injection, secrets
from clawgit.sessions.chat_store import ChatStore
from clawgit.text import line_edits
from clawgit.text.entry import entries
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.tokens import count
from clawgit.workspace import commit_message, file_roles, manifest, write_guard
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.workspace import Workspace

NAME = "soul-keeper"
_WINDOW = timedelta(days=180)
_OWN = re.compile(r"agents/([^/]+)/SOUL\.md")
_SUBJECT = 60


class SoulKeeper:
    """Proposes each standing order of the operator as a line of the soul, whole and word for word (spec P2).

    Nothing lands: each is an item of the inbox. It reads the last half year, or from `start` on (seconds since 1970).
    """

    name = NAME

    def __init__(self, store: ChatStore, *, path: str = file_roles.SOUL, start: float | None = None) -> None:
        self._store, self._path, self._start = store, path, start
        self._notes: list[str] = []
        self.usage: Mapping[str, float] = {}
        require_soul(path)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what is worth telling."""
        return tuple(self._notes)

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield a proposal for each standing order, then one that tells how far was read."""
        self._notes = []
        workspace = view.workspace
        if reason := _closed(view, self._path):
            self._notes.append(reason)
            return
        start = self._start if self._start is not None else (now - _WINDOW).timestamp()
        read, skipped = list[New](), Counter[str]()
        for message in since(self._store, load(workspace, NAME), self._start):
            if _soul_of(workspace, message) != self._path:
                continue
            if count_open_items(view, NAME) >= MAX_OPEN_ITEMS:
                self._notes.append(f"{MAX_OPEN_ITEMS} items wait in the inbox: the rest is read when you have decided")
                break
            read.append(message)
            if message.heard.origin == "operator" and (message.heard.time or 0.0) >= start:
                yield from self._proposals(view, message, skipped)
        reached = {message.cursor.session: (message.cursor, message.count) for message in read if message.cursor}
        yield Proposal(None, (), len(read), dict(skipped), tuple(reached.values()))

    def _proposals(self, view: View, message: New, skipped: Counter[str]) -> Iterator[Proposal]:
        text = message.heard.text
        if secrets.scan(text):
            return
        for rule in standing_rules.rules(text):
            sentence = commit_message.one_line(text[rule.start : rule.end])
            pointer = message.heard.pointer(text[rule.start : rule.end][:LONGEST_QUOTE].strip())
            soul = view.read(self._path) or ""
            after = line_edits.added(soul, "", sentence)
            if reason := self._fault(view, sentence, soul, after) if pointer else "cannot be cited":
                skipped[reason] += 1
                continue
            change = Change(
                f"{file_roles.room(self._path)}: {commit_message.shorten(sentence, _SUBJECT)}",
                "The operator asked for it.",
                (Edit(self._path, soul, after),),
                (pointer,) if pointer else (),
                "operator",
                NAME,
            )
            yield Proposal(change, (Learnt(sentence, self._path, "", "add", evidence=pointer),), wait=True)

    def _fault(self, view: View, sentence: str, soul: str, after: str) -> str:
        """Return why a sentence is not proposed, "" for one that is."""
        if injection.scan(f"- {sentence}"):
            return "order"
        if any(compare(entry.text, sentence).relation == "same" for entry in entries(soul)):
            return "known"
        if count(after) > view.workspace.trust.cap(self._path, view.workspace.config.soul_max_tokens):
            return "no room"
        try:
            write_guard.check_write("", "", f"- {sentence}\n")
        except ClawgitError:
            return "refused"
        return ""


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


def _soul_of(workspace: Workspace, message: New) -> str:
    """Return the soul of the agent that a message is said to: its own where it has one."""
    agent = (message.cursor.session if message.cursor else "").rpartition("/")[0]
    own = f"agents/{agent}/SOUL.md"
    named = agent and agent not in manifest.WRITERS and "/" not in agent
    return own if named and (workspace.root / own).is_file() else file_roles.SOUL
