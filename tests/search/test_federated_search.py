"""Answers of several indexes come to one whose scores can be compared."""

import pytest
from msgspec.structs import replace

from clawgit.search.answer import Answer, Hit, join_hits, measure_coverage
from clawgit.search.question_words import Term


def hit(text: str, score: float, path: str = "MEMORY.md") -> Hit:
    return Hit(path, 1, 1, score, text, "T1", text=text)


def answer(*hits: Hit, texts: int, **times: int) -> Answer:
    looked = tuple(Term(word, word, "", much, 1.0, f" {word} ") for word, much in times.items())
    return Answer(hits, looked=looked, texts=texts, commit="c")


def owned(found: Answer, name: str) -> Answer:
    return replace(found, results=tuple(replace(one, agents=(name,)) for one in found.results))


def told(found: Answer) -> list[tuple[str, str, float]]:
    return [(one.agents[0], one.text, one.score) for one in found.results]


LAGOON = "the kettle of the lagoon"
LARGE = answer(hit("the kettle", 1.0), hit("a kettle too", 0.9), texts=10_000, kettle=300, lagoon=0)
SMALL = answer(hit(LAGOON, 0.8), texts=10, kettle=1, lagoon=1)


def test_one_index_is_left_as_it_is() -> None:
    assert join_hits([LARGE], 1) is LARGE


def test_the_best_of_a_small_index_is_not_drowned() -> None:
    found = join_hits([owned(LARGE, "large"), owned(SMALL, "small")], 6)
    assert told(found)[0] == ("small", LAGOON, 0.8)
    assert found.commit is None


def test_scores_count_by_what_the_best_hits_say() -> None:
    (_, first, second) = told(join_hits([owned(LARGE, "large"), owned(SMALL, "small")], 6))
    assert first[1:] == ("the kettle", pytest.approx(0.7138, abs=1e-4))
    assert second[1:] == ("a kettle too", pytest.approx(0.6425, abs=1e-4))


def test_within_an_index_the_order_stays_and_no_more_come_than_are_wanted() -> None:
    many = answer(*(hit(f"kettle {at}", 1 - at / 100) for at in range(8)), texts=50, kettle=8, lagoon=0)
    found = join_hits([owned(many, "many"), owned(SMALL, "small")], 5)
    assert len(found.results) == 5
    own = [text for name, text, _ in told(found) if name == "many"]
    assert own == [f"kettle {at}" for at in range(len(own))]


def test_three_hits_say_how_well_an_index_answers() -> None:
    late = answer(
        *(hit("kettle", 1 - at / 10) for at in range(3)), hit("kettle lagoon", 0.5), texts=10, kettle=4, lagoon=1
    )
    third = answer(hit("kettle", 1.0), hit("kettle", 0.9), hit("kettle lagoon", 0.8), texts=10, kettle=3, lagoon=1)
    other = answer(hit("a lagoon kettle", 0.8), texts=10, kettle=1, lagoon=1)
    assert told(join_hits([owned(late, "late"), owned(other, "other")], 1))[0][0] == "other"
    assert told(join_hits([owned(third, "third"), owned(other, "other")], 1))[0][2] == 1.0


def test_a_guess_covers_half_and_an_unknown_word_nothing() -> None:
    looked = (Term("ketle", "kettl", "", 3, 1.0, " kettle ", exact=False), Term("lagoon", "", "", 0, 1.0, " lagoon "))
    weights = {"ketle": 1.0, "lagoon": 1.0}
    assert measure_coverage(hit("kettle lagoon", 1.0), looked, weights) == 0.25


def test_what_was_looked_for_without_words_keeps_its_scores() -> None:
    listed = Answer((hit("a", 1.0), hit("b", 1.0)))
    found = join_hits([owned(listed, "one"), owned(listed, "two")], 4)
    assert [(name, text) for name, text, _ in told(found)] == [("one", "a"), ("two", "a"), ("one", "b"), ("two", "b")]


def test_what_is_lacking_is_told_once() -> None:
    bad = Answer((), degraded="vectors: gone", notes=("a note",))
    found = join_hits([owned(bad, "one"), owned(bad, "two")], 4)
    assert (found.degraded, found.notes) == ("vectors: gone", ("a note",))
