"""The log, as git itself would list it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.git import history, repository
from clawgit.git.repository import Repository

Git = Callable[..., str]

MESSAGE = "odd {0}\n\nbody\n\nKey: value {0}"
ODD = (
    "a b.md",
    "ü/日本.md",
    'quo"te.md',
    "new\nline.md",
    "tab\there.md",
    "back\\slash.md",
    "-dash.md",
    ":(top)x.md",
    "*.md",
)


@pytest.fixture
def long_history(repo: Path, git: Git) -> Repository:
    """Odd names, a rename, a deletion, merges with and without a conflict, an empty commit."""
    for number, name in enumerate(ODD):
        place = repo / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"{number}\n")
        git("add", "-A")
        git("commit", "-qm", MESSAGE.format(number))
    git("checkout", "-qb", "side", "HEAD~4")
    (repo / "first.md").write_text("side\n")
    git("commit", "-qam", "side")
    git("checkout", "-q", "main")
    (repo / "second.md").write_text("second\n")
    git("add", "-A")
    git("commit", "-qm", "second")
    git("merge", "-q", "--no-ff", "-m", "merge", "side")
    git("mv", "second.md", "third.md")
    git("commit", "-qm", "renamed")
    git("rm", "-q", "a b.md")
    git("commit", "-qm", "deleted")
    git("commit", "-q", "--allow-empty", "-m", "empty")
    return repository.find(repo)


def test_the_order_is_that_of_git_log(long_history: Repository, git: Git) -> None:
    commits = [commit.id for commit in history.walk_log(long_history)]
    assert commits == git("log", "--format=%H").split()
    for path in ("first.md", "third.md", "second.md"):
        assert [commit.id for commit in history.walk_log(long_history, path)] == git(
            "log", "--format=%H", "--", path
        ).split()
    assert [commit.id for commit in history.walk_log(long_history, limit=3)] == commits[:3]


def test_any_name_comes_back_as_it_is(long_history: Repository) -> None:
    """Names are names, not patterns."""
    for number, name in enumerate(ODD):
        commits = list(history.walk_log(long_history, name))
        assert {path for commit in commits for path in commit.paths} == {name}
        assert f"odd {number}" in [commit.subject for commit in commits]


SETTINGS = [
    ("color.ui", "always"),
    ("log.showSignature", "true"),
    ("log.follow", "true"),
    ("core.quotePath", "true"),
    ("diff.renames", "copies"),
    ("diff.relative", "true"),
    ("i18n.logOutputEncoding", "ISO-8859-1"),
    ("log.diffMerges", "separate"),
    ("notes.displayRef", "*"),
]


def test_the_operators_settings_change_nothing(long_history: Repository, git: Git) -> None:
    git("notes", "add", "-m", "a note", "HEAD")
    before = list(history.walk_log(long_history))
    for name, value in SETTINGS:
        git("config", name, value)
        assert list(history.walk_log(long_history)) == before, name
        git("config", "--unset", name)


def test_bytes_that_are_no_utf8_do_not_stop_the_log(repo: Path, git: Git) -> None:
    (repo / "x.md").write_text("x\n")
    git("add", "-A")
    git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-qm", "latin")
    raw = repo / ".git/message"
    raw.write_bytes(b"caf\xe9\n")
    git("commit", "-q", "--allow-empty", "-F", str(raw))
    assert len(list(history.walk_log(repository.find(repo)))) == 3
