"""What is promoted of months that somebody else made up and marked."""

import pytest

from clawgit.agents.promoting.promotion_candidates import LEAST
from clawgit.agents.promoting.promotion_categories import Said, weigh
from tests.years import LANGUAGES, make


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Each marked note as (language, its confidence, whether it is worth it)."""
    made = make(tmp_path_factory.mktemp("years") / "ws", 11, days=120, notes=4000)
    return [
        (one.language, weigh(Said(one.text)).confidence, bool(one.category)) for one in (m.note for m in made.marks)
    ]


def measured(pairs, least):
    taken = [worth for sure, worth in pairs if sure >= least]
    return sum(taken) / len(taken), sum(taken) / sum(worth for _, worth in pairs)


def test_more_than_a_trigger_is_mostly_worth_it_and_most_that_is_worth_it_is_proposed(judged):
    pairs = [(sure, worth) for _, sure, worth in judged]
    assert measured(pairs, 0.45)[0] >= 0.65
    assert measured(pairs, LEAST)[1] >= 0.7


@pytest.mark.parametrize("language", LANGUAGES)
def test_something_is_found_in_each_language(judged, language):
    pairs = [(sure, worth) for name, sure, worth in judged if name == language]
    assert measured(pairs, LEAST)[1] >= 0.4
