"""Real workspaces, each test its own."""

import pytest

from tests import moulds
from tests.moulds import no_waiting_for_the_disk  # noqa: F401 - for all tests of this folder

from .places import SOUL, another


@pytest.fixture(scope="session")
def mould(tmp_path_factory):
    """A managed workspace, made once to be copied: branch main, an identity, a short soul."""
    import pygit2  # noqa: PLC0415 - tests of pure text do not load it

    from clawgit.git import repository  # noqa: PLC0415

    repository.set_up_libgit2(pygit2)  # turns fsync on
    pygit2.option(pygit2.enums.Option.ENABLE_FSYNC_GITDIR, False)
    return moulds.managed(tmp_path_factory.mktemp("mould") / "ws", SOUL)


@pytest.fixture
def place(mould):
    """A copy of the mould, open for one test."""
    with another(mould) as copy:
        yield copy
