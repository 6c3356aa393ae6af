"""Of many notes, those are found that a new one must be compared with."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.similarity import NoteIndex, is_same_note

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
    found: NoteIndex[int] = NoteIndex()
    for key, note in enumerate(notes):
        found.add(key, note)
    return found


@given(st.lists(MADE, max_size=40), MADE)
def test_no_note_that_says_the_same_is_missed(notes, note):
    near = known(notes).near(note, most=1)
    for key, other in enumerate(notes):
        assert not is_same_note(note, other) or key in near


@given(st.lists(MADE, max_size=40), MADE, st.integers(0, 6))
def test_the_few_nearest_are_the_first_of_all_that_are_near(notes, note, most):
    among = known(notes)
    assert among.near(note, most)[:most] == among.near(note, len(notes))[:most]
