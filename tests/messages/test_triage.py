"""A message is sorted by its writer's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.messages.triage import BUILT_IN, triage


def groups(text, **options):
    return [match.group for match in triage(text, BUILT_IN, **options).matches]


def pair(text):
    pair_found = triage(text, BUILT_IN).pair
    return (pair_found.said, pair_found.true) if pair_found else None


@pytest.mark.parametrize(
    "text",
    [
        'She wrote "you forgot the milk"',
        "Er schrieb „you forgot“ und «you forgot»",
        "彼は「you forgot」と書いた、『記住』とも",
        "He said 'you forgot' to her",
        "> no, it's Tuesday\nSo it goes.",
        "```\nremember that\nyou forgot\n```\nSee?",
        "~~~ python\nyou forgot",
    ],
)
def test_what_is_quoted_and_what_is_code_is_not_ones_own(text):
    assert groups(text) == []


WORDS = st.sampled_from(
    ["you forgot", "no, it's", "remember that", " ", "\n", '"', "“", "> ", "```\n", "记住", "\ud800"]
)


@given(st.lists(WORDS, max_size=40).map("".join))
def test_each_match_is_where_it_says_and_built_in_ones_never_overlap(text):
    verdict = triage(text, BUILT_IN)
    end = 0
    for match in verdict.matches:
        assert end <= match.start < match.end <= len(text)
        assert match.text == text[match.start : match.end]
        end = match.end
    assert verdict.priority == any(match.route == "memory-miner" for match in verdict.matches)


@pytest.mark.parametrize(
    "text",
    ["“" * 100_000, "not a, " * 15_000, "no, it's " + "a b " * 25_000],
)
def test_a_hostile_text_takes_no_longer_than_its_length(text):
    triage(text, BUILT_IN)
