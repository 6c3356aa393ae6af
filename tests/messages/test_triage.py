"""A message is sorted by its writer's own words."""
# ruff: noqa: RUF001 - in their own scripts

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.messages.triage import BUILT_IN, Pattern, Triage, triage


def groups(text, **more):
    return [match.group for match in triage(text, BUILT_IN, **more).matches]


def pair(text):
    found = triage(text, BUILT_IN).pair
    return (found.said, found.true) if found else None


# --- what is found


def test_something_to_remember_is_for_the_miner():
    found = triage("Remember that Ana flies on Friday", BUILT_IN)
    (match,) = found.matches
    assert found.priority
    assert (match.group, match.route, match.trigger_confidence) == ("memory", "memory-miner", None)


@pytest.mark.parametrize(("text", "confidence"), [("You forgot my name", "high"), ("That's outdated", "medium")])
def test_a_correction_is_for_the_validator(text, confidence):
    found = triage(text, BUILT_IN)
    (match,) = found.matches
    assert (match.route, match.trigger_confidence) == ("recall-validator", confidence)
    assert not found.priority


@pytest.mark.parametrize("origin", ["agent", "untrusted", "unknown"])
def test_only_the_operators_words_count(origin):
    assert triage("Remember that. You forgot. No, it's X, not Y.", BUILT_IN, origin=origin) == Triage()


@pytest.mark.parametrize(
    "text",
    [
        'She wrote "you forgot the milk"',
        "She wrote “you forgot the milk”",
        "Er schrieb „you forgot“ und «you forgot»",
        "彼は「you forgot」と書いた、『記住』とも",
        "He said 'you forgot' to her",
        "> no, it's Tuesday\nSo it goes.",
        "`no, it's` is a pattern",
        "```\nremember that\nyou forgot\n```\nSee?",
        "~~~ python\nyou forgot",
    ],
)
def test_what_is_quoted_and_what_is_code_is_not_ones_own(text):
    assert groups(text) == []


@pytest.mark.parametrize("mark", "'\u2019\u2018\u02bc\uff07")
def test_any_apostrophe_will_do_and_the_span_is_that_of_the_message(mark):
    text = f"Oh, 😀 don{mark}t forget the milk"
    (match,) = triage(text, BUILT_IN).matches
    assert text[match.start : match.end] == match.text == f"don{mark}t forget"


@pytest.mark.parametrize(
    "text",
    [
        "the casino my brother likes",
        "no, it's fine",
        "No, it's okay, thanks!",
        "no, that's all right",
        "No, my pleasure",
        "no, it's not a problem",
        "不，没事",
        "아니, 괜찮아",
        "いや、それは大丈夫です",
    ],
)
def test_a_kind_no_corrects_nothing(text):
    assert groups(text) == []


def test_the_wave_of_a_hand_hides_no_real_correction():
    assert groups("no, it's fine. But no, it's Tuesday") == ["recall"]


# --- overlaps


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


def test_custom_patterns_stand_beside_all_others():
    own = Pattern("forgot the .+", "custom", "recall-validator")
    found = triage("You forgot the milk", [*BUILT_IN, own])
    assert [(match.group, match.trigger_confidence) for match in found.matches] == [
        ("recall", "high"),
        ("custom", "medium"),
    ]


# --- pairs


@pytest.mark.parametrize(
    ("text", "said", "true"),
    [
        ("No, it's Wednesday, not Tuesday.", "Tuesday", "Wednesday"),
        ("No, I said the deploy is on Wednesday, not on Tuesday", "Tuesday", "Wednesday"),
        ("no, it’s 3.12, not 3.11!", "3.11", "3.12"),
        ("no, it's Tuesday not Wednesday", "Wednesday", "Tuesday"),
        ("Actually, it's not Postgres, it's MySQL.", "Postgres", "MySQL"),
        ("That's outdated. It used to be Berlin, now it's Bonn.", "Berlin", "Bonn"),
        ("I switched from Chrome to Firefox last week", "Chrome", "Firefox"),
        ("Actually, I use vim instead of emacs", "emacs", "vim"),
        ("No, I said use tabs, not spaces", "spaces", "tabs"),
        ("不对，是周三，不是周二。", "周二", "周三"),
        ("我已经从北京搬到上海了", "北京", "上海"),
        ("いや、火曜日じゃなくて水曜日です", "火曜日", "水曜日"),
        ("아니요, 화요일이 아니라 수요일이에요.", "화요일", "수요일"),
    ],
)
def test_a_sentence_that_names_both_sides_gives_the_pair(text, said, true):
    assert pair(text) == (said, true)


@pytest.mark.parametrize(
    "text",
    [
        "no, I said the deploy day is Tuesday",
        "You forgot again",
        "Actually, it's so good, not even kidding",
        "Actually, I like it, not because it's cheap, but still",
        "It's Wednesday, not Tuesday",
        "Actually, we went from Berlin to Bonn by train",
        "No, it's late. The train from Ulm to Bonn is slow.",
        "不对，不是吗，是的",
    ],
)
def test_without_both_sides_there_is_no_pair(text):
    assert pair(text) is None


# --- what must always hold


WORDS = st.sampled_from(
    [
        "you forgot",
        "no, it's",
        "remember that",
        " ",
        "\n",
        '"',
        "“",
        "’",
        "`",
        "> ",
        "```\n",
        "not X, Y",
        "记住",
        "\ud800",
        "é",
        ".",
    ]
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
