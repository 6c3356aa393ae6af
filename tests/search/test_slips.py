"""Words that are misspelt, and words that only ask."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.search import question_words, recall, refresh, store
from clawgit.search.answer import Query
from clawgit.search.corpus import Source
from clawgit.search.question_words import Term
from clawgit.search.rank import Rules
from clawgit.search.store import Store

LINES = (
    "- The greenhouse needs another thermometer.",
    "- Margarethe sells apricots on Saturdays.",
    "- Our passwords rotate every quarter.",
    "- Turbine inspection: bearings must be greased.",
    "- Die Partitionierungsschlüsselverwaltung bleibt offen.",
    "- Das Zertifikat ist noch nicht gültig.",
    "- Este programa recomienda poco, pero funciona.",
)


def filled(lines: tuple[str, ...] = LINES) -> Store:
    opened = store.open_store(None)
    data = "\n\n".join(lines).encode()
    refresh.refresh(opened, lambda: [Source("MEMORY.md", None, lambda: (data, None), "0" * 40)])
    return opened


INDEX = filled()


def found(question: str, index: Store = INDEX) -> list[str]:
    ranked, _, _ = recall.answers(index, Query(question), Rules(today=None, least=0))
    return [one.place.text for one in ranked]


def slips(word: str) -> list[str]:
    """Return a word with one letter left out, doubled, swapped or replaced; the first stays."""
    out = [word[:at] + word[at + 1 :] for at in range(1, len(word))]
    out += [word[:at] + word[at] + word[at:] for at in range(1, len(word))]
    out += [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(1, len(word) - 1)]
    return out + [word[:at] + other + word[at + 1 :] for at in range(1, len(word)) for other in "aeiort"]


@pytest.mark.parametrize("word", ["thermometer", "apricots", "passwords", "inspection", "bearings", "greenhouse"])
def test_any_one_slip_in_a_word_is_forgiven(word: str) -> None:
    (line,) = (line for line in LINES if word in line)
    for slip in slips(word):
        assert found(slip)[0] == line, slip


def test_of_three_letters_one_was_left_out() -> None:
    assert found("mst")[0] == LINES[3]
    assert found("bst") == []


def test_long_compounds_are_repaired() -> None:
    assert found("partitionierungsschlüselverwaltung") == [LINES[4]]


def test_a_slip_in_the_frame_of_a_question_leads_nowhere_else() -> None:
    index = filled((*LINES, "- Remember the milk."))
    question = "Do you remmeber the greenhouse?"
    assert found(question, index)[0] == LINES[0]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Erinnerst du dich an noch nicht?", LINES[5]),
        ("cómo funciona este pero", LINES[6]),
    ],
)
def test_a_question_of_small_words_alone_is_answered_by_them(question: str, line: str) -> None:
    assert found(question)[0] == line


@given(st.sampled_from(LINES), st.data())
def test_any_words_of_a_text_find_it(line: str, data: st.DataObject) -> None:
    """Whatever plain words would show is shown, small words or not."""
    asked = data.draw(st.lists(st.sampled_from(question_words.words(line)), min_size=1, max_size=4, unique=True))
    assert line in found(" ".join(asked))


def test_what_differs_in_capitals_is_no_repeat() -> None:
    lines = ("- Un problema temporal.", "- un problema temporal.")
    assert len(found("problema", filled(lines))) == 2


def near(word: str, *words: str, gone: tuple[str, ...] = ()) -> list[str]:
    """Return the words of an index that `word` may be a slip for; those that are `gone` stand nowhere any more."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE spelling (word)")
    connection.executemany("INSERT INTO spelling VALUES (?)", [(one,) for one in (*words, *gone)])
    return [
        one.word
        for one in question_words.find_near_terms(
            connection, word, lambda some: {one: Term(one, one, one, 0 if one in gone else 1, 1.0, one) for one in some}
        )
    ]


def test_another_first_letter_is_taken_only_where_the_rest_fits_well() -> None:
    assert near("tiver", "river") == []
    assert near("hermometer", "thermometer") == ["thermometer"]


def test_two_words_are_taken_and_only_those_that_fit_alike() -> None:
    assert near("carx", "card", "care", "carp", "cart") == ["card", "care"]
    assert near("mountein", "mountain", "mounteer") == ["mountain"]


def test_only_the_nearest_are_looked_at() -> None:
    nearest = tuple(f"gardene{end}" for end in "abcdefgh")
    assert near("gardener", "gardenwo", gone=nearest) == []
    assert near("gardener", "gardenwo", gone=nearest[1:]) == ["gardenwo"]
