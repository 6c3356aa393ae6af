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
    opened = store.open_store(None)
    data = "\n\n".join(LINES).encode()
    store.refresh(opened, lambda: Sources({"MEMORY.md": "1"}, lambda _: (data, "1")))
    return opened


INDEX = filled()


def found(question: str) -> list[str]:
    ranked, _, _ = recall.answers(INDEX, Query(question), Rules(today=None, least=0))
    return [one.place.text for one in ranked]


def slips(word: str) -> list[str]:
    """Return a word with one letter left out, doubled, swapped or replaced; the first stays."""
    out = [word[:at] + word[at + 1 :] for at in range(1, len(word))]
    out += [word[:at] + word[at] + word[at:] for at in range(1, len(word))]
    out += [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(1, len(word) - 1)]
    return out + [word[:at] + other + word[at + 1 :] for at in range(1, len(word)) for other in "aeiort"]


@pytest.mark.parametrize("word", ["thermometer", "passwords", "bearings"])
def test_any_one_slip_in_a_word_is_forgiven(word: str) -> None:
    (line,) = (line for line in LINES if word in line)
    for slip in slips(word):
        assert found(slip)[0] == line, slip


def test_of_three_letters_one_was_left_out() -> None:
    assert found("mst")[0] == LINES[3]
    assert found("bst") == []


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
    asked = data.draw(st.lists(st.sampled_from(question_words.list_words(line)), min_size=1, max_size=4, unique=True))
    assert line in found(" ".join(asked))
