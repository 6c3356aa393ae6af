"""Days, months and years in sentences, over whole years and in every claimed language."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.language import date_mentions, dates, lexicon
from clawgit.language.dates import QUESTION, STATEMENT, Mention, Span, resolve
from clawgit.language.iso_dates import end_of, parse_date, start_of

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
    for away in range(1, 365):
        for sentence, day in zip(BORN[iso], (said - timedelta(away), said + timedelta(away)), strict=True):
            text = spoken(sentence, iso, day)
            if dates.spans(date_mentions.find(text), said, past=date_mentions.past(text)) != (Span(day, day),):
                wrong.append(text)
    assert not wrong


@pytest.mark.parametrize("iso", BORN)
def test_every_name_that_cldr_has_is_read(iso: str) -> None:
    for at, names in enumerate(lexicon.rows(iso, "calendar", "weekdays")):
        for name in names:
            found = date_mentions.find(name, (iso,))
            assert [one.weekday for one in found] == [at], name
    for at, names in enumerate(lexicon.rows(iso, "calendar", "months"), 1):
        for name in names:
            assert [one.month for one in date_mentions.find(name, (iso,))] == [at], name


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
    for said in (date(2026, 1, 1) + timedelta(at) for at in range(365)):
        for at, name in enumerate(names):
            [before] = dates.spans(date_mentions.find(last.format(name), (iso,)), said)
            [after] = dates.spans(date_mentions.find(following.format(name), (iso,)), said)
            assert before.first.weekday() == after.first.weekday() == at
            assert 1 <= (said - before.first).days <= 7
            assert after.first.isocalendar()[:2] == (said + timedelta(7)).isocalendar()[:2]


@pytest.mark.parametrize(
    ("iso", "week"), [("zh", "{}周{}"), ("ja", "{}週の{}曜日"), ("ko", "{} 주 {}요일")], ids=["zh", "ja", "ko"]
)
def test_a_weekday_of_last_week_and_of_next_week_is_in_it(iso: str, week: str) -> None:
    sides = {"zh": "上 下", "ja": "先 来", "ko": "지난 다음"}[iso].split()
    letters = lexicon.words(iso, "dates", "weekday_letters")
    for said in (date(2026, 1, 1) + timedelta(at) for at in range(0, 365, 3)):
        for away, side in zip((-7, 7), sides, strict=True):
            for at, letter in enumerate(letters):
                [span] = dates.spans(date_mentions.find(week.format(side, letter[0]), (iso,)), said)
                assert span.first == said - timedelta(said.weekday()) + timedelta(away + at)


@pytest.mark.parametrize("iso", BORN)
def test_yesterday_last_week_last_month_and_last_year_lie_before_today(iso: str) -> None:
    for said in (date(2026, 1, 1) + timedelta(at) for at in range(0, 730, 5)):
        monday = said - timedelta(said.weekday())
        first = said.replace(day=1)
        wanted = {
            "week": Span(monday - timedelta(7), monday - timedelta(1)),
            "month": Span((first - timedelta(1)).replace(day=1), first - timedelta(1)),
            "year": Span(date(said.year - 1, 1, 1), date(said.year - 1, 12, 31)),
        }
        for unit, span in wanted.items():
            for words in lexicon.listed(lexicon.section(iso, "dates", "periods", unit).split("|")[0]):
                assert dates.spans(date_mentions.find(words, (iso,)), said) == (span,), words
        for words in lexicon.phrases(iso, "dates", "days", "yesterday"):
            assert dates.spans(date_mentions.find(words, (iso,)), said) == (Span(*[said - timedelta(1)] * 2),), words


@pytest.mark.parametrize("iso", BORN)
@pytest.mark.parametrize(
    ("name", "away"),
    [("before_yesterday", -2), ("yesterday", -1), ("today", 0), ("tomorrow", 1), ("after_tomorrow", 2)],
)
def test_a_day_seen_from_today_is_so_far_away(iso: str, name: str, away: int) -> None:
    for words in lexicon.phrases(iso, "dates", "days", name):
        [span] = dates.spans(date_mentions.find(words, (iso,)), date(2026, 11, 20))
        assert span == Span(*[date(2026, 11, 20) + timedelta(away)] * 2), words


def test_last_and_next_season_lie_on_their_sides() -> None:
    [summer] = date_mentions.find("last summer")
    [winter] = date_mentions.find("next winter")
    for said in (date(2026, 1, 1) + timedelta(at) for at in range(365)):
        last, following = (resolve(one, said) for one in (summer, winter))
        assert last
        assert following
        assert last.last < said < following.first
        assert (said - last.last).days < 367
        assert (following.first - said).days < 366
        assert last.first.month == 6
        assert following.first.month == 12


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


@pytest.mark.parametrize(("ahead", "expected"), [(QUESTION, "2026-03-01"), (STATEMENT, "2027-03-01")])
def test_without_a_tense_a_question_asks_back_and_a_statement_looks_ahead(ahead: int, expected: str) -> None:
    """At most a month ahead for a question, unless the past is three times nearer for a statement."""
    said = date(2026, 11, 21)
    for form in (Mention(0, 1, "day", month=3, day=1), Mention(0, 1, "month", month=3)):
        span = resolve(form, said, ahead=ahead)
        assert span
        assert str(span.first) == expected
    for days, back in ((ahead, False), (ahead + 1, True)):
        then = said + timedelta(days)
        span = resolve(Mention(0, 1, "day", month=then.month, day=then.day), said, ahead=ahead)
        assert span
        assert (span.first < said) is back


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


PIECES = (
    "\uc6d4\uae09 ",
    " \uc6d4 ",
    "\uc77c ",
    "\u6708 ",
    "\u5341\u4e8c",
    "3",
    " cent mil ",
    " hundert ",
    "e\uc6d4",
    " 12.",
    "\u5e74",
    "\u524d ",
)


@given(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.sets(st.sampled_from(sorted(lexicon.having("dates")))),
)
def test_languages_side_by_side_break_nothing(text: str, languages: set[str]) -> None:
    """The letters of a word that counts in one language are no numerals of another."""
    for one in date_mentions.find(text, tuple(sorted(languages))):
        assert text[one.start : one.end].strip()


def test_what_people_type_is_a_date_or_a_moment() -> None:
    assert parse_date(" 2026-05-03 ") == date(2026, 5, 3)
    assert parse_date("2026-05-03T10:00") == datetime.fromisoformat("2026-05-03T10:00")
    assert parse_date("yesterday") is None


@pytest.mark.parametrize(
    "text", ["Läuft mit Python 3.10. Danach nicht.", "Die 192.168.10.10. ist frei.", "Um 13.45. los"]
)
def test_a_version_is_no_day(text: str) -> None:
    assert not date_mentions.find(text, ("de",))


def test_dateparser_reads_the_same_days() -> None:
    """An oracle, where it is installed: pip install dateparser."""
    dateparser = pytest.importorskip("dateparser", reason="dateparser; get it: pip install dateparser")
    said = datetime.fromisoformat("2026-11-21T12:00")
    for iso in ("en", "de", "fr", "es", "it"):
        for away in range(1, 365, 13):
            day = said.date() - timedelta(away)
            month = lexicon.rows(iso, "calendar", "months")[day.month - 1][0]
            text = {"en": f"{month} {day.day}", "de": f"{day.day}. {month}", "es": f"{day.day} de {month}"}.get(
                iso, f"{day.day} {month}"
            )
            settings = {"RELATIVE_BASE": said, "PREFER_DATES_FROM": "past"}
            theirs = dateparser.parse(text, languages=[iso], settings=settings)
            assert dates.spans(date_mentions.find(text, (iso,)), said.date(), past=True)[0].first == theirs.date()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("I'm on three days a week from april.", "2027-04-01"),
        ("The office is closed from Monday.", "2026-11-23"),
        ("Ab April arbeite ich drei Tage.", "2027-04-01"),
        ("I was there from April to June.", "2026-04-01"),
        ("I live here since april.", "2026-04-01"),
        ("It is on Mondays until the end of June.", "2027-06-01"),
        ("Das gilt bis Ende Juni.", "2027-06-01"),
        ("Der Vertrag läuft bis 30.04. und dann ist Schluss.", "2027-04-30"),
        ("Die Abgabe (15.03.) ist beim Amt.", "2027-03-15"),
        ("Termin am 3.5. um acht", "2027-05-03"),
        ("Der Bescheid vom 9.3. ist da, und die Frist ist kurz.", "2027-03-09"),
        ("The fair is on Friday, 27 November.", "2026-11-27"),
        ("la feria es el jueves 3 de diciembre", "2026-12-03"),
        ("Le salon est le jeudi 3 décembre.", "2026-12-03"),
        ("Am Freitag, den 27. November, ist Messe.", "2026-11-27"),
    ],
)
def test_a_bound_lies_on_its_side_and_a_weekday_with_its_day_is_one_time(text: str, first: str) -> None:
    found = [one for one in date_mentions.find(text) if one.form != "habit"]
    spans = [resolve(one, date(2026, 11, 20), past=date_mentions.past(text), ahead=STATEMENT) for one in found]
    assert [str(span.first) for span in spans if span][:1] == [first]
    assert len(spans) == 1 or " to June" in text
