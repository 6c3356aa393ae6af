"""Remarks on conduct, and what only looks like them."""

import pytest

from .corpus import Row, rows, verdict


@pytest.mark.parametrize("row", rows("tune"), ids=lambda row: row[0][0][:50])
def test_what_was_looked_at_is_told_apart(row: Row) -> None:
    assert verdict(row) == ""


def test_nothing_that_is_not_about_conduct_is_learnt() -> None:
    found = {row[0][0]: verdict(row) for row in rows("held-out") if not row[1]}
    assert {said: wrong for said, wrong in found.items() if wrong} == {}


def test_most_of_what_is_about_conduct_is_learnt() -> None:
    wanted = [row for row in rows("held-out") if row[1]]
    assert sum(not verdict(row) for row in wanted) >= 0.9 * len(wanted)
