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
    ],
)
def test_what_a_question_is_made_of_is_left_out(question: str, words: list[str]) -> None:
    assert question_words.content(question) == words


def test_words_of_another_language_count_only_where_it_is_spoken() -> None:
    war, plant = "the war of 1812", "did the plant die"
    assert question_words.content(war) == ["war", "1812"]
    assert "die" in question_words.content(plant)


def test_what_was_looked_for_is_marked() -> None:
    text = "Deployed to 部署 on Tuesday, in März."
    looked = [Term(root, root, "", 1, 1.0, root) for root in (" deploy", "部署", " marz")]
    parts = list(answer.mark_matches(text, looked))
    assert "".join(part for part, _ in parts) == text
    assert "".join(part for part, good in parts if good) == "Deployed部署März"


@pytest.mark.parametrize(("question", "passed"), [("garten schlüssel ist", False), ("wo ist garten schlüssel", True)])
def test_words_of_another_language_are_passed_over_where_two_of_them_stand(question: str, passed: bool) -> None:
    assert ("ist" in question_words.stop_words(question.split())) is passed
