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


def index_notes(notes):
    note_index: NoteIndex[int] = NoteIndex()
    for key, note in enumerate(notes):
        note_index.add(key, note)
    return note_index


@given(st.lists(MADE, max_size=40), MADE)
def test_no_note_that_says_the_same_is_missed(notes, note):
    neighbours = index_notes(notes).near(note, most=1)
    for key, other in enumerate(notes):
        assert not is_same_note(note, other) or key in neighbours


@given(st.lists(MADE, max_size=40), MADE, st.integers(0, 6))
def test_the_few_nearest_are_the_first_of_all_that_are_near(notes, note, limit):
    among = index_notes(notes)
    assert among.near(note, limit)[:limit] == among.near(note, len(notes))[:limit]
