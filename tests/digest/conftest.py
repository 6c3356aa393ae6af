"""Managed workspaces, approved as they are."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests import moulds
from tests.moulds import no_waiting_for_the_disk  # noqa: F401 - for all tests of this folder

from .space import Space

SOUL = "# Soul\n\n## Core Truths\n\n- Have a view.\n- Look before asking.\n"


@pytest.fixture(scope="session")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A managed workspace, made once to be copied."""
    return moulds.managed(tmp_path_factory.mktemp("mould") / "ws", SOUL)


@contextmanager
def copied(mould: Path) -> Iterator[Space]:
    """Copy the mould for one example of a property."""
    from clawgit.workspace.trust_review import approve_head  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="clawgit-digest-") as folder:
        place = Space(moulds.copied(mould, Path(folder).resolve() / "ws"))
        assert approve_head(place.ws) == ()
        yield place
        shutil.rmtree(place.ws.trusted.folder)


@pytest.fixture
def another(mould: Path) -> Callable[[], AbstractContextManager[Space]]:
    """Make copies of the mould."""
    return partial(copied, mould)


@pytest.fixture
def space(mould: Path) -> Iterator[Space]:
    """A copy of the mould, for one test."""
    with copied(mould) as place:
        yield place
