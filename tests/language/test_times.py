"""Times of day."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.language import lexicon, times

SEVEN = ("en", "de", "fr", "es", "zh", "ja", "ko")


def read(text: str, iso: str) -> list[str]:
    return [f"{one.hour}:{one.minute:02}" for one in times.find(text, (iso,))]


@pytest.mark.parametrize("hour", range(24))
@pytest.mark.parametrize("minute", [0, 15, 30, 59])
def test_every_hour_is_read_in_every_claimed_language(hour: int, minute: int) -> None:
    of_twelve = hour % 12 or 12
    said = {
        "en": [f"at {hour:02}:{minute:02}", f"at {of_twelve}:{minute:02} {'pm' if hour > 11 else 'am'}"],
        "de": [f"um {hour}:{minute:02} Uhr", f"um {hour} Uhr {minute:02}"],
        "fr": [f"à {hour}h{minute:02}"],
        "es": [f"a las {hour}:{minute:02}"],
        "zh": [f"{hour}点{minute}分", f"{hour}:{minute:02}"],
        "ja": [f"{hour}時{minute}分"],
        "ko": [f"{hour}시 {minute}분"],
    }
    for iso in SEVEN:
        for text in said[iso]:
            assert read(text, iso) == [f"{hour}:{minute:02}"], text


@pytest.mark.parametrize(
    ("text", "iso", "expected"),
    [
        ("half past two", "en", ["2:30"]),
        ("quarter to one", "en", ["0:45"]),
        ("quarter past four", "en", ["4:15"]),
        ("24:00", "en", ["0:00"]),
        ("12 at night, 1 at night", "en", ["0:00", "1:00"]),
        ("at noon, at midnight", "en", ["12:00", "0:00"]),
        ("12 am or 12 pm", "en", ["0:00", "12:00"]),
        ("two at night, ten at night", "en", ["2:00", "22:00"]),
        ("seven o'clock", "en", ["7:00"]),
        ("halb acht abends", "de", ["19:30"]),
        ("um 7 Uhr abends", "de", ["19:00"]),
        ("a las 3 de la tarde", "es", ["15:00"]),
        ("à 7 heures du soir", "fr", ["19:00"]),
        ("下午三点", "zh", ["15:00"]),
        ("下午3点半", "zh", ["15:30"]),
        ("中午1点", "zh", ["13:00"]),
        ("中午11点", "zh", ["11:00"]),
        ("晚上12点", "zh", ["0:00"]),
        ("凌晨12点", "zh", ["0:00"]),
        ("午後3時", "ja", ["15:00"]),
        ("3時間", "ja", []),
        ("밤 2시", "ko", ["2:00"]),
        ("오후 3시", "ko", ["15:00"]),
        ("慢一点", "zh", []),
        ("晚上一点", "zh", ["1:00"]),
        ("晚上8点", "zh", ["20:00"]),
        ("여덟 시에", "ko", ["8:00"]),
        ("antes de las nueve", "es", ["9:00"]),
        ("las dos fechas", "es", []),
        ("las 1,9 son del canchal", "es", []),
        ("a las 1.30, no antes", "es", ["1:30"]),
        ("25:00", "en", []),
        ("10:61", "en", []),
        ("1:2:3:4", "en", []),
        ("12.5 pm2", "en", []),
        ("próximas 24 horas", "es", []),
        ("three pages", "en", []),
    ],
)
def test_a_time_is_read_as_people_say_it(text: str, iso: str, expected: list[str]) -> None:
    assert read(text, iso) == expected


@given(st.text(max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    end = 0
    for one in times.find(text, tuple(lexicon.scripts())):
        assert end <= one.start < one.end <= len(text)
        assert 0 <= one.hour < 24
        assert 0 <= one.minute < 60
        end = one.end
