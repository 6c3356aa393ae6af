"""Blocks cover the text and give it back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.text.document import CLIPPED, clip_line, parse_document
from tests.amounts import amount

from .ugly import markdown


def kinds(text):
    return [(b.kind, b.start, b.end) for b in parse_document(text).blocks]


@given(st.one_of(markdown(), st.text(max_size=60)))
@settings(max_examples=amount(400, 60))
def test_blocks_give_back_any_text(text):
    """Blocks are in order, without gap, and their sources are the text."""
    document = parse_document(text)
    assert "".join(row for block in document.blocks for row in document.lines[block.start - 1 : block.end]) == text
    line = 1
    for block in document.blocks:
        assert block.start == line <= block.end
        line = block.end + 1
    assert line == len(document.lines) + 1


def test_kinds():
    """Each kind of line is told from the others."""
    text = "---\na: 1\n---\nT\n==\n| h |\n|---|\n| r |\n\n```\n- no\n```\n<!-- c -->\n> - q\n\n- a\n  - n\n\n  more\n"
    assert [kind for kind, _, _ in kinds(text) if kind != "blank"] == [
        "front_matter", "heading", "table_head", "row", "fence", "comment", "quote", "bullet", "bullet",
        "continuation",
    ]  # fmt: skip


def test_lines_are_gits():
    """A lone carriage return, NUL and U+2028 end no line; a BOM hides no heading."""
    assert kinds("\ufeff# T\r\n\u2028a\rb\0\n- x") == [("heading", 1, 1), ("paragraph", 2, 2), ("bullet", 3, 3)]


@pytest.mark.parametrize(
    ("line", "is_cut"),
    [("- " + "QUJD" * 5_000 + " end", True), ("- " + "word " * 5_000, False), ("字" * 20_000, False)],
)
def test_a_word_that_no_prompt_can_hold_is_cut(line, is_cut):
    assert (clip_line(line) != line) is is_cut
    assert bool(CLIPPED.search(clip_line(line))) is is_cut
