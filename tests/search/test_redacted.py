"""Hits show no secret."""

from collections.abc import Callable
from pathlib import Path

from clawgit.search import history_search, index, recall
from clawgit.search.answer import Answer, Query
from clawgit.workspace.workspace import open_workspace

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "\n".join(f"MIIEow{n:02}" + "Qx9" * 18 for n in range(25))
    + "\n-----END RSA PRIVATE KEY-----"
)


def join_texts(answer: Answer) -> str:
    assert answer.results
    return "\n".join(f"{hit.snippet}\n{hit.text}\n{hit.heading}" for hit in answer.results)


def test_no_hit_of_any_time_shows_one(write: Callable, commit: Callable) -> None:
    before = f"# Memory\n\n- The deploy token of the robot is {TOKEN}, kept by Ana.\n"
    root = write({"MEMORY.md": before})
    first = commit("the deploy token", "2026-05-01T12:00:00+00:00")
    with open_workspace(root) as workspace:
        hits = recall.search_files(workspace, Query("deploy token of the robot"))
        assert "[" in join_texts(hits)
        assert TOKEN not in join_texts(hits)
        assert hits.results[0].start == 3
        write({"MEMORY.md": "# Memory\n\n- Nothing.\n"})
        commit(f"away with {TOKEN}", "2026-05-02T12:00:00+00:00")
    with open_workspace(root) as workspace:
        query = Query("deploy token of the robot")
        assert TOKEN not in join_texts(history_search.search_past(workspace, query, first))
        assert TOKEN not in join_texts(history_search.search_deleted(workspace, query))
        story = history_search.story(workspace, "deploy token")
        assert story
        assert TOKEN not in repr(story)
        cache = index.place(workspace).parent
        assert not [path for path in cache.iterdir() if TOKEN.encode() in path.read_bytes()]


def test_a_line_with_one_that_still_stands_is_not_deleted(write: Callable, commit: Callable) -> None:
    line = f"- The robot's token is {TOKEN}."
    root = write({"MEMORY.md": f"# Memory\n\n{line}\n"})
    commit()
    write({"MEMORY.md": f"# Memory\n\n- Other.\n\n## Below\n\n{line}\n"})
    commit("moved")
    with open_workspace(root) as workspace:
        assert not history_search.search_deleted(workspace, Query("robot token")).results


def test_a_key_of_many_lines_is_gone_from_every_chunk(write: Callable) -> None:
    root: Path = write(
        {"MEMORY.md": f"# Memory\n\nThe robot logs in with\n\n```\n{KEY}\n```\n\n- after the robot key\n"}
    )
    with open_workspace(root) as workspace:
        hits = recall.search_files(workspace, Query("robot", least=0, most=50))
        assert "Qx9Qx9" not in join_texts(hits)
        assert [hit.start for hit in hits.results if "after" in hit.text] == [35]
