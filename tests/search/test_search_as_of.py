"""What was known once, what is gone, and how it came about."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawgit.search import history_search
from clawgit.search.answer import Answer, Query
from clawgit.workspace import records
from clawgit.workspace.workspace import open_workspace

MONDAY, TUESDAY = "- The deploy day is Monday.", "- The deploy day is Tuesday."
ULM = "- Bo moved to Ulm."


@pytest.fixture
def lived(root: Path, write: Callable, commit: Callable) -> Path:
    """Three commits: a decision, its reversal, its archive."""
    write({"MEMORY.md": f"# Memory\n\n{MONDAY}\n- Ana likes tea.\n"})
    commit("one", "2026-05-01T12:00:00+00:00")
    write({"MEMORY.md": f"# Memory\n\n{TUESDAY}\n- Ana likes tea.\n{ULM}\n"})
    commit("two", "2026-05-10T12:00:00+00:00")
    write({"MEMORY.md": f"# Memory\n\n{TUESDAY}\n", "memory/archive/2026-05.md": "- Ana likes tea.\n"})
    commit("three", "2026-05-20T12:00:00+00:00")
    return root


def as_of(root: Path, question: str, name: str) -> Answer:
    with open_workspace(root) as workspace:
        return history_search.search_past(workspace, Query(question), records.find(workspace, name))


def gone(root: Path, question: str) -> Answer:
    with open_workspace(root) as workspace:
        return history_search.search_deleted(workspace, Query(question))


def test_the_past_knows_nothing_younger(lived: Path) -> None:
    assert as_of(lived, "deploy day", "2026-05-05").results[0].snippet == MONDAY
    assert as_of(lived, "bo ulm", "2026-05-05").results == ()
    assert as_of(lived, "bo ulm", "HEAD~1").results[0].snippet == ULM
    answer = as_of(lived, "deploy day", "2026-05-15")
    assert answer.results[0].snippet == TUESDAY
    assert answer.asof == datetime(2026, 5, 10, 12, tzinfo=UTC)
    assert all(hit.commit == answer.commit for hit in answer.results)


def test_lines_that_are_gone_are_found_with_the_commit_that_had_them(lived: Path) -> None:
    (hit,) = gone(lived, "deploy monday").results
    assert (hit.path, hit.start, hit.snippet, hit.gone) == ("MEMORY.md", 3, MONDAY, True)
    with open_workspace(lived) as workspace:
        assert hit.commit == records.find(workspace, "HEAD~2")
    assert gone(lived, "bo ulm").results[0].start == 5


def test_what_stands_somewhere_is_not_gone(lived: Path, write: Callable) -> None:
    assert gone(lived, "ana tea").results == ()
    assert gone(lived, "deploy tuesday").results == () or "Monday" in gone(lived, "deploy tuesday").results[0].snippet
    write({"memory/new.md": "* Bo moved to Ulm.\n"})
    assert gone(lived, "bo ulm").results == ()


def test_history_that_was_rewritten_is_read_anew(lived: Path, write: Callable, commit: Callable) -> None:
    import subprocess  # noqa: PLC0415

    assert gone(lived, "bo ulm").results
    subprocess.run(["git", "reset", "-q", "--hard", "HEAD~2"], cwd=lived, check=True)
    assert gone(lived, "bo ulm").results == ()
