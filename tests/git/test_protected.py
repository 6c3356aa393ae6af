"""Files that somebody has protected against writing are left alone, and nothing is left behind."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.workspace import bootstrap, memory_lines
from clawgit.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = bootstrap.init(tmp_path / "workspace").workspace
    workspace.close()
    return workspace


@pytest.fixture
def flagged() -> Iterator[Callable[[str, Path], None]]:
    """Set a file system flag, and take it back afterwards."""
    records: list[tuple[str, Path]] = []

    def flag(letter: str, place: Path) -> None:
        if shutil.which("chattr") is None or subprocess.run(["chattr", f"+{letter}", place], check=False).returncode:
            pytest.skip("a file system with flags, as root; get it: run the tests as root on ext4")
        records.append((letter, place))

    yield flag
    for letter, place in records:
        subprocess.run(["chattr", f"-{letter}", place], check=True)


def read_files(workspace: Workspace) -> tuple[object, ...]:
    root = workspace.root
    displaced = root / ".git/clawgit/displaced"
    return (
        (root / "MEMORY.md").read_bytes(),
        (root / ".clawgit/entries.tsv").read_bytes(),
        workspace.head,
        (root / ".git/index.lock").exists(),
        list(displaced.iterdir()) if displaced.exists() else [],
    )


@pytest.mark.parametrize("letter", ["i", "a"])
@pytest.mark.parametrize("name", ["MEMORY.md", ".clawgit/entries.tsv"])
def test_a_file_that_cannot_be_replaced_refuses_the_whole_change(workspace, flagged, letter, name):
    """Immutable or append-only: an error that names the file, nothing touched, and the next write works."""
    before = read_files(workspace)
    flagged(letter, workspace.root / name)
    with pytest.raises(ClawgitError) as caught:
        workspace.apply(memory_lines.make_addition(workspace, "not today").change)
    assert name in caught.value.message
    assert "kept" not in caught.value.message
    assert read_files(workspace) == before
    subprocess.run(["chattr", f"-{letter}", workspace.root / name], check=True)
    assert workspace.apply(memory_lines.make_addition(workspace, "now").change).commit
