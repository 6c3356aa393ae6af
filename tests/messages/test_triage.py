"""A message is sorted by its writer's own words."""
# ruff: noqa: RUF001 - in their own scripts

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.messages.triage import BUILT_IN, triage


def groups(text, **more):
    return [match.group for match in triage(text, BUILT_IN, **more).matches]


def pair(text):
    found = triage(text, BUILT_IN).pair
    return (found.said, found.true) if found else None


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


@pytest.mark.parametrize(
    "text",
    [
        "the casino my brother likes",
        "No, it's okay, thanks!",
        "不，没事",
        "いや、それは大丈夫です",
    ],
)
def test_a_kind_no_corrects_nothing(text):
    assert groups(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Remember when I said that?", ["recall"]),  # not "remember when"
        ("Don't you remember this?", ["recall"]),  # not "remember this"
        ("no, it's the blue one", ["recall"]),  # not the soft "no, it's"
        ("You forgot. Remember that it's red.", ["recall", "memory"]),
    ],
)
def test_of_overlapping_matches_the_strongest_stays(text, expected):
    assert groups(text) == expected


@pytest.mark.parametrize(
    ("text", "said", "true"),
    [
        ("No, it's Wednesday, not Tuesday.", "Tuesday", "Wednesday"),
        ("no, it's Tuesday not Wednesday", "Wednesday", "Tuesday"),
        ("That's outdated. It used to be Berlin, now it's Bonn.", "Berlin", "Bonn"),
        ("I switched from Chrome to Firefox last week", "Chrome", "Firefox"),
        ("不对，是周三，不是周二。", "周二", "周三"),
        ("いや、火曜日じゃなくて水曜日です", "火曜日", "水曜日"),
        ("아니요, 화요일이 아니라 수요일이에요.", "화요일", "수요일"),
    ],
)
def test_a_sentence_that_names_both_sides_gives_the_pair(text, said, true):
    assert pair(text) == (said, true)


@pytest.mark.parametrize(
    "text",
    [
        "Actually, it's so good, not even kidding",
        "No, it's late. The train from Ulm to Bonn is slow.",
        "不对，不是吗，是的",
    ],
)
def test_without_both_sides_there_is_no_pair(text):
    assert pair(text) is None


WORDS = st.sampled_from(
    ["you forgot", "no, it's", "remember that", " ", "\n", '"', "“", "> ", "```\n", "记住", "\ud800"]
)


@given(st.lists(WORDS, max_size=40).map("".join))
def test_each_match_is_where_it_says_and_built_in_ones_never_overlap(text):
    found = triage(text, BUILT_IN)
    end = 0
    for match in found.matches:
        assert end <= match.start < match.end <= len(text)
        assert match.text == text[match.start : match.end]
        end = match.end
    assert found.priority == any(match.route == "memory-miner" for match in found.matches)


@pytest.mark.parametrize(
    "text",
    ["“" * 100_000, "not a, " * 15_000, "no, it's " + "a b " * 25_000],
)
def test_a_hostile_text_takes_no_longer_than_its_length(text):
    triage(text, BUILT_IN)
