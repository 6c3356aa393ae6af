"""Words are the same in any clothes, and different ones are never taken for the same."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.resemblance import wording

WORDS = st.lists(st.text("abcäß日本の東京5", min_size=1, max_size=8), min_size=1, max_size=12).map(" ".join)
WESTERN = st.lists(st.text("abcäß5,", min_size=1, max_size=8), min_size=1, max_size=12).map(" ".join)
PLAIN = 'Ana says "no" to well-known names, don\'t ask'
EASTERN = st.text("日本の東京、。", min_size=1, max_size=40)


@pytest.mark.parametrize(
    "dressed",
    [
        PLAIN,
        "Ana says “no” to well-known names, don’t ask",  # noqa: RUF001
        '**Ana** says *"no"* to __well-known__ names, _don\'t_ ask',
        'Ana says "no" to\n  well-\n  known names, don\'t ask',
        '\ufeffＡｎａ  says\t"no" to well-known names\\, don\'t ask ',  # noqa: RUF001
    ],
)
def test_clothes_do_not_count(dressed):
    assert wording(dressed) == PLAIN


@given(WESTERN, EASTERN, st.integers(8, 40))
def test_wrapping_does_not_count(western, eastern, width):
    """Scripts without spaces are wrapped anywhere."""
    for words in (western, eastern):
        assert wording("\n".join(textwrap.wrap(words, width))) == wording(words)


@given(WORDS)
def test_a_wording_has_itself_as_wording(words):
    assert wording(wording(words)) == wording(words)


@pytest.mark.parametrize(
    ("one", "two"),
    [("use tabs", "use Tabs"), ("at 9", "at 10"), ("use it", "do not use it"), ("~~gone~~", "gone"), ("a_b", "ab")],
)
def test_case_numbers_and_struck_words_count(one, two):
    assert wording(one) != wording(two)
