"""Cursors only ever go forward."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.table import merge_table
from clawgit.workspace.reading_cursors import HEADER, TABLE, Cursor, furthest, parse, render

NAMES = st.sampled_from(["a", "main/5b0f", "日記"])
CURSORS = st.builds(Cursor, NAMES, st.sampled_from(["e1", "e2", "~ff"]), st.integers(0, 3))
FILES = st.lists(CURSORS).map(lambda some: render(furthest({}, some)))


def merge(one, two):
    return merge_table(TABLE, "", one, two)


@given(FILES, FILES, FILES)
def test_merges_agree_in_any_order(one, two, three):
    assert merge(one, two) == merge(two, one)
    assert merge(one, one) == one
    assert merge(merge(one, two), three) == merge(one, merge(two, three))


@given(FILES, FILES)
def test_nothing_is_read_again_that_one_side_has_read(one, two):
    joined = parse(merge(one, two))
    assert all(joined[name].key >= cursor.key for side in (one, two) for name, cursor in parse(side).items())


def test_lines_that_are_none_are_passed_over():
    assert parse(f"{HEADER}\na\te1\t7\nb\te1\nc\te1\tnoon\n<<<<<<< ours\na\te2\t5\r\n") == {"a": Cursor("a", "e1", 7)}
