"""A process that stays keeps its index open, and is told the same."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clawgit.search import ask, index, warm
from clawgit.search.answer import Query
from clawgit.store import entry_table
from clawgit.workspace.workspace import open_workspace

LINE = "- The marmalade is {}."


def test_a_kept_index_says_what_the_files_say_whatever_becomes_of_it(repo: Path) -> None:
    (repo / "MEMORY.md").write_text("# Memory\n")

    def search_snippets() -> list[str]:
        with open_workspace(repo) as workspace:
            return [hit.snippet for hit in ask.answer_question(workspace, Query("marmalade")).results]

    def run() -> bool:
        warm.begin()
        assert search_snippets() == []
        for word in ("orange", "lemon"):
            (repo / "MEMORY.md").write_text(f"# Memory\n\n{LINE.format(word)}\n")
            assert search_snippets() == [LINE.format(word)]
        with open_workspace(repo) as workspace:
            entry_table.forget_index(index.place(workspace))
        assert search_snippets() == [LINE.format("lemon")]
        for file in (repo / ".git/clawgit/cache").glob("index*.db"):
            file.write_bytes(b"no database" * 999)
        assert search_snippets() == [LINE.format("lemon")]
        return True

    with ThreadPoolExecutor() as pool:  # a thread of its own, where nothing else is kept
        assert pool.submit(run).result()
