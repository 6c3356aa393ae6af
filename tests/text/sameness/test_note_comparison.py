"""Notes are merged only when they say the same; what only sounds alike never is."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.similarity import compare
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
        one, other = pair.split(" | ")
        assert compare(one, other).relation == "same", pair


def test_what_only_sounds_alike_is_never_merged():
    for pair in APART:
        one, other = pair.split(" | ")
        assert compare(one, other).relation != "same", pair


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("the limit is 3", "the limit is 5", "3 against 5"),
        ("deploy on Friday", "do not deploy on Friday", "only one says: do, not"),
        ("enable the cache", "disable the cache", "enable against disable"),
        ("due on 3 May", "due on 4 May", "05-03 against 05-04"),
        ("lunch at 2 PM", "lunch at 1 PM", "14:00 against 13:00"),
        ("5 km", "5 mi", "km against mi"),
        ("likes green tea", "likes green cups", "tea against cups"),
        ("Ana pays Ben", "Ben pays Ana", "other order"),
        ("uses Postgres", "uses Postgres in production", "only one says: in, production"),
        ("2026-01-02: dinner", "2026-01-03: dinner", "2026-01-02 against 2026-01-03"),
    ],
)
def test_a_reason_is_said_in_words(one, other, reason):
    assert reason in compare(one, other).reasons


def test_words_of_like_meaning_are_never_merged():
    doctor, physician = "The doctor is in Rome", "The physician is in Rome"
    assert compare(doctor, physician).relation == "conflict"


def test_far_apart_is_different():
    birthday, port = "Ana's birthday is on 3 May", "The API runs on port 80"
    assert compare(birthday, port).relation == "different"
    assert compare("", port).relation == "different"
    assert compare("Ana paints", "Ben sings").relation == "different"


@given(ANY, ANY)
def test_it_does_not_matter_which_note_comes_first(one, other):
    here, there = (compare(*pair) for pair in ((one, other), (other, one)))
    assert here.relation == there.relation


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
        assert compare(note, dressed).relation == "same", dressed


@given(ANY)
def test_a_note_is_the_same_as_itself(note):
    assert compare(note, note + " ").relation == "same"


@given(NAMES, NUMBERS, NUMBERS)
def test_another_number_is_never_the_same(name, one, other):
    for said in (
        "{} keeps {} copies",
        "{} is due in {} days",
        "{} 保存{}份",
        "{}は{}個です",
        "{} {}개",
        "{} listens on port {}",
    ):
        found = compare(said.format(name, one), said.format(name, other))
        assert (found.relation == "same") == (one == other)


@given(NAMES, THINGS)
def test_a_not_is_never_lost(name, thing):
    for yes, no in (
        ("{} is on {}", "{} is not on {}"),
        ("{} uses {}", "{} doesn't use {}"),
        ("{} uses {}", "{} never uses {}"),
        ("{}用{}", "{}不用{}"),
        ("{}は{}を使います", "{}は{}を使いません"),
        ("{}은 {}을 사용합니다", "{}은 {}을 사용하지 않습니다"),
        ("{} nutzt {}", "{} nutzt nicht {}"),
        ("{} usa {}", "{} no usa {}"),
        ("{} utilise {}", "{} n'utilise pas {}"),
    ):
        assert compare(yes.format(name, thing), no.format(name, thing)).relation != "same"


@given(THINGS, THINGS)
def test_sides_are_never_swapped(one, other):
    for said in (
        "prefers {} over {}",
        "{} is better than {}",
        "{} comes before {}",
        "migrate from {} to {}",
        "use {}, not {}",
        "{} instead of {}",
        "{} pays {}",
        "{}比{}好",
        "从{}到{}",
        "{}より{}が好き",
        "{}보다 {}을 선호합니다",
        "lieber {} als {}",
        "{} antes de {}",
    ):
        found = compare(said.format(one, other), said.format(other, one))
        assert (found.relation == "same") == (one == other)


@pytest.mark.parametrize(
    "piece", ["*a ", "**", "~~a ", "<!-- ", "1,", "a and b, ", "[", "三十二", "食べます", "합니다 ", "3万"]
)
def test_no_text_takes_long(piece):
    for size in (1_900, amount(100_000, 20_000)):
        text = piece * (size // len(piece))
        compare(text, text[:-2] + "x")
