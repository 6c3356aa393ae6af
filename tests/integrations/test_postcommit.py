"""The changelog follows the identity, where there is one."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clawgit.workspace import changelog, rendered_views
from clawgit.workspace.workspace import Workspace
from tests import moulds
from tests.amounts import amount

from .conftest import Place


@pytest.fixture
def viewed(place):
    """A workspace with hooks and a changelog."""
    workspace = Workspace(place.repo)
    changelog.write(workspace, changelog.changelog(workspace))
    place.install()
    return place


def current(place):
    return changelog.changelog(Workspace(place.repo)).current


def test_it_is_rendered_after_a_commit_and_an_amendment(viewed):
    viewed.commit("SOUL.md", "# Soul\n\n- new\n")
    assert current(viewed)
    assert "by hand" in (viewed.root / "CHANGELOG.md").read_text()
    viewed.git("commit", "--amend", "-m", "other words")
    assert current(viewed)
    assert "other words" in (viewed.root / "CHANGELOG.md").read_text()
    assert viewed.git("status", "--porcelain") == ""


def test_one_that_cannot_be_written_disturbs_no_commit(viewed):
    config = (viewed.root / "CONFIG.md").read_text()
    viewed.write("CONFIG.md", config.replace("```yaml\n", "```yaml\nchangelog_file: ../x.md\n", 1))
    before = viewed.head
    said = viewed.commit("SOUL.md", "x\n")
    assert viewed.head != before
    assert "warning: post-commit: " in said
    assert os.listdir(viewed.root.parent).count("x.md") == 0  # noqa: PTH208


# --- only what came since is rendered


OLD, NEW, NEWER = "2096-03-01T10:00:00+01:00", "2096-03-02T10:00:00+01:00", "2096-03-02T11:00:00+01:00"
WORDS = "soul: a line\n\nwhy\n\nClawgit-Change: kkkkkkkkk{}\nOrigin: operator"
BACK = WORDS + "\nClawgit-Undoes: kkkkkkkkk{}"
PATHS = ("SOUL.md", "USER.md", "agents/x/SOUL.md", "memory/x.md", "agents/x/notes.md", "src/app.py", ".clawgit/format")


def grow(place):
    """Render as the hook does; tell whether only what came since was rendered."""
    workspace = Workspace(place.repo)
    before = changelog.grown_since(workspace, "CHANGELOG.md") is not None
    rendered_views.render_all(workspace)
    return before


def step(place, kind, path, when, words):
    """Do something with git that a person might do."""
    dates = {"env": {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}}
    match kind:
        case "commit":
            file = place.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as added:
                added.write(f"- {words}\n")
            place.git("add", "-f", "--", path)
            place.git("commit", "-qm", words, **dates)
        case "amend":
            place.git("commit", "-q", "--amend", "--allow-empty", "-m", words, **dates)
        case "back":
            place.git("reset", "-q", "--keep", "HEAD~1")
        case "move":
            place.run("mv", "-f", path, "notes.md")
            place.run("commit", "-qm", words, **dates)
        case "merge":
            place.git("checkout", "-q", "-b", "side", "HEAD~1")
            step(place, "commit", f"agents/{len(words)}/SOUL.md", when, words)
            place.git("checkout", "-q", "main")
            place.git("merge", "-q", "-s", "ours" if path == "SOUL.md" else "ort", "-m", words, "side", **dates)
            place.git("branch", "-q", "-D", "side")


steps = st.tuples(
    st.sampled_from(("commit", "commit", "commit", "commit", "amend", "back", "move", "merge")),
    st.sampled_from(PATHS),
    st.sampled_from((OLD, NEW, NEWER)),
    st.one_of(
        st.sampled_from(("a line", "## 2096-03-02", changelog.MARKER)),
        st.builds(WORDS.format, st.sampled_from("klm")),
        st.builds(BACK.format, st.sampled_from("klm"), st.sampled_from("klm")),
    ),
)


@settings(max_examples=amount(15, 2))
@given(st.lists(st.lists(steps, min_size=1, max_size=3), min_size=1, max_size=4))
@example([[("commit", "SOUL.md", NEW, "a")], [("commit", "src/app.py", NEW, "b"), ("commit", "SOUL.md", NEWER, "c")]])
@example([[("commit", "SOUL.md", NEW, WORDS.format("k"))], [("commit", "USER.md", NEW, BACK.format("l", "k"))]])
@example([[("commit", "SOUL.md", NEW, "a")], [("commit", "USER.md", OLD, "b")]])
@example([[("commit", "SOUL.md", NEW, BACK.format("l", "k"))], [("commit", "USER.md", NEW, WORDS.format("k"))]])
def test_it_is_always_what_the_whole_log_says(mould, rounds):
    with tempfile.TemporaryDirectory(prefix="clawgit-grown-") as folder:
        place = Place(moulds.copied(mould, Path(folder) / "ws"))
        workspace = Workspace(place.repo)
        changelog.write(workspace, changelog.changelog(workspace))
        for number, several in enumerate(rounds):
            for one in several:
                step(place, "commit", "work.txt", NEW, f"{number}")
                step(place, *one)
            grow(place)
            assert current(place), place.git("log", "--oneline", "--graph")
