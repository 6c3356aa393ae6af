"""A workspace to try things on, and ways to look at it."""

import os
import subprocess
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path, PurePath

import pytest

from clawgit.errors import ClawgitError
from tests import moulds

SOUL = """# Soul

## Core Truths

- Have a view.
- Look before asking.

## Vibe

- Calm and plain.
"""
DAY = "memory/2026-02-14.md"
AWS = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak


class Place:
    """A managed folder. `now` is its moment, and stays until it is moved on."""

    def __init__(self, root):
        self.root = Path(root)
        self.now = datetime(2026, 2, 14, 9, 30, tzinfo=UTC)

    @cached_property
    def ws(self):
        """The workspace, opened once."""
        return self.open()

    def open(self):
        """Open the workspace once more, as another process would."""
        from clawgit.git.repository import find  # noqa: PLC0415
        from clawgit.workspace.workspace import Workspace  # noqa: PLC0415

        return Workspace(find(self.root), lambda: self.now)

    def later(self, **ahead):
        """Let time pass."""
        self.now += timedelta(**ahead)

    def git(self, *arguments, stdin=""):
        """Run the real git here."""
        done = subprocess.run(
            ["git", *map(str, arguments)], cwd=self.root, input=stdin, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (arguments, done.stderr, done.stdout)
        return done.stdout

    def write(self, path, data):
        """Write a file as another program would; None deletes it."""
        target = self.root / path
        if data is None:
            target.unlink()
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())

    def read(self, path):
        """Return the bytes of a file, None without it."""
        target = self.root / path
        return target.read_bytes() if target.exists() else None

    def text(self, path):
        """Return the text of a file that is there."""
        return self.root.joinpath(path).read_bytes().decode()

    def commit(self, files, message="edit by hand"):
        """Commit files as a person would."""
        for path, data in files.items():
            self.write(path, data)
        self.git("add", "-f", "--", *files)
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.head

    def given(self, **files):
        """Begin with these committed files: SOUL, MEMORY and DAY stand for their paths."""
        names = {"SOUL": "SOUL.md", "MEMORY": "MEMORY.md", "DAY": DAY}
        found = {names[key]: data for key, data in files.items()}
        for path, data in found.items():
            self.write(path, data)
        self.ws.capture(found)

    @property
    def head(self):
        """The commit at HEAD."""
        return self.git("rev-parse", "HEAD").strip()

    def message(self, revision="HEAD"):
        """Return a commit's whole message."""
        return self.git("log", "-1", "--format=%B", revision).rstrip("\n") + "\n"

    def committed(self, path, revision="HEAD"):
        """Return the bytes of a committed file."""
        return subprocess.run(
            ["git", "show", f"{revision}:{path}"], cwd=self.root, capture_output=True, check=True
        ).stdout

    def tree(self):
        """Return every file's bytes and mode, ours under .clawgit/ included."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            within = PurePath(folder).relative_to(self.root)
            if not within.parts and ".git" in folders:
                folders.remove(".git")
            links = [name for name in folders if Path(folder, name).is_symlink()]
            for spot in (Path(folder, name) for name in (*names, *links)):
                held = spot.readlink() if spot.is_symlink() else spot.read_bytes()
                found[(within / spot.name).as_posix()] = (spot.lstat().st_mode, held)
        return dict(sorted(found.items()))

    def photograph(self):
        """Return all that a refusal must leave alone: files, index, references, HEAD."""
        return self.tree(), self.git("ls-files", "-s"), self.git("for-each-ref"), self.read(".git/HEAD")

    def agrees(self):
        """Assert that HEAD, index and disk are one, and that nothing is broken or left over."""
        assert self.git("status", "--porcelain") == ""
        self.sound()

    def sound(self):
        """Assert that objects are whole and that no lock, announcement or pending work stands."""
        assert self.git("fsck", "--strict", "--no-dangling", "--no-progress") == ""
        assert self.git("for-each-ref", "refs/clawgit/pending*") == ""
        assert not (self.root / ".git/index.lock").exists()

    @contextmanager
    def refused(self, *words, kind=ClawgitError):
        """Assert that what happens inside is refused with this key, words or fix, everything untouched."""
        before = self.photograph()
        with pytest.raises(kind) as caught:
            yield caught
        for word in words:
            told = f"{caught.value.key}\n{caught.value}\n{caught.value.fix!s}"
            assert word in told, (word, told)
        assert self.photograph() == before


@contextmanager
def another(mould):
    """Copy the mould for one example of a property."""
    with tempfile.TemporaryDirectory(prefix="clawgit-place-") as folder:
        yield Place(moulds.copied(mould, Path(folder) / "ws"))
