"""Nothing that others wrote can close its fence."""

import itertools
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.llm.model import fenced
from tests.amounts import amount

FENCE = re.compile(r"<<<data (\w+)\n(.*)\ndata \1>>>", re.DOTALL)
codes = st.text("0123456789abcdef", min_size=1, max_size=4)
marks = st.sampled_from(["<<<data ", "\ndata ", ">>>", "DATA", " ", "-", "\n"])
hostile = st.lists(codes | marks | st.text(max_size=6), max_size=30).map("".join)


@settings(max_examples=amount(100, 15))
@given(hostile, st.permutations([f"{number:x}" for number in range(64)]))
def test_a_code_that_stands_in_the_text_is_not_taken_even_if_it_is_guessed(text, guesses):
    draws = itertools.chain(guesses, ("0123456789abcdef" * 30,))
    fence = fenced(text, lambda: next(draws))
    inside = FENCE.fullmatch(fence)
    assert inside
    code = inside[1]
    assert code not in inside[2].lower()
    assert fence.count(f"data {code}") == 2
    assert code not in re.sub(r"[^a-z0-9]", "", inside[2].lower())
