"""Unusual repositories: each command works, or names the part that it cannot read."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

READING = (
    ["status"],
    ["log"],
    ["soul", "show"],
    ["soul", "log"],
    ["why", "SOUL.md"],
    ["memory", "list"],
    ["config"],
)
WRITING = (
    ["memory", "add", "Ana likes tea."],
    ["journal", "add", "It rained."],
    ["config", "soul_max_tokens", "900"],
)


def run(*arguments: object) -> None:
    subprocess.run([str(argument) for argument in arguments], check=True, capture_output=True)


def sha256(space: Path) -> None:
    shutil.rmtree(space / ".git")
    run("git", "init", "-q", "--object-format=sha256", space)


def test_what_cannot_be_opened_is_one_sentence_with_a_way_out(call: Callable, space: Path) -> None:
    sha256(space)
    for arguments in (*READING, *WRITING):
        answer = call(*arguments)
        if arguments == ["config"] or arguments[-1] == "log":  # git alone, as for the log, reads sha256
            assert answer.code == 0
            continue
        first, second = answer.err.splitlines()
        assert (answer.code, "unknown object format 'sha256'" in first) == (1, True)
        assert second.startswith("  fix: ")


def sparse(space: Path, target: Path) -> None:
    run("git", "clone", "-q", space, target)
    run("git", "-C", target, "sparse-checkout", "set", "--no-cone", "/*", "!/agents")


def submodule(space: Path, target: Path) -> None:
    outer = target.with_name("outer")
    run("git", "init", "-q", outer)
    run("git", "-C", outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", space, "ws")
    run("git", "-C", outer / "ws", "switch", "-q", "-C", "main")
    target.symlink_to(outer / "ws")


@pytest.mark.parametrize("kind", [sparse, submodule])
def test_what_git_can_make_of_a_workspace_is_one(
    call: Callable, space: Path, tmp_path: Path, kind: Callable[[Path, Path], None]
) -> None:
    for text in ("One.", "Two."):
        call("memory", "add", text)
    target = tmp_path / "odd"
    kind(space, target)
    for arguments in (*READING, *WRITING):
        answer = call("-C", target, *arguments)
        assert answer.code == 0, (arguments, answer.err)
    assert "Ana likes tea." in (target / "MEMORY.md").read_text()
    result = subprocess.run(["git", "status", "--porcelain"], cwd=target, capture_output=True, text=True, check=True)
    assert result.stdout == ""
    log = subprocess.run(["git", "log", "-3", "--format=%s"], cwd=target, capture_output=True, text=True, check=True)
    assert log.stdout.splitlines()[0] == "config: set soul_max_tokens to 900"


def test_what_a_sparse_checkout_hides_is_not_taken_for_deleted(call: Callable, space: Path, inside: Callable) -> None:
    inside("update-index", "--refresh")  # or git leaves the files of a copy where they are
    inside("sparse-checkout", "set", "--no-cone", "/*", "!/MEMORY.md", "!/CONFIG.md")
    assert not (space / "MEMORY.md").exists()
    for arguments in (WRITING[0], WRITING[2]):
        answer = call(*arguments)
        assert answer.code == 1
        assert "fix: git sparse-checkout disable" in answer.err
    assert inside("status", "--porcelain") == ""
