"""An impossible act is refused, with a fix, and leaves everything as it was."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

ADD = ("memory", "add", "Ana likes tea.")
EDIT = ("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", "w")

Prepare = Callable[[Path, Callable[..., str]], object]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that may pass by itself is not waited for."""
    monkeypatch.setattr("clawgit.git.git_state.PASSING_SECONDS", -1)


def read_only(space: Path, _: Callable[..., str]) -> None:
    """Root may write anywhere, so a file takes the place of the folder."""
    (space / ".git/clawgit/lock").unlink()
    for place in sorted((space / ".git/clawgit").rglob("*"), reverse=True):
        place.rmdir() if place.is_dir() else place.unlink()
    (space / ".git/clawgit").rmdir()
    (space / ".git/clawgit").write_text("")


def linked_soul(space: Path, _: Callable[..., str]) -> None:
    (space / "SOUL.md").unlink()
    (space.parent / "outside.md").write_text("# Outside\n\n## Vibe\n")
    (space / "SOUL.md").symlink_to(space.parent / "outside.md")


def large_soul(space: Path, _: Callable[..., str]) -> None:
    (space / "SOUL.md").write_bytes(b"x" * 20_000_000)


@pytest.mark.parametrize(
    ("prepare", "arguments", "error", "fix"),
    [
        (read_only, ADD, ".git/clawgit cannot be written", "mv '"),
        (linked_soul, EDIT, "SOUL.md is a symbolic link to ", "cp --remove-destination"),
        (large_soul, EDIT, "SOUL.md has 20,000,000 bytes", "split it into"),
    ],
)
def test_a_workspace_that_is_not_ready_is_left_alone(
    prepare: Prepare,
    arguments: tuple[str, ...],
    error: str,
    fix: str,
    call: Callable,
    space: Path,
    inside: Callable,
    photograph: Callable,
) -> None:
    prepare(space, inside)
    before = photograph()
    answer = call(*arguments)
    assert (answer.code, answer.out) == (1, "")
    first, second, *_ = answer.err.splitlines()
    assert first.startswith("error: ")
    assert error in first
    assert second.startswith(f"  fix: {fix}")
    assert photograph() == before


SECRET = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"


UNMET = [
    (("memory", "add", f"the key is {SECRET}"), 1, r"the text holds a secret \(github\)"),
    ((*EDIT[:3], f"use {SECRET}", *EDIT[4:]), 1, r"SOUL\.md:\d+ holds a secret \(github\)"),
    (("memory", "add", "a\u202eb"), 1, "the text holds hidden characters"),
    (("journal", "add", "\x1b[2J"), 1, r"memory/\S+\.md:\d+ would hold hidden characters"),
    (("memory", "add", "x", "--evidence", "nonsense"), 1, "not a pointer to evidence: 'nonsense'"),
    (("memory", "add", "x", "--evidence", '../x#L1 "y"'), 1, r"evidence \.\./x: no such file"),
    (
        ("memory", "add", "x", "--evidence", 'SOUL.md#L1 "other words"'),
        1,
        '"other words" does not stand at SOUL.md',
    ),
    (("soul", "edit", "--add", "x", "--why", "w"), 2, "--add needs to know where"),
    (("soul", "edit", "--replace", "a", "x", "--why", "w"), 1, r"“a” stands \d+ times, on lines "),
    (("soul", "edit", "--add", "x", "--file", "../SOUL.md", "--section", "y", "--why", "w"), 2, "identity file"),
    (("soul", "show", "--as-of", "nope"), 1, "there is no change, revision or date 'nope'"),
]


def test_a_request_that_cannot_be_met_changes_nothing(call: Callable, photograph: Callable) -> None:
    for arguments, code, error in UNMET:
        before = photograph()
        answer = call(*arguments)
        assert (answer.code, answer.out) == (code, "")
        first, second, *_ = answer.err.splitlines()
        assert re.search(error, first)
        assert re.match(r"  fix: \S", second)
        assert SECRET not in answer.err
        assert photograph() == before


def test_words_that_are_not_utf8_are_refused(shell: Callable, photograph: Callable) -> None:
    before = photograph()
    for answer in (shell("memory", "add", b"\xff"), shell("memory", "add", "-", stdin=b"\xff")):
        assert (answer.code, "not valid UTF-8" in answer.err) == (2, True)
    assert shell("soul", "edit", "--remove", "x", "--why", b"\xff").code == 2
    assert photograph() == before


def test_what_looks_like_a_comment_stays_what_it_is(call: Callable, space: Path) -> None:
    """`-->` closes nothing, and `<!--` hides nothing that comes after it."""
    call("memory", "add", "a --> b")
    call("memory", "add", "<!-- not hidden")
    call("memory", "add", "last")
    texts = [row["text"] for row in call("memory", "list", "--json").json]
    assert texts == ["a --> b", "<!-- not hidden", "last"]


def test_nobody_needs_an_identity(call: Callable, space: Path, inside: Callable) -> None:
    config = space / ".git/config"
    config.write_text(config.read_text().partition("[user]")[0])
    assert call(*ADD).code == 0
    assert inside("log", "-1", "--format=%an <%ae>") == "operator <operator@localhost>\n"


def test_a_look_works_where_nothing_can_be_written(call: Callable, space: Path, inside: Callable) -> None:
    read_only(space, inside)
    for arguments in (["status"], ["soul", "show"], ["soul", "log"], ["soul", "diff"], ["memory", "list"]):
        assert call(*arguments).code == 0


@pytest.mark.parametrize("version", ["3\n", "one\n"])
def test_a_later_format_is_read_and_not_written(call: Callable, space: Path, inside: Callable, version: str) -> None:
    (space / ".clawgit/format").write_text(version)
    inside("commit", "-q", "--no-verify", "-am", "x")
    answer = call("memory", "add", "Ana likes tea.", "--json")
    assert (answer.code, "upgrade" in answer.json["fix"]) == (1, True)
    assert call("memory", "get", "SOUL.md").code == 0
