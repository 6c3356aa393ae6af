"""A repository's own settings run no program of its choice."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.git import foreign_programs, repository
from clawgit.git.git_command import git as command
from clawgit.git.git_command import records
from clawgit.git.history import blame

Git = Callable[..., str]


@pytest.fixture
def trap(repo: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A program, and the file that shows that it ran."""
    program, ran = tmp_path / "program", tmp_path / "ran"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat \"$1\" 2>/dev/null\n")
    program.chmod(0o755)
    return program, ran


def test_no_file_system_monitor_is_asked(repo: Path, git: Git, trap: tuple[Path, Path]) -> None:
    git("config", "core.fsmonitor", str(trap[0]))
    (repo / "first.md").write_text("changed\n")
    assert command(repo, "status", "--porcelain") == b" M first.md\n"
    assert list(records(repo, "status", "--porcelain", "-z")) == [b" M first.md"]
    assert not trap[1].exists()


def test_a_line_is_looked_up_in_the_file_itself(repo: Path, git: Git, trap: tuple[Path, Path]) -> None:
    git("config", "diff.x.textconv", str(trap[0]))
    (repo / ".git/info/attributes").write_text("*.md diff=x\n")
    assert [line.text for line in blame(repository.find(repo), "first.md")] == ["first"]
    assert not trap[1].exists()


def test_of_an_ordinary_configuration_git_is_asked_nothing(
    repo: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `git init` writes it; one that a submodule's update could stand in is read by git."""
    asked: list[Path] = []
    monkeypatch.setattr(foreign_programs, "_ask_git", lambda root: asked.append(root) or foreign_programs._Named())
    assert foreign_programs.list_own_programs(repo) == {}
    assert asked == []
    git("config", "submodule.x.update", "!sh")
    foreign_programs.list_own_programs(repo)
    assert asked == [repo]
