"""Dates that questions speak of."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.search.question import spans

TODAY = date(2026, 11, 20)  # a Friday


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
    assert [(str(one.first), str(one.last)) for one in spans(question, TODAY)] == [(first, last)]


@pytest.mark.parametrize(
    "question", ["we may march on", "the man in the van", "port 8080", "marching", "", "version 2026"]
)
def test_other_words_are_no_dates(question: str) -> None:
    assert spans(question, TODAY) == ()


@given(st.text(max_size=80), st.dates())
def test_no_question_breaks_it(question: str, today: date) -> None:
    assert all(one.first <= one.last for one in spans(question, today))
