"""Dates that questions speak of."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.cli.main import main
from clawgit.search import recall
from clawgit.search.answer import Hit, Query
from clawgit.search.question_words import find_dates
from clawgit.workspace.workspace import open_workspace

TODAY = date(2026, 11, 20)  # a Friday
RENT = "- Rent is due every 30 days."


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what happened on 2026-02-14", "2026-02-14", "2026-02-14"),
        ("what did we say last Tuesday?", "2026-11-17", "2026-11-17"),
        ("in March 2026", "2026-03-01", "2026-03-31"),
        ("8 May 2023", "2023-05-08", "2023-05-08"),
        ("May 8th, 2023", "2023-05-08", "2023-05-08"),
        ("what is planned in december", "2026-12-01", "2026-12-31"),
        ("what did we decide in december", "2025-12-01", "2025-12-31"),
        ("what is on next Friday", "2026-11-27", "2026-11-27"),
        ("who was born on November 25", "2025-11-25", "2025-11-25"),
        ("the 5th of June", "2026-06-05", "2026-06-05"),
        ("two weeks ago", "2026-11-03", "2026-11-09"),
        ("3 days ago", "2026-11-17", "2026-11-17"),
        ("yesterday", "2026-11-19", "2026-11-19"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("in 2022", "2022-01-01", "2022-12-31"),
        ("gestern", "2026-11-19", "2026-11-19"),
        ("vor zwei Wochen", "2026-11-03", "2026-11-09"),
        ("am 3. Oktober 2026", "2026-10-03", "2026-10-03"),
        ("il y a deux jours", "2026-11-18", "2026-11-18"),
        ("hace 3 días", "2026-11-17", "2026-11-17"),
        ("a marzo 2026", "2026-03-01", "2026-03-31"),
        ("em 14 de fevereiro de 2026", "2026-02-14", "2026-02-14"),
        ("vorige week", "2026-11-09", "2026-11-15"),
        ("2026年2月14日", "2026-02-14", "2026-02-14"),
        ("昨天说了什么", "2026-11-19", "2026-11-19"),
        ("3天前", "2026-11-17", "2026-11-17"),
        ("上周日", "2026-11-15", "2026-11-15"),
        ("先週の月曜日", "2026-11-09", "2026-11-09"),
        ("지난주", "2026-11-09", "2026-11-15"),
    ],
)
def test_a_date_is_read_in_the_ways_people_say_it(question: str, first: str, last: str) -> None:
    assert [(str(one.first), str(one.last)) for one in find_dates(question, TODAY)[0]] == [(first, last)]


@pytest.mark.parametrize(
    "question", ["we may march on", "the man in the van", "port 8080", "marching", "", "version 2026"]
)
def test_other_words_are_no_dates(question: str) -> None:
    assert find_dates(question, TODAY)[0] == ()


@given(st.text(max_size=80), st.dates())
def test_no_question_breaks_it(question: str, today: date) -> None:
    assert all(one.first <= one.last for one in find_dates(question, today)[0])


@pytest.fixture
def days(write: Callable) -> Path:
    """Journals of a week, each about the same two matters, and memories that name days."""
    lines = "- The invoice was paid.\n- The bakery called.\n"
    files = {f"memory/2026-11-{day}.md": f"# 2026-11-{day}\n\n{lines}- Day {day}.\n" for day in range(14, 23)}
    elsewhere = f"# Memory\n\n- Bins go out every Tuesday.\n{RENT}\n- Thursday is for reviews.\n"
    return write(files | {"MEMORY.md": elsewhere})


def asked(root: Path, question: str, **more: Any) -> list[Hit]:
    with open_workspace(root) as workspace:
        workspace.clock = lambda: datetime(2026, 11, 20, 12, tzinfo=UTC)
        return list(recall.search_files(workspace, Query(question, **more)).results)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("what happened last Tuesday", 17),
        ("invoice 3 days ago", 17),
        ("was war vorgestern", 18),
        ("übermorgen", 22),
        ("明天有什么安排", 21),
        ("what was that on 2026-11-16?", 16),
    ],
)
def test_a_question_that_names_a_day_finds_what_stands_under_it(days: Path, question: str, day: int) -> None:
    found = asked(days, question)
    assert found[0].day == date(2026, 11, day)
    assert found[0].score >= 0.35


def test_a_word_that_says_a_day_is_not_searched_for(days: Path) -> None:
    """Neither as it is, nor as a slip of another: what has it as a word says nothing of that day."""
    for question in ("what happened last Wednesday", "3 days ago"):
        found = asked(days, question, most=50)
        assert {hit.path for hit in found}.isdisjoint({"MEMORY.md"}), question


def test_days_add_and_lift_and_leave_nothing_out(days: Path) -> None:
    found = asked(days, "when is the rent due, I asked yesterday", most=60)
    assert found[0].day == date(2026, 11, 19)
    assert RENT in [hit.snippet for hit in found]


def test_one_day_alone_can_be_asked_for(days: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("invoice", "--on", "2026-11-18"), ("--on", "2026-11-18")):
        assert main(["-C", str(days), "search", *words, "--json"]) == 0
        hits = json.loads(capsys.readouterr().out)["results"]
        assert {hit["date"] for hit in hits} == {"2026-11-18"}
    assert main(["-C", str(days), "search", "invoice", "--on", "2026-11-18", "--since", "2026-11-01"]) == 2
