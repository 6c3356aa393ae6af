"""Workspaces for the promises: a promise test works by the command, git and files."""

from pathlib import Path

import pytest

from tests import moulds
from tests.promises import fixes
from tests.promises.desk import Desk


@pytest.fixture(scope="session")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an adopted workspace that was made once: identity, memory, a topic file, a journal."""
    return Desk.adopt(tmp_path_factory.mktemp("adopted") / "ws").root


@pytest.fixture
def desk(adopted: Path, tmp_path: Path) -> Desk:
    """Return a workspace of this test's own, with its owner."""
    return Desk(moulds.copied(adopted, tmp_path / "ws"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer to write down which printed fixes were run."""
    parser.addoption("--write-fixes", action="store_true", help="write tests/promises/fixes_run.txt")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object, error: object) -> None:
    """Take over the lines run in a process of pytest-xdist."""
    for line in getattr(node, "workeroutput", {}).get("fixes", ()):
        fixes.note(line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand over the lines that were run, or write them down."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["fixes"] = fixes.take()
    elif session.config.getoption("--write-fixes", default=False):
        fixes.write(fixes.take())
