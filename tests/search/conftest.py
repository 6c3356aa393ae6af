"""Workspaces to search in."""

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Write = Callable[[Mapping[str, str]], Path]


def git(root: Path, *words: str) -> str:
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    result = subprocess.run(["git", *person, *words], cwd=root, capture_output=True, text=True, check=True)
    return result.stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with an empty memory."""
    folder = tmp_path / "ws"
    (folder / "memory").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    return folder


@pytest.fixture
def write(root: Path) -> Write:
    def act(files: Mapping[str, str]) -> Path:
        for path, text in files.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if text:
                place.write_text(text, "utf-8")
            else:
                place.unlink()
        return root

    return act


@pytest.fixture
def commit(root: Path) -> Callable[..., str]:
    def act(subject: str = "notes", date: str = "2026-05-01T12:00:00+00:00") -> str:
        environment = os.environ | {"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date}
        git(root, "add", "-A")
        person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        words = ["git", *person, "commit", "-q", "--allow-empty", "-m", subject]
        subprocess.run(words, cwd=root, env=environment, check=True)
        return git(root, "rev-parse", "HEAD")

    return act
