"""Files from elsewhere, and conversations."""

from collections.abc import Callable

from clawgit.search import index, recall
from clawgit.search.answer import Query
from clawgit.search.corpus import Source
from clawgit.workspace.workspace import open_workspace


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
