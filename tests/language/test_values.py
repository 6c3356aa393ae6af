"""Times of day among the values of a text."""

import pytest

from clawgit.language import values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 02:15", ["2:15"]),
        ("at 2:15 pm, 12 am", ["14:15", "0:00"]),
        ("half past nine", ["9:30"]),
        ("um 7 Uhr 30, um 7.30 Uhr, um 7 Uhr abends, halb zehn", ["7:30", "7:30", "19:00", "9:30"]),
        ("à 15h30", ["15:30"]),
        ("a las 3 de la tarde", ["15:00"]),
        ("alle 9.30", ["9:30"]),
        ("下午三点, 下午3点半, 在15:30开会", ["15:00", "15:30", "15:30"]),
        ("16時半に, 15時30分", ["16:30", "15:30"]),
        ("오후 3시", ["15:00"]),
        ("3時間, 慢一点, 3 h, 3.50 €, 8080:80, 3.4.5", []),
    ],
)
def test_times_of_day_are_read(text: str, expected: list[str]) -> None:
    assert [value.canon for value in values.find(text) if value.kind == "time"] == expected
