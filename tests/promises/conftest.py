"""Workspaces for the promises: what a promise test does, it does through the command, git and files."""

from pathlib import Path

import pytest

from tests import moulds
from tests.promises.desk import Desk


@pytest.fixture(scope="session")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an adopted workspace that was made once: identity, memory, a topic file, a journal."""
    return Desk.adopt(tmp_path_factory.mktemp("adopted") / "ws").root


@pytest.fixture
def desk(adopted: Path, tmp_path: Path) -> Desk:
    """Return a workspace of this test's own, with its owner."""
    return Desk(moulds.copied(adopted, tmp_path / "ws"))
