"""The words of a question, and of scripts that write none."""

import pytest

from clawgit.search import answer, question_words
from clawgit.search.question_words import Term


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What did we say about the deploy day?", ["deploy", "day"]),
        ("Wann haben wir über den Umzug gesprochen", ["umzug"]),
        ("who are you", ["who", "are", "you"]),
        ("the war of 1812", ["war", "1812"]),
        ("garten schlüssel ist", ["garten", "schlüssel", "ist"]),
        ("wo ist garten schlüssel", ["garten", "schlüssel"]),
    ],
)
def test_what_a_question_is_made_of_is_left_out(question: str, words: list[str]) -> None:
    """Small words of another language count only if there are two of them."""
    assert question_words.content(question) == words


def test_what_was_looked_for_is_marked() -> None:
    text = "Deployed to 部署 on Tuesday, in März."
    terms = [Term(root, root, "", 1, 1.0, root) for root in (" deploy", "部署", " marz")]
    parts = list(answer.mark_matches(text, terms))
    assert "".join(part for part, _ in parts) == text
    assert "".join(part for part, good in parts if good) == "Deployed部署März"
