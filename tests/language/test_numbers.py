"""Numbers in words."""

import pytest

from clawgit.language import numbers


@pytest.mark.parametrize(
    ("said", "iso", "expected"),
    [
        ("twelve", "en", 12),
        ("two hundred and five", "en", 205),
        ("two hundred twelve", "en", 212),
        ("three thousand", "en", 3000),
        ("two billion", "en", 2e9),
        ("#2.5 million", "en", 2.5e6),
        ("seventy one", "en", 71),
        ("dreiundzwanzig", "de", 23),
        ("einundzwanzig", "de", 21),
        ("zweiunddreissig", "de", 32),
        ("treinta y cinco", "es", 35),
        ("soixante et onze", "fr", None),
        ("cinquante deux", "fr", 52),
        ("hundred", "en", None),
        ("and five", "en", None),
        ("five six", "en", None),
    ],
)
def test_words_that_count_are_one_number(said: str, iso: str, expected: float | None) -> None:
    value, end = numbers.run(said.split(), 0, iso)
    assert (value if end == len(said.split()) else None) == expected


@pytest.mark.parametrize(
    ("said", "iso", "expected"),
    [
        ("一百二十三个", "zh", "123个"),
        ("三万五千元", "zh", "35000元"),
        ("7万5千円", "ja", "75000円"),
        ("4万8300円", "ja", "48300円"),
        ("4万8元", "zh", "48000元"),
        ("2천만 원", "ko", "20000000 원"),
        ("4만8300원", "ko", "48300원"),
        ("3.5万", "zh", "35000"),
        ("三亿五千万", "zh", "350000000"),
        ("二〇二六年", "zh", "2026年"),
        ("一九九八年", "zh", "1998年"),
        ("三四五个", "zh", "三四五个"),
        ("三四个", "zh", "三四个"),
        ("几十个", "zh", "几十个"),
        ("两点", "zh", "2点"),
        ("세 시에", "ko", "3 시에"),
        ("열두 명", "ko", "12 명"),
        ("삼십 분", "ko", "30 분"),
        ("2만원", "ko", "20000원"),
        ("시간", "ko", "시간"),
        ("세상", "ko", "세상"),
    ],
)
def test_numerals_of_east_asia_become_digits(said: str, iso: str, expected: str) -> None:
    assert numbers.counted(said, iso) == expected
