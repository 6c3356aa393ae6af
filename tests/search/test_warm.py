"""A process that stays keeps its index open, and is told the same."""

import threading
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from clawgit.search import ask, index, warm
from clawgit.search.answer import Query
from clawgit.store import index_file
from clawgit.workspace.workspace import open_workspace

LINE = "- The marmalade is {}."


def apart(act):
    """What `act` returns in a thread of its own, where nothing else is kept."""
    found = []
    thread = threading.Thread(target=lambda: found.append(act()))
    thread.start()
    thread.join()
    return found[0]


def test_where_nothing_is_kept_everything_is_made_anew() -> None:
    assert apart(lambda: warm.keep_warm("key", 1, list) is warm.keep_warm("key", 1, list)) is False


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2)), max_size=12))
def test_what_is_kept_is_what_was_made_of_the_same_the_last_time(asked: list[tuple[str, int]]) -> None:
    def run() -> None:
        warm.begin()
        last: dict[str, tuple[int, list[int]]] = {}
        ended: list[int] = []
        for key, made_of in asked:
            thing = warm.keep_warm(key, made_of, lambda of=made_of: [of], lambda old: ended.append(id(old)))
            assert thing == [made_of]
            assert warm.holds(thing)
            if key in last and last[key][0] == made_of:
                assert thing is last[key][1]
            elif key in last:
                assert id(last[key][1]) in ended
                assert not warm.holds(last[key][1])
            last[key] = (made_of, thing)

    apart(run)


def test_what_is_dropped_is_made_again() -> None:
    def run() -> None:
        warm.begin()
        first = warm.keep_warm("key", 1, list)
        warm.drop(first)
        assert not warm.holds(first)
        assert warm.keep_warm("key", 1, list) is not first

    apart(run)


def test_a_kept_index_says_what_the_files_say_whatever_becomes_of_it(repo: Path) -> None:
    (repo / "MEMORY.md").write_text("# Memory\n")

    def found() -> list[str]:
        with open_workspace(repo) as workspace:
            return [one.snippet for one in ask.search(workspace, Query("marmalade")).results]

    def run() -> None:
        warm.begin()
        assert found() == []
        for word in ("orange", "lemon"):
            (repo / "MEMORY.md").write_text(f"# Memory\n\n{LINE.format(word)}\n")
            assert found() == [LINE.format(word)]
        with open_workspace(repo) as workspace:
            index_file.forget_index(index.place(workspace))
        assert found() == [LINE.format("lemon")]
        for file in (repo / ".git/clawgit/cache").glob("index*.db"):
            file.write_bytes(b"no database" * 999)
        assert found() == [LINE.format("lemon")]

    apart(lambda: run() or True)
