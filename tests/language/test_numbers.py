"""Numbers in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.language import numbers


@pytest.mark.parametrize(
    ("said", "iso", "expected"),
    [
        ("twelve", "en", 12),
        ("two hundred and five", "en", 205),
        ("two hundred twelve", "en", 212),
        ("three thousand", "en", 3000),
        ("seventy one", "en", 71),
        ("dreiundzwanzig", "de", 23),
        ("einundzwanzig", "de", 21),
        ("zweiunddreissig", "de", 32),
        ("treinta y cinco", "es", 35),
        ("ochocientos cincuenta", "es", 850),
        ("neuf cents", "fr", 900),
        ("cinquante deux", "fr", 52),
    ],
)
def test_words_that_count_are_one_number(said: str, iso: str, expected: int) -> None:
    assert expected in numbers.spelled(said.split(), iso)


def test_numbers_beside_each_other_are_no_sum() -> None:
    assert list(numbers.spelled(["five", "six"], "en")) == [5, 5, 6, 6]


@pytest.mark.parametrize(
    ("said", "iso", "expected"),
    [
        ("7万5千円", "ja", "75000円"),
        ("4万8300円", "ja", "48300円"),
        ("3.5万", "zh", "3.5万"),
        ("2천만 원", "ko", "20000000 원"),
        ("4만8300원", "ko", "48300원"),
        ("2만원", "ko", "20000원"),
    ],
)
def test_numerals_of_east_asia_become_digits(said: str, iso: str, expected: str) -> None:
    assert numbers.in_digits(said, iso) == expected


@pytest.mark.parametrize(
    ("said", "number"), [("一百二十三", 123), ("三万五千", 35_000), ("二十万", 200_000), ("三亿五千万", 350_000_000)]
)
def test_a_numeral_in_letters_is_read(said: str, number: int) -> None:
    assert numbers.value(said, "zh") == number


@given(st.integers(1, 9999))
def test_every_chinese_numeral_is_read(number: int) -> None:
    digits = "零一二三四五六七八九"
    said = ""
    for at, step in zip(reversed(f"{number:04}"), ("", "十", "百", "千"), strict=True):
        said = (digits[int(at)] + step if at != "0" else "零") + said
    assert numbers.value(said, "zh") == number


@pytest.mark.parametrize("iso", ["en", "de", "fr", "es", "it", "pt"])
def test_small_numbers_count_up(iso: str) -> None:
    worth = list(dict.fromkeys(numbers.table(iso).values()))
    assert not worth or worth[:10] == list(range(10))


@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    for iso in ("zh", "ja", "ko"):
        numbers.in_digits(text, iso)
    assert all(number >= 0 for number in numbers.spelled(text.lower().split(), "en"))
