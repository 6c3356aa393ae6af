"""Days, months and years in sentences, over whole years and in every claimed language."""

from datetime import date, timedelta

import pytest

from clawgit.language import date_mentions, dates, lexicon
from clawgit.language.dates import Span
from tests.amounts import amount

SAID = [date(2026, 11, 21), date(2024, 2, 29)]
BORN = {
    "en": ("I was born on {month} {day}.", "I will fly on {month} {day}."),
    "de": ("Ich wurde am {day}. {month} geboren.", "Ich werde am {day}. {month} fliegen."),
    "fr": ("Je suis né le {day} {month}.", "Je partirai le {day} {month}."),
    "es": ("Nací el {day} de {month}.", "Volaré el {day} de {month}."),
    "it": ("Sono nato il {day} {month}.", "Partirò il {day} {month}."),
    "zh": ("我是{number}月{day}日出生的。", "我{number}月{day}日要出发。"),
    "ja": ("私は{number}月{day}日に生まれました。", "{number}月{day}日に出発する予定です。"),
    "ko": ("나는 {number}월 {day}일에 태어났어요.", "{number}월 {day}일에 출발할 거예요."),
}
"""A day that has been, and one to come, in each claimed language."""


def format_sentence(sentence: str, iso: str, day: date) -> str:
    months = lexicon.rows(iso, "calendar", "months") or (("",),) * 12
    return sentence.format(month=months[day.month - 1][0].capitalize(), number=day.month, day=day.day)


@pytest.mark.parametrize("today", SAID, ids=str)
@pytest.mark.parametrize("iso", BORN)
def test_a_day_without_a_year_is_the_past_one_where_the_past_is_spoken_of_and_the_coming_one_else(
    iso: str, today: date
) -> None:
    wrong = []
    for days in range(1, 365, amount(1, 19)):
        for sentence, day in zip(BORN[iso], (today - timedelta(days), today + timedelta(days)), strict=True):
            text = format_sentence(sentence, iso, day)
            if dates.spans(date_mentions.find_dates(text), today, past=date_mentions.is_about_past(text)) != (
                Span(day, day),
            ):
                wrong.append(text)
    assert not wrong


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many days after February 29", "2024-02-29"),
        ("February 31", None),
        ("13/5/2026", "2026-05-13"),
        ("5/6/2026", None),
        ("会议是2026-05-03。", "2026-05-03"),
        ("Zugegangen ist es am 3., der Brief", "2026-12-03"),
        ("version 2026.1.3.4", None),
        ("may 5%", None),
        ("am 3. Stock", None),
        ("our Postgres is on 15.4.", None),
        ("Abgabe ist am 15.4.", "2026-04-15"),
    ],
)
def test_a_day_is_read_and_what_only_looks_like_one_is_not(text: str, expected: str | None) -> None:
    days = [
        str(span.first)
        for span in dates.spans(date_mentions.find_dates(text), date(2026, 11, 21))
        if span.first == span.last
    ]
    assert days == ([expected] if expected else [])
