"""Token estimates, and near words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.spelling import nearest
from clawgit.text.tokens import count, count_at_most
from tests.amounts import amount


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello", 2),
        ("hello world", 3),
        ("2026-01-20", 9),
        ("a\n\nb", 3),
        ("部署", 3),
        ("결정", 4),
        ("é", 3),
        ("привет мир", 6),
    ],
)
def test_the_formula(text, tokens):
    """Words, letters, digits, marks, line feeds and scripts, rounded up."""
    assert count(text) == tokens


@given(st.text())
def test_any_text_costs_something_or_nothing(text):
    """Never negative, never more than a few a character."""
    assert 0 <= count(text) <= 3 * len(text) + 1


@given(st.lists(st.text(max_size=80), max_size=20))
def test_a_text_costs_no_more_than_its_parts(parts):
    """A slot is filled piece by piece, and fits as a whole."""
    assert count_at_most("".join(parts)) <= sum(map(count_at_most, parts))


def test_linear_time():
    """A megabyte takes no minute."""
    count("hello world 123, 部署\n" * amount(50_000, 10_000))


def test_nearest():
    """Slips are found, strangers are not."""
    assert nearest("serach", ["search", "status", "soul"]) == ["search"]
    assert nearest("Preferance", ["Projects", "Preferences"])[0] == "Preferences"
    assert nearest("zzz", ["search"]) == []
