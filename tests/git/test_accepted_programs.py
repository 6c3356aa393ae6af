"""A filter of the repository's own runs once the operator's configuration has the same commands."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.git import difference, foreign_programs, repository

Git = Callable[..., str]


@pytest.fixture
def crypt(repo: Path, git: Git, tmp_path: Path) -> Path:
    """A repository with a file that is stored by a filter, as git-crypt's are; returns the file that shows it ran."""
    ran = tmp_path / "ran"
    program = tmp_path / "rot"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ntr 'a-zA-Z' 'n-za-mN-ZA-M'\n")
    program.chmod(0o755)
    for kind in ("clean", "smudge"):
        git("config", f"filter.rot.{kind}", str(program))
    git("config", "filter.rot.required", "true")
    (repo / ".gitattributes").write_text("secret.* filter=rot\n")
    (repo / "secret.md").write_text("hidden\n")
    (repo / "plain.md").write_text("open\n")
    git("add", ".")
    git("commit", "-qm", "a filtered file")
    assert git("cat-file", "-p", "HEAD:secret.md").strip() == "uvqqra"
    os.utime(repo / "secret.md", (1, 1))  # git has to look at it again
    ran.unlink()
    return ran


def accept(git: Git) -> None:
    for kind in ("clean", "smudge"):
        git("config", "--global", f"filter.rot.{kind}", git("config", f"filter.rot.{kind}").strip())


@pytest.fixture(autouse=True)
def own_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A configuration of the operator's for one test."""
    own = tmp_path / "gitconfig"
    own.write_text(Path(os.environ["GIT_CONFIG_GLOBAL"]).read_text())
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))


def states(repo: Path) -> tuple[list[str], list[str]]:
    """The files that differ, and those of which that is unknown."""
    repository_here = repository.find(repo)
    return [row.path for row in difference.list_differing(repository_here, ["*.md"])], difference.list_unknown(
        repository_here
    )


def test_before_that_its_files_are_unknown_and_not_changed(repo: Path, crypt: Path) -> None:
    (repo / "plain.md").write_text("changed\n")
    assert states(repo) == (["plain.md"], ["secret.md"])

    assert not crypt.exists()


def test_once_accepted_it_runs_and_they_are_as_they_were_committed(repo: Path, git: Git, crypt: Path) -> None:
    accept(git)
    assert states(repo) == ([], [])
    assert crypt.exists()
    (repo / "secret.md").write_text("other\n")
    assert states(repo) == (["secret.md"], [])


def test_what_is_gone_is_gone_whatever_a_filter_would_say(repo: Path, crypt: Path) -> None:
    (repo / "secret.md").unlink()
    assert states(repo) == (["secret.md"], [])
    assert not crypt.exists()


@pytest.mark.parametrize("kind", ["clean", "smudge", "process"])
def test_a_changed_command_is_another_program(repo: Path, git: Git, crypt: Path, kind: str) -> None:
    """One command of a filter that is not accepted keeps all of it off: the others would be half a filter."""
    accept(git)
    git("config", f"filter.rot.{kind}", f"touch {repo}/evil; cat")
    assert states(repo) == ([], ["secret.md"])
    assert foreign_programs.filters_off(repo) == {"rot"}
    assert not (repo / "evil").exists()


def test_a_program_that_lies_in_the_repository_never_runs(repo: Path, git: Git, crypt: Path) -> None:
    """A writer of the workspace could write the program anew."""
    (repo / "tool.sh").write_text("touch evil; cat\n")
    for kind in ("clean", "smudge"):
        git("config", f"filter.rot.{kind}", "sh ./tool.sh")
    accept(git)
    assert states(repo) == ([], ["secret.md"])
    assert not (repo / "evil").exists()


def test_another_filter_stays_off(repo: Path, git: Git, crypt: Path) -> None:
    accept(git)
    git("config", "filter.other.clean", f"touch {repo}/evil; cat")
    (repo / ".gitattributes").write_text("secret.* filter=rot\nplain.* filter=other\n")
    (repo / "plain.md").write_text("changed\n")
    assert states(repo) == ([".gitattributes"], ["plain.md"])
    assert not (repo / "evil").exists()


def test_what_is_no_filter_is_never_accepted(repo: Path, git: Git, tmp_path: Path) -> None:
    git("config", "core.fsmonitor", f"touch {tmp_path}/evil")
    git("config", "diff.x.textconv", f"touch {tmp_path}/evil")
    assert foreign_programs.list_own_filters(repo) == {}
    assert {"core.fsmonitor", "diff.x.textconv"} <= foreign_programs.list_own_programs(repo).keys()
