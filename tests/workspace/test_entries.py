"""The sidecar: rows by id."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clawgit.workspace.entries import STATUSES, Row, parse, render

IDS = st.sampled_from(["kkkkkkkkkk", "lllllllllll"[:10], "zzzzzzzzzz"])
CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), max_size=6)
MENTIONS = st.frozensets(st.sampled_from("abcdef"), max_size=4)
DAY = st.none() | st.dates(date(2025, 1, 1), date(2025, 1, 9))
SHARE = st.sampled_from([0, 0.2, 0.6, 0.95, 1.0])


def rows(cell=CELL):
    row = st.builds(Row, IDS, cell, cell, cell, cell, SHARE, DAY, DAY, MENTIONS, st.sampled_from(STATUSES), cell)
    return st.lists(row, max_size=3).map(lambda found: {one.id: one for one in found})


def one(**columns):
    return Row("kkkkkkkkkk", "MEMORY.md", "h", **columns)


@given(rows())
def test_rows_are_read_back_as_they_were_written(found):
    assert parse(render(found)) == found


@pytest.mark.parametrize("gap", ["\t", "\n", "\r", "\r\n", "\t\n\t"])
def test_no_cell_can_break_its_row(gap):
    """A tab or line end in a cell becomes a space; the row and the ones beside it stay readable."""
    odd = one(tag=f"a{gap}b", by=f"c{gap}", mentions=frozenset({f"m{gap}n", "o"}))
    found = parse(render({odd.id: odd, "zzzzzzzzzz": replace(odd, id="zzzzzzzzzz", by="")}))
    assert set(found) == {"kkkkkkkkkk", "zzzzzzzzzz"}
    assert found[odd.id].tag.split() == ["a", "b"]
    assert {" ".join(mention.split()) for mention in found[odd.id].mentions} == {"m n", "o"}


@pytest.mark.parametrize(
    "line",
    [
        "kkkkkkkkkk",
        "kkkkkkkkkk\tf\th\t\toperator\tnan\t\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\t1e9\t\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\t0.6\tyesterday\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\t0.6\t\t\t\tundead\t",
        "<<<<<<< HEAD",
    ],
)
def test_a_line_that_is_no_row_is_passed_over(line):
    good = render({"zzzzzzzzzz": replace(one(), id="zzzzzzzzzz")})
    assert set(parse(f"{good}{line}\n")) == {"zzzzzzzzzz"}
    assert set(parse(f"{line}\n{good}")) == {"zzzzzzzzzz"}


def test_an_id_that_stands_twice_keeps_the_mentions_of_both():
    """So a merge by hand leaves it, when somebody keeps the lines of both sides."""
    twice = render({"kkkkkkkkkk": one(mentions=frozenset("a"))}) + render(
        {"kkkkkkkkkk": one(mentions=frozenset("b"), status="corrected")}
    )
    (row,) = parse(twice).values()
    assert (row.mentions, row.status) == (frozenset("ab"), "corrected")
