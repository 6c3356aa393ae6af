"""Machines that share a memory, and ways to look at them."""

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

from clawgit.git.repository import find
from clawgit.sync.synchronising import Synced, exchange, sync
from clawgit.workspace import entries, memory
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.workspace import Workspace
from tests import moulds


def git(root, *arguments):
    """Run the real git."""
    done = subprocess.run(["git", *map(str, arguments)], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (arguments, done.stderr, done.stdout)
    return done.stdout


class Machine:
    """One clone of the workspace, with a clock of its own."""

    def __init__(self, root: Path, folder: Path | None = None) -> None:
        self.root, self.folder = root, folder
        self.now = datetime(2026, 2, 14, 9, 30, tzinfo=UTC)

    def open(self) -> Workspace:
        """Open the workspace, as a command would."""
        return Workspace(find(self.root), lambda: self.now)

    def later(self, **ahead) -> None:
        """Let time pass here."""
        self.now += timedelta(**ahead)

    def sync(self, *, dry_run: bool = False) -> Synced:
        """Sync with the one remote, or with the folder."""
        with self.open() as workspace:
            return sync(workspace, exchange(workspace, None, self.folder), dry_run=dry_run)

    def apply(self, change: Change) -> None:
        """Land a change."""
        with self.open() as workspace:
            workspace.apply(change, wait=False)

    def add(self, text: str) -> None:
        """Add a memory."""
        with self.open() as workspace:
            workspace.apply(memory.add(workspace, text).change)

    def note(self, text: str) -> None:
        """Add a note to today's journal."""
        with self.open() as workspace:
            workspace.apply(memory.add_note(workspace, text))

    def write(self, path: str, data: str | bytes | None) -> None:
        """Write a file as another program would; None deletes it."""
        target = self.root / path
        if data is None:
            target.unlink()
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())

    def commit(self, path: str, data: str | bytes | None, message: str = "by hand") -> None:
        """Commit a file as a person would."""
        self.write(path, data)
        git(self.root, "add", "-A", "--", path)
        git(self.root, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", message)

    def edit(self, path: str, old: str, new: str) -> None:
        """Change a text on disk and capture that, as the main agent does."""
        text = self.text(path)
        assert old in text
        self.write(path, text.replace(old, new, 1))
        with self.open() as workspace:
            workspace.capture([path])

    def text(self, path: str) -> str:
        """Return the text of a file that is there."""
        return (self.root / path).read_bytes().decode()

    def rows(self) -> dict[str, entries.Row]:
        """Return the rows of the sidecar."""
        return entries.parse(self.text(entries.PATH))

    @property
    def head(self) -> str:
        """The commit at HEAD."""
        return git(self.root, "rev-parse", "HEAD").strip()

    @property
    def tree(self) -> str:
        """The tree at HEAD."""
        return git(self.root, "rev-parse", "HEAD^{tree}").strip()

    def agrees(self) -> None:
        """Assert that HEAD, index and disk are one, and that nothing is left over."""
        assert git(self.root, "status", "--porcelain") == ""
        assert "<<<<<<<" not in "".join(path.read_text(errors="replace") for path in self.root.rglob("*.md"))
        git(self.root, "fsck", "--no-dangling", "--strict")


class Machines(dict):
    """Machines by name; those beside the first one are clones of it."""

    def __init__(self, mould: Path, home: Path, names, *, folder: bool = False) -> None:
        super().__init__()
        self.home, self.hub = home, home / "hub.git"
        shared = home / "shared" if folder else None
        first, *others = names
        moulds.copied(mould, home / first)
        if shared:
            shared.mkdir()
        else:
            subprocess.run(["git", "init", "-q", "--bare", "-b", "main", self.hub], check=True)
            git(home / first, "remote", "add", "origin", self.hub)
            git(home / first, "push", "-q", "origin", "main")
        for name in others:
            git(home, "clone", "-q", self.hub if not shared else home / first, name)
            git(home / name, "config", "user.name", "Ada")
            git(home / name, "config", "user.email", "ada@example.org")
            if shared:
                git(home / name, "remote", "remove", "origin")
        for name in names:
            self[name] = Machine(home / name, shared)

    def settle(self, rounds: int = 3) -> None:
        """Sync all of them, again and again."""
        for _ in range(rounds):
            for machine in self.values():
                machine.sync()


def replaced(root: Path, path: str, text: str) -> Change:
    """Return the change that gives a file this text."""
    before = (root / path).read_text() if (root / path).exists() else None
    return Change(f"memory: {path}", edits=(Edit(path, before, text),))
