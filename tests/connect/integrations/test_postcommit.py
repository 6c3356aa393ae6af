"""The changelog follows the identity, where there is one."""

import pytest

from clawgit.workspace import changelog
from clawgit.workspace.workspace import Workspace


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
