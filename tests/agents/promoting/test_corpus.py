"""What is promoted of ordinary journals."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from clawgit.agents.promoting.promotion_candidates import LEAST
from clawgit.agents.promoting.promotion_categories import Said, weigh

CORPORA = Path(__file__).parents[3] / "corpora"
DAYS = tomllib.loads((CORPORA / "promotion.toml").read_text("utf-8"))["days"]
FRESH = tomllib.loads((CORPORA / "promotion.fresh.toml").read_text("utf-8"))["days"]
"""By another hand, and weighed only when the rules were done."""


def of(split: str) -> list[dict[str, Any]]:
    return [day for day in (*DAYS, *FRESH) if day["split"] == split]


def measured(split: str, least: float) -> tuple[int, int]:
    worth = [text for day in of(split) for _, text in day["keep"]]
    good = sum(weigh(Said(text)).confidence >= least for text in worth)
    bad = sum(weigh(Said(text)).confidence >= least for day in of(split) for text in day["pass"])
    return good + bad, good


# Of each split how many notes are proposed, and how many of them are worth it; a change is measured, and written here.
# On lines written apart the triggers of the document alone find little; what holds beyond its day finds most.
MEASURED = {"tune": (83, 37), "held-out": (69, 28), "fresh": (103, 57)}


SURER = {"tune": (16, 13), "held-out": (17, 13), "fresh": (65, 56)}
"""Those that have more for them than a trigger."""


@pytest.mark.parametrize("split", MEASURED)
def test_what_is_proposed_is_what_was_measured(split: str) -> None:
    assert measured(split, LEAST) == MEASURED[split]
    assert measured(split, 0.45) == SURER[split]


def test_there_are_sixty_days_in_several_languages() -> None:
    assert len(DAYS) >= 60
    assert {"en", "ko", "zh", "ja"} <= {day["language"] for day in DAYS}
