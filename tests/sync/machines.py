"""Machines that share a memory, each with its owner."""

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests import moulds
from tests.promises.desk import IDENTITY, Desk


class Machine(Desk):
    """A clone of the workspace that meets the others at the remote, or in a folder."""

    def __init__(self, root: Path, folder: Path | None = None) -> None:
        super().__init__(root)
        self.folder = folder

    def sync(self) -> Any:
        """Sync, and return the document; something may be left out, or wait."""
        place = ("--folder", str(self.folder)) if self.folder else ()
        answer = self.call("sync", *place)
        assert answer.code in (0, 3), answer.out + answer.err
        return answer.document

    def commit_file(self, path: str, data: str | bytes | None, minute: int = 0) -> None:
        """Commit a file as its owner would have an hour ago, and so many minutes later; None deletes it."""
        if data is None:
            (self.root / path).unlink()
        else:
            self.write(path, data)
        moment = (datetime.now(UTC) - timedelta(minutes=60 - minute)).isoformat(timespec="seconds")
        environ = {**os.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        for words in (("add", "-A", "-f", "--", path), ("commit", "-q", "--no-verify", "-m", "by hand")):
            subprocess.run(["git", *words], cwd=self.root, env=environ, check=True)

    def edit(self, path: str, old: str, new: str, minute: int = 0) -> None:
        """Change a text in a file, and commit that."""
        text = self.read(path)
        assert old in text
        self.commit_file(path, text.replace(old, new, 1), minute)

    @property
    def tree(self) -> str:
        return self.git("rev-parse", "HEAD^{tree}").strip()

    def objects(self, phrase: str) -> list[str]:
        """Return the objects, reached or not, that hold a phrase."""
        return objects(self.root, phrase)

    def check(self) -> None:
        """Assert that HEAD, index and disk are one, and that nothing is left over."""
        assert self.git("status", "--porcelain") == ""
        assert "<<<<<<<" not in "".join(path.read_text(errors="replace") for path in self.root.rglob("*.md"))
        self.git("fsck", "--no-dangling", "--strict")


class Machines(dict[str, Machine]):
    """Machines by name that meet at a bare repository, `hub`, or in a folder."""

    def __init__(self, mould: Path, home: Path, names: str = "ab", *, folder: bool = False) -> None:
        super().__init__()
        self.hub = Desk(home / "hub.git")
        shared = home / "shared" if folder else None
        first = Desk(moulds.copied(mould, home / names[0]))
        if shared:
            shared.mkdir()
        else:
            first.git("init", "-q", "--bare", "-b", "main", str(self.hub.root))
            first.git("remote", "add", "origin", str(self.hub.root))
            first.git("push", "-q", "origin", "main")
        for name in names:
            if name != names[0]:
                first.git("clone", "-q", str(first.root if shared else self.hub.root), str(home / name))
                with (home / name / ".git/config").open("a") as config:
                    config.write(IDENTITY)
            self[name] = Machine(home / name, shared)
            if shared and name != names[0]:
                self[name].git("remote", "remove", "origin")

    def settle(self, rounds: int = 3) -> None:
        """Sync all of them, again and again."""
        for _ in range(rounds):
            for machine in self.values():
                machine.sync()

    def check_equal(self) -> None:
        """Assert that all have the same files."""
        assert len({machine.tree for machine in self.values()}) == 1
        for machine in self.values():
            machine.check()


def objects(root: Path, phrase: str) -> list[str]:
    """Return the objects of a repository, reached or not, that hold a phrase."""
    desk = Desk(root)
    rows = desk.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)").splitlines()
    oids = [row.split()[0] for row in rows if row.endswith(("blob", "commit"))]
    return [oid for oid in oids if phrase in desk.git("cat-file", "-p", oid)]
