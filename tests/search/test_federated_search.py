"""Answers of several indexes come to one whose scores can be compared."""

from msgspec.structs import replace

from clawgit.search.answer import Answer, Hit, join_hits
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


def test_the_best_of_a_small_index_is_not_drowned() -> None:
    found = join_hits([owned(LARGE, "large"), owned(SMALL, "small")], 6)
    assert told(found)[0] == ("small", LAGOON, 0.8)
    assert found.commit is None


def test_within_an_index_the_order_stays_and_no_more_come_than_are_wanted() -> None:
    many = answer(*(hit(f"kettle {at}", 1 - at / 100) for at in range(8)), texts=50, kettle=8, lagoon=0)
    found = join_hits([owned(many, "many"), owned(SMALL, "small")], 5)
    assert len(found.results) == 5
    own = [text for name, text, _ in told(found) if name == "many"]
    assert own == [f"kettle {at}" for at in range(len(own))]


def test_what_is_lacking_is_told_once() -> None:
    bad = Answer((), degraded="vectors: gone", notes=("a note",))
    found = join_hits([owned(bad, "one"), owned(bad, "two")], 4)
    assert (found.degraded, found.notes) == ("vectors: gone", ("a note",))
