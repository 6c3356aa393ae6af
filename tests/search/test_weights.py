"""The exact worth of each weight of ranking; measure before you change one (benchmarks/search/retrieval.py)."""

from datetime import date

import pytest

from clawgit.language.dates import Span
from clawgit.search import rank
from clawgit.search.question_words import Cues, Term
from clawgit.search.rank import Ranked, Rules
from clawgit.search.store import Place
from clawgit.search.vectors import Scale, measure_scale

ALL = Rules(None, least=0)
DAY = date(2026, 5, 20)


def place(nth: int, text: str, *, path: str = "memory/a.md", voice: str = "", day: date | None = None) -> Place:
    return Place(nth, f"{nth:016x}", path, "", nth, nth + 1, nth + 1, text, "", voice, bool(voice), day)


def term(word: str, weight: float = 1.0, *, times: int = 9, exact: bool = True) -> Term:
    return Term(word, word, f'"{word}"', times, weight, f" {word}", exact)


def rank_places(places: list[Place], *terms: Term, **options: object) -> list[Ranked]:
    """Rank places, each worth the same by its words unless the arguments differ."""
    arguments = {"keywords": {each_place.doc: 1.0 for each_place in places}, "cues": Cues(), "rules": ALL, **options}
    return rank.rank(places, terms=terms, **arguments)  # type: ignore[arg-type]


def scores(*args: object, **options: object) -> dict[int, float]:
    return {candidate.place.nth: round(candidate.score, 4) for candidate in rank_places(*args, **options)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "voice", "cues", "parts"),
    [
        ("The kettle.", "ana", Cues(voice="ana"), {"speaker": 1.7}),
        ("The kettle.", "user", Cues(voice="ana"), {}),
    ],
)
def test_who_says_it_counts(text: str, voice: str, cues: Cues, parts: dict[str, float]) -> None:
    [candidate] = rank_places([place(1, text, voice=voice)], term("kettle"), cues=cues)
    assert {name: worth for name, worth in candidate.parts.items() if name != "keyword"} == parts


@pytest.mark.parametrize(("day", "weight"), [(19, None), (20, 1.5), (30, 1.5), (31, None)])
def test_days_that_are_asked_for_count_and_the_nine_after_them(day: int, weight: float | None) -> None:
    cues = Cues(spans=(Span(DAY, date(2026, 5, 21)),))
    [candidate] = rank_places([place(1, "The kettle.", day=date(2026, 5, day))], term("kettle"), cues=cues)
    assert candidate.parts.get("date") == weight


@pytest.mark.parametrize(
    ("last", "weight"), [((5, 22), 2.5), ((5, 23), 1.0), ((6, 19), 1.0), ((6, 20), None), ((12, 20), None)]
)
def test_notes_of_a_day_or_a_month_that_is_asked_for_are_lifted(last: tuple[int, int], weight: float | None) -> None:
    cues = Cues(spans=(Span(DAY, date(2026, *last)),))
    lines = [place(1, "aaa", day=DAY), place(2, "The kettle.")]
    candidates = rank_places(lines, term("kettle"), cues=cues, keywords={1: 0.0, 2: 1.0})
    assert [candidate.parts.get("day") for candidate in candidates if candidate.place.nth == 1] == [weight]
    assert candidates[0].place.nth == (1 if last < (5, 23) else 2)


def test_a_line_of_a_conversation_that_speaks_of_it_elsewhere_too_counts_more() -> None:
    lines = [place(1, "aaa.", voice="x"), place(2, "bbb.", voice="x"), place(3, "ccc.", path="memory/b.md", voice="x")]
    assert scores(lines, term("kettle")) == {1: 1.0, 2: 1.0, 3: 0.97}


def test_a_guessed_word_is_half_as_sure() -> None:
    assert scores([place(1, "zzz")], term("brass"), term("ketle", exact=False)) == {1: 0.9}


@pytest.mark.parametrize(("times", "score"), [(3, 0.35), (4, 0.1458)])
def test_a_word_that_stands_in_three_texts_at_most_is_an_answer(times: int, score: float) -> None:
    assert scores([place(1, "brass")], term("brass", 0.05, times=times), term("zzz", 0.95, times=0)) == {1: score}


def test_ten_texts_show_whether_words_find_anything() -> None:
    lines = [place(nth, f"zzz {nth}" if nth < 11 else "brass") for nth in range(1, 12)]
    words = {nth: 12.0 - nth for nth in range(1, 12)}
    scores_by_number = scores(lines, term("brass"), keywords=words, similar={lines[0].hash: 0.9})
    assert scores_by_number[2] == 0


@pytest.mark.parametrize(("cosine", "worth"), [(-0.1, 0), (0.15, 0.175), (0.65, 0.675), (1.1, 1)])
def test_a_cosine_is_worth_what_the_scale_says(cosine: float, worth: float) -> None:
    assert Scale(0, 0.3).worth(cosine) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("cosines", "middle", "bar"),
    [
        ((0.08, 0.1, 0.12), 0.1, 0.1 + 4 * 1.4826 * 0.02),
        ((1.0, 1.0, 1.0), 0.999, 0.9999),
    ],
)
def test_the_scale_is_what_strangers_have(cosines: tuple[float, ...], middle: float, bar: float) -> None:
    texts = [(cosine, (1 - cosine * cosine) ** 0.5) for cosine in cosines]
    scale = measure_scale([(1.0, 0.0)], texts)
    assert (scale.middle, scale.bar) == pytest.approx((middle, bar))


def test_a_day_that_is_met_is_an_answer_though_no_word_is() -> None:
    cues = Cues(spans=(Span(DAY, DAY),))
    nowhere = term("kettle", times=0)
    (candidate,) = rank_places([place(1, "aaa", day=DAY)], nowhere, cues=cues, keywords={1: 0.0})
    assert round(candidate.score, 4) == 0.8


@pytest.mark.parametrize(("importance", "weight"), [(0, None), (1, 0.8), (5, 1.0), (10, 1.25)])
def test_importance_weighs_what_the_comment_says(importance: int, weight: float | None) -> None:
    (candidate,) = rank_places([place(1, "The kettle.")._replace(importance=importance)], term("kettle"))
    assert candidate.parts.get("importance") == weight
