"""Words that are misspelt, and words that only ask."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.search import question_words, recall, store
from clawgit.search.answer import Query
from clawgit.search.corpus import Sources
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


def filled() -> Store:
    index_store = store.open_store(None)
    data = "\n\n".join(LINES).encode()
    store.refresh(index_store, lambda: Sources({"MEMORY.md": "1"}, lambda _: (data, "1")))
    return index_store


INDEX = filled()


def search_texts(question: str) -> list[str]:
    ranking, _, _ = recall.answers(INDEX, Query(question), Rules(today=None, least=0))
    return [candidate.place.text for candidate in ranking]


def slips(word: str) -> list[str]:
    """Return a word with one letter left out, doubled, swapped or replaced; the first stays."""
    variants = [word[:index] + word[index + 1 :] for index in range(1, len(word))]
    variants += [word[:index] + word[index] + word[index:] for index in range(1, len(word))]
    variants += [word[:index] + word[index + 1] + word[index] + word[index + 2 :] for index in range(1, len(word) - 1)]
    return variants + [word[:index] + other + word[index + 1 :] for index in range(1, len(word)) for other in "aeiort"]


@pytest.mark.parametrize("word", ["thermometer", "passwords", "bearings"])
def test_any_one_slip_in_a_word_is_forgiven(word: str) -> None:
    (line,) = (line for line in LINES if word in line)
    for slip in slips(word):
        assert search_texts(slip)[0] == line, slip


def test_of_three_letters_one_was_left_out() -> None:
    assert search_texts("mst")[0] == LINES[3]
    assert search_texts("bst") == []


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Erinnerst du dich an noch nicht?", LINES[5]),
        ("cómo funciona este pero", LINES[6]),
    ],
)
def test_a_question_of_small_words_alone_is_answered_by_them(question: str, line: str) -> None:
    assert search_texts(question)[0] == line


@given(st.sampled_from(LINES), st.data())
def test_any_words_of_a_text_find_it(line: str, data: st.DataObject) -> None:
    """The hits of plain words are all shown, small words or not."""
    words = data.draw(st.lists(st.sampled_from(question_words.list_words(line)), min_size=1, max_size=4, unique=True))
    assert line in search_texts(" ".join(words))
