"""What clawgit brought goes, what others made stays, and history is never rewritten."""

from threading import Event, Thread

import pytest

from clawgit.errors import ClawgitError
from clawgit.workspace import changelog
from clawgit.workspace.adopt import adopt, eject, farewell
from clawgit.workspace.bootstrap import init

from .places import SOUL, Place


@pytest.fixture
def lived(tmp_path):
    """A folder under git, with rules of its own."""
    found = Place(tmp_path / "ws")
    found.write("SOUL.md", SOUL)
    found.git("init", "--quiet", "-b", "main")
    found.git("config", "user.name", "Ada")
    found.git("config", "user.email", "ada@example.org")
    found.commit({"SOUL.md": SOUL, ".gitignore": "*.log", "MEMORY.md": "- one\n"})
    return found


def test_rendered_files_go_and_those_of_others_stay(lived):
    lived.write("CHANGELOG.md", "# mine\n")
    adopted = adopt(lived.root)
    changelog.write(adopted.workspace, changelog.changelog(adopted.workspace))
    assert lived.read("SOUL_CHANGELOG.md")
    eject(adopted.workspace, farewell(adopted.workspace))
    assert lived.read("SOUL_CHANGELOG.md") is None
    assert lived.text("CHANGELOG.md") == "# mine\n"


def test_an_interrupted_farewell_is_finished(lived, monkeypatch):
    adopted = adopt(lived.root)
    monkeypatch.setattr("clawgit.workspace.adopt._forget", lambda workspace, **_: None)
    eject(adopted.workspace, farewell(adopted.workspace))
    monkeypatch.undo()
    assert not adopted.workspace.managed
    assert eject(adopted.workspace, farewell(adopted.workspace)) is None
    assert not (lived.root / ".git/clawgit").exists()
    with pytest.raises(ClawgitError, match="nothing to give back"):
        farewell(adopted.workspace)


def test_a_watcher_that_still_opens_its_database_is_waited_for(lived):
    adopted = adopt(lived.root)
    log, ended = lived.root / ".git/clawgit/state.db-wal", Event()

    def watch():
        opened = True
        while opened and not ended.is_set():
            try:
                log.touch()
            except OSError:
                opened = False

    watcher = Thread(target=watch)
    watcher.start()
    try:
        eject(adopted.workspace, farewell(adopted.workspace))
    finally:
        ended.set()
        watcher.join()
    assert not (lived.root / ".git/clawgit").exists()


def test_nothing_is_given_back_in_the_middle_of_a_merge(lived):
    adopted = adopt(lived.root)
    lived.write(".git/MERGE_HEAD", lived.head)
    before = lived.tree()
    with pytest.raises(ClawgitError, match="a merge is under way"):
        eject(adopted.workspace, farewell(adopted.workspace))
    assert lived.tree() == before
    assert (lived.root / ".git/clawgit").exists()


@pytest.mark.parametrize("config", ["```yaml\nbranch: [\n```\n"])
def test_whoever_leaves_need_not_put_the_settings_right(lived, config):
    adopted = adopt(lived.root)
    lived.commit({"CONFIG.md": config})
    workspace = lived.open()
    eject(workspace, farewell(workspace))
    assert not (lived.root / ".clawgit").exists()
    assert lived.text("CONFIG.md") == config
    assert adopted.commit


def test_what_init_brought_goes_with_the_folders_that_it_made(tmp_path):
    """The identity and the memory are the operator's; records, prompts, views and empty folders are not."""
    place = Place(tmp_path / "ws")
    workspace = init(place.root).workspace
    eject(workspace, farewell(workspace))
    assert place.git("status", "--porcelain") == ""
    left = {path.relative_to(place.root).parts[0] for path in place.root.iterdir()} - {".git"}
    assert left == {
        "SOUL.md",
        "IDENTITY.md",
        "USER.md",
        "AGENTS.md",
        "TOOLS.md",
        "HEARTBEAT.md",
        "BOOTSTRAP.md",
        "MEMORY.md",
    }
