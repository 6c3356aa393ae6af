"""Real repositories, and the table of their entries."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clawgit.file_roles import entry_role
from clawgit.git import repository
from clawgit.store.entry_table import EntryTable, open_entries

Commit = Callable[..., str]


@pytest.fixture
def commit(repo: Path, git: Callable[..., str]) -> Commit:
    """Commit files: `commit({"MEMORY.md": "- a", "gone.md": None})` returns the id."""

    def run(files: dict[str, str | bytes | None]) -> str:
        for path, text in files.items():
            place = repo / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                place.unlink()
            else:
                place.write_bytes(text if isinstance(text, bytes) else text.encode())
        git("add", "-A")
        git("commit", "-q", "--allow-empty", "-m", "x")
        return git("rev-parse", "HEAD").strip()

    return run


@contextmanager
def opened(root: Path) -> Iterator[EntryTable]:
    with open_entries(repository.find(root), entry_role) as table:
        yield table


def rows_of(root: Path, *paths: str) -> dict[str, object]:
    """The rows by their text."""
    with opened(root) as table:
        return {row.text: row for row in table.list_rows(paths=paths)}


def births_of(root: Path, *paths: str) -> dict[str, str | None]:
    """The birth commit of each text."""
    return {text: row.birth and row.birth.commit for text, row in rows_of(root, *paths).items()}


def everything(root: Path) -> tuple[object, ...]:
    with opened(root) as table:
        return table.list_rows(), table._find_removed("1"), table.count_rows()


def rebuilt(root: Path) -> tuple[object, ...]:
    """What a table says that is made anew."""
    shutil.rmtree(root / ".git/clawgit", ignore_errors=True)
    return everything(root)


def bullets(*texts: str) -> str:
    return "".join(f"- {text}\n" for text in texts)


ID = re.compile("[k-z]{10}")
