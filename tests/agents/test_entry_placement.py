"""Mined entries stand in one order, whichever came first."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.entry_placement import Placed, place, without
from clawgit.text.entry import entries

ORDER = ("Decisions", "Knowledge", "Skills", "Events")
ITEMS = tuple(
    Placed(section, (day, words), f"- {words}")
    for section, day, words in (
        ("Knowledge", "3", "the third"),
        ("Knowledge", "1", "the first"),
        ("Events", "2", "it happened"),
        ("Decisions", "9", "it was decided"),
        ("Skills", "4", "it was learnt"),
    )
)
BASES = (
    "",
    "# Memory\n",
    "# Memory\n\n- old\n",
    "# M\n\n## Knowledge\n\n- mine\n  - nested\n\nSome text.\n\n## Skills\n\n- sings\n",
    "# M\n\n## Skills\n",
    "# Memory\n\nWhat is worth it.\n\n## Decisions\n\n## Knowledge\n\n## Skills\n\n## Events\n",
    "# M\n\n## Skills\nText.\n## Events\n\n\n",
    "# M\n\n### knowledge\n\n1. mine\n\n## Events\n\nno list yet\n",
    "Knowledge\n---------\n\n* starred\n",
    "# M\r\n\r\n## Events\r\n\r\n- with other line ends\r\n",
)


def one_by_one(text: str, items: tuple[Placed, ...]) -> str:
    keys = {item.key[1]: item.key for item in items}
    for item in items:
        text = place(text, [item], {one.start: keys[one.text] for one in entries(text) if one.text in keys}, ORDER)
    return text


@pytest.mark.parametrize("base", BASES)
def test_any_order_and_any_split_gives_the_same_text(base: str) -> None:
    at_once = place(base, ITEMS, {}, ORDER)
    assert {one_by_one(base, items) for items in itertools.permutations(ITEMS)} == {at_once}


@pytest.mark.parametrize("base", BASES)
def test_what_stood_there_stands_there_in_its_order(base: str) -> None:
    text = place(base, ITEMS, {}, ORDER)
    rest = iter(text.splitlines())
    assert all(line in rest for line in base.splitlines() if line.strip())
    assert [one.section[-1].casefold() for one in entries(text) if one.text == "the third"] == ["knowledge"]


@given(st.lists(st.sampled_from(ITEMS), unique=True), st.sampled_from(BASES))
def test_what_was_placed_can_be_taken_out_again(items: list[Placed], base: str) -> None:
    text = place(base, items, {}, ORDER)
    ours = [(one.start, one.end) for one in entries(text) if one.text in {item.key[1] for item in items}]
    assert len(ours) == len(items)
    left = [one.text for one in entries(without(text, ours))]
    assert left == [one.text for one in entries(base)]
