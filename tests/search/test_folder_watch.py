"""A process that answers more than once sees every write at once, though it looks at no file twice."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgit.search import ask, corpus, index, warm
from clawgit.search.answer import Query
from clawgit.search.index import FolderWatch
from clawgit.store import index_file
from clawgit.workspace.workspace import open_workspace

TOAST = "- Marmalade on toast."


@pytest.fixture(autouse=True)
def kept() -> Iterator[None]:
    things: warm.Things = {}
    with warm.within(things):
        yield
    warm.end(things)


def found(root: Path, question: str = "marmalade") -> list[str]:
    with open_workspace(root) as workspace:
        return [one.snippet for one in ask.search(workspace, Query(question)).results]


@pytest.fixture
def settled(repo: Path) -> Path:
    """A workspace whose index and watch are warm."""
    (repo / "memory").mkdir(exist_ok=True)
    (repo / "memory/2026-05-01.md").write_text(f"{TOAST}\n")
    time.sleep(0.11)  # what was written just now is read once more
    assert found(repo) == found(repo) == [TOAST]
    return repo


def test_what_is_appended_to_an_open_file_is_found(settled: Path) -> None:
    lemons = "- Marmalade of lemons."
    with (settled / "memory/2026-05-01.md").open("a") as file:
        file.write(f"{lemons}\n")
        file.flush()
        assert lemons in found(settled)


def test_a_new_folder_a_moved_file_and_a_deleted_one_are_seen(settled: Path) -> None:
    jar, tin = "- Marmalade in a jar.", "- Marmalade in a tin."
    new = settled / "memory/2026/05"
    new.mkdir(parents=True)
    (new / "2026-05-02.md").write_text(f"{jar}\n")
    assert jar in found(settled)
    (new / "2026-05-03.md").write_text(f"{tin}\n")
    assert tin in found(settled)
    (new / "2026-05-02.md").rename(settled / "memory/other.txt")
    (settled / "memory/2026-05-01.md").unlink()
    assert found(settled) == [tin]


def test_another_workspace_in_its_place_is_another(settled: Path, tmp_path: Path) -> None:
    shutil.copytree(settled, tmp_path / "copy")
    (tmp_path / "copy/memory/2026-05-01.md").write_text("- Marmalade elsewhere.\n")
    settled.rename(tmp_path / "before")
    (tmp_path / "copy").rename(settled)
    assert found(settled) == ["- Marmalade elsewhere."]


def test_an_index_that_was_thrown_away_is_made_again(settled: Path) -> None:
    with open_workspace(settled) as workspace:
        index_file.forget_index(index.place(workspace))
    assert found(settled) == [TOAST]


def test_nothing_is_looked_at_where_nothing_was_written(settled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not warm_watch(settled):
        pytest.skip("the kernel does not tell of this file system")
    monkeypatch.setattr(corpus, "sources", lambda *_: pytest.fail("looked"))
    assert found(settled) == [TOAST]


def warm_watch(root: Path) -> FolderWatch | None:
    return index.watch_folder(root)


def test_after_two_seconds_the_files_are_looked_at_all_the_same(tmp_path: Path) -> None:
    now = [0.0]
    try:
        watch = FolderWatch(tmp_path, lambda: now[0])
    except OSError:
        pytest.skip("the kernel does not tell of this file system")
    assert not watch.quiet(1)
    watch.looked(1)
    assert watch.quiet(1)
    assert not watch.quiet(2)
    now[0] = index.WATCH_SECONDS
    assert not watch.quiet(1)
    watch.close()


def test_where_the_kernel_tells_nothing_the_files_are_looked_at(settled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "RELIABLE_FILE_SYSTEMS", frozenset())
    assert warm_watch(settled.parent) is None
