"""A workspace in which things happen."""

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

from clawgit.findings.digest import digest
from clawgit.findings.digest_delivery import Digest, render
from clawgit.git.repository import find
from clawgit.workspace import identity_edits, memory, restore, undo
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.change import Applied, Change, Origin
from clawgit.workspace.workspace import Workspace

START = datetime(2098, 2, 14, 9, 30, tzinfo=UTC)  # after any clock that made the mould, before what git knows no more


class Space:
    """A managed folder whose clock goes on by a minute with every act."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = START

    @property
    def ws(self) -> Workspace:
        return Workspace(find(self.root), lambda: self.now)

    def apply(self, change: Change) -> Applied:
        self.now += timedelta(minutes=1)
        return self.ws.apply(change)

    def add(self, text: str, origin: Origin = "operator", *, daily: bool = False) -> str:
        found = memory.add(self.ws, text, origin=origin, daily=daily)
        self.apply(found.change)
        return found.id

    def edit(self, text: str, *evidence: str, origin: Origin = "operator", why: str = "Asked for.") -> Applied:
        section = "Core Truths"
        return self.apply(
            identity_edits.edit(self.ws, "add", text, section=section, why=why, evidence=evidence, origin=origin)
        )

    def undo(self, name: str) -> Applied:
        return self.apply(undo.undo(self.ws, name))

    def restore(self, name: str) -> Applied:
        return self.apply(restore.restore(self.ws, name))

    def write(self, path: str, text: str | None) -> None:
        """Write a file as another program would, and have it captured."""
        self.put(path, text)
        capture_all(self.ws)

    def put(self, path: str, text: str | None) -> None:
        self.now += timedelta(minutes=1)
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink() if text is None else target.write_text(text)

    def commit(self, message: str, *trailers: str) -> None:
        """Commit everything as a person would."""
        words = [part for trailer in trailers for part in ("--trailer", trailer)]
        when = self.now.isoformat()
        self.git("add", "-A")
        dated = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        self.git("commit", "--quiet", "-m", message, *words, **dated)

    def git(self, *arguments: str, **environ: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=os.environ | environ, capture_output=True, text=True, check=True
        )
        return done.stdout

    def text(self, path: str) -> str:
        return (self.root / path).read_text()

    def digest(self, since: datetime = START) -> Digest:
        return digest(self.ws, since, self.now)

    def told(self, since: datetime = START) -> str:
        return render(self.digest(since))


def items(found: Digest, name: str) -> list[str]:
    """The sentences of one part."""
    return [item.text for part in found.parts if part.name == name for item in part.items]


def commands(found: Digest, name: str) -> list[str]:
    """The commands of one part."""
    return [item.command for part in found.parts if part.name == name for item in part.items]


def unquoted(found: Digest, name: str) -> int:
    """How many of one part are counted only."""
    return next(part.unquoted for part in found.parts if part.name == name)
