"""What is local to a clone is found as git finds it."""

from clawgit.messages import patterns


def test_the_innermost_repository_is_the_workspace(repo):
    (repo / "memory/deep").mkdir(parents=True)
    assert patterns.root(repo / "memory/deep") == repo
    assert patterns.home(repo) == repo / ".git/clawgit"


def test_linked_worktrees_share_it(repo, git, tmp_path):
    git("worktree", "add", "-q", str(tmp_path / "other"))
    assert patterns.home(tmp_path / "other") == repo / ".git/clawgit"


def test_outside_of_git_there_is_none(tmp_path):
    assert patterns.root(tmp_path) == tmp_path
    assert patterns.home(tmp_path) is None
