"""What is promoted of ordinary journals."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from clawgit.agents.promoting.candidates import LEAST
from clawgit.agents.promoting.weighing import Said, weigh

CORPORA = Path(__file__).parents[2] / "corpora"
DAYS = tomllib.loads((CORPORA / "promotion.toml").read_text("utf-8"))["days"]
FRESH = tomllib.loads((CORPORA / "promotion.fresh.toml").read_text("utf-8"))["days"]
"""By another hand, and first weighed when the rules were done: the floors are just below what was measured then."""


def of(split: str) -> list[dict[str, Any]]:
    return [day for day in (*DAYS, *FRESH) if day["split"] == split]


def taken(text: str) -> bool:
    return weigh(Said(text)).confidence >= LEAST


@pytest.mark.parametrize(
    ("split", "precision", "recall"), [("tune", 0.98, 0.98), ("held-out", 0.8, 0.9), ("fresh", 0.6, 0.55)]
)
def test_most_of_what_is_proposed_is_worth_it_and_most_that_is_worth_it_is_proposed(
    split: str, precision: float, recall: float
) -> None:
    worth = [text for day in of(split) for _, text in day["keep"]]
    good = sum(map(taken, worth))
    bad = sum(taken(text) for day in of(split) for text in day["pass"])
    assert good / (good + bad) >= precision
    assert good / len(worth) >= recall


def test_the_category_is_the_one_that_a_reader_would_name() -> None:
    found = [(name, weigh(Said(text)).category) for day in DAYS for name, text in day["keep"] if taken(text)]
    assert [pair for pair in found if pair[0] != pair[1]] == []


def test_there_are_sixty_days_in_several_languages() -> None:
    assert len(DAYS) >= 60
    assert {"en", "ko", "zh", "ja"} <= {day["language"] for day in DAYS}
