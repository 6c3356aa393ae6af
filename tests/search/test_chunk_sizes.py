"""The sizes of chunks that CONFIG.md wants, and an index that has others."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.search import history_search, index, index_state, recall
from clawgit.search.answer import Query
from clawgit.store import index_file
from clawgit.workspace.workspace import open_workspace

Write = Callable[[dict[str, str]], Path]
LONG = " ".join(f"The kettle number {at} stands on shelf {at}." for at in range(60)) + "\n"


def config(**keys: object) -> str:
    return "```yaml\n" + "".join(f"{key}: {value}\n" for key, value in keys.items()) + "```\n"


def lengths(root: Path) -> list[int]:
    with index.current(open_workspace(root)) as opened:
        assert not opened.degraded
        return [len(row[0]) for row in opened.store.raw.execute("SELECT text FROM texts")]


def test_another_size_builds_the_index_anew(write: Write) -> None:
    root = write({"MEMORY.md": LONG})
    usual = lengths(root)
    write({"CONFIG.md": config(chunk_tokens=40)})
    assert max(lengths(root)) <= 160 < max(usual)
    write({"CONFIG.md": config(chunk_tokens=40, chunk_overlap=20)})
    assert sum(lengths(root)) > sum(usual) + 80
    write({"CONFIG.md": config(chunk_tokens=120, chunk_overlap=0)})
    assert lengths(root) == usual


def test_the_index_is_kept_while_the_sizes_stay(write: Write) -> None:
    root = write({"MEMORY.md": LONG, "CONFIG.md": config(chunk_tokens=40)})
    lengths(root)
    before = index_file.find_index(index.place(open_workspace(root)))
    lengths(root)
    assert index_file.find_index(index.place(open_workspace(root))) == before


def test_an_index_of_other_chunks_is_not_called_fresh(write: Write) -> None:
    root = write({"MEMORY.md": LONG})
    assert index_state.build_index(open_workspace(root)).fresh
    write({"CONFIG.md": config(chunk_tokens=40)})
    found = open_workspace(root)
    assert not index_state.read_state(found).fresh
    assert index_state.build_index(found).fresh


def test_vectors_of_other_chunks_are_not_those_of_the_index(write: Write) -> None:
    root = write({"MEMORY.md": LONG})
    states = set()
    for text in ("", config(chunk_tokens=40), config(chunk_overlap=9)):
        write({"CONFIG.md": text or "# Config\n"})
        with index.current(open_workspace(root)) as opened:
            states.add(opened.store.state)
    assert len(states) == 3


def test_what_was_then_is_cut_like_what_is(write: Write, commit: Callable[..., str]) -> None:
    root = write({"MEMORY.md": LONG, "CONFIG.md": config(chunk_tokens=40)})
    then = commit()
    (hit, *_) = history_search.search_past(open_workspace(root), Query("kettle number 31"), then).results
    assert len(hit.text) <= 160


@pytest.mark.parametrize("said", ["chunk_tokens: 0", "chunk_tokens: 5000", "chunk_tokens: a few", "chunk_overlap: -1"])
def test_sizes_that_are_none(write: Write, said: str) -> None:
    root = write({"MEMORY.md": LONG, "CONFIG.md": f"```yaml\n{said}\n```\n"})
    with pytest.raises(ClawgitError) as caught:
        recall.search(open_workspace(root), Query("kettle"))
    name = said.partition(":")[0]
    assert caught.value.key == "setting-invalid"
    assert f"CONFIG.md:2: {name}" in caught.value.message
    assert f"config {name}" in str(caught.value.fix)
    assert index_state.read_state(open_workspace(root)).chunks == 0
