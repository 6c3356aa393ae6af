"""What is promoted of months that somebody else made up and marked."""

import pytest

from clawgit.agents.promoting.candidates import LEAST
from clawgit.agents.promoting.weighing import Said, weigh
from tests.years import LANGUAGES, make


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Each marked note as (language, whether it is proposed, whether it is worth it)."""
    made = make(tmp_path_factory.mktemp("years") / "ws", 11, days=120, notes=4000)
    notes = [mark.note for mark in made.marks]
    return [(one.language, weigh(Said(one.text)).confidence >= LEAST, bool(one.category)) for one in notes]


def measured(pairs):
    hits = sum(taken and worth for taken, worth in pairs)
    return hits / sum(taken for taken, _ in pairs), hits / sum(worth for _, worth in pairs)


def test_most_of_what_is_proposed_is_worth_it(judged):
    precision, recall = measured([(taken, worth) for _, taken, worth in judged])
    assert precision >= 0.85
    assert recall >= 0.75


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language(judged, language):
    precision, recall = measured([(taken, worth) for name, taken, worth in judged if name == language])
    assert precision >= 0.75
    assert recall >= 0.6
