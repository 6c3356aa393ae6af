"""Machines that share a memory: real workspaces, real remotes."""

from pathlib import Path

import pytest

from tests import moulds
from tests.moulds import skip_fsync  # noqa: F401 - for all tests of this folder

from .machines import Machines


@pytest.fixture(scope="session")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A managed workspace, made once to be copied: branch main, an identity, a short soul."""
    import pygit2  # noqa: PLC0415 - tests of pure text do not load it

    from clawgit.git import repository  # noqa: PLC0415

    repository.set_up_libgit2(pygit2)  # turns fsync on
    pygit2.option(pygit2.enums.Option.ENABLE_FSYNC_GITDIR, False)
    return moulds.managed(tmp_path_factory.mktemp("mould") / "ws", "# Soul\n\n- Be kind.\n")


@pytest.fixture
def machines(request: pytest.FixtureRequest, mould: Path, tmp_path: Path) -> Machines:
    """Two machines, `a` and `b`, that meet at a bare remote, or in a folder if a test asks for it."""
    return Machines(mould, tmp_path, folder=getattr(request, "param", "remote") == "folder")


meeting = pytest.mark.parametrize("machines", ["remote", "folder"], indirect=True)
