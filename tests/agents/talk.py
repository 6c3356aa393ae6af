"""Conversations to be mined, and what is made of them."""

import re
import subprocess
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any
from unittest.mock import patch

from clawgit import clock
from clawgit.agents import reading_run, requested_memories
from clawgit.agents.reading_landing import Outcome
from clawgit.reading.explicit_requests import Finding, Kind
from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Kind as SessionKind
from clawgit.sessions.envelope import Origin, Session
from clawgit.sessions.session_messages import Event, digest
from clawgit.workspace.workspace import Workspace, open_workspace

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0
TAGS = {
    "decision": "decision",
    "event": "event",
    "fact": "knowledge",
    "preference": "knowledge",
    "lesson": "skill",
    "note": "knowledge",
}
_MARKED = re.compile(rf"^({'|'.join(TAGS)}): (.+)$", re.MULTILINE)


def find_marked(text: str) -> tuple[Finding, ...]:
    """Return what is marked by its kind (`fact: The sky is blue.`) as requests; every other line is chit-chat."""
    kinds: Mapping[str, Kind] = {"decision": "decision", "lesson": "lesson"}
    return tuple(Finding(text, text, TAGS[kind], kinds.get(kind, "note")) for kind, text in _MARKED.findall(text))


class Talk(AbstractContextManager["Talk"]):
    """A workspace, and the conversations that its agent has."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace = self.opened()
        self.events: dict[str, int] = {}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.workspace.close()

    def opened(self) -> Workspace:
        """Open the workspace once more, with its conversations."""
        found = open_workspace(self.root)
        found.clock = lambda: datetime(2026, 6, 1, 6, tzinfo=UTC)
        found.conversations = partial(chat_store.find_turn, found.store.folder)
        clock.confirm(found.repo, found.clock())  # the mould was made today
        return found

    def say(
        self,
        text: str,
        *,
        session: str = "s1",
        at: float = NOON,
        origin: Origin = "operator",
        event: str = "",
        kind: SessionKind = "direct",
    ) -> str:
        """Say something in a session, and return the event."""
        number = self.events[session] = self.events.get(session, 0) + 1
        role = {"agent": "assistant", "untrusted": "user"}.get(origin, "user")
        name = event or f"e{number}"
        said = Event(name, "", number, at, role, origin, text, at, digest=digest(role, text))
        with chat_store.open_chat_store(self.workspace.store, {}) as store:
            here = Session(session, "main", f"agent:main:{session}", kind, "telegram", NOON)
            store.meet(here)
            store.take(here, "file", [said], f"{session}.jsonl", {})
        return name

    def say_all(self, said: list[tuple[str, float]], *, session: str = "s1") -> None:
        """Have the operator say many things in a session, at these times."""
        events = [
            Event(f"m{n}", "", n, at, "user", "operator", text, at, digest=digest("user", text))
            for n, (text, at) in enumerate(sorted(said, key=lambda one: one[1]), 1)
        ]
        with chat_store.open_chat_store(self.workspace.store, {}) as store:
            here = Session(session, "main", f"agent:main:{session}", "direct", "telegram", NOON)
            store.meet(here)
            store.take(here, "file", events, f"{session}.jsonl", {})

    def mine(self, find: Callable[[str], tuple[Finding, ...]] = find_marked, **more: Any) -> Outcome:
        """Have the miner read without a model, and land what is marked."""
        opened = chat_store.open_chat_store(self.workspace.store, {})
        with opened as store, patch.object(requested_memories, "list_requests", find):
            return reading_run.read(self.workspace, store, "memory-miner", None, **more)

    def preview(self, **more: Any) -> Outcome:
        """Return what the miner would do."""
        opened = chat_store.open_chat_store(self.workspace.store, {})
        with opened as store, patch.object(requested_memories, "list_requests", find_marked):
            return reading_run.preview(self.workspace, store, "memory-miner", None, **more)

    def text(self, path: str = "MEMORY.md") -> str:
        """Return a file as it is on disk."""
        return (self.root / path).read_text("utf-8")

    def bullets(self, path: str = "MEMORY.md") -> list[str]:
        """Return the bullets of a file."""
        return [line for line in self.text(path).splitlines() if line.startswith("- ")]

    def write(self, path: str, text: str) -> None:
        """Write a file as another program would."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def git(self, *arguments: str) -> str:
        """Run the real git here."""
        return subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=True).stdout
