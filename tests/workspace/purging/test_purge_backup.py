"""A bundle of what was is written over nothing, and stands where nothing of it is looked for."""

import subprocess

import pytest

from clawgit.errors import Advice, ClawgitError
from clawgit.git import history_rewrite
from clawgit.memory import purge, purge_places
from clawgit.workspace.bootstrap import init
from clawgit.workspace.workspace import open_workspace

pytest.importorskip("git_filter_repo")
SECRET = "hunter2-very-secret-thing"


@pytest.fixture
def space(repo, monkeypatch, tmp_path, git):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    init(repo).workspace.close()
    with (repo / "MEMORY.md").open("a") as file:
        file.write(f"- {SECRET}\n")
    git("commit", "-qam", "it came")
    with open_workspace(repo) as workspace:
        yield workspace


def purged(space, keep=None):
    return purge.purge(space, purge_places.find(space, purge_places.read_phrase(SECRET)), None, keep=keep)


def test_what_is_there_stays(space, git, tmp_path):
    place = tmp_path / "diary.txt"
    place.write_text("my only diary")
    (tmp_path / "dangling").symlink_to("nowhere")
    head = git("rev-parse", "HEAD")
    for one in (place, tmp_path / "dangling", tmp_path):
        with pytest.raises(ClawgitError, match="there already"):
            purged(space, one)
    assert place.read_text() == "my only diary"
    assert git("rev-parse", "HEAD") == head


def test_the_workspace_and_its_git_folder_take_none(space, git, tmp_path):
    (tmp_path / "link").symlink_to(space.root)
    git("worktree", "add", "-q", "--detach", "../other")
    for one in (
        space.root / "b.bundle",
        space.root / "memory/new/b.bundle",
        space.root / ".git/b.bundle",
        tmp_path / "link/b.bundle",
        space.root.parent / "other/b.bundle",
    ):
        with pytest.raises(ClawgitError, match="nothing of it may stay"):
            purged(space, one)
        assert not one.exists()


@pytest.mark.parametrize("step", ["_renew_index"])
def test_the_bundle_of_a_purge_that_was_stopped_keeps_what_was(space, git, monkeypatch, tmp_path, step):
    head, place = git("rev-parse", "HEAD").strip(), tmp_path / "new/b.bundle"

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(purge, step, killed)
    with pytest.raises(KeyboardInterrupt):
        purged(space, place)
    monkeypatch.undo()
    purged(space, place)
    told = subprocess.run(["git", "bundle", "list-heads", place], capture_output=True, text=True, check=True).stdout
    assert head in told


def test_a_purge_that_fails_leaves_no_bundle(space, git, monkeypatch, tmp_path):
    head, place = git("rev-parse", "HEAD"), tmp_path / "b.bundle"

    def failed(*_):
        raise ClawgitError("test", "failed", fix=Advice(""))

    monkeypatch.setattr(history_rewrite, "fetch", failed)
    with pytest.raises(ClawgitError, match="failed"):
        purged(space, place)
    assert not place.exists()
    assert git("rev-parse", "HEAD") == head
