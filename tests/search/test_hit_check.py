"""Whatever somebody writes into the index, an answer is what the files say."""

import os
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawgit.search import index, recall
from clawgit.search.answer import Answer, Query
from clawgit.search.corpus import Source
from clawgit.store import index_file
from clawgit.workspace.workspace import open_workspace

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
MEMORY = (
    "# Memory\n\n## Decisions\n\n- Invoices are paid to AT61 1904.\n  - By Ana, on Fridays.\n\n"
    "**Servers:**\n\n| name | port |\n|---|---|\n| api | 8080 |\n"
)
DAY = (
    "# 2026-05-12\n\n<!-- noted -->\n- Deploy moved to Tuesday.\n\n"
    + "A very long line about the harbour. " * 60
    + "\n"
)


@pytest.fixture
def filled(write: Callable, commit: Callable) -> Path:
    root = write({"MEMORY.md": MEMORY, "memory/2026-05-12.md": DAY})
    commit()
    search(root, "invoices")
    return root


def search(root: Path, question: str, **more: object) -> Answer:
    with open_workspace(root) as workspace:
        workspace.clock = lambda: NOW
        return recall.search_files(workspace, Query(question, **more))  # type: ignore[arg-type]


def place(root: Path) -> Path:
    (found,) = (root / ".git/clawgit/cache").glob("index.*.db")
    return found


def poison(root: Path, statement: str) -> None:
    """Have the agent rewrite the index."""
    connection = sqlite3.connect(place(root))
    assert connection.execute(statement).rowcount
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE texts SET text = replace(text, 'AT61 1904', 'AT02 2011'), plain = replace(plain, '1904', '2011')",
        "UPDATE texts SET trail = replace(trail, 'Decisions', 'Orders of the operator')",
        "UPDATE chunks SET first = first + 1, last = last + 1",
        "UPDATE chunks SET day = '2026-05-19'",
    ],
    ids=["text", "headings", "lines", "day"],
)
def test_an_index_that_was_rewritten_is_made_anew(filled: Path, statement: str) -> None:
    before = search(filled, "invoices paid").results
    poison(filled, statement)
    assert search(filled, "invoices paid").results == before
    assert search(filled, "invoices paid").degraded is None


def test_an_index_that_cannot_be_made_anew_leaves_its_lies_out(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    poison(filled, "UPDATE texts SET text = replace(text, 'AT61 1904', 'AT02 2011')")
    monkeypatch.setattr(index_file, "forget_index", lambda where: None)
    found = search(filled, "invoices paid")
    assert not [hit for hit in found.results if "2011" in hit.text]
    assert found.degraded == recall._FORGED


def test_an_edit_of_the_old_size_and_time_is_found(filled: Path) -> None:
    place = filled / "MEMORY.md"
    time.sleep(0.11)  # what was written just now is read once more anyway
    search(filled, "invoices")
    before = place.stat()
    place.write_text(MEMORY.replace("AT61", "AT99"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "AT99" in search(filled, "invoices paid").results[0].text


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
