"""The arithmetic of confidence."""

from datetime import date, timedelta

import pytest

from clawgit.text.confidence import Rules, current

TODAY = date(2026, 5, 4)


@pytest.mark.parametrize(
    ("start", "mentions", "silent", "expected"),
    [
        (0.95, 1, 0, 0.95),
        (0.95, 2, 0, 1.0),
        (0.6, 3, 0, 0.7),
        (0.6, 1, 29, 0.6),
        (0.6, 1, 30, 0.55),
        (0.6, 1, 90, 0.45),
        (0.6, 1, 3000, 0.2),
        (1.0, 9, 60, 1.0),
        (1.0, 1, 3000, 1.0),
    ],
)
def test_mentions_raise_and_silence_lowers(start, mentions, silent, expected):
    """Plus .05 for each mention after the first, minus .05 for each thirty silent days, never below .2 (covers P8)."""
    assert current(start, mentions, TODAY - timedelta(silent), TODAY) == pytest.approx(expected)


def test_the_operator_sets_the_rules():
    """The four numbers come from CONFIG.md."""
    rules = Rules(boost=0.1, decay=0.2, interval_days=10, floor=0.3)
    assert current(0.6, 2, TODAY - timedelta(10), TODAY, rules) == pytest.approx(0.5)
    assert current(0.6, 1, TODAY - timedelta(90), TODAY, rules) == 0.3
