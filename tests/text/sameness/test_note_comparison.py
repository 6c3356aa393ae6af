"""Notes are merged only if they say the same; look-alikes never are."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.similarity import is_same_note
from tests.amounts import amount

PAIRS = tomllib.loads((Path(__file__).parent / "pairs.toml").read_text("utf-8"))
SAME = [pair for pairs in PAIRS["same"].values() for pair in pairs]
APART = [pair for pairs in PAIRS["apart"].values() for pair in pairs]

NAMES = st.sampled_from(["Ana", "Ben", "the API", "Postgres", "config.py", "Redis", "the backup job", "team B"])
THINGS = st.sampled_from(["tabs", "spaces", "tea", "coffee", "Postgres", "Redis", "the office in Rome", "v2.1"])
NUMBERS = st.integers(0, 3000)
NOTES = st.one_of(
    st.builds("{} prefers {} in the morning".format, NAMES, THINGS),
    st.builds("{} runs every {} days on port {}".format, NAMES, NUMBERS, NUMBERS),
    st.builds("On 3 March 2026 {} moved to {}".format, NAMES, THINGS),
    st.builds("{} costs {} euros and is paid by {}".format, NAMES, NUMBERS, NAMES),
    st.builds("Use {} for {}, at 14:{:02}".format, THINGS, NAMES, st.integers(0, 59)),
    st.builds("{}在周三部署到{}服务器，端口{}".format, NAMES, THINGS, NUMBERS),  # noqa: RUF001 - as it is written
    st.builds("{}は毎日{}を{}回使います".format, NAMES, THINGS, NUMBERS),
    st.builds("{} 서버는 매일 {}을 {}번 사용합니다".format, NAMES, THINGS, NUMBERS),
)
ANY = st.one_of(NOTES, st.text(max_size=60), st.text("not 3.5:-/am年月日はが的는 ", max_size=30))


def test_one_thing_said_twice_is_the_same():
    for pair in SAME:
        first, other = pair.split(" | ")
        assert is_same_note(first, other), pair


def test_what_only_sounds_alike_is_never_merged():
    for pair in APART:
        first, other = pair.split(" | ")
        assert not is_same_note(first, other), pair


@given(ANY, ANY)
def test_it_does_not_matter_which_note_comes_first(first, other):
    assert is_same_note(first, other) == is_same_note(other, first)


@given(NOTES)
def test_clothes_do_not_count(note):
    for dressed in (
        f"- {note}",
        f"**{note}**.",
        note.upper(),
        note.casefold(),
        f"  {note.replace(' ', '  ')}\n",
        f"_{note}_",
    ):
        assert is_same_note(note, dressed), dressed


@given(NAMES, NUMBERS, NUMBERS)
def test_another_number_is_never_the_same(name, first, other):
    for template in (
        "{} keeps {} copies",
        "{} 保存{}份",
        "{} {}개",
        "{} listens on port {}",
    ):
        assert is_same_note(template.format(name, first), template.format(name, other)) == (first == other)


@given(NAMES, THINGS)
def test_a_not_is_never_lost(name, thing):
    for yes, negative in (
        ("{} uses {}", "{} doesn't use {}"),
        ("{}用{}", "{}不用{}"),
        ("{}は{}を使います", "{}は{}を使いません"),
        ("{}은 {}을 사용합니다", "{}은 {}을 사용하지 않습니다"),
        ("{} nutzt {}", "{} nutzt nicht {}"),
    ):
        assert not is_same_note(yes.format(name, thing), negative.format(name, thing))


@given(THINGS, THINGS)
def test_sides_are_never_swapped(first, other):
    for template in (
        "prefers {} over {}",
        "use {}, not {}",
        "{} pays {}",
        "{}比{}好",
        "从{}到{}",
        "{}より{}が好き",
        "{} antes de {}",
    ):
        assert is_same_note(template.format(first, other), template.format(other, first)) == (first == other)


@pytest.mark.parametrize(
    "piece", ["*a ", "**", "~~a ", "<!-- ", "1,", "a and b, ", "[", "三十二", "食べます", "합니다 ", "3万"]
)
def test_no_text_takes_long(piece):
    for size in (1_900, amount(100_000, 20_000)):
        text = piece * (size // len(piece))
        is_same_note(text, text[:-2] + "x")
