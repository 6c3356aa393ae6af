"""Answers of several indexes come to one with comparable scores."""

from msgspec.structs import replace

from clawgit.search.answer import Answer, Hit, join_hits
from clawgit.search.question_words import Term


def hit(text: str, score: float, path: str = "MEMORY.md") -> Hit:
    return Hit(path, 1, 1, score, text, "T1", text=text)


def answer(*hits: Hit, texts: int, **times: int) -> Answer:
    terms = tuple(Term(word, word, "", times_found, 1.0, f" {word} ") for word, times_found in times.items())
    return Answer(hits, looked=terms, texts=texts, commit="c")


def name_owner(answer: Answer, name: str) -> Answer:
    return replace(answer, results=tuple(replace(hit, agents=(name,)) for hit in answer.results))


def list_hits(answer: Answer) -> list[tuple[str, str, float]]:
    return [(hit.agents[0], hit.text, hit.score) for hit in answer.results]


LAGOON = "the kettle of the lagoon"
LARGE = answer(hit("the kettle", 1.0), hit("a kettle too", 0.9), texts=10_000, kettle=300, lagoon=0)
SMALL = answer(hit(LAGOON, 0.8), texts=10, kettle=1, lagoon=1)


def test_the_best_of_a_small_index_is_not_drowned() -> None:
    answer = join_hits([name_owner(LARGE, "large"), name_owner(SMALL, "small")], 6)
    assert list_hits(answer)[0] == ("small", LAGOON, 0.8)
    assert answer.commit is None


def test_within_an_index_the_order_stays_and_no_more_come_than_are_wanted() -> None:
    many = answer(*(hit(f"kettle {number}", 1 - number / 100) for number in range(8)), texts=50, kettle=8, lagoon=0)
    joined_answer = join_hits([name_owner(many, "many"), name_owner(SMALL, "small")], 5)
    assert len(joined_answer.results) == 5
    own = [text for name, text, _ in list_hits(joined_answer) if name == "many"]
    assert own == [f"kettle {number}" for number in range(len(own))]


def test_what_is_lacking_is_told_once() -> None:
    bad = Answer((), degraded="vectors: gone", notes=("a note",))
    answer = join_hits([name_owner(bad, "one"), name_owner(bad, "two")], 4)
    assert (answer.degraded, answer.notes) == ("vectors: gone", ("a note",))
