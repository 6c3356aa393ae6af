"""Remarks on conduct, and what only looks like them: what becomes of each without a model."""

import tomllib
from pathlib import Path

import pytest

from clawgit.agents.keeping.lesson_changes import hear
from clawgit.agents.messages_to_read import Heard

CORPUS = tomllib.loads((Path(__file__).parents[3] / "corpora/conduct.toml").read_text("utf-8"))
ROWS = [row for part in CORPUS.values() for row in part]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:50])
def test_it_becomes_of_it_what_the_corpus_says(row: list[str]) -> None:
    found = hear(Heard(row[0], "operator", 1_777_896_000.0, "s1", "e1")).lessons
    waits = any(one.doubt or one.work for one in found)
    assert ("waits" if waits else "lands" if found else "") == row[2]


def test_nothing_lands_that_is_no_lesson_for_the_soul() -> None:
    assert [said for said, where, fate in ROWS if fate == "lands" and where != "soul"] == []
