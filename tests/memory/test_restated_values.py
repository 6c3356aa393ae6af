"""What a message may have made untrue is asked about; what it does not touch is not."""

import time

import pytest

from clawgit.memory.corrected_values import Doubt, Turn
from clawgit.memory.restated_values import Restatements
from clawgit.memory.value_exchange import Stored

ENTRIES = (
    "Winter concert of the choir on 6 December, doors 18:45",
    "Fergus's birthday is on 6 December",
    "The proof reading is billed at 45 € an hour",
    "Interpreting is billed at 45 € an hour",
    "The glaze comes from Terrasson in Limoges",
    "Aunt Odile lives in Limoges",
    "Until 2024 the proof reading was 40 € an hour",
)
CONCERT = "The draft says that the winter concert of the choir is on 6 December."
ROUTE = "The road to Terrasson in Limoges takes five hours."


def ask(message: str, *agent: str) -> tuple[tuple[str, ...], tuple[str, str]]:
    """Return the entries that are asked about, and what is said to be wrong and true."""
    stored = [Stored(str(number), text) for number, text in enumerate(ENTRIES)]
    doubt = Restatements(stored).find(message, [Turn("agent", text) for text in agent])
    return (tuple(ENTRIES[int(name)] for name in doubt.choices), (doubt.said, doubt.true)) if doubt else ((), ("", ""))


def test_another_value_of_what_the_agent_just_said() -> None:
    asked, both = ask("the 8th, a Tuesday", CONCERT)
    assert asked[0] == ENTRIES[0]
    assert both == ("6 December", "the 8th")


def test_another_value_of_the_same_subject() -> None:
    assert ask("My proof reading is billed at 52 € an hour.")[0][0] == ENTRIES[2]


def test_a_word_that_is_denied() -> None:
    assert ENTRIES[4] in ask("Terrasson is not in Limoges any more.", ROUTE)[0]


@pytest.mark.parametrize(
    ("message", "agent"),
    [
        ("Is the concert on the 8th?", CONCERT),
        ("The hall seats 120.", "Fine."),
        ("My proof reading is billed at 45 € an hour.", "Noted."),
        ("Nothing to do in the garden today.", ROUTE),
        ("", CONCERT),
    ],
    ids=["question", "new", "the same", "other matters", "nothing"],
)
def test_nothing_else_is_asked_about(message: str, agent: str) -> None:
    assert ask(message, agent)[0] == ()


def test_the_nearest_of_thousands_of_entries_that_share_their_words_are_found_at_once() -> None:
    texts = [f"Box {number} stands in the cellar of the old house." for number in range(12_000)]
    restatements = Restatements([Stored(str(number), text, "Boxes") for number, text in enumerate(texts)])
    began = time.process_time()
    doubt = restatements.add_nearest(Doubt("it tells one side only"), "The old house has no cellar for the boxes.", ())
    assert doubt.choices
    assert time.process_time() - began < 1.5
