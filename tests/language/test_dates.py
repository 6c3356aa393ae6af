"""Days, months and years in sentences, over whole years and in every claimed language."""

import time
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.language import date_mentions, dates, due_dates, lexicon
from clawgit.language.dates import Span, end_of, parse_date, resolve, start_of
from tests.amounts import amount

SAID = [date(2026, 11, 21), date(2026, 1, 1), date(2024, 2, 29), date(2027, 7, 15)]
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


def spoken(sentence: str, iso: str, day: date) -> str:
    months = lexicon.rows(iso, "calendar", "months") or (("",),) * 12
    return sentence.format(month=months[day.month - 1][0].capitalize(), number=day.month, day=day.day)


@pytest.mark.parametrize("said", SAID, ids=str)
@pytest.mark.parametrize("iso", BORN)
def test_a_day_without_a_year_is_the_past_one_where_the_past_is_spoken_of_and_the_coming_one_else(
    iso: str, said: date
) -> None:
    wrong = []
    for away in range(1, 365, amount(1, 19)):
        for sentence, day in zip(BORN[iso], (said - timedelta(away), said + timedelta(away)), strict=True):
            text = spoken(sentence, iso, day)
            if dates.spans(date_mentions.find(text), said, past=date_mentions.past(text)) != (Span(day, day),):
                wrong.append(text)
    assert not wrong


@pytest.mark.parametrize(
    ("iso", "last", "following"),
    [
        ("en", "last {}", "next {}"),
        ("de", "letzten {}", "nächsten {}"),
        ("fr", "{} dernier", "{} prochain"),
        ("es", "el {} pasado", "el próximo {}"),
        ("it", "{} scorso", "{} prossimo"),
    ],
)
def test_next_and_last_lie_on_their_sides_on_every_day_of_a_year(iso: str, last: str, following: str) -> None:
    names = [row[0] for row in lexicon.rows(iso, "calendar", "weekdays")]
    for said in (date(2026, 1, 1) + timedelta(at) for at in range(0, 365, amount(1, 7))):
        for at, name in enumerate(names):
            [before] = dates.spans(date_mentions.find(last.format(name), (iso,)), said)
            [after] = dates.spans(date_mentions.find(following.format(name), (iso,)), said)
            assert before.first.weekday() == after.first.weekday() == at
            assert 1 <= (said - before.first).days <= 7
            assert after.first.isocalendar()[:2] == (said + timedelta(7)).isocalendar()[:2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many days after February 29", "2024-02-29"),
        ("February 31", None),
        ("31. April", None),
        ("13/5/2026", "2026-05-13"),
        ("5/13/2026", "2026-05-13"),
        ("5/6/2026", None),
        ("회의는 2026-05-03입니다.", "2026-05-03"),
        ("会议是2026-05-03。", "2026-05-03"),
        ("Zugegangen ist es am 3., der Brief", "2026-12-03"),
        ("2026-13-01", None),
        ("version 2026.1.3.4", None),
        ("at 10:30 on May 3", "2026-05-03"),
        ("May 3:30", None),
        ("on may 3, 2026", "2026-05-03"),
        ("may 5%", None),
        ("am 3. Stock", None),
        ("avant le 14 juillet", "2027-07-14"),
        ("since March 3", "2026-03-03"),
    ],
)
def test_a_day_is_read_and_what_only_looks_like_one_is_not(text: str, expected: str | None) -> None:
    found = [
        str(one.first) for one in dates.spans(date_mentions.find(text), date(2026, 11, 21)) if one.first == one.last
    ]
    assert found == ([expected] if expected else [])


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Santiago", "Pacific/Auckland", "Asia/Kolkata"])
def test_days_meet_without_a_gap_where_clocks_change(zone: str) -> None:
    """A day begins where the one before has ended, also where midnight falls into the hour that is left out."""
    there = ZoneInfo(zone)
    for day in (date(2026, 1, 1) + timedelta(at) for at in range(365)):
        ended, begun = end_of(day, there), start_of(day + timedelta(1), there)
        assert ended < begun
        assert (begun.timestamp() - ended.timestamp()) <= 1
        assert 23 * 3600 <= begun.timestamp() - start_of(day, there).timestamp() <= 25 * 3600


@given(st.text(max_size=80), st.dates())
def test_no_text_breaks_it_and_every_mention_stands_where_it_says(text: str, said: date) -> None:
    end = 0
    for one in date_mentions.find(text):
        assert end <= one.start < one.end <= len(text)
        end = one.end
        span = resolve(one, said)
        assert span is None or span.first <= span.last


@pytest.mark.parametrize("text", ["The launch is on 2026-12-18 (Friday).", "It begins on Friday, 2026-12-18."])
def test_a_weekday_beside_a_date_only_explains_it(text):
    assert due_dates.days(text, date(2026, 11, 30)) == (date(2026, 12, 18),)


def test_the_days_of_a_long_text_are_found_at_once() -> None:
    text = "Fri 3.5.2026 " * 1_500
    began = time.process_time()
    mentions = date_mentions.find(text)
    assert time.process_time() - began < 2
    assert {mention.form for mention in mentions} == {"day"}


def test_an_id_of_digits_is_no_date() -> None:
    assert [parse_date(text) for text in ("682308101c", "2026051012")] == [None, None]
    assert parse_date("20260510") == date(2026, 5, 10)
    assert parse_date("20260510T1200") == datetime(2026, 5, 10, 12, 0)  # noqa: DTZ001 - as it is written
