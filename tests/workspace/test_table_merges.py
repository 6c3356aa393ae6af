"""Tables of two machines: row by row, field by field."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clawgit.text.table import merge_table
from clawgit.workspace import taint_register
from clawgit.workspace.entries import STATUSES, TABLE, Row, parse, render
from clawgit.workspace.merge_rules import TABLES

from .test_entries import rows

TEXTS = rows(st.sampled_from(["", "a", "b"])).map(render)


def one(**columns):
    return Row("kkkkkkkkkk", "MEMORY.md", "h", **columns)


def merged(base, *sides):
    texts = (render({row.id: row} if row else {}) for row in (base, *sides))
    return parse(merge_table(TABLE, *texts))


@given(TEXTS, TEXTS, TEXTS)
def test_merging_does_not_depend_on_the_side(base, ours, theirs):
    assert merge_table(TABLE, base, ours, theirs) == merge_table(TABLE, base, theirs, ours)


@pytest.mark.parametrize(("here", "there"), [(a, b) for a in STATUSES for b in STATUSES])
def test_a_correction_or_refutation_wins_over_a_deletion(here, there):
    base = one(mentions=frozenset("a"))
    mine = replace(base, status=here, mentions=frozenset("ab"), last=date(2026, 1, 9))
    theirs = replace(base, status=there, mentions=frozenset("ac"))
    (row,) = merged(base, mine, theirs).values()
    changed = [status for status in (here, there) if status != "live"] or ["live"]
    assert row.status == max(changed, key=["tombstone", "live", "superseded", "corrected"].index)
    assert row.mentions == frozenset("abc")


def test_taints_of_both_hold():
    head = taint_register.HEADER
    sides = (f"{head}\nturn\tkkkkkkkkkk\ts#{at}\n" for at in (1, 2))
    text = merge_table(TABLES[taint_register.PATH], None, *sides)
    assert text == f"{head}\nturn\tkkkkkkkkkk\ts#1\nturn\tkkkkkkkkkk\ts#2\n"


def test_a_missing_file_deletes_no_row():
    text = render({"kkkkkkkkkk": one()})
    assert merge_table(TABLE, text, None, text) == text
