"""The changelog follows the identity, if there is one."""

from clawgit.workspace import changelog
from clawgit.workspace.workspace import Workspace


def current(place):
    return changelog.changelog(Workspace(place.repo)).current


def test_it_is_rendered_after_a_commit_and_an_amendment(place):
    workspace = Workspace(place.repo)
    changelog.write(workspace, changelog.changelog(workspace))
    place.install()
    place.commit("SOUL.md", "# Soul\n\n- new\n")
    assert current(place)
    assert "by hand" in (place.root / "CHANGELOG.md").read_text()
    place.git("commit", "--amend", "-m", "other words")
    assert current(place)
    assert "other words" in (place.root / "CHANGELOG.md").read_text()
    assert place.git("status", "--porcelain") == ""
