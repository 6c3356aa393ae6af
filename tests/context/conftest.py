"""Workspaces to assemble contexts of."""

import os
import subprocess
from datetime import UTC, datetime

import pytest

from clawgit.workspace.workspace import open_workspace

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)


class Ground:
    """A workspace whose clock stands still."""

    def __init__(self, root):
        self.root = root

    @property
    def ws(self):
        """The workspace, as another process would open it."""
        workspace = open_workspace(self.root)
        workspace.clock = lambda: NOW
        return workspace

    def write(self, path, text):
        """Write one file."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))

    def config(self, *rows):
        """Write CONFIG.md, and have the operator approve it."""
        self.write("CONFIG.md", "# Config\n\n```yaml\n" + "\n".join(rows) + "\n```\n")
        workspace = self.ws
        found = workspace.config.untrusted()
        files = {shown.key.name: shown.files for shown in found}
        workspace.trusted.approve({}, {shown.key.name: shown.untrusted for shown in found}, files)

    def commit(self, when="2026-11-01T12:00:00+00:00"):
        """Commit everything."""
        environment = os.environ | {"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
        self.git("add", "-A")
        self.git("-c", "user.name=Ada", "-c", "user.email=a@example.org", "commit", "-qm", "notes", env=environment)

    def git(self, *words, env=None):
        """Run the real git."""
        subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, env=env)


@pytest.fixture
def ground(tmp_path):
    """A repository with an empty memory."""
    root = tmp_path / "ws"
    (root / "memory").mkdir(parents=True)
    found = Ground(root)
    found.git("init", "-q", "-b", "main")
    return found


def slot(assembled, name):
    """The receipt of one slot."""
    return next(one for one in assembled.slots if one.name == name)
