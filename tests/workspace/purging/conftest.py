"""A workspace to purge, with its state beside it."""

import pytest

from clawgit.workspace.bootstrap import init
from clawgit.workspace.workspace import open_workspace


@pytest.fixture
def space(repo, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    init(repo).workspace.close()
    with open_workspace(repo) as workspace:
        yield workspace
