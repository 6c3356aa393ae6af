"""Times that a statement names become dates."""

from datetime import date

import pytest

from clawgit.agents.mining.message_text import dated, days

SAID = date(2026, 5, 4)  # a Monday


@pytest.mark.parametrize(
    ("text", "past", "expected"),
    [
        ("I signed it yesterday.", True, "I signed it yesterday (2026-05-03)."),
        ("it went down last Friday", True, "it went down last Friday (2026-05-01)"),
        ("the check-up was on Thursday", True, "the check-up was on Thursday (2026-04-30)"),
        ("we meet on Thursday", False, "we meet on Thursday (2026-05-07)"),
        ("I see her next Tuesday at 9", False, "I see her next Tuesday (2026-05-12) at 9"),
        ("on the 14th, back on the 2nd", False, "on the 14th (2026-05-14), back on the 2nd (2026-06-02)"),
        ("he came on the 14th", True, "he came on the 14th (2026-04-14)"),
        ("married on June 20 in Porto", False, "married on June 20 (2026-06-20) in Porto"),
        ("I booked the train for May 12", True, "I booked the train for May 12 (2026-05-12)"),
        ("she was born on 3 March 1999", True, "she was born on 3 March 1999"),
        ("he broke it last week", True, "he broke it last week (week of 2026-04-27)"),
        ("two weeks ago", True, "two weeks ago (week of 2026-04-20)"),
        ("three days ago", True, "three days ago (2026-05-01)"),
        ("a few days ago", True, "a few days ago (around 2026-05-01)"),
        ("last weekend", True, "last weekend (weekend of 2026-05-02)"),
        ("last month", True, "last month (2026-04)"),
        ("two months ago", True, "two months ago (2026-03)"),
        ("three years ago", True, "three years ago (2023)"),
        ("I switched in March", True, "I switched in March (2026-03)"),
        ("we move in March", False, "we move in March (2027-03)"),
        ("it ends in August", False, "it ends in August (2026-08)"),
        ("at the end of the month", False, "at the end of the month (2026-05)"),
        ("on 2026-06-01 and in October 2027", False, "on 2026-06-01 and in October 2027"),
        ("上周五宕机了", True, "上周五(2026-05-01)宕机了"),
        ("昨日、契約した", True, "昨日(2026-05-03)、契約した"),
        ("来週の水曜日に", False, "来週の水曜日(2026-05-13)に"),
        ("6月20日に結婚", False, "6月20日(2026-06-20)に結婚"),
        ("어제 했어요", True, "어제 (2026-05-03) 했어요"),
        ("ich habe gestern", True, "ich habe gestern (2026-05-03)"),
        ("am 20. Juni in Porto", False, "am 20. Juni (2026-06-20) in Porto"),
        ("vor zwei Wochen", True, "vor zwei Wochen (week of 2026-04-20)"),
        ("version 2026.2.17 runs", True, "version 2026.2.17 runs"),
        ("I may go there", False, "I may go there"),
        ("February 31 and the 31st floor", False, "February 31 and the 31st floor"),
    ],
)
def test_a_time_is_followed_by_its_date(text: str, past: bool, expected: str) -> None:
    assert dated(text, days(text, SAID, past=past)) == expected


def test_only_a_day_is_a_day() -> None:
    assert [one.day for one in days("yesterday, last week, in May", SAID, past=True)] == [date(2026, 5, 3), None, None]


def test_a_sentence_without_a_tense_does_not_take_that_of_another_for_what_begins() -> None:
    said = date(2026, 11, 5)
    text = "I told the union I would do it after all. From January, one year."
    assert dated(text, days(text, said, past=False)) == text.replace("January", "January (2027-01)")
    text = "We went to Rome. In March."
    assert dated(text, days(text, said, past=False)) == text.replace("March", "March (2026-03)")
