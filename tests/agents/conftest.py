"""Managed workspaces with conversations, and an agent to read them."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.moulds import no_waiting_for_the_disk  # noqa: F401 - for all tests of this folder

from .talk import Talk


@pytest.fixture(scope="session")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A managed workspace, made once to be copied."""
    from clawgit.workspace.bootstrap import init  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("mould") / "ws"
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet", "-b", "main", "--template=", folder], check=True)
    with (folder / ".git/config").open("a") as config:
        config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    (folder / "SOUL.md").write_text("# Soul\n\n- Have a view.\n- Look before asking.\n")
    init(folder).workspace.close()
    return folder


@pytest.fixture
def talk(mould: Path, tmp_path: Path) -> Iterator[Talk]:
    """A copy of the mould, in which nothing was said yet."""
    with Talk(Path(shutil.copytree(mould, tmp_path / "ws"))) as talk:
        yield talk
