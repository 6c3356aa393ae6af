"""Which repository a folder belongs to, and which ones we refuse."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pygit2
import pytest

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.transaction import Written

Git = Callable[..., str]
Write = Callable[..., Written]


def open_raw(path: Path) -> object:
    """Return the repository's raw handle, as any reader does."""
    return repository.find(path).raw


@pytest.mark.parametrize("kind", ["submodule", "separate"])
def test_a_git_file_leads_to_the_repository_and_writes_land_there(
    repo: Path, git: Git, tmp_path: Path, write: Write, kind: str
) -> None:
    """The working tree is the folder of the .git file, also for attributes and ignore rules."""
    if kind == "submodule":
        git("clone", "-q", str(repo), str(tmp_path / "origin"), cwd=tmp_path)
        git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "origin"), "sub")
        place = repo / "sub"
    else:
        place = tmp_path / "place"
        git("clone", "-q", "--separate-git-dir", str(tmp_path / "elsewhere"), str(repo), str(place), cwd=tmp_path)
    assert (place / ".git").is_file()
    repository_here = repository.find(place)
    assert repository_here.root == place
    assert not repository_here.linked
    write({"new.md": "new\n", "first.md": "second\n"}, folder=place)
    assert git("status", "--porcelain", cwd=place) == ""
    assert git("diff-files", cwd=place) == ""
    (place / ".gitignore").write_text("no.md\n")
    (place / ".gitattributes").write_text("*.enc filter=crypt\n")
    assert repository.ignored(repository_here, "no.md")
    with pytest.raises(ClawgitError, match="filter"):
        write({"a.enc": "secret\n"}, folder=place)


def test_a_git_file_that_leads_nowhere(tmp_path: Path) -> None:
    for text in ("gitdir: /nowhere/at/all\n", "nonsense\n", ""):
        (tmp_path / ".git").write_text(text)
        with pytest.raises(ClawgitError) as caught:
            repository.find(tmp_path)
        assert caught.value.key == "repository-damaged"
        assert str(tmp_path / ".git") in caught.value.message


def test_a_bare_repository_is_refused(repo: Path, git: Git, tmp_path: Path) -> None:
    git("clone", "-q", "--bare", str(repo), str(tmp_path / "bare.git"))
    with pytest.raises(ClawgitError):
        repository.find(tmp_path / "bare.git")
    git("config", "core.bare", "true")
    with pytest.raises(ClawgitError, match="bare"):
        open_raw(repo)


def test_head_is_read_while_somebody_checks_out():
    """Libgit2 asks for the size of HEAD, then reads it; a checkout in between makes it fail, for once."""

    class Raw:
        head = SimpleNamespace(target="1f3c9ab")
        asked = 0

        @property
        def head_is_unborn(self) -> bool:
            self.asked += 1
            if self.asked == 1:
                raise pygit2.GitError("could not read (expected 22 bytes, read 21)")
            return False

    assert repository.head(SimpleNamespace(raw=Raw())) == "1f3c9ab"  # type: ignore[arg-type]
