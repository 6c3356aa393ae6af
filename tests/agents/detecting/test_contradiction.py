"""What contradicts, and what only looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.detecting.contradiction import judge

CONTRADICT = {
    "number": [
        "The relay listens on port 8080 | The relay listens on port 9090",
        "Backups are kept for 30 days | Backups are kept for 90 days",
        "备份服务器的端口是8080 | 备份服务器的端口是9090",
        "家賃は9000円です | 家賃は9500円です",
        "서버의 포트는 8080이다 | 서버의 포트는 9090이다",
    ],
    "date": [
        "Ana's birthday is 3 May | Ana's birthday is 4 May",
        "Standup is on Tuesdays | Standup is on Thursdays",
        "The contract ends on 2026-03-01 | The contract ends on 2026-04-01",
        "The train leaves at 9:40 | The train leaves at 10:15",
        "Die Besprechung ist am Dienstag | Die Besprechung ist am Donnerstag",
    ],
    "name": [
        "The owner of the relay is Ana | The owner of the relay is Ben",
        "Ana lives in Porto | Ana lives in Lisbon",
        "Ana reports to Ben | Ana reports to Carla",
    ],
    "denial": [
        "Ana eats meat | Ana does not eat meat",
        "Deploy on Fridays | Never deploy on Fridays",
        "The job may run as root | The job must not run as root",
        "安娜吃肉 | 安娜不吃肉",
        "아나는 고기를 먹는다 | 아나는 고기를 안 먹는다",
        "Ana no come carne | Ana come carne",
    ],
}
HOLD = {
    "other subject": [
        "Ana's birthday is 3 May | Ben's birthday is 4 May",
        "Server 3 runs Debian | Server 4 runs Debian",
        "The staging relay listens on port 8080 | The relay listens on port 9090",
        "The project uses Redis for sessions | The project uses Redis for queues",
        "Rent for March is 900 | Rent for April is 950",
        "In 2025 revenue was 3 million | In 2026 revenue was 4 million",
        "小王住在北京 | 小李住在北京",
    ],
    "several": [
        "Ana likes tea | Ana likes coffee",
        "Ana speaks Greek | Ana speaks Dutch",
        "Ana is allergic to nuts | Ana is allergic to cats",
        "Ana manages Ben | Ana manages Carla",
    ],
    "more detail": [
        "Ana lives in Porto | Ana lives in Porto, near the river",
        "Standup is at 9:30 | Standup is at 9:30 in the small room",
        "uses Postgres | uses Postgres in production",
    ],
    "later event": [
        "2026-01-04: deployed the relay | 2026-02-04: deployed the relay",
        "2026-01-04: moved to Lisbon | 2026-05-02: moved to Berlin",
        "Visited Rome on 2026-01-04 | Visited Rome on 2026-05-04",
    ],
    "plan and outcome": [
        "Plan to ship the relay in June | Shipped the relay in July",
        "Ana will move to Oslo in May | Ana moved to Oslo in June",
    ],
    "the same": ["Standup is at 2 PM on Tuesdays | Tuesday standup: 14:00", "tea | tea"],
    "nothing alike": ["The moon is far | Ana has the key"],
}


def pairs(some: dict[str, list[str]]) -> list[str]:
    return [pair for group in some.values() for pair in group]


@pytest.mark.parametrize("pair", pairs(CONTRADICT))
def test_both_cannot_hold_whichever_comes_first(pair: str) -> None:
    one, other = pair.split(" | ")
    found = judge(one, other)
    assert found.contradicts
    assert found.alike
    assert found.reasons
    assert judge(other, one).contradicts


@pytest.mark.parametrize("pair", pairs(HOLD))
def test_both_can_hold_whichever_comes_first(pair: str) -> None:
    one, other = pair.split(" | ")
    assert not judge(one, other).contradicts
    assert not judge(other, one).contradicts


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_are_judged_alike_from_both_sides(one: str, other: str) -> None:
    assert judge(one, other).contradicts == judge(other, one).contradicts


@given(st.text(max_size=80))
def test_nothing_contradicts_itself(text: str) -> None:
    assert not judge(text, text).contradicts


SMALL = [
    "relay",
    "ana",
    "is",
    "not",
    "never",
    "8080",
    "9090",
    "in",
    "for",
    "on",
    "enabled",
    "disabled",
    "uses",
    "用",
    "不",
    "が",
]
words = st.lists(st.sampled_from(SMALL), max_size=8).map(" ".join)


@given(words, words)
def test_both_sides_weigh_the_same(one: str, other: str) -> None:
    assert judge(one, other).contradicts == judge(other, one).contradicts
