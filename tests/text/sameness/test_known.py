"""Of many notes, those are found that a new one must be compared with."""

import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.similarity import Known, is_same_note, sense
from tests.amounts import amount

PAIRS = tomllib.loads((Path(__file__).parent / "pairs.toml").read_text("utf-8"))
NOTES = [note for kind in PAIRS.values() for pairs in kind.values() for pair in pairs for note in pair.split(" | ")]
WORDS = [
    "ana",
    "ben",
    "uses",
    "use",
    "tea",
    "teas",
    "doctor",
    "physician",
    "restaurant",
    "restuarant",
    "on",
    "not",
    "3",
]
MADE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


def known(notes):
    found: Known[int] = Known()
    for key, note in enumerate(notes):
        found.add(key, note)
    return found


def test_what_says_the_same_is_found_among_all_others():
    among = known(NOTES)
    for note in NOTES[:: 12 // amount(12, 1)]:
        near = set(among.near(note, most=5))
        same = {key for key, other in enumerate(NOTES) if is_same_note(note, other)}
        assert same <= near


@given(st.lists(MADE, max_size=40), MADE)
def test_no_note_that_says_the_same_is_missed(notes, note):
    near = known(notes).near(note, most=1)
    for key, other in enumerate(notes):
        assert not is_same_note(note, other) or key in near


@given(st.lists(MADE, max_size=40), MADE, st.integers(0, 6))
def test_the_few_nearest_are_the_first_of_all_that_are_near(notes, note, most):
    among = known(notes)
    assert among.near(note, most)[:most] == among.near(note, len(notes))[:most]


@given(st.text(max_size=30), st.text(max_size=30))
def test_what_says_the_same_has_one_sense(one, other):
    assert not is_same_note(one, other) or sense(one) == sense(other)


def test_the_nearest_comes_first():
    among = known(["Ana likes tea", "Ben likes coffee", "Ana likes green tea in the morning"])
    note = "ana likes tea!"
    assert among.near(note)[:2] == [0, 2]


def test_of_notes_that_are_equally_near_the_first_one_comes_first():
    """Whatever the order of a set: else a reader is shown, and paid for, the same batch in another order."""
    among: Known[str] = Known()
    names = [f"{name}{n}" for n in range(20) for name in ("entry", "note")]
    for name in names:
        among.add(name, f"Ana's {name} is tea")
    assert among.near("tea", most=40) == names


def test_nothing_is_near_in_an_empty_memory():
    note = "Ana likes tea"
    assert known([]).near(note) == []
