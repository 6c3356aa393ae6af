"""Commits beside every branch: trees that git itself would have made."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from clawgit.git import commit_chain, repository
from clawgit.git.commit_chain import NewCommit

Git = Callable[..., str]
NAME, ADDRESS = "Ada Ü", "ada@example.org"
WHEN = datetime(2026, 3, 14, 9, 30, tzinfo=timezone(timedelta(hours=5, minutes=45)))


def new(**files: str | None) -> NewCommit:
    contents = {
        path.replace("__", "/") + ".md": None if text is None else text.encode() for path, text in files.items()
    }
    return NewCommit("subject\n", (NAME, ADDRESS), WHEN, contents)


def tree(git: Git, commit: str) -> dict[str, str]:
    lines = git("ls-tree", "-r", commit).splitlines()
    return {line.split("\t")[1]: line.split()[0] for line in lines}


def test_folders_come_and_go_with_their_files(repo: Path, git: Git) -> None:
    commits = commit_chain.build(
        repository.find(repo), None, [new(a__b__c="c", a__d="d"), new(a__b__c=None), new(a__d=None), new(e="e")]
    )
    assert [sorted(tree(git, oid)) for oid in commits] == [["a/b/c.md", "a/d.md"], ["a/d.md"], [], ["e.md"]]
    assert git("fsck", "--no-dangling") == ""


def test_the_executable_bit_stays_and_a_link_becomes_a_file(repo: Path, git: Git) -> None:
    (repo / "run.md").write_text("#!/bin/sh\n")
    (repo / "run.md").chmod(0o755)
    (repo / "link.md").symlink_to("run.md")
    git("add", "-A")
    git("commit", "-qm", "modes")
    commits = commit_chain.build(repository.find(repo), git("rev-parse", "HEAD").strip(), [new(run="new", link="new")])
    assert tree(git, commits[0]) == {"first.md": "100644", "link.md": "100644", "run.md": "100755"}


def test_where_the_parent_has_our_bytes_an_empty_commit_carries_the_message(repo: Path, git: Git) -> None:
    repository_here, base = repository.find(repo), git("rev-parse", "HEAD").strip()
    commits = commit_chain.build(repository_here, base, [new(first="ours\n")])
    (repo / "first.md").write_text("ours\n")
    git("commit", "-qam", "they were faster")
    tip = commit_chain.rebuilt_on(
        repository_here, base, commits[-1], git("rev-parse", "HEAD").strip(), lambda *_: pytest.fail("no merge")
    )
    assert git("diff", "HEAD", tip) == ""
    assert git("log", "-1", "--format=%s", tip) == "subject\n"


def _forked(repo: Path, git: Git) -> tuple[str, str, str]:
    """HEAD, another machine's commit on it, and a commit made meanwhile."""
    head, repository_here = git("rev-parse", "HEAD").strip(), repository.find(repo)
    theirs, meanwhile = (
        commit_chain.build(repository_here, head, [new(**{name: name})])[0] for name in ("theirs", "meanwhile")
    )
    return head, theirs, meanwhile


def _either(_: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    return theirs if ours == base else ours


@pytest.mark.parametrize("forward", [True, False])
def test_a_merge_that_comes_too_late_is_merged_once_more_as_a_whole(repo: Path, git: Git, forward: bool) -> None:
    """The commits of others keep their ids, for any order of events."""
    head, theirs, meanwhile = _forked(repo, git)
    repository_here = repository.find(repo)
    tip = theirs
    if forward:
        (tip,) = commit_chain.build(repository_here, theirs, [new(more="more")])
        tip = commit_chain.build(repository_here, tip, [NewCommit("m\n", ("A", "a@b"), WHEN, {}, (head,))])[0]
    else:
        (tip,) = commit_chain.build(
            repository_here, head, [NewCommit("m\n", ("A", "a@b"), WHEN, {"theirs.md": b"theirs"}, (theirs,))]
        )
    merged_commit = commit_chain.rebuilt_on(repository_here, head, tip, meanwhile, _either)
    assert git("log", "-1", "--format=%P", merged_commit).split() == [meanwhile, tip]
    assert {"theirs.md", "meanwhile.md"} <= set(tree(git, merged_commit))
    assert theirs in git("rev-list", merged_commit).split()


def test_what_came_from_another_machine_is_not_made_again(repo: Path, git: Git) -> None:
    head, theirs, meanwhile = _forked(repo, git)
    git("update-ref", "refs/clawgit/remotes/origin/kkkkkkkk", theirs)
    merged_commit = commit_chain.rebuilt_on(repository.find(repo), head, theirs, meanwhile, _either)
    assert git("log", "-1", "--format=%P", merged_commit).split() == [meanwhile, theirs]
