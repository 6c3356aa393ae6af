"""A write without a workspace around it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawgit.git import repository, transaction
from clawgit.git.commit_chain import NewCommit
from clawgit.git.transaction import Plan, Snapshot, Written

Write = Callable[..., Written]


def union(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    """A merge that keeps every line of both."""
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    lines = ours.splitlines(keepends=True)
    return b"".join([*lines, *(line for line in theirs.splitlines(keepends=True) if line not in lines)])


class DeathError(BaseException):
    """Ends a write as a kill would: nothing of ours runs after it."""


def dies(*_: object) -> None:
    raise DeathError


@contextmanager
def killed() -> Iterator[None]:
    """Kill the write within once it is announced."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("clawgit.git.landing.place_files", dies)
        with pytest.raises(DeathError):
            yield


@pytest.fixture
def write(repo: Path) -> Write:
    """Commit files through the protocol: `write({"a.md": "text", "gone.md": None})`, in `at`, on `branch`."""

    def run(
        files: dict[str, str | None],
        *,
        folder: Path = repo,
        branch: str = "main",
        appends: dict[str, str] | None = None,
        patience: float = 0.5,
    ) -> Written:
        data = {path: None if text is None else text.encode() for path, text in files.items()}
        blocks = {path: text.encode() for path, text in (appends or {}).items()}

        def plan(snapshot: Snapshot) -> Plan:
            for path, block in blocks.items():
                file = snapshot.disk[path]
                data[path] = (file.data if file else b"") + block
            commit = NewCommit("theirs\n\nKey: value\n", ("Ada", "ada@example.org"), datetime.now(UTC), data)
            return Plan((commit,), blocks)

        paths = [*files, *blocks]
        return transaction.write(repository.find(folder), branch, paths, plan, union, patience=patience)

    return run
