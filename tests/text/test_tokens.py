"""Token estimates, and near words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.tokens import count, count_at_most


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello world", 3),
        ("a\n\nb", 3),
        ("部署", 3),
        ("привет мир", 6),
    ],
)
def test_the_formula(text, tokens):
    """Words, letters, digits, marks, line feeds and scripts, rounded up."""
    assert count(text) == tokens


@given(st.lists(st.text(max_size=80), max_size=20))
def test_a_text_costs_no_more_than_its_parts(parts):
    """A slot is filled piece by piece, and fits as a whole."""
    assert count_at_most("".join(parts)) <= sum(map(count_at_most, parts))
