"""Dates that questions speak of."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from clawgit.cli.main import main
from clawgit.search import recall
from clawgit.search.answer import Hit, Query
from clawgit.workspace.workspace import open_workspace

RENT = "- Rent is due every 30 days."


@pytest.fixture
def days(write: Callable) -> Path:
    """Journals of a week, each about the same two matters, and memories that name days."""
    lines = "- The invoice was paid.\n- The bakery called.\n"
    files = {f"memory/2026-11-{day}.md": f"# 2026-11-{day}\n\n{lines}- Day {day}.\n" for day in range(14, 23)}
    elsewhere = f"# Memory\n\n- Bins go out every Tuesday.\n{RENT}\n- Thursday is for reviews.\n"
    return write(files | {"MEMORY.md": elsewhere})


def search_hits(root: Path, question: str, **options: Any) -> list[Hit]:
    with open_workspace(root) as workspace:
        workspace.clock = lambda: datetime(2026, 11, 20, 12, tzinfo=UTC)
        return list(recall.search_files(workspace, Query(question, **options)).results)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("what happened last Tuesday", 17),
        ("übermorgen", 22),
        ("what was that on 2026-11-16?", 16),
    ],
)
def test_a_question_that_names_a_day_finds_what_stands_under_it(days: Path, question: str, day: int) -> None:
    hits = search_hits(days, question)
    assert hits[0].day == date(2026, 11, day)
    assert hits[0].score >= 0.35


def test_a_word_that_says_a_day_is_not_searched_for(days: Path) -> None:
    """Neither as it is, nor as a slip of another: a text with the word says nothing of that day."""
    for question in ("what happened last Wednesday", "3 days ago"):
        hits = search_hits(days, question, most=50)
        assert {hit.path for hit in hits}.isdisjoint({"MEMORY.md"}), question


def test_days_add_and_lift_and_leave_nothing_out(days: Path) -> None:
    hits = search_hits(days, "when is the rent due, I asked yesterday", most=60)
    assert hits[0].day == date(2026, 11, 19)
    assert RENT in [hit.snippet for hit in hits]


def test_one_day_alone_can_be_asked_for(days: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("invoice", "--on", "2026-11-18"), ("--on", "2026-11-18")):
        assert main(["-C", str(days), "search", *words, "--json"]) == 0
        hits = json.loads(capsys.readouterr().out)["results"]
        assert {hit["date"] for hit in hits} == {"2026-11-18"}
    assert main(["-C", str(days), "search", "invoice", "--on", "2026-11-18", "--since", "2026-11-01"]) == 2
