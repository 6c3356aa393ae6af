"""What is unusual about a repository."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import repository, repository_health

Git = Callable[..., str]


def test_an_old_git_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert repository_health.require_git()
    monkeypatch.setattr(repository_health, "git_version", lambda: (2, 29, 9))
    with pytest.raises(ClawgitError) as caught:
        repository_health.require_git()
    assert caught.value.key == "git-old"
    assert all(number in caught.value.message for number in ("2.29.9", "2.30"))


def test_nested_repositories_are_found_and_not_entered(repo: Path, git: Git) -> None:
    for path in ("a/inner", "a/inner/deeper", "node_modules/x", "z"):
        git("init", "-q", path)
    (repo / "sub").mkdir()
    (repo / "sub/.git").write_text("gitdir: ../.git/modules/sub\n")
    assert list(repository_health.nested(repository.find(repo))) == ["sub", "z", "a/inner"]


@pytest.mark.parametrize("name", ["plain.md", "ü b.md", ":(top)x.md", "a[1]*.md", "-n.md"])
def test_the_rule_that_hides_a_file_is_named(repo: Path, git: Git, name: str) -> None:
    (repo / "memory").mkdir()
    (repo / "memory" / name).write_text("x\n")
    (repo / ".gitignore").write_text("# mine\nmemory/\n")
    found = repository.find(repo)
    assert repository_health.hiding_rules(found, [f"memory/{name}", "first.md"]) == {
        f"memory/{name}": ".gitignore:2: memory/"
    }
    (repo / ".gitignore").write_text("*\n")
    assert "first.md" not in repository_health.hiding_rules(found, ["first.md"])  # tracked: no rule hides it
    (repo / ".gitignore").write_text("memory/*\n!memory/*.md\n")
    assert repository_health.hiding_rules(found, [f"memory/{name}"]) == {}
    assert repository_health.hiding_rules(found, []) == {}


def test_a_whole_clone_has_no_promisor_and_leaves_nothing_out(repo: Path, git: Git, tmp_path: Path) -> None:
    found = repository.find(repo)
    assert (
        repository_health.promisors(found),
        repository_health.list_left_out(found),
        repository_health.interrupted(found),
    ) == ((), (), False)
    git("config", "uploadpack.allowFilter", "true")
    git("clone", "-q", "--filter=blob:none", f"file://{repo}", str(tmp_path / "part"))
    assert repository_health.promisors(repository.find(tmp_path / "part")) == ("origin",)


def test_a_sparse_checkout_leaves_out_what_is_not_there(repo: Path, git: Git) -> None:
    (repo / "x").mkdir()
    (repo / "x/y.md").write_text("y\n")
    git("add", "x")
    git("commit", "-qm", "y")
    git("sparse-checkout", "set", "--no-cone", "/*", "!/x")
    assert repository_health.list_left_out(repository.find(repo)) == ("x/y.md",)
    (repo / "x").mkdir(exist_ok=True)
    (repo / "x/y.md").write_text("y\n")
    assert repository_health.list_left_out(repository.find(repo)) == ()
