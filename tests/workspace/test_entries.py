"""The sidecar: rows by id, merged without losing a mention."""

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from clawgit.workspace.entries import HEADER, STATUSES, Row, joined, merge, parse, render, taken_back

IDS = st.sampled_from(["kkkkkkkkkk", "lllllllllll"[:10], "zzzzzzzzzz"])
CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), max_size=6)
MENTIONS = st.frozensets(st.sampled_from("abcdef"), max_size=4)
DAY = st.none() | st.dates(date(2025, 1, 1), date(2025, 1, 9))
SHARE = st.sampled_from([0, 0.2, 0.6, 0.95, 1.0])


def rows(cell=CELL):
    row = st.builds(Row, IDS, cell, cell, cell, cell, SHARE, DAY, DAY, MENTIONS, st.sampled_from(STATUSES), cell)
    return st.lists(row, max_size=3).map(lambda found: {one.id: one for one in found})


TEXTS = rows(st.sampled_from(["", "a", "b"])).map(render)


def one(**columns):
    return Row("kkkkkkkkkk", "MEMORY.md", "h", **columns)


def merged(base, *sides):
    return merge(*(render({row.id: row} if row else {}) for row in (base, *sides)))


@given(rows())
def test_rows_are_read_back_as_they_were_written(found):
    assert parse(render(found)) == found


@given(st.text("k\t\n\r#,0.9x", max_size=60))
def test_any_text_is_read_and_writing_it_settles(text):
    """What is no row is passed over; what is one is written the same for ever after."""
    once = render(parse(text))
    assert render(parse(once)) == once
    assert once.startswith(HEADER + "\n")


def test_rows_stand_sorted_by_id_one_to_a_line():
    found = {key: replace(one(), id=key) for key in ("zzzzzzzzzz", "kkkkkkkkkk")}
    lines = render(found).split("\n")
    assert [line[:10] for line in lines] == ["# clawgit ", "kkkkkkkkkk", "zzzzzzzzzz", ""]


@pytest.mark.parametrize("gap", ["\t", "\n", "\r", "\r\n", "\t\n\t"])
def test_no_cell_can_break_its_row(gap):
    """A tab or line end in a cell becomes a space; the row and the ones beside it stay readable."""
    odd = one(tag=f"a{gap}b", by=f"c{gap}", mentions=frozenset({f"m{gap}n", "o"}))
    found = parse(render({odd.id: odd, "zzzzzzzzzz": replace(odd, id="zzzzzzzzzz", by="")}))
    assert set(found) == {"kkkkkkkkkk", "zzzzzzzzzz"}
    assert found[odd.id].tag.split() == ["a", "b"]
    assert {" ".join(mention.split()) for mention in found[odd.id].mentions} == {"m n", "o"}


def test_a_comma_does_not_make_two_mentions_of_one():
    assert len(parse(render({"kkkkkkkkkk": one(mentions=frozenset({"a,b"}))}))["kkkkkkkkkk"].mentions) == 1


@pytest.mark.parametrize(
    "line",
    [
        "",
        "kkkkkkkkkk",
        "kkkkkkkkkk" + "\t" * 11,
        "kkkkkkkkkk\tf\th\t\toperator\tmuch\t\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\tnan\t\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\tinf\t\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\t1e9\t\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\t-1\t\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\t0.6\tyesterday\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\t0.6\t2026-02-31\t\t\tlive\t",
        "kkkkkkkkkk\tf\th\t\toperator\t0.6\t\t\t\tundead\t",
        "<<<<<<< HEAD",
        "# kkkkkkkkkk\tf\th\t\toperator\t0.6\t\t\t\tlive\t",
    ],
)
def test_a_line_that_is_no_row_is_passed_over(line):
    good = render({"zzzzzzzzzz": replace(one(), id="zzzzzzzzzz")})
    assert set(parse(f"{good}{line}\n")) == {"zzzzzzzzzz"}
    assert set(parse(f"{line}\n{good}")) == {"zzzzzzzzzz"}


def test_a_file_that_somebody_saved_with_other_line_ends_says_the_same():
    found = {"kkkkkkkkkk": one(mentions=frozenset({"a"}), status="corrected", by="x")}
    assert parse(render(found).replace("\n", "\r\n")) == found
    assert parse("\ufeff" + render(found)) == found


def test_an_id_that_stands_twice_keeps_the_mentions_of_both():
    """So a merge by hand leaves it, when somebody keeps the lines of both sides."""
    twice = render({"kkkkkkkkkk": one(mentions=frozenset("a"))}) + render(
        {"kkkkkkkkkk": one(mentions=frozenset("b"), status="corrected")}
    )
    (row,) = parse(twice).values()
    assert (row.mentions, row.status) == (frozenset("ab"), "corrected")


@given(TEXTS, TEXTS, TEXTS)
def test_merging_does_not_depend_on_the_side(base, ours, theirs):
    assert merge(base, ours, theirs) == merge(base, theirs, ours)


@given(TEXTS, TEXTS)
def test_merging_with_the_base_or_with_itself_changes_nothing(base, side):
    assert merge(base, side, side) == side
    assert merge(base, side, base) == side


HEAD = "# clawgit entries 2\n"
MORE = f"{HEAD}kkkkkkkkkk\ta\t\t\ta\t0\t\t2025-01-01\ta,b\tlive\ta\n"
LESS = f"{HEAD}kkkkkkkkkk\ta\t\t\ta\t0\t\t2025-01-01\tb\tlive\t\n"


@given(TEXTS, TEXTS)
@example(MORE, LESS)
def test_born_on_both_sides_merging_again_changes_nothing(ours, theirs):
    once = merge("", ours, theirs)
    assert merge("", once, ours) == once
    assert merge("", once, theirs) == once


@given(TEXTS, TEXTS, TEXTS)
def test_born_on_three_sides_mentions_dates_and_status_do_not_depend_on_the_order(one_side, two, three):
    """Which tag, origin and confidence hold may depend on it."""
    left, right = merge("", merge("", one_side, two), three), merge("", one_side, merge("", two, three))
    found, other = (
        {key: (r.mentions, r.first, r.last, r.status) for key, r in parse(t).items()} for t in (left, right)
    )
    assert found == other


@given(TEXTS, TEXTS, TEXTS)
def test_a_mention_is_lost_only_where_a_side_took_it_back(base, ours, theirs):
    old, left, right, both = map(parse, (base, ours, theirs, merge(base, ours, theirs)))
    for key in {**left, **right}:
        sides = [side[key] for side in (left, right) if key in side]
        before = old[key].mentions if key in old else frozenset()
        said = frozenset().union(*(side.mentions for side in sides))
        taken = before - frozenset.intersection(*(side.mentions for side in sides))
        if len(sides) == 2 and key in both:
            assert both[key].mentions == said - taken


@given(TEXTS, TEXTS, TEXTS)
def test_no_entry_vanishes_that_both_sides_have(base, ours, theirs):
    left, right, both = map(parse, (ours, theirs, merge(base, ours, theirs)))
    assert set(left) & set(right) <= set(both)


@pytest.mark.parametrize(("here", "there"), [(a, b) for a in STATUSES for b in STATUSES])
def test_the_graver_status_wins_where_both_sides_changed(here, there):
    """Whatever was said later: a deletion stays deleted."""
    base = one(mentions=frozenset("a"))
    mine = replace(base, status=here, mentions=frozenset("ab"), last=date(2026, 1, 9))
    theirs = replace(base, status=there, mentions=frozenset("ac"))
    (row,) = parse(merged(base, mine, theirs)).values()
    assert row.status == max(here, there, key=STATUSES.index)
    assert row.mentions == frozenset("abc")


def test_a_status_that_only_one_side_changed_holds_also_when_it_is_lighter():
    """Reviving a tombstone is a change like another."""
    dead = one(status="tombstone")
    assert parse(merged(dead, replace(dead, status="live"), dead))["kkkkkkkkkk"].status == "live"


def test_dates_widen():
    base = one(first=date(2026, 1, 5), last=date(2026, 1, 5))
    early = replace(base, first=date(2026, 1, 1), mentions=frozenset("a"))
    late = replace(base, last=date(2026, 1, 9), mentions=frozenset("b"))
    (row,) = parse(merged(base, early, late)).values()
    assert (row.first, row.last) == (date(2026, 1, 1), date(2026, 1, 9))


def test_setting_a_row_keeps_the_mentions_that_came_meanwhile():
    there = {"kkkkkkkkkk": one(mentions=frozenset("ab"))}
    assert joined(there, [one(mentions=frozenset("ac"))])["kkkkkkkkkk"].mentions == frozenset("abc")
    assert joined(there, [one(mentions=frozenset("a"))], forget="b")["kkkkkkkkkk"].mentions == frozenset("a")
    assert there["kkkkkkkkkk"].mentions == frozenset("ab")


@given(rows().filter(bool), rows().filter(bool))
def test_a_step_taken_back_at_once_leaves_what_was_before(one_file, another):
    before, after = next(iter(one_file.values())), next(iter(another.values()))
    after = replace(after, id=before.id)
    assert taken_back(before, after, after) == before
    assert taken_back(None, after, after).status == "tombstone"


def test_a_step_taken_back_keeps_what_came_later():
    before = one(last=date(2026, 1, 1), mentions=frozenset("a"))
    after = replace(before, last=date(2026, 1, 2), mentions=frozenset("ab"))
    now = replace(after, last=date(2026, 1, 2), mentions=frozenset("abc"), status="corrected", by="x")
    back = taken_back(before, after, now)
    assert (back.mentions, back.status, back.by, back.last) == (frozenset("ac"), "corrected", "x", date(2026, 1, 2))
