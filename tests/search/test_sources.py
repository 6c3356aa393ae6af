"""Files from elsewhere, and conversations."""

from collections.abc import Callable
from pathlib import Path

from clawgit.search import corpus, index, recall
from clawgit.search.answer import Query
from clawgit.search.corpus import Source
from clawgit.workspace.workspace import open_workspace


def paths(root: Path, *named: str) -> list[str]:
    return sorted(one.path for one in corpus.elsewhere(root, named))


def test_folders_and_files_from_elsewhere(write: Callable, tmp_path: Path) -> None:
    root = write({"docs/plan.md": "- plan", "docs/.hidden.md": "-", "memory/a.md": "- a", "docs/inner/b.md": "- b"})
    notes = tmp_path / "notes"
    (notes / "deep").mkdir(parents=True)
    (notes / ".git").mkdir()
    (notes / "one.md").write_text("- one")
    (notes / "one.txt").write_text("one")
    (notes / "deep/two.md").write_text("- two")
    (notes / "link.md").symlink_to(notes / "one.md")
    assert paths(root, "docs") == ["docs/inner/b.md", "docs/plan.md"]
    assert paths(root, "docs/plan.md", "missing", "missing.md") == ["docs/plan.md"]
    assert paths(root, str(notes)) == [f"{notes}/deep/two.md", f"{notes}/one.md"]
    assert paths(root, f"{notes}/deep/../one.md") == [f"{notes}/one.md"]
    assert paths(root, "memory", "memory/a.md") == []
    assert paths(root, ".", "..", "/") == []


def test_what_no_conversation_says_is_not_found_in_the_index(write: Callable) -> None:
    root = write({"CONFIG.md": "```yaml\nsources: [memory, sessions]\n```\n", "MEMORY.md": "- tea\n"})
    name = "sessions/main/s1"
    forged = Source(name, None, lambda: (b"user: the zeppelin leaves at ten", None), "s1:1")
    turn = "user: the zeppelin leaves at nine"
    said = Source(name, None, lambda: (turn.encode(), None), "s1:1")
    with open_workspace(root) as workspace:
        with index.current(workspace, more=lambda: [forged]):
            pass
        (hit,) = recall.search_files(workspace, Query("zeppelin"), sessions=lambda: [said]).results
        assert hit.text == turn
        (hit,) = recall.search_files(workspace, Query("zeppelin")).results
        assert hit.text == turn
