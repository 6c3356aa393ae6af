"""Tables of two machines are joined row by row; a cursor only ever goes forward."""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.cli.test_sync import git, hub, second  # noqa: F401 - fixtures

CURSORS, TAINTED = ".clawgit/cursors.tsv", ".clawgit/tainted.tsv"


def write(folder: Path, path: str, *rows: str) -> None:
    heading = f"# clawgit {Path(path).stem} 1"
    (folder / path).write_text("".join(f"{row}\n" for row in (heading, *rows)))
    git(folder, "add", path)
    git(folder, "commit", "-qm", "by hand")


def test_tables_of_two_machines_are_joined(call: Callable, space: Path, second: Path) -> None:  # noqa: F811
    write(space, CURSORS, "a\te9\t2000", "b\te1\t1000")
    write(second, CURSORS, "a\te5\t1500", "c\te1\t1000", "<<<<<<< ours")
    write(space, TAINTED, "turn\tkkkkkkkkkk\ts#1")
    write(second, TAINTED, "turn\tkkkkkkkkkk\ts#2")
    for place in (space, second, space):
        assert call("-C", place, "sync").code == 0
    for place in (space, second):
        rows = [row for row in (place / CURSORS).read_text().splitlines() if "\t" in row]
        assert rows == ["a\te9\t2000", "b\te1\t1000", "c\te1\t1000"]
        rows = (place / TAINTED).read_text().splitlines()
        assert rows == ["# clawgit tainted 1", "turn\tkkkkkkkkkk\ts#1", "turn\tkkkkkkkkkk\ts#2"]


def test_a_copied_folder_is_a_machine_of_its_own(call: Callable, space: Path, hub: Path, tmp_path: Path) -> None:  # noqa: F811
    assert hub.exists()
    places = (space, space, shutil.copytree(space, tmp_path / "copy", symlinks=True))
    first, repeated, copied = (call("-C", place, "sync", "--json").json["machine"] for place in places)
    assert (first == repeated, first == copied) == (True, False)
